/**
 * What people say who want a tool, in Portuguese, Spanish and English, without accents: what neither its name nor its
 * description says in their language.
 */
export const searchSynonyms: { readonly [tool: string]: string } = {
  whoami: "quem sou eu; qual conta e essa; quien soy; que cuenta es esta; who am I logged in as; which plan am I on",
  list_pending_notifications:
    "avisos que ainda nao vi; o que precisa da minha atencao; avisos sin leer; que necesita mi atencion; unread alerts",
  list_notification_history:
    "todos os avisos antigos; historico de avisos; avisos anteriores; historial de avisos; old alerts",
  acknowledge_notification:
    "marcar aviso como lido; ja vi esse aviso; marcar aviso como leido; ya lo vi; dismiss alert; mark as read",
  get_lead:
    "ficha do lead; dados do contato; detalhes de uma pessoa; ficha del lead; datos del contacto; everything about this person; open the record",
  list_lead_emails:
    "emails trocados com o lead; correspondencia com o cliente; correos con el lead; mails sent and received with a contact; quantos emails mandei para o lead; cuantos correos le mande; how many mails did I send to a lead",
  list_pending_review:
    "leads aguardando revisao humana; o que preciso revisar; decisoes pendentes; leads que esperan mi decision; who needs a human decision",
  list_paused_prospecting_leads:
    "quem esta pausado; leads em espera; contatos congelados; leads en pausa; who is on hold",
  pause_lead_prospecting:
    "parar de contatar por um tempo; dar um tempo nesse contato; congelar o lead; dejar de contactar por ahora; put a contact on hold; stop writing to them for now; deixar em paz por enquanto; nao incomodar ate segunda ordem; dejar en paz hasta nuevo aviso; leave them alone until further notice; give somebody a break",
  resume_lead_prospecting:
    "voltar a contatar; tirar da pausa; descongelar; volver a contactar; quitar la pausa; take off hold; unpause; pode voltar a escrever para ele; puedes volver a escribirle; write to them again; carry on with this contact",
  register_lead:
    "cadastrar um contato novo; incluir uma pessoa; novo prospecto; agregar un contacto; nuevo prospecto; add a person; new contact; put somebody in the list; guardar um contato que conheci; anotar a alguien que conoci; somebody I met at a fair; save a business card",
  return_lead_to_pipeline:
    "devolver o lead para o robo depois da revisao; liberar da revisao; devolver el lead al agente; give it back to the agent after review",
  search_leads:
    "procurar contatos; achar uma pessoa pelo nome; leads de uma cidade; buscar contactos; encontrar una persona por nombre; leads that fit a filter; who do we have in; find a contact by company; mostrar quem e de uma cidade; todos do setor; contatos que ja responderam; todos los de una ciudad; contactos que respondieron; every contact of a city; everybody in a sector; leads with a status; who replied",
  send_message_to_lead:
    "mandar um email para o lead; escrever eu mesmo; enviar un correo al lead; escribirle yo; email a contact myself; write to them personally; drop somebody a line; mandar um recado por email; mandarle unas lineas",
  stop_lead:
    "encerrar o lead de vez; nunca mais contatar; desistir do contato; parar definitivamente; terminar con el lead; no contactar nunca mas; finish a lead for good; never contact this person again; nao quer mais saber; nao insistir mais; no insistir mas; no quiere saber nada; leave them alone for ever; do not insist; not interested, stop",
  take_over_lead:
    "assumir o lead; deixa que eu cuido; atender pessoalmente; hacerme cargo; lo atiendo yo; I will handle this one; take it into my own hands; eu mesmo falo com ele a partir de agora; a partir de ahora hablo yo; I talk to this client personally from now on",
  update_lead:
    "mudar status do lead; alterar o objetivo; anotar algo sobre o contato; cambiar el estado del lead; anotar algo del contacto; mark a lead as interested; edit background notes of a contact; escrever uma observacao sobre o lead; anotar no cadastro; escribir una nota sobre el lead; write down a note about a lead",
  delete_lead:
    "apagar os dados da pessoa; pedido lgpd; direito ao esquecimento; borrar los datos de una persona; derecho al olvido; erase personal data; gdpr request; wipe a contact",
  export_leads:
    "baixar a lista de leads; leads em planilha; exportar contatos em csv; descargar los leads; contactos en excel; download contacts as spreadsheet",
  create_lead_presentation:
    "fazer uma apresentacao para o lead; pdf comercial; slides para o cliente; presentacion comercial para el lead; sales deck for a contact; pitch pdf",
  import_leads:
    "subir uma planilha de contatos; importar lista; carregar contatos em massa; cargar una lista de contactos; subir excel; bulk add contacts; upload a spreadsheet of people; tenho uma planilha com contatos; tengo un excel con clientes; I have an excel of names",
  register_referral_lead:
    "cadastrar uma indicacao; lead indicou um colega; registrar un referido; me recomendo a un colega; they passed me to a colleague; new contact by recommendation; mandou falar com o socio; passou para a chefe; nos paso con su jefa; me dio el contacto de otra persona; talk to my boss instead; gave us somebody else's name",
  reschedule_lead_touch:
    "adiar o proximo contato; falar com ele semana que vem; mudar o canal do proximo contato; posponer el proximo contacto; escribirle mas adelante; contact them later; postpone the next message; talk by another channel",
  send_chatapp_message_to_lead:
    "mandar um zap para o lead; mensagem de whatsapp; mandar un whatsapp; text them on whatsapp; dm a contact; shoot a whatsapp; manda um zap; mandale un wasap; chama no whats",
  list_lead_imports:
    "importacoes feitas; planilhas que ja subi; importaciones hechas; listas cargadas; past uploads of contacts",
  get_lead_import:
    "resultado da importacao; erros da planilha; como va la importacion; errores de la carga; did the upload work; rows that were rejected",
  register_lead_outcome:
    "fechei a venda; perdi o negocio; cliente comprou; nao comprou; cerre la venta; perdi el negocio; cliente compro; we won the deal; lost to a competitor; they bought; mark as won or lost; assinaram o contrato; foram com outro fornecedor; firmaron con nosotros; eligieron a otro proveedor; they signed; they chose another supplier; deal closed; no interest any more",
  recover_lead_to_pipeline:
    "trazer de volta um lead perdido; reativar contato antigo; recuperar lead; reactivar un contacto viejo; bring back an old lead; try a lost one again",
  answer_lead_question:
    "responder a duvida do lead; dar a resposta que faltava; responder lo que pregunto el lead; reply to what a lead asked",
  mute_lead_check_ins:
    "parar de me perguntar sobre esse lead; silenciar lembretes do lead; dejar de preguntarme por el lead; stop asking me how it went; no more check ins; parar de me incomodar com esse lead; no molestarme mas con este lead; stop bothering me about a lead",
  list_lead_lifecycle_events:
    "linha do tempo do lead; o que aconteceu com o lead; que paso con el lead; historial del lead; audit trail of a contact; who changed the lead",
  list_lead_meetings:
    "minhas reunioes; agenda de reunioes com leads; proximos compromissos; mis reuniones; proximas citas; appointments with leads; demos booked",
  confirm_lead_meeting:
    "confirmar a reuniao; aceitar o encontro; confirmar la reunion; aceptar la cita; say yes to the appointment",
  cancel_lead_meeting:
    "desmarcar a reuniao; nao vou poder ir a reuniao; cancelar la cita; no podre asistir; call off an appointment; I cannot make the demo",
  update_lead_meeting_attendance:
    "lead nao apareceu; faltou na reuniao; compareceu; notas da reuniao; no se presento; asistio a la cita; no show; they came to the demo; meeting notes; deu bolo; esqueceu da reuniao; nos dejo plantados; no vino; never turned up; stood us up; forgot the appointment; anotar o que se falou na reuniao; anotar lo que se hablo en la reunion; write down what was said in the meeting",
  get_lead_timing_intelligence:
    "melhor horario para falar com o lead; quando ele responde; mejor hora para contactar; cuando contesta; best time to reach somebody; em que horario o lead responde; a que hora responde el lead; at which hours does a lead answer",
  get_lead_conversation:
    "conversa com o lead; tudo que foi falado; historico de mensagens; conversacion con el lead; todo lo hablado; whole thread with a contact; what did we say to each other",
  list_lead_chatapp_messages:
    "mensagens de whatsapp com o lead; conversa no zap; mensajes de whatsapp; whatsapp thread with a contact",
  search_lead_conversations:
    "procurar nas conversas; quem falou de preco; leads que mencionaram um concorrente; buscar en las conversaciones; quien hablo de; who mentioned; which leads talked about; find a word in messages; quem reclamou; quem perguntou o preco; clientes que preguntaron por; quien se quejo; who complained; who asked for a price",
  search_my_agent_conversation:
    "o que eu disse ao agente; o que combinei com o robo; lo que le dije al agente; what did I tell my agent; what I agreed with the assistant; o que pedi ao agente; lo que le pedi al agente; what I asked the agent for",
  list_campaigns: "minhas campanhas; quais campanhas existem; mis campanas; what campaigns do we run",
  get_campaign:
    "configuracao da campanha; detalhes de uma campanha; configuracion de la campana; how is this campaign set up",
  compare_campaigns:
    "qual campanha esta melhor; duas campanhas lado a lado; cual campana funciona mejor; which of two campaigns does better; essa campanha rende mais que a outra; esta campana rinde mas que la otra; is this one doing better than that one",
  create_campaign:
    "abrir uma campanha nova; comecar campanha para outro publico; crear una campana nueva; start a new track for another segment",
  update_campaign:
    "editar a campanha; mudar instrucoes da campanha; editar la campana; cambiar instrucciones de la campana; edit campaign settings",
  rename_campaign: "trocar o nome da campanha; cambiar el nombre de la campana; call the campaign something else",
  pause_campaign: "pausar a campanha; segurar a campanha; detener la campana por ahora; hold the whole campaign",
  resume_campaign:
    "retomar a campanha; reativar campanha pausada; reanudar la campana; start a paused campaign again; botar a campanha para funcionar; poner la campana en marcha; get the campaign going again",
  archive_campaign:
    "encerrar a campanha; excluir campanha; apagar campanha; borrar la campana; cerrar la campana; delete a campaign; get rid of a campaign",
  move_leads_to_campaign:
    "passar leads para outra campanha; trocar a campanha do lead; pasar leads a otra campana; put these contacts in another campaign",
  place_goal_driven_call:
    "ligar para um numero; telefonar para alguem com um objetivo; fazer uma ligacao; llamar a un numero; hacer una llamada; phone somebody for me; dial this number and ask; telefonar para a gerente e perguntar; telefonear y preguntar si le interesa; ring somebody and ask",
  get_voice_call:
    "como foi a ligacao; transcricao da chamada; que se dijo en la llamada; transcripcion de la llamada; how did the phone call go; recording or transcript",
  list_voice_calls: "ligacoes feitas; chamadas recentes; llamadas hechas; llamadas recientes; calls made lately",
  get_voice_calling_active:
    "as ligacoes automaticas estao ligadas; estan activas las llamadas automaticas; does it phone leads by itself",
  set_voice_calling_active:
    "ligar ou desligar as ligacoes automaticas; parar de telefonar para leads; activar o desactivar llamadas automaticas; no llamar mas por telefono; turn automatic phone calls on or off; o robo nao deve telefonar para ninguem; que no llame a nadie; no phone calls to anybody",
  get_campaign_voice_calling_active:
    "a campanha faz ligacoes; la campana hace llamadas; does this campaign phone people",
  set_campaign_voice_calling_active:
    "ligar ou desligar ligacoes de uma campanha; activar llamadas en una campana; turn calls of one campaign on or off",
  get_voice_prospecting_voice:
    "qual voz liga para os leads; que voz usa en las llamadas; is the caller's voice male or female; que voz o agente usa; que voz usa el agente; which voice does the agent use",
  set_voice_prospecting_voice:
    "voz masculina ou feminina nas ligacoes; trocar a voz; voz masculina o femenina; cambiar la voz; male or female voice for calls",
  get_chatapp_line:
    "meu whatsapp esta conectado; situacao da linha de whatsapp; estado de la linea de whatsapp; is the whatsapp number working",
  register_chatapp_line:
    "conectar um numero de whatsapp; cadastrar linha; conectar un numero de whatsapp; alta de linea; get us a whatsapp number",
  set_chatapp_daily_cost_cap:
    "limite de gasto por dia no whatsapp; teto diario de mensagens pagas; tope diario de whatsapp; spend no more than so much a day on messages",
  set_chatapp_monthly_cost_cap:
    "limite de gasto por mes no whatsapp; teto mensal; tope mensual de whatsapp; spend no more than so much a month on messages",
  set_chatapp_line_profile_picture:
    "trocar a foto do whatsapp; logo no perfil do whatsapp; cambiar la foto de whatsapp; avatar of the messaging line",
  update_chatapp_line_profile:
    "editar descricao do perfil do whatsapp; horario e endereco no whatsapp; editar el perfil de whatsapp; about text of the messaging line",
  get_business:
    "o que a conta diz da minha empresa; dados do meu negocio; perfil da empresa; datos de mi negocio; perfil de mi empresa; how do we describe our company",
  set_business:
    "mudar a descricao da empresa; contar o que vendemos; cambiar la descripcion de la empresa; decir que vendemos; tell it what we sell; edit company description",
  get_business_assessment:
    "meu negocio esta pronto para prospectar; avaliacao do negocio; esta listo mi negocio; evaluacion del negocio; how good are our chances; readiness verdict",
  list_business_files:
    "o que o agente sabe; textos e arquivos de conhecimento; base de conhecimento da empresa; que sabe el agente; archivos de conocimiento; what has the agent been taught",
  register_business_file:
    "ensinar algo ao agente; adicionar conhecimento; dar um documento para o robo ler; ensenar algo al agente; agregar conocimiento; teach the agent; give it a document to learn from; ensinar nosso catalogo; ensenar nuestro catalogo; teach it our catalogue; learn our price list",
  remove_business_file:
    "tirar um documento do conhecimento; o agente deve esquecer esse arquivo; quitar un documento del conocimiento; make the agent unlearn a document",
  list_open_lead_questions:
    "perguntas sem resposta; duvidas que o agente nao soube; preguntas sin respuesta; lo que el agente no supo contestar; what leads asked that nobody answered",
  list_business_faq:
    "respostas prontas; perguntas frequentes; respuestas que damos siempre; preguntas frecuentes; standard answers",
  update_business_faq:
    "corrigir uma resposta pronta; a resposta mudou; corregir una respuesta frecuente; fix a standard answer",
  remove_business_faq: "tirar uma resposta pronta; quitar una respuesta frecuente; drop a standard answer",
  generate_icp_suggestion:
    "sugerir cliente ideal; para quem devo vender; sugerir el cliente ideal; a quien deberia venderle; who should we sell to; ideal customer idea",
  generate_cnae_suggestion:
    "que cnaes combinam com meu cliente; que actividades economicas buscar; activity codes that fit my customer",
  generate_cnae_exclusion_suggestion:
    "que cnaes deixar de fora; ramos para excluir; que actividades excluir; activity codes to leave out",
  lookup_city:
    "achar uma cidade; em que estado fica; buscar un municipio; en que estado queda; which state is this town in",
  lookup_cnae:
    "o que significa esse cnae; nome do codigo de atividade; que significa este cnae; what does this activity code stand for",
  search_knowledge:
    "como funciona a plataforma; ajuda; manual; duvida sobre o sistema; como funciona la plataforma; ayuda; how does this platform work; help article; documentation",
  add_blacklisted_email:
    "bloquear um email; nunca mandar email para; bloquear un correo; never email this address; opt out address; nao perturbar essa pessoa; no molestar a esta direccion; do not disturb this person; unsubscribe somebody",
  add_blacklisted_domain:
    "bloquear uma empresa inteira; nao contatar ninguem desse dominio; concorrente; bloquear una empresa entera; nobody at that company may be contacted; nunca falar com ninguem da empresa; que nadie escriba a esa empresa; never get in touch with anyone at a company; leave that company alone",
  add_blacklisted_phone:
    "bloquear um telefone; nao ligar para esse numero; bloquear un telefono; no llamar a ese numero; never call or text this number",
  remove_blacklisted_email: "desbloquear um email; desbloquear un correo; allow this address again; unblock address",
  remove_blacklisted_domain: "desbloquear um dominio; liberar a empresa; desbloquear un dominio; unblock a company",
  remove_blacklisted_phone: "desbloquear um telefone; desbloquear un telefono; unblock a number",
  list_blacklisted_emails:
    "quem esta bloqueado; lista negra; quem nao deve ser contatado; quien esta bloqueado; a quien no contactar; do not contact list; suppression list; opt outs",
  get_prospecting_config:
    "como a prospeccao esta configurada; configuracoes da prospeccao; como esta configurada la prospeccion; current outreach settings; por que nao esta prospectando; por que no prospecta; why is nothing being sent",
  set_prospecting_active:
    "ligar ou desligar toda a prospeccao; parar tudo; pausar a conta inteira; ferias; encender o apagar toda la prospeccion; parar todo; stop everything; switch all outreach off; vacation; start prospecting; detener la prospeccion; parar a prospeccao; stop prospecting; halt all outreach",
  set_targeting:
    "que empresas procurar; publico alvo; cidades tamanho e setor; que empresas buscar; publico objetivo; which companies to look for; company size and region",
  set_prospecting_rules:
    "instrucoes para o agente; tom das mensagens; assinatura dos emails; instrucciones para el agente; firma de los correos; tell the agent how to write; email signature; tone of voice; mensagens mais formais ou informais; mensajes mas formales o informales; make messages sound less formal; friendlier wording; shorter emails",
  set_prospecting_preferences:
    "preferencias da prospeccao; fins de semana; quantos leads por dia; canais usados; preferencias de prospeccion; cuantos leads por dia; how many leads a day; which channels to use; working days",
  set_allow_template_chatapp_messages:
    "permitir modelos no whatsapp; abrir conversa com modelo; permitir plantillas de whatsapp; let it open chats with templates",
  run_prospecting_simulation:
    "testar a prospeccao com um lead inventado; ver como o agente responderia; probar la prospeccion con un lead inventado; try a conversation with a made up customer; how would the agent reply",
  start_voice_simulation:
    "treinar uma ligacao; o robo liga para mim de teste; ensayar una llamada; que me llame de prueba; practice sales call with me; test call to my own phone",
  get_voice_simulation_status:
    "como foi a ligacao de teste; como fue la llamada de prueba; how did the practice call go",
  list_prospecting_files:
    "materiais que o agente envia; folhetos e tabelas de preco; materiales que el agente envia; folletos; brochures the agent can send",
  register_prospecting_file:
    "adicionar um folheto; material para enviar a leads; tabela de precos para mandar; agregar un folleto; add a brochure; case study to send to leads",
  update_prospecting_file:
    "mudar a descricao do material; cambiar la descripcion del material; reorder sales material; edit a brochure's description",
  remove_prospecting_file:
    "tirar um material; parar de enviar o folheto; quitar un material; dejar de enviar el folleto; do not send this brochure any more",
  list_prospecting_learnings:
    "o que funciona melhor; o que foi aprendido; que funciona mejor; que se aprendio; what works best; insights from results; o que da mais certo; lo que da mejor resultado; what gives the best results",
  search_prospecting_learnings: "procurar no que foi aprendido; buscar en lo aprendido; is there a lesson about",
  dismiss_prospecting_learning:
    "esse aprendizado esta errado; descartar aprendizado; ese aprendizaje esta mal; that insight is wrong; hide an insight",
  get_prospecting_report:
    "relatorio geral; como esta indo a prospeccao; resultados; informe general; como va la prospeccion; how are we doing; overall results; summary of numbers; como estamos este mes; como vamos; how are things going this month",
  get_performance_trends:
    "evolucao dia a dia; grafico de resultados; evolucion dia a dia; are results going up or down; daily numbers",
  get_funnel_timeline: "funil por semana; quantos leads chegaram a cada etapa; embudo por semana; stages week by week",
  get_funnel_by_industry:
    "que setor responde melhor; funil por ramo; que sector responde mejor; which sector converts best",
  get_metrics_by_state_and_industry:
    "resultados por estado e setor; que regiao vai melhor; resultados por region y sector; which region does best; em que regiao vendemos melhor; en que provincia nos va mejor; where do we do best",
  get_message_performance:
    "taxa de resposta dos emails; que mensagem funciona; tasa de respuesta de los correos; email reply rate; which mails get answers; quantos responderam nossos emails; cuantos contestaron los correos; how many answered our mails",
  get_chatapp_message_performance: "taxa de resposta no whatsapp; tasa de respuesta en whatsapp; whatsapp reply rate",
  what_changed_since:
    "o que mudou desde; novidades desde ontem; estive de ferias o que houve; que cambio desde; novedades desde ayer; catch me up; what did I miss; news since monday; o que rolou; o que aconteceu enquanto eu estava fora; que paso mientras no estaba; ponme al dia; bring me up to speed; while I was away",
  list_prospecting_optimizations:
    "o que o otimizador mudou; ajustes automaticos; que cambio el optimizador; ajustes automaticos hechos; automatic tuning done; undo an optimization",
  estimate_lead_volume:
    "quantos leads posso esperar; quantas empresas existem; estimativa de volume; cuantos leads puedo esperar; cuantas empresas hay; how many leads a month can I expect; market size",
  get_email_settings:
    "qual e meu email na plataforma; caixa de entrada conectada; cual es mi correo en la plataforma; what address do mails go out from",
  update_email_settings:
    "mudar o endereco de email que aparece; nome de exibicao; cambiar el remitente; nombre para mostrar; sender name; change my handle",
  set_email_notification_instructions:
    "me avise quando chegar email de; que emails devem me avisar; avisame cuando llegue un correo de; tell me at once when a mail comes from",
  get_general_settings: "configuracoes gerais da conta; ajustes generales de la cuenta; overview of account switches",
  get_notification_emails: "para que emails vao os avisos; a que correos van los avisos; who receives the daily report",
  update_notification_emails:
    "mudar quem recebe os avisos; relatorio diario para outro email; cambiar quien recibe los avisos; send the daily report to another address",
  set_personal_email:
    "mudar meu email pessoal; cambiar mi correo personal; my own address changed; mudou meu email particular; cambie de correo particular; I have a new private address",
  update_user_name: "mudar meu nome; nome da conta; cambiar mi nombre; my name is spelled wrong",
  update_preferences:
    "mudar o idioma da plataforma; quero em portugues; cambiar el idioma; quiero en espanol; switch language; write to me in english; trocar a lingua; cambiar la lengua; change the language",
  set_timezone:
    "mudar o fuso horario; que horas sao para mim; cambiar la zona horaria; my clock is wrong; I moved to another time zone",
  lookup_municipality_code:
    "codigo ibge da cidade; codigo do municipio; codigo ibge del municipio; ibge code of a town",
  update_tax_info:
    "dados da nota fiscal; mudar cnpj ou cpf; endereco de cobranca; datos de facturacion; cambiar el documento fiscal; invoice details; billing address; company tax number",
  set_agent_phone_call_permission:
    "o agente pode me ligar; proibir que me ligue; el agente puede llamarme; no quiero que me llame; may the agent phone me",
  setup_custom_domain:
    "usar meu proprio dominio nos emails; configurar dns do email; usar mi propio dominio en los correos; send mail from our own domain; spf and dkim records",
  setup_email_subdomain: "subdominio de email da plataforma; subdominio de correo; mail name under the platform",
  get_account_usage:
    "quanto gastei este mes; consumo do plano; meus limites; cuanto gaste este mes; consumo del plan; how much have I used; plan limits; costs this month",
  add_member:
    "convidar um colega; dar acesso a alguem da equipe; invitar a un companero; dar acceso a alguien del equipo; invite a teammate; give my colleague access; colocar meu socio na conta; funcionario novo precisa entrar; agregar a mi socia; nuevo empleado necesita entrar; new employee needs to get in; add my partner",
  list_members: "quem tem acesso a conta; minha equipe; quien tiene acceso; mi equipo; who shares this account",
  remove_member:
    "tirar o acesso de alguem; funcionario saiu; quitar el acceso a alguien; se fue un empleado; an employee left; take away somebody's access",
  resend_member_welcome:
    "reenviar o convite; colega nao recebeu o convite; reenviar la invitacion; no recibio la invitacion; invitation got lost; invite again",
  update_member: "corrigir o email de um membro; nome do colega; corregir el correo de un miembro; edit a teammate",
  generate_mcp_token:
    "criar uma chave de api; novo token; crear una clave de api; new api key; access for another program",
  list_mcp_tokens:
    "quais chaves de api existem; que programas tem acesso; que claves existen; which api keys are in use",
  revoke_mcp_token:
    "cancelar uma chave; a chave vazou; anular una clave; se filtro la clave; api key leaked; kill a key",
  create_webhook_subscription:
    "avisar meu sistema quando algo acontece; enviar eventos para uma url; avisar a mi sistema; send events to our server; notify my endpoint",
  update_webhook_subscription:
    "mudar a url do webhook; reativar webhook; cambiar la url del webhook; other address for events; switch a hook on again",
  delete_webhook_subscription: "parar de enviar eventos; apagar webhook; borrar el webhook; no more events to that url",
  list_webhook_subscriptions: "meus webhooks; para onde vao os eventos; mis webhooks; where do events go",
  test_webhook_subscription: "testar o webhook; enviar um ping; probar el webhook; send a test event",
  list_webhook_deliveries:
    "entregas do webhook que falharam; log de eventos enviados; entregas fallidas del webhook; which events failed to arrive",
  redeliver_webhook: "enviar o evento de novo; volver a enviar el evento; send a failed event once more",
  list_account_events:
    "tudo que aconteceu na conta; registro de eventos; todo lo que paso en la cuenta; activity log; feed",
  list_crm_integrations:
    "que crms posso conectar; meus crms; que crm puedo conectar; which crms do you support; is hubspot possible",
  connect_crm:
    "ligar o hubspot; integrar com pipedrive; conectar rd station; integrar salesforce; conectar con odoo; hook up our crm; api key of the crm",
  disconnect_crm:
    "desligar o crm; tirar a integracao; quitar la integracion del crm; stop sending to the crm; remove hubspot",
  get_crm_sync_status:
    "os leads chegaram no crm; erros do crm; llegaron los leads al crm; errores del crm; why is a lead missing in hubspot; stuck in sync",
  resync_crm_leads:
    "mandar de novo os leads que faltam no crm; reenviar leads al crm; push missing leads to the crm again",
  update_crm_minimum_status:
    "a partir de que status vai para o crm; so leads interessados no crm; desde que estado va al crm; only send interested ones to the crm; so mandar ao crm quem esta confirmado; solo los confirmados al crm; which leads may go to the crm",
  manage_crm_custom_fields: "campo extra no crm; campos personalizados; campo extra en el crm; map a field to the crm",
  manage_crmsuite_crm_lead_source:
    "puxar contatos do meu crm como leads; traer contactos de mi crm; prospect the contacts that are in our crm",
  manage_leadsource_integration:
    "conectar a base de leads; contatos salvos na apollo; conectar la base de leads; contactos guardados; lead database; saved contacts list",
  get_scheduler_connection_url:
    "link para conectar o calendly; conectar agendador; enlace para conectar calendly; hook up my booking page",
  get_scheduler_status: "o calendly esta conectado; esta conectado calendly; is my booking page connected",
  list_scheduler_event_types: "tipos de reuniao do calendly; tipos de cita; which meeting lengths can be booked",
  list_scheduler_upcoming_events:
    "o que foi agendado no calendly; proximos agendamentos; que reservaron en calendly; who booked a slot",
  get_scheduler_event: "quem marcou e o que respondeu no formulario; quien reservo; answers of the person who booked",
  set_scheduler_default_event_type:
    "qual reuniao o lead deve marcar; que reunion debe reservar el lead; which slot length leads should book",
  disconnect_scheduler: "desconectar o calendly; desconectar calendly; unlink booking page",
  list_calendar_events:
    "o que tenho hoje na agenda; compromissos de amanha; que tengo hoy en la agenda; what is on my schedule today; am I free on; o que tem amanha; que hay manana; what is on tomorrow; agenda do dia",
  create_calendar_event:
    "marcar um compromisso; agendar uma videochamada; convidar para uma reuniao na agenda; agendar una videollamada; put something in my diary; schedule a video call; invite people to an event",
  update_calendar_event:
    "mudar o horario do evento; adicionar convidado; cambiar la hora del evento; agregar invitado; move an event; add attendee",
  delete_calendar_event:
    "apagar o compromisso; tirar da agenda; borrar el evento; quitar de la agenda; take it off my diary",
  respond_calendar_event:
    "aceitar ou recusar convite; talvez eu va; aceptar o rechazar la invitacion; accept or decline an invitation; say maybe",
  get_calendar_connection_url:
    "conectar minha agenda do google; ligar o calendario; sincronizar outlook; conectar mi agenda; vincular google calendar; hook up my diary; link to connect google calendar",
  get_calendar_status: "minha agenda esta conectada; esta conectada mi agenda; is my diary linked",
  disconnect_calendar:
    "desconectar a agenda; parar de ler meu calendario; desconectar la agenda; stop reading my diary",
  list_adsplatform_campaigns:
    "minhas campanhas de anuncios; anuncios no google; mis campanas de anuncios; which ads are running",
  get_adsplatform_campaign:
    "detalhes da campanha de anuncios; por que o anuncio espera; detalles de la campana de anuncios; one ads campaign in detail",
  create_adsplatform_campaign_draft:
    "anunciar no google; criar campanha de anuncios; quero fazer anuncio; anunciar en google; crear campana de anuncios; advertise on google; prepare ads",
  list_adsplatform_ad_groups: "grupos de anuncios; grupos de anuncios de la campana; ad groups of a campaign",
  list_adsplatform_keywords:
    "palavras chave do grupo; indice de qualidade; palabras clave del grupo; which search terms do we bid on",
  add_adsplatform_keywords:
    "adicionar palavras chave; comprar termos; agregar palabras clave; bid on more search terms",
  add_adsplatform_negative_keywords:
    "palavras que nao devem mostrar o anuncio; negativar termos; palabras que no deben mostrar el anuncio; do not show ads for these searches; quem procura isso nao deve ver o anuncio; quien busca eso no debe ver el anuncio; people searching for this should not see the ad",
  create_adsplatform_search_ad:
    "escrever o anuncio; titulos e descricoes do anuncio; escribir el anuncio; write headlines and descriptions",
  update_adsplatform_campaign_budget:
    "mudar o orcamento diario dos anuncios; gastar mais em anuncios; cambiar el presupuesto diario; spend more or less on ads a day",
  set_adsplatform_campaign_status:
    "pausar ou parar os anuncios; retomar anuncios; encerrar anuncios; pausar o detener anuncios; stop or pause ads; end the ads; run the ads again",
  nudge_adsplatform_provisioning:
    "a campanha paga nao entrou no ar; tentar publicar de novo; la campana pagada no sale; paid but not live; try go live again",
  sync_adsplatform_spend:
    "atualizar o gasto dos anuncios; actualizar el gasto de anuncios; how much of the ad money is spent now; refresh ad spend",
  get_adsplatform_performance_report:
    "cliques e impressoes; resultado dos anuncios; clics e impresiones; resultado de los anuncios; clicks impressions and conversions of ads",
  diagnose_adsplatform_campaign:
    "por que meu anuncio nao aparece; anuncio reprovado; por que no aparece mi anuncio; anuncio rechazado; ads are not shown; ad disapproved",
  get_adsplatform_billing:
    "saldo dos anuncios; cobrancas do google; saldo de anuncios; cobros de google; how much ad money is left; ad invoices; quanto dinheiro sobra para anuncios; cuanta plata queda para publicidad; money left for advertising",
  get_adsplatform_keyword_ideas:
    "ideias de palavras chave; volume de busca; ideas de palabras clave; volumen de busqueda; what do people search for; search volume",
  get_adsplatform_audience_status:
    "como esta a lista de publico dos anuncios; como esta la lista de audiencia; is the customer list for ads uploaded",
  refresh_adsplatform_audience:
    "atualizar a lista de publico; mandar meus leads para os anuncios; actualizar la audiencia; remarketing to my leads; upload customer list to ads",
  register_website:
    "criar um site; fazer pagina na internet; quero um site; loja na internet; crear un sitio web; hacer pagina web; quiero un sitio; build us a homepage; need a web presence; make a new site",
  change_website:
    "mudar algo no site; trocar texto ou cor do site; nova secao no site; cambiar algo del sitio; nueva seccion; edit the homepage; rewrite a section; different colours on the site; informacao errada no site; telefone errado no site; dato equivocado en el sitio; something on the site is wrong; fix a typo on the site; other photo on the site",
  cancel_website_change: "cancelar a alteracao do site; cancelar el cambio del sitio; stop writing the site",
  get_website:
    "endereco e estado do site; meu site esta pronto; direccion y estado del sitio; esta listo mi sitio; is the site finished; link of the editor",
  list_websites: "meus sites; quais sites tenho; mis sitios; que sitios tengo; all our sites",
  get_website_code: "ver o html do site; codigo fonte; ver el html del sitio; show the page source",
  list_website_code:
    "historico de alteracoes do site; historial de cambios del sitio; what was changed on the site over time",
  create_website_snapshot:
    "salvar uma copia do site; guardar versao; copia de seguranca do site; guardar una copia del sitio; back up the site before changing it",
  list_website_snapshots: "copias salvas do site; copias guardadas del sitio; backups of the site",
  restore_website_snapshot:
    "voltar a versao antiga do site; desfazer a mudanca; volver a la version anterior; deshacer el cambio; roll the site back; undo a change of the site",
  get_website_settings:
    "configuracoes do site; codigo de acesso do site; ajustes del sitio; clave de acceso del sitio; which language and title does the site have",
  set_website_settings:
    "site com senha; site privado; titulo e idioma do site; proteger o site; sitio con clave; sitio privado; titulo del sitio; make the site private; password for visitors; guidelines of the site; proteger o site com codigo; proteger el sitio con clave; protect the site with a code",
  change_website_subdomain:
    "mudar o endereco do site; outra url; cambiar la direccion del sitio; otra url; another web address",
  export_website_code:
    "baixar o site; levar o site para outro lugar; zip do site; descargar el sitio; llevar el sitio a otro lado; take the site with me; site as zip",
  archive_website:
    "tirar o site do ar; excluir o site; apagar o site; eliminar el sitio; bajar el sitio; borrar el sitio; take the site down; delete our site; remove homepage",
  crawl_website:
    "ler o conteudo de um site; texto de uma pagina; leer el contenido de una pagina; read what is on this url; text of a link",
  screenshot_website:
    "print de uma pagina; como o site aparece; captura de pantalla de una pagina; what does this page look like",
  get_website_tracking: "que pixels estao no site; que pixeles hay en el sitio; which analytics ids are set",
  set_website_tracking:
    "instalar pixel ou analytics; codigo do google analytics; instalar pixel en el sitio; add facebook pixel; measure visitors; tag manager",
  get_website_traffic:
    "quantas visitas o site teve; acessos; visitantes; cuantas visitas tuvo el sitio; how many people came to the site",
  create_lead_capture_page:
    "pagina com formulario; landing page; captar contatos; pagina con formulario; captar contactos; page where people leave their address; squeeze page",
  change_lead_capture_page: "mudar a landing page; trocar o formulario; cambiar la landing; other fields in the form",
  list_lead_capture_pages: "minhas landing pages; mis landing pages; forms that bring leads; embed code of the form",
  archive_lead_capture_page:
    "excluir a landing page; tirar o formulario do ar; eliminar la landing; quitar el formulario; take the form page down",
  generate_image:
    "criar uma imagem; fazer um banner; arte para post; crear una imagen; hacer un banner; make a picture; artwork for a post",
  get_image: "a imagem ficou pronta; esta lista la imagen; is my picture done",
  list_images: "minhas imagens; imagens geradas; mis imagenes; pictures made so far",
  generate_drawing:
    "fazer um diagrama; fluxograma; organograma; grafico; mapa mental; hacer un diagrama; organigrama; flow chart; org chart; sketch a wireframe",
  get_drawing: "o desenho ficou pronto; baixar svg; esta listo el dibujo; is the diagram done",
  list_drawings: "meus desenhos e diagramas; mis dibujos y diagramas; diagrams made so far",
  create_video: "fazer um video; video curto para redes sociais; hacer un video; clip for social media",
  edit_video:
    "cortar o video; mudar o texto do video; video mais curto; cortar el video; make the clip shorter; change captions of the clip",
  get_video: "o video ficou pronto; esta listo el video; is the clip done; download the clip",
  list_videos: "meus videos; mis videos; clips made so far",
  register_online_search:
    "pesquisar na internet; noticias de uma empresa; buscar en internet; investigar a un competidor; research on the web; google something; latest news about a company",
  get_online_search:
    "resultado da pesquisa na internet; resultado de la busqueda en internet; what did the web research find",
  list_online_searches: "pesquisas que fiz na internet; busquedas hechas en internet; my past web research",
  create_support_request:
    "falar com o suporte; reclamar; reportar um erro; preciso de ajuda de uma pessoa; hablar con soporte; reportar un error; complain; report a bug; talk to a human at the platform; quero falar com um atendente; quiero hablar con una persona; I want to speak with a human at the platform",
  list_support_requests: "meus chamados; resposta do suporte; mis tickets; respuesta de soporte; did support reply",
  list_incidents:
    "o sistema esta fora do ar; instabilidade; esta caido el sistema; is the platform down; outage; nada funciona; caiu tudo; o sistema esta lento; se cayo todo; no funciona nada; nothing works; is it broken for everybody; everything is slow",
  upload_customer_file:
    "enviar um arquivo; subir um pdf; anexar planilha; subir un archivo; adjuntar pdf; upload a document; attach a file",
  list_customer_files: "meus arquivos; arquivos enviados; mis archivos; archivos subidos; documents I uploaded",
  get_customer_file:
    "link para baixar o arquivo; tamanho do arquivo; enlace para descargar el archivo; download link of a file",
  remove_customer_file: "apagar um arquivo; borrar un archivo; delete a document",
  list_background_jobs:
    "o que esta rodando; tarefas em andamento; que esta corriendo; tareas en curso; what is still being processed",
  cancel_background_job:
    "cancelar uma tarefa em andamento; parar a exportacao; cancelar una tarea; detener la importacion; stop the import; abort what is running"
}
