/**
 * In what situation somebody needs a tool, in Portuguese, Spanish and English, without accents: a task, a question or
 * a complaint each, for every tool, beside what they would call it (`toolPhrases`).
 */
export const searchScenarios: { readonly [tool: string]: string } = {
  acknowledge_notification:
    "ja tratei desse alerta; esse comunicado pode sair da lista; ya me ocupe de esa alerta; ese mensaje ya esta atendido; I dealt with that alert; clear the notice",
  list_notification_history:
    "recados que a plataforma me mandou ano passado; todas as mensagens do sistema; mensajes del sistema que recibi antes; past announcements; everything the platform ever told me",
  list_pending_notifications:
    "tem recado novo para mim; o que a plataforma quer me dizer; hay mensajes nuevos para mi; que alertas faltan por atender; anything new for me; notices still to be dealt with; mensagens da plataforma que nao li; mensajes de la plataforma sin leer; messages from the platform I have not read",
  whoami:
    "com que usuario estou conectado; de quem e este token; meus dados de acesso; con que usuario estoy; de quien es este token; whose token is this; am I in the right account; are the services real or simulated",
  get_lead:
    "tudo sobre esse contato; por que esse lead nao recebe mensagem; em que pe esta o lead; por que no avanza este lead; en que esta este contacto; what blocks this lead; where does this prospect stand; look at one contact",
  list_lead_emails:
    "o que escrevemos por email para essa pessoa; mostrar os correios desse contato; correspondencia por correo con este contacto; leer los mails del lead; read the mail thread with a prospect; did they answer my mail",
  list_pending_review:
    "casos que o agente deixou para mim; quem precisa da minha decisao; casos que el agente me dejo; quien espera mi aprobacion; cases the agent handed to me; leads that need my approval",
  list_paused_prospecting_leads:
    "contatos que mandei parar por enquanto; quem nao esta recebendo nada porque pausei; contactos que puse en espera; a quienes deje de escribir por ahora; contacts I put on hold; show everybody that is paused",
  pause_lead_prospecting:
    "ele esta viajando, nao escreva agora; esperar um pouco com esse cliente; esta de vacaciones, no le escriban todavia; esperar con este contacto; she is on leave, wait before writing; stop contacting for a while; nao contatar por duas semanas; no contactar por dos semanas; no contact for two weeks",
  resume_lead_prospecting:
    "ele voltou de viagem, pode falar com ele; tirar o contato da espera; ya volvio, pueden contactarlo; sacar de la espera; she is back, continue; lift the hold on a contact",
  register_lead:
    "conheci alguem, coloca na base; incluir o telefone e email dessa pessoa; conoci a alguien, metelo en la base; dar de alta un prospecto; add this contact to prospecting; enter a new prospect by hand",
  return_lead_to_pipeline:
    "revisei o caso, o robo pode continuar; aprovado, segue com a prospeccao; revise el caso, puede seguir el robot; aprobado, que continue; reviewed, let it go on; approve and hand back to the bot",
  search_leads:
    "lista dos meus contatos; quem entrou na base este mes; contatos de uma campanha; lista de mis contactos; quienes entraron este mes; prospectos de una campana; list contacts by status; leads added last week; filter my prospects; achar lead pelo telefone; encontrar lead por telefono; look up a lead by phone number",
  send_message_to_lead:
    "responder o cliente com as minhas palavras por email; escrever para o contato em meu nome; contestarle al cliente con mis palabras; escribir un mail propio; write my own reply to a prospect; send a personal mail",
  stop_lead:
    "pediu para nao ser mais contatado; acabou, pode fechar esse contato; pidio que no le escribamos mas; cerrar este contacto; asked us to stop; finished with this contact; nao quero que contatem mais esse lead; que no se contacte mas a este lead; this lead must not be contacted any more",
  take_over_lead:
    "esse cliente agora e comigo; tirar do robo e deixar comigo; este cliente ahora es mio; sacarlo del robot; this one is mine now; take it away from the bot",
  update_lead:
    "registrar informacao sobre o contato; mudar a meta desse lead; marcar como desqualificado; registrar informacion del contacto; marcar como descalificado; set the goal for a prospect; change what we know of a contact; set lead to unqualified; acrescentar o historico do lead; agregar antecedentes del lead; add background about a lead",
  delete_lead:
    "cliente exige que apaguem o cadastro dele; remover a pessoa da base para sempre; exige que borremos su registro; eliminar a la persona de la base; remove this person from the database for ever; privacy request to forget someone",
  export_leads:
    "gerar planilha com meus contatos; preciso da base em excel; sacar la base en una planilla; bajar contactos filtrados; save my contacts to a file; get prospects as spreadsheet",
  create_lead_presentation:
    "material sob medida para apresentar a empresa a esse cliente; preparar proposta em pdf; armar una propuesta en pdf; material a medida para este cliente; tailor-made slides for a prospect; document that presents us to a contact",
  import_leads:
    "jogar minha lista de clientes para dentro; cadastrar varios contatos de uma vez; meter varios contactos de una vez; cargar mi base de clientes; add many contacts at once; bring in my contact list from a file",
  register_referral_lead:
    "ele me passou o contato de um amigo; cliente indicou outra empresa; nos dio el dato de un amigo; un lead nos refirio a otra persona; she referred us to a friend; contact recommended by another lead",
  reschedule_lead_touch:
    "falar com eles so em janeiro; deixar o proximo toque para depois; usar whatsapp em vez de email com esses leads; contactarlos recien en enero; dejar el siguiente toque para despues; get back to them in january; switch the channel for these leads; contatar o lead em outra data; contactar al lead en otra fecha; contact the lead on another date instead",
  send_chatapp_message_to_lead:
    "responder o cliente no aplicativo de mensagens; enviar foto pelo zap; contestarle por wasap; enviarle una foto por mensaje; reply in the messaging app; send a chat message with a picture",
  list_lead_imports:
    "cargas de contatos anteriores; minhas importacoes de planilha; cargas anteriores de contactos; importes de planillas; all contact imports; earlier list uploads",
  get_lead_import:
    "quantos contatos da planilha entraram; quais linhas vieram duplicadas; cuantos contactos de la planilla entraron; que filas estaban duplicadas; how many rows were created; progress of my contact upload",
  answer_lead_question:
    "dizer ao agente o que responder para quem perguntou; eis a resposta para a pergunta em aberto; decirle al agente que contestar; aqui esta la respuesta a la pregunta pendiente; here is the answer to the open question; tell waiting leads the answer",
  list_lead_lifecycle_events:
    "passo a passo do que houve com o contato; quando o lead foi assumido ou recuperado; todo el recorrido del lead; cuando se pauso o se recupero; steps a lead went through; when was it stopped and why; o que houve com o lead desde que entrou; que le paso al lead desde el principio; what happened to this lead since it came in",
  mute_lead_check_ins:
    "chega de perguntar como ficou a negociacao; pergunta de novo so daqui a um mes; basta de consultas sobre este negocio; preguntame de nuevo en un mes; snooze the question about this deal; ask me again in a month; parem de perguntar o que houve com o cliente; dejen de preguntar que paso con el cliente; stop asking what became of the lead",
  recover_lead_to_pipeline:
    "tentar outra vez com quem tinha sido encerrado; devolver para prospeccao um lead que assumi; intentar otra vez con uno cerrado; volver a prospectar un lead detenido; retry a stopped lead; put a lead I took over back to prospecting",
  register_lead_outcome:
    "venda fechada, valor 5 mil; desistimos desse cliente; esta em negociacao; venta cerrada; nos damos por vencidos; esta negociando; closed for five thousand; we lost them; they are negotiating; gave up on this one",
  cancel_lead_meeting:
    "surgiu um imprevisto, nao consigo fazer a reuniao; remarcar depois com o lead; surgio algo, no llego a la reunion; suspender la reunion con el prospecto; something came up, drop the meeting; postpone the appointment with a lead",
  confirm_lead_meeting:
    "pode marcar, estarei la; aceito o horario que o lead pediu; alli estare; acepto la hora que pidio el lead; I will be there; approve the time the lead proposed",
  list_lead_meetings:
    "com quem vou me reunir esta semana; encontros marcados com clientes; con quien me reuno esta semana; encuentros con clientes; whom do I meet this week; calls booked with prospects",
  update_lead_meeting_attendance:
    "a reuniao aconteceu, ele veio; registrar quem participou; la reunion se hizo, el vino; registrar quien participo; the meeting took place; record who was there; nobody showed up",
  get_lead_timing_intelligence:
    "quando e mais provavel que ele responda; que dia da semana contatar; cuando es mas probable que conteste; que dia conviene; when is she likely to reply; which weekday and hour to contact",
  get_lead_conversation:
    "ler tudo que trocamos com esse cliente; resumo das ligacoes e mensagens; leer todo lo que intercambiamos; resumen de llamadas y mensajes; full exchange with a prospect; read mails messages and calls together; o que falamos com ela; que hemos hablado con ella; what have we talked about with her",
  list_lead_chatapp_messages:
    "o que foi dito no aplicativo de mensagens; mostrar as mensagens do zap desse contato; lo que se dijo en la app de mensajes; chat del lead; chat history with a contact; messages in the app",
  search_lead_conversations:
    "em que conversa falaram de desconto; clientes que citaram o concorrente; en que charla hablaron de descuento; clientes que nombraron a otro proveedor; conversations about delivery; find where somebody asked for a discount",
  search_my_agent_conversation:
    "o que o agente me respondeu outro dia; achar o que combinamos eu e o assistente; que me respondio el agente; encontrar lo que hablamos el asistente y yo; what the agent answered me; find it in my chat with the assistant",
  archive_campaign:
    "nao preciso mais dessa campanha; tirar a campanha da lista; ya no necesito esta campana; sacar la campana de la lista; campaign is over for ever; close down a campaign",
  compare_campaigns:
    "diferenca entre duas campanhas; qual das campanhas rende mais; diferencia entre dos campanas; enfrentar dos campanas; difference between two campaigns; put one campaign against another",
  create_campaign:
    "prospectar outro produto separadamente; montar campanha para um novo nicho; prospectar otro producto aparte; montar una campana para un nicho; separate campaign for another product; launch outreach to a new niche",
  update_campaign:
    "trocar o publico da campanha; ajustar textos e filtros de uma campanha; cambiar el publico de la campana; ajustar filtros de una campana; change targeting of one campaign; adjust instructions for a campaign",
  list_campaigns:
    "mostrar as campanhas de prospeccao; quantas campanhas tenho; mostrar las campanas; cuantas campanas tengo; show campaigns; how many campaigns are there",
  get_campaign:
    "como a campanha esta montada; que filtros usa a campanha; como esta armada la campana; que filtros usa la campana; what does this campaign say and target; show one campaign",
  pause_campaign:
    "parar a campanha por uns dias; congelar toda a campanha; parar la campana unos dias; congelar la campana; freeze a campaign; stop a campaign temporarily",
  resume_campaign:
    "continuar a campanha parada; descongelar campanha; continuar la campana parada; descongelar la campana; unfreeze a campaign; continue the campaign we had stopped",
  rename_campaign:
    "a campanha esta com nome errado; mudar titulo da campanha; la campana tiene mal el nombre; ponerle otro nombre a la campana; give a campaign a new name; campaign title is wrong",
  move_leads_to_campaign:
    "esses contatos sao de outra campanha; transferir leads entre campanhas; estos contactos son de otra campana; transferir leads entre campanas; assign leads to a campaign; switch prospects to another campaign",
  get_campaign_voice_calling_active:
    "nessa campanha tem telefonema; a campanha pode telefonar; en esta campana se telefonea; la campana puede llamar; are calls on in this campaign; does the campaign use the phone",
  get_voice_call:
    "o que a pessoa disse no telefone; resultado da ligacao; atenderam a ligacao; que dijo por telefono; resultado de la llamada; contestaron la llamada; what was said on the phone; did they pick up; outcome of a call",
  get_voice_calling_active:
    "as chamadas por voz estao ativas; o sistema esta telefonando; estan activas las llamadas; el sistema esta llamando; is calling switched on; are leads being phoned",
  get_voice_prospecting_voice:
    "qual e a voz configurada; a voz e masculina; cual es la voz configurada; es voz femenina; which voice is set; what does the caller sound like",
  list_voice_calls:
    "telefonemas que pedi; todas as chamadas e o resultado; telefonemas que pedi al agente; todas las llamadas y su resultado; phone calls I had made; call log",
  place_goal_driven_call:
    "liga para esse numero e confirma o pedido; chamar o fornecedor por telefone; llama a este numero y confirma; llamar al proveedor; call this number and find out; have the agent phone somebody; ligar para um numero e oferecer algo; llamar a un numero y ofrecer algo; call a number and offer something",
  set_campaign_voice_calling_active:
    "nessa campanha nao quero ligacoes; habilitar telefone so em uma campanha; en esta campana no quiero llamadas; habilitar telefono en una campana; no calls in this campaign; enable phoning for one campaign only; parar de ligar para os leads da campanha; dejar de llamar en la campana; stop phoning in this campaign",
  set_voice_calling_active:
    "pode comecar a ligar para os leads; desativar chamadas de voz; puede empezar a llamar a los leads; desactivar llamadas de voz; let it start phoning leads; disable voice calling",
  set_voice_prospecting_voice:
    "prefiro que ligue com voz de mulher; quero voz de homem; prefiero voz de mujer; quiero voz de hombre; I prefer a man's voice; sound like a woman on the phone",
  get_chatapp_line:
    "qual a qualidade do meu numero; por que o zap nao envia; quanto ja gastei no whatsapp hoje; que calidad tiene mi numero; por que no salen los wasaps; state of our messaging number; is the line healthy; what did messaging cost today",
  register_chatapp_line:
    "quero usar whatsapp para falar com leads; ligar meu proprio numero; quiero usar whatsapp con los leads; vincular mi propio numero; start using whatsapp; connect my own number to messaging",
  set_chatapp_daily_cost_cap:
    "esta gastando demais por dia com zap; maximo diario em reais; gasta demasiado por dia en wasap; maximo por dia; too expensive per day, cap it; most that messages may cost a day",
  set_chatapp_monthly_cost_cap:
    "quanto pode custar o zap no mes; orcamento mensal de mensagens; cuanto puede costar por mes; presupuesto mensual de mensajes; monthly messaging budget; most that messages may cost a month",
  set_chatapp_line_profile_picture:
    "por uma imagem no perfil do zap; a foto do numero esta feia; poner imagen en el perfil de wasap; la foto del numero esta mal; new profile photo for messaging; show our logo in the chat",
  update_chatapp_line_profile:
    "mudar recado e site do perfil comercial; descricao do numero comercial; cambiar la descripcion y web del perfil comercial; edit business profile of the number; change address and hours in the chat profile",
  get_business:
    "como minha empresa esta descrita; mostrar descricao e cliente ideal; como esta descrita mi empresa; mostrar descripcion y cliente ideal; show our company profile; what is written about what we do; o que a plataforma sabe da minha empresa; que sabe la plataforma de mi empresa; what does the platform know of my company",
  get_business_assessment:
    "o que falta para vender melhor; chances de dar certo; que falta para que funcione; que probabilidad de exito; are we set up well enough; what should I improve before starting",
  set_business:
    "nossa empresa mudou de ramo; atualizar descricao, site e clientes; nuestra empresa cambio de rubro; actualizar lo que ofrecemos; our offer changed; save who our ideal customers are; save our website and name",
  list_business_files:
    "o documento ja foi lido pelo agente; lista do material de conhecimento; ya leyo el agente el documento; lista de conocimientos; documents the agent has learned; knowledge that is stored; o arquivo que enviei ja foi indexado; ya se indexo el archivo que subi; has the document I uploaded been indexed",
  register_business_file:
    "alimentar o agente com informacoes da empresa; o robo nao sabe do nosso produto; alimentar al agente con informacion; el robot no conoce nuestro producto; feed the agent information; the bot should know our products; pdf na base de conhecimento; pdf a la base de conocimiento; add a pdf to the knowledge base",
  remove_business_file:
    "o agente usa um texto velho, tira isso; apagar do conhecimento; el agente usa un texto viejo; borrar del conocimiento; outdated document in the knowledge; stop quoting this text",
  list_business_faq:
    "o que o agente responde sempre; lista de respostas aprovadas; que contesta siempre el agente; lista de respuestas aprobadas; approved answers; answers everyone gets",
  list_open_lead_questions:
    "o que os clientes querem saber e ninguem sabe; duvidas esperando por mim; que quieren saber los clientes; dudas que me esperan; questions waiting for me; what could the bot not answer",
  update_business_faq:
    "a resposta que damos esta errada; mudar o que dizemos sobre prazo; la respuesta que damos esta mal; cambiar lo que decimos; what we answer is wrong; revise a stored answer",
  remove_business_faq:
    "parar de dar essa resposta; apagar pergunta frequente; dejar de dar esa respuesta; borrar pregunta frecuente; stop giving this answer; delete a frequently asked question",
  generate_cnae_exclusion_suggestion:
    "que tipo de empresa evitar; setores que sao concorrentes; que tipo de empresa evitar segun actividad; sectores competidores; which trades to avoid; industries we should not target; cnaes que nao interessam; cnaes que no interesan; cnaes of no interest",
  generate_cnae_suggestion:
    "em que ramos esta o meu cliente; achar atividades para segmentar; en que rubros esta mi cliente; codigos de actividad para segmentar; which industry codes to target; find trades for our customers",
  generate_icp_suggestion:
    "me ajuda a definir o perfil de cliente; que tipo de cliente combina comigo; ayudame a definir el perfil de cliente; que tipo de cliente me conviene; help me define my target customer; describe who buys from us",
  lookup_city:
    "existe cidade com esse nome; de que estado e o municipio; existe una ciudad con ese nombre; de que estado es; is there a town called; check a city name",
  lookup_cnae:
    "explicar um codigo de atividade; que ramo e esse codigo; explicar un codigo de actividad; que rubro es este codigo; explain an activity code; what trade is behind this number",
  search_knowledge:
    "como faco para usar isso; onde aprendo sobre o sistema; como hago para usar esto; donde aprendo del sistema; how do I use this; look it up in the manual; how to guide; procurar na documentacao; buscar en la documentacion; search the documentation",
  add_blacklisted_domain:
    "essa empresa e concorrente, nao falar com ninguem de la; proibir todos os emails de um dominio; esa empresa es competencia; prohibir todos los correos de un dominio; ban a whole domain; block all addresses of a company",
  add_blacklisted_email:
    "esse endereco nunca deve receber nada; proibir um endereco; esta direccion no debe recibir nada; prohibir una direccion; this address must not get mail; ban an email address",
  add_blacklisted_phone:
    "esse celular nunca deve receber zap nem ligacao; proibir um numero; este celular no debe recibir nada; prohibir un numero; this number must not get messages; ban a mobile number",
  list_blacklisted_emails:
    "enderecos proibidos; quem pediu para sair; direcciones prohibidas; quienes pidieron salir; banned contacts; everything that is blocked",
  remove_blacklisted_domain:
    "essa empresa pode ser contatada de novo; tirar o bloqueio do dominio; a esta empresa se le puede escribir otra vez; quitar el bloqueo del dominio; company may be contacted again; lift the ban on a domain",
  remove_blacklisted_email:
    "bloqueei o endereco por engano; pode mandar email para ele de novo; bloquee la direccion por error; se le puede mandar correo otra vez; blocked the address by mistake; may be emailed again",
  remove_blacklisted_phone:
    "bloqueei o celular por engano; esse numero pode receber de novo; bloquee el celular por error; ese numero puede recibir otra vez; blocked the number by mistake; take a phone off the blacklist",
  get_prospecting_config:
    "que horarios e canais a prospeccao usa; o que esta ligado; que horarios y canales usa; que esta encendido; how is outreach set up; show filters, rules and hours",
  set_allow_template_chatapp_messages:
    "nao quero que o agente comece conversa no zap; so responder quem escreveu; no quiero que el agente empiece chats; solo contestar a quien escribio; only answer, never open chats; forbid template messages",
  set_prospecting_active:
    "vamos comecar a prospectar; parar toda a conta; empecemos a prospectar; parar toda la cuenta; start contacting leads; halt the entire account",
  set_prospecting_preferences:
    "mandar mais contatos por dia; mudar dias e horas de envio; desligar o canal de email; mandar mas contactos por dia; cambiar dias y horas de envio; change sending hours; notify me about; raise the number of new leads per day; nao prospectar no fim de semana; so em horario comercial; me avisar quando um lead ficar interessado; solo en horario de oficina; avisarme cuando un lead se interese; only in business hours; tell me when a lead becomes interested",
  set_prospecting_rules:
    "mudar o jeito que o agente escreve; assinar como equipe comercial; cambiar la forma de escribir del agente; firmar como equipo comercial; how the agent should write; sign mails as; be less pushy",
  set_targeting:
    "procurar so clinicas em curitiba; mudar cidades e ramos que buscamos; buscar solo clinicas en una ciudad; cambiar ciudades y rubros; only target shops in one city; change the kind of company we search",
  get_voice_simulation_status:
    "como ficou a chamada simulada; o que o agente disse no ensaio; como quedo la llamada simulada; que dijo el agente en el ensayo; result of the simulated call; transcript of the rehearsal",
  run_prospecting_simulation:
    "quero ver que mensagem seria enviada; ensaiar sem enviar nada; quiero ver que mensaje se enviaria; ensayar sin enviar nada; preview what would be written; rehearse without sending; testar a conversa antes; probar la charla antes de empezar; try the conversation before going live",
  start_voice_simulation:
    "quero ouvir o agente no telefone; simular chamada comigo; quiero oir al agente por telefono; simular llamada conmigo; let me hear it on the phone; demo call to myself",
  list_prospecting_files:
    "que arquivos o robo oferece aos clientes; catalogos cadastrados; que archivos ofrece el robot; catalogos cargados; material offered to prospects; attachments the bot may send",
  register_prospecting_file:
    "deixar o catalogo disponivel para quem pedir; o agente deve mandar esse pdf; dejar el catalogo disponible; que el agente mande este pdf; let the bot send this pdf; offer our catalogue to leads",
  remove_prospecting_file:
    "esse catalogo esta vencido; nao oferecer mais esse pdf; ese catalogo esta vencido; no ofrecer mas este pdf; the catalogue expired; stop offering this pdf; o agente nao deve mais mandar a tabela de precos; que el agente ya no mande la lista de precios; agent should no longer send the price list",
  update_prospecting_file:
    "corrigir o texto do catalogo enviado; trocar a ordem dos materiais; corregir el texto del catalogo; cambiar el orden de los materiales; describe the catalogue better; use the material for another campaign",
  dismiss_prospecting_learning:
    "nao concordo com essa conclusao; esconder essa descoberta; no estoy de acuerdo con esa conclusion; ocultar ese hallazgo; that conclusion does not hold; remove a lesson",
  list_prospecting_learnings:
    "o que os resultados mostram; em que dias respondem mais; que muestran los resultados; que dias responden mas; what have we learned; which openings get more replies",
  search_prospecting_learnings:
    "o que se sabe sobre assuntos de email; ha alguma licao sobre; que se sabe sobre; hay alguna leccion sobre; do we know whether; look through what was learned",
  estimate_lead_volume:
    "vale a pena, quantos clientes viriam; projecao de contatos; cuantos clientes vendrian; proyeccion de contactos; forecast of new leads; what results are typical; quantas empresas existem para esse alvo; cuantas empresas hay para este objetivo; how many companies are there for this target",
  get_funnel_by_industry:
    "conversao por segmento; em que setor fechamos mais; conversion por sector; en que rubro cerramos mas; stages by sector; where do we win most by trade",
  get_funnel_timeline:
    "evolucao do funil; quantos viraram interessados a cada dia; evolucion del embudo; cuantos pasaron a interesados cada dia; funnel over time; entries to each stage per day",
  get_message_performance:
    "quais emails sao mais respondidos; desempenho dos emails por campanha; que correos son mas respondidos; rendimiento de los correos; which emails work; share of mail that was answered",
  get_chatapp_message_performance:
    "quem responde no zap; desempenho das mensagens do aplicativo; quien contesta por wasap; rendimiento de los mensajes de la app; do chat messages get answers; response rate of messaging",
  get_metrics_by_state_and_industry:
    "comparar estados; numeros por uf e ramo; comparar provincias; numeros por estado y rubro; compare regions; figures by state",
  get_performance_trends:
    "quantos emails sairam por dia; tendencia das respostas; cuantos correos salieron por dia; tendencia de respuestas; replies per day; activity over the last weeks",
  get_prospecting_report:
    "total de leads, respostas e vendas; balanco geral; total de leads, respuestas y ventas; balance general; totals since the beginning; how many leads, replies and sales",
  list_prospecting_optimizations:
    "o sistema mudou algo sozinho; desfazer ajuste automatico; el sistema cambio algo solo; deshacer un ajuste automatico; what did it tune by itself; changes made by the optimizer",
  what_changed_since:
    "resumo das novidades desde a data; o que teve nos ultimos dias; resumen de novedades desde la fecha; que hubo en los ultimos dias; summary since a date; news of the last days",
  get_email_settings:
    "de que endereco saem meus emails; como aparece meu nome nos emails; de que direccion salen mis correos; como aparece mi nombre; from which address is mail sent; how does my sender look",
  get_general_settings:
    "como estao os ajustes basicos; ver opcoes da conta; como estan los ajustes basicos; ver opciones de la cuenta; basic options of the account; show account settings",
  get_notification_emails:
    "quem recebe o relatorio diario; enderecos dos avisos; quien recibe el informe diario; direcciones de los avisos; addresses of notices; was the alert address confirmed",
  lookup_municipality_code:
    "numero do ibge do municipio; preciso do codigo da minha cidade; numero del municipio en ibge; necesito el codigo de mi ciudad; official code of a municipality; number of a city for invoices",
  set_agent_phone_call_permission:
    "o robo nao deve telefonar para mim; deixar o agente me chamar; que el robot no me telefonee; dejar que el agente me llame; do not ring me; allow calls to me the owner",
  set_email_notification_instructions:
    "so quero ser avisado de emails importantes; avisar quando escreverem sobre contrato; solo quiero aviso de correos importantes; avisar si escriben sobre contratos; which inbound mail should alert me; alert me about mails on contracts",
  set_personal_email:
    "troquei de endereco, este e o novo; cambie de direccion, esta es la nueva; this is my new email; change the owner's address",
  set_timezone:
    "os horarios estao errados, estou em portugal; mudei de cidade, mudou a hora; las horas estan mal; me mude y cambio la hora; times are shown wrong; I am in another country now; aqui sao duas da tarde, acertar o relogio; aqui son las dos, ajustar el reloj; it is two o clock here, set the clock",
  setup_custom_domain:
    "mandar do email da minha empresa; quais registros dns publicar; verificar meu dominio; mandar desde el correo de mi empresa; que registros dns publicar; verificar mi dominio; use company address as sender; check my dns",
  setup_email_subdomain:
    "ter um endereco com o nome da empresa sem dominio proprio; nome proprio no dominio de voces; direccion con el nombre de la empresa sin dominio propio; own name under your mail domain; no domain of our own",
  update_email_settings:
    "mudar o que vem antes do arroba; o nome do remetente esta errado; cambiar lo que va antes de la arroba; el nombre del remitente esta mal; change the part before the at sign; mails show the wrong name",
  update_notification_emails:
    "colocar outro endereco para alertas; tirar meu chefe do relatorio diario; poner otra direccion para alertas; sacar a mi jefe del informe; add somebody to the daily report; alerts should go elsewhere; avisos tambem para outro email; que los avisos lleguen tambien a otro correo; send alerts to another address too",
  update_preferences:
    "esta tudo em ingles e eu quero portugues; lingua da conta; esta todo en ingles y quiero espanol; idioma de la cuenta; everything is in the wrong language; account language",
  update_tax_info:
    "minha nota saiu com endereco errado; razao social para faturar; la factura salio con mal domicilio; razon social para facturar; invoice has the wrong company; set our tax id",
  update_user_name:
    "o nome da conta esta errado; quero ser chamado de outro jeito; el nombre de la cuenta esta mal; quiero que me llamen de otra forma; my name changed; call me by another name; corrigir como me chamo na conta; me llamo de otra manera; correct how I am called",
  get_account_usage:
    "estou perto do limite; quanto foi usado do pacote; estoy cerca del limite; cuanto se uso del paquete; am I near the limit; how much storage and messages are used; what is included in the plan",
  add_member:
    "minha equipe tambem precisa usar; dar entrada a um vendedor; mi equipo tambien necesita usarlo; dar entrada a un vendedor; share the account with someone; let my salesperson in",
  list_members:
    "com quem divido a conta; pessoas com acesso; con quien comparto la cuenta; personas con acceso; people who can get in; who is on the team",
  remove_member:
    "fulano nao trabalha mais aqui; cortar o acesso dele; fulano ya no trabaja aqui; cortarle el acceso; he does not work here any more; lock somebody out",
  resend_member_welcome:
    "ele nao recebeu o link de entrada; mandar boas vindas de novo; no le llego el enlace de entrada; mandar la bienvenida otra vez; did not get the access link; send the invite once more",
  update_member:
    "o nome do vendedor esta errado; trocar o email do funcionario; el nombre del vendedor esta mal; cambiar el correo del empleado; a member's name is misspelled; new address of a team member",
  generate_mcp_token:
    "preciso de um token para conectar o claude; credencial para integracao; necesito un token para conectar mi asistente; credencial para integracion; token to connect my assistant; credentials for a script",
  list_mcp_tokens:
    "que tokens estao ativos; quem usa minha conta por api; que tokens estan activos; quien usa mi cuenta por api; active tokens; when was a token last used",
  revoke_mcp_token:
    "perdi o notebook, invalidar o token; tirar o acesso de um programa; perdi el equipo, invalidar el token; quitar acceso a un programa; lost my laptop, invalidate the token; cut off a program",
  create_webhook_subscription:
    "quero receber no meu servidor o que acontece; integrar com n8n ou zapier; recibir en mi servidor lo que pasa; integrar con n8n o zapier; get called when something happens; push events to zapier; assinar um webhook; suscribir un webhook; subscribe a webhook",
  delete_webhook_subscription:
    "o servidor antigo nao existe mais, tirar webhook; el servidor viejo ya no existe; cancelar los envios a esa url; stop posting to that server; remove an event subscription",
  list_account_events:
    "ler o que aconteceu em ordem; sincronizar eventos desde a ultima vez; leer lo que paso en orden; sincronizar eventos desde la ultima vez; read events since last time; change feed of the account",
  list_webhook_subscriptions:
    "que enderecos recebem eventos; os webhooks funcionam; que direcciones reciben eventos; funcionan los webhooks; which urls get events; are deliveries healthy",
  test_webhook_subscription:
    "mandar evento de teste para meu servidor; mandar un evento de prueba; does my endpoint answer; try out the webhook",
  update_webhook_subscription:
    "meu servidor mudou de endereco; receber outros tipos de evento; mi servidor cambio de direccion; recibir otros tipos de evento; receive other kinds of events; server moved to a new url; turn a webhook off",
  list_webhook_deliveries:
    "que eventos nao chegaram no meu servidor; o que foi enviado e quando; que eventos no llegaron a mi servidor; que se envio y cuando; what did you send us; which webhooks failed",
  redeliver_webhook:
    "meu servidor estava fora, manda o evento outra vez; mi servidor estaba caido, manda otra vez; our server was down, send it again; repeat a delivery",
  connect_crm:
    "quero meus leads no crm; colocar a chave do bitrix; quiero mis leads en el crm; poner la clave del bitrix; send leads to our crm; set up salesforce; link zoho",
  disconnect_crm:
    "trocamos de crm, desligar o antigo; cambiamos de crm, quitar el anterior; we moved to another crm; cut the link with pipedrive",
  get_crm_sync_status:
    "por que o negocio nao apareceu no crm; quantos leads foram para o crm; por que no aparece en el crm; cuantos leads pasaron al crm; is the crm up to date; how many went to the crm",
  list_crm_integrations:
    "da para usar com o meu crm; o crm esta ligado; se puede usar con mi crm; esta conectado el crm; is our crm supported; which crm is linked; what credentials does the crm need",
  manage_leadsource_integration:
    "importar os contatos que salvei na base de prospeccao; ligar o banco de leads; traer los contactos guardados en la base de datos de leads; conectar el banco de leads; use contacts from our data provider; link a contact database",
  manage_crm_custom_fields:
    "mandar um campo a mais para o crm; tirar campo personalizado; mandar un campo mas al crm; sacar campo personalizado; extra field for every deal; list custom fields sent to the crm",
  manage_crmsuite_crm_lead_source:
    "os negocios do crm devem virar leads; prospectar quem esta numa etapa do crm; que los negocios del crm sean leads; prospectar a quienes estan en una etapa del crm; prospect people from a crm stage; leads from crm deals",
  resync_crm_leads:
    "faltam leads no crm, empurrar todos; reprocessar o que falhou no crm; faltan leads en el crm, empujarlos; reprocesar lo que fallo en el crm; retry what failed in the crm; sync all leads again",
  update_crm_minimum_status:
    "o crm esta cheio de leads frios; que leads devem ir ao crm; el crm esta lleno de leads frios; que leads deben ir al crm; too many cold leads in the crm; threshold for the crm",
  disconnect_scheduler:
    "parar de usar a pagina de agendamento; tirar o calendly; dejar de usar la pagina de reservas; quitar calendly; remove calendly; no more booking links",
  get_scheduler_connection_url:
    "como ligo meu calendly; reconectar agendamento; como conecto mi calendly; reconectar reservas; where do I authorize calendly; reconnect booking",
  get_scheduler_event:
    "detalhes de um agendamento do calendly; o que o convidado escreveu; detalles de una reserva; que escribio el invitado; details of one booking; what the invitee answered",
  get_scheduler_status:
    "o agendamento online funciona; que conta do calendly esta ligada; funcionan las reservas en linea; que cuenta de calendly esta conectada; does online booking work; which booking account is linked",
  list_scheduler_event_types:
    "que reunioes podem ser agendadas; opcoes de duracao no calendly; que reuniones se pueden reservar; opciones de duracion; kinds of meeting that can be booked; what can people book",
  list_scheduler_upcoming_events:
    "quem agendou comigo; horarios reservados esta semana; quien reservo conmigo; horas reservadas esta semana; bookings this week; who has booked",
  set_scheduler_default_event_type:
    "que link de agendamento o lead recebe; usar a reuniao de meia hora; que enlace de reserva recibe el lead; usar la reunion de media hora; default meeting for booking links; offer half hour slots; qual tipo de reuniao fica como padrao; que por defecto reserven la de quince minutos; make the fifteen minute call the default booking",
  create_calendar_event:
    "reservar horario com o cliente na agenda; criar evento com link de video; reservar hora con el cliente en la agenda; crear evento con enlace de video; book a slot in my calendar; set up a meeting with a video link",
  delete_calendar_event:
    "esse evento nao vai mais acontecer; desmarcar na agenda e avisar; ese evento ya no va; borrar de la agenda y avisar; event will not take place; drop it from the calendar",
  get_calendar_connection_url:
    "como ligo minha agenda; reconectar o calendario; como conecto mi agenda; reconectar el calendario; where do I authorize my calendar; reconnect calendar",
  list_calendar_events:
    "tenho algo marcado na sexta; estou livre a tarde; tengo algo el viernes; estoy libre por la tarde; what do I have on friday; my events of a day",
  respond_calendar_event:
    "diga que vou ao evento; recusar o convite da agenda; di que voy al evento; rechazar la invitacion; rsvp yes; tell them I cannot attend",
  update_calendar_event:
    "o evento passou para outra hora; trocar titulo e convidados do evento; el evento pasa a otra hora; cambiar titulo e invitados; event is at another time; change title or guests of an event",
  get_calendar_status:
    "os leads veem meus horarios livres; qual agenda esta ligada; los leads ven mis horas libres; que calendario esta conectado; is my calendar being read; which calendar is linked",
  disconnect_calendar:
    "nao quero mais que leiam minha agenda; tirar o acesso ao google calendar; no quiero que lean mi agenda; quitar acceso al calendario; remove access to my calendar; unlink google calendar",
  add_adsplatform_keywords:
    "o anuncio deve aparecer quando buscarem por; comprar palavra no google; que el anuncio salga cuando busquen; sumar terminos al grupo; show the ad when people look for; more terms for the ad group",
  add_adsplatform_negative_keywords:
    "nao pagar por buscas que nao interessam; excluir termo dos anuncios; no pagar por busquedas que no interesan; excluir termino de los anuncios; do not pay for irrelevant searches; exclude a term from ads",
  create_adsplatform_campaign_draft:
    "quero divulgar no google ads; preparar anuncio sem publicar; quiero promocionarme en google ads; preparar publicidad sin publicar; new ads campaign; prepare paid advertising with a budget; comecar anuncios com verba por dia; empezar anuncios con un presupuesto; start an ads campaign with a daily budget",
  create_adsplatform_search_ad:
    "redigir anuncio com titulos; segundo anuncio no grupo; redactar anuncio con titulos; segundo anuncio en el grupo; ad text with headlines; another ad in the ad group",
  diagnose_adsplatform_campaign:
    "o anuncio nao roda, qual o problema; anuncio em analise ou recusado; el anuncio no corre, cual es el problema; anuncio en revision; ads not delivering, what is wrong; why no impressions",
  get_adsplatform_audience_status:
    "a lista de emails para anuncios foi aceita; tamanho do publico; aceptaron la lista de correos para anuncios; tamano de la audiencia; was the address list accepted; size of the audience list",
  get_adsplatform_billing:
    "faturas dos anuncios; quanto paguei de publicidade; facturas de los anuncios; cuanto pague de publicidad; ads invoices of a month; what did we pay for ads",
  get_adsplatform_campaign:
    "situacao de um anuncio e link de recarga; como vai a campanha paga; situacion del anuncio y enlace de recarga; como va la campana pagada; state of one ads campaign; where do I add funds; situacao da campanha publicitaria e o que falta; estado de la campana publicitaria y que le falta; state of an advertising campaign and what it lacks",
  get_adsplatform_keyword_ideas:
    "que termos as pessoas procuram sobre meu produto; preco do clique; que terminos busca la gente; precio del clic; find keywords for my product; how much does a click cost",
  get_adsplatform_performance_report:
    "desempenho dos anuncios por palavra; ctr e custo por conversao; rendimiento de anuncios por palabra; ctr y costo por conversion; how do the ads perform; cost per conversion; search terms report",
  list_adsplatform_ad_groups:
    "id do grupo de anuncios; lances por grupo; id del grupo de anuncios; pujas por grupo; id of an ad group; bids per group",
  list_adsplatform_campaigns:
    "todos os meus anuncios pagos; quais anuncios tenho; todos mis anuncios pagados; que anuncios tengo; all paid campaigns; show my advertising",
  list_adsplatform_keywords:
    "que palavras disparam o anuncio; termos ativos e negativos; que palabras activan el anuncio; terminos activos y negativos; which words trigger the ad; keywords with quality score",
  nudge_adsplatform_provisioning:
    "ja paguei e o anuncio nao foi publicado; campanha travada na publicacao; ya pague y no se publico el anuncio; campana trabada; I paid and it is not live; campaign stuck in setup",
  refresh_adsplatform_audience:
    "usar meus contatos como publico dos anuncios; reenviar emails para o publico; usar mis contactos como publico; reenviar correos a la audiencia; use my contacts as ad audience; renew the customer list",
  set_adsplatform_campaign_status:
    "suspender a publicidade; voltar a mostrar os anuncios; acabar com a campanha paga; suspender la publicidad; volver a mostrar los anuncios; terminar la campana pagada; suspend advertising; show the ads again; end the paid campaign",
  sync_adsplatform_spend:
    "buscar os gastos mais recentes dos anuncios; quanto ja foi gasto em publicidade hoje; traer los gastos recientes; cuanto se gasto hoy en publicidad; latest ad costs; pull today's spend",
  update_adsplatform_campaign_budget:
    "diminuir o gasto por dia nos anuncios; nova verba por dia; bajar el gasto por dia en anuncios; nuevo importe por dia; lower the daily ad spend; new amount per day for ads",
  archive_website:
    "nao quero mais esse site; despublicar o site; ya no quiero este sitio; despublicar el sitio; unpublish the site; shut the site down",
  cancel_website_change:
    "pedi a mudanca errada no site, para; interromper a criacao do site; pedi mal el cambio del sitio, para; interrumpir la creacion; I asked for the wrong change, stop it; abort the site edit",
  change_website:
    "colocar nova foto e texto na pagina; acrescentar secao de depoimentos; poner nueva foto y texto; agregar seccion de testimonios; put our new phone on the site; add a testimonials section; redesign the site; atualizar o horario de atendimento no site; cambiar los horarios en el sitio; replace opening hours on the site",
  change_website_subdomain:
    "o link do site tem o nome errado; quero outro nome no link; el enlace del sitio tiene mal el nombre; quiero otro nombre en el enlace; site link has the wrong name; rename the url",
  crawl_website:
    "o que diz essa pagina; abrir o link e ler; que dice esta pagina; abrir el enlace y leer; fetch this url; what does that page say; pegar o html de uma pagina publica; obtener el html de una pagina publica; raw html of a public page",
  create_website_snapshot:
    "guardar o site como esta hoje; backup antes de mexer; guardar el sitio como esta; respaldo antes de tocar; keep the site as it is now; make a backup",
  export_website_code:
    "quero hospedar o site em outro lugar; mandar os arquivos do site por email; quiero alojar el sitio en otro lugar; mandar los archivos del sitio por correo; host the site elsewhere; mail me the site files",
  get_website:
    "como vai a construcao do site; link para editar o site; como va la construccion del sitio; enlace para editar; how far is the site; show one site",
  get_website_code:
    "mostrar o codigo de uma versao; mostrar el codigo de una version; look at the html; source of one version",
  get_website_settings:
    "o site esta restrito, qual a senha; idioma e titulo atuais; el sitio esta restringido, cual es la clave; idioma y titulo actuales; is the site restricted; site's current title",
  list_website_code:
    "todas as versoes que o site teve; quem mudou o site e quando; todas las versiones del sitio; cuando se cambio el sitio; revisions of the site; past edits of the site",
  list_website_snapshots:
    "backups que fiz do site; pontos de restauracao; respaldos del sitio; puntos de restauracion; restore points; saved states of the site",
  list_websites:
    "mostrar paginas e sites da conta; enderecos dos meus sites; mostrar paginas y sitios; direcciones de mis sitios; show all sites; addresses of our pages",
  register_website:
    "minha empresa precisa de uma pagina; montar site institucional; mi empresa necesita una pagina; montar sitio institucional; our company has no homepage; write a website for us",
  restore_website_snapshot:
    "o site ficou pior, volta como era; recuperar versao do site; el sitio quedo peor, vuelve como era; recuperar version; site got worse, bring the old one back; revert the site",
  screenshot_website:
    "mostra como a pagina aparece no celular; foto de uma pagina da web; muestra como se ve la pagina en el celular; foto de una pagina web; picture of a web page; see how a site looks on mobile",
  set_website_settings:
    "so quem tem senha deve ver o site; mudar idioma da pagina; solo con clave se ve el sitio; cambiar idioma de la pagina; only people with a code may see the site; change page title",
  get_website_tracking:
    "o google analytics esta no site; qual id de pixel; esta google analytics en el sitio; que id de pixel; is analytics on the site; which pixel do we use",
  set_website_tracking:
    "medir conversoes no site; tirar o pixel do facebook; medir conversiones en el sitio; sacar el pixel; measure conversions; take the pixel off the site",
  get_website_traffic:
    "quem visita minha pagina e de onde vem; acessos por dia; quien visita mi pagina y de donde; visitas por dia; page views per day; where do visitors come from",
  archive_lead_capture_page:
    "a promocao acabou, tirar a landing; fechar pagina de cadastro; termino la promocion, quitar la landing; cerrar pagina de registro; promotion is over, remove the landing page; close the signup page",
  change_lead_capture_page:
    "testar outro texto na landing; pedir telefone no formulario; probar otro texto en la landing; pedir telefono en el formulario; ask for a phone in the form; another variant of the landing page",
  create_lead_capture_page:
    "pagina de inscricao para o evento; coletar emails de interessados; pagina de inscripcion para el evento; juntar correos de interesados; signup page for an event; collect contacts on a page",
  list_lead_capture_pages:
    "quantas pessoas preencheram o formulario; enderecos das landings; cuantas personas llenaron el formulario; direcciones de las landings; how many filled in the form; which variant converts",
  create_video:
    "preciso de um video curto do produto; animacao para instagram; necesito un video corto; animacion para instagram; short clip from a description; animate our product",
  edit_video:
    "o video ficou longo; trocar a legenda do video; el video quedo largo; cambiar el subtitulo del video; video is too long; other text in the clip",
  generate_drawing:
    "desenhar um mapa ou tabela; grafico de barras com esses numeros; dibujar un mapa o tabla; grafico de barras con estos numeros; bar chart of these numbers; draw a map or table",
  generate_image:
    "fazer uma ilustracao; foto para capa; logotipo com fundo transparente; hacer una ilustracion; foto de portada; illustration for a campaign; cover picture; logo on transparent background",
  get_drawing: "ver o diagrama pronto; ver el diagrama terminado; show the finished chart; download the drawing",
  get_image: "ver a imagem pronta; ver la imagen terminada; show the finished picture; link of the generated image",
  get_video: "ver se o video terminou; ver si el video termino; show the finished clip; link of the video",
  list_drawings: "graficos que ja fiz; graficos que ya hice; charts I made; all drawings",
  list_images: "fotos e artes criadas; fotos y artes creadas; all pictures; images I asked for",
  list_videos: "clipes criados ate hoje; clips creados; all clips; finished videos",
  get_online_search:
    "a pesquisa na web terminou; o que encontrou sobre; termino la busqueda en la web; que encontro; is the research finished; sources of the research",
  list_online_searches:
    "o que ja pesquisei na web; que busque en la web; earlier research; questions I had looked up on the web",
  register_online_search:
    "descobrir informacoes atuais sobre uma empresa; pesquisa de mercado na web; averiguar informacion actual de una empresa; investigacion de mercado; find out current information; market research; look up a competitor online",
  create_support_request:
    "algo nao funciona, avisar voces; tenho uma duvida de cobranca; algo no funciona, avisarles; tengo una duda de cobro; something does not work, tell you; contact support; suggest a feature",
  list_support_requests:
    "o que o suporte respondeu; chamados abertos; que respondio soporte; tickets abiertos; answers from support; status of my ticket",
  list_incidents:
    "problemas conhecidos hoje; os envios pararam, ha falha geral; problemas conocidos hoy; los envios pararon, hay falla general; known problems today; status page; service disruption",
  upload_customer_file:
    "guardar um documento na conta; carregar arquivo por url; guardar un documento en la cuenta; cargar archivo por url; store a document; put a spreadsheet into the account",
  list_customer_files:
    "documentos guardados; onde esta a planilha exportada; documentos guardados en la cuenta; donde esta la planilla exportada; stored documents; where is my exported file",
  get_customer_file:
    "dados de um arquivo; baixar documento guardado; datos de un archivo; bajar documento guardado; details of one file; address of a stored document",
  remove_customer_file:
    "esse documento nao deve ficar guardado; ese documento no debe quedar guardado; get rid of a stored file; delete an upload; apagar a planilha que enviei; borrar la planilla que subi; delete the spreadsheet I uploaded",
  list_background_jobs:
    "por que esta demorando; andamento das exportacoes e importacoes; por que tarda; avance de exportaciones; why does it take so long; is anything running",
  cancel_background_job:
    "parar o processo que esta rodando; desistir da importacao; parar el proceso en curso; desistir de la importacion; kill the running process; give up on the export"
}
