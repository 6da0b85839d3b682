import type { Article } from "./Article.ts"

export const articlesPtBr: ReadonlyArray<Article> = [
  {
    title: "Como funciona a prospecção",
    text: "Os leads que estão no pipeline são contatados sozinhos: um primeiro contato, depois retomadas ao longo de algumas semanas, por e-mail, aplicativo de mensagens ou ligação, dentro da janela de envio. Uma resposta interrompe o que estava previsto, é lida e é respondida, passada para você ou encerra o contato. set_prospecting_active liga ou desliga tudo.",
    aliases: [
      "como a plataforma funciona",
      "o que acontece quando ligo a prospecção",
      "cadência de retomadas",
      "começar a prospectar",
      "primeiros passos"
    ]
  },
  {
    title: "Campanhas: trilhas separadas com negócio e regras próprios",
    text: "Uma campanha tem seu próprio texto de negócio, segmentação, instruções e chaves, e não herda padrões da conta. Crie com create_campaign, altere com update_campaign, compare duas com compare_campaigns. pause_campaign para a trilha inteira e resume_campaign retoma; archive_campaign é definitivo, e os leads voltam à prospecção padrão.",
    aliases: [
      "criar campanha",
      "separar dois produtos",
      "pausar campanha",
      "arquivar campanha",
      "mover leads entre campanhas"
    ]
  },
  {
    title: "Importar leads de uma planilha",
    text: "Envie um arquivo .csv, .xlsx, .xls ou .txt e passe o customer_file_id para import_leads, ou mande até 500 linhas em rows_json. Cada linha precisa de e-mail ou telefone. A importação roda em segundo plano, reconhece leads que já existem, e os novos entram na prospecção. As linhas recusadas aparecem com o motivo em get_lead_import.",
    aliases: [
      "subir lista de contatos",
      "importar csv",
      "carregar planilha excel",
      "cadastrar leads em massa",
      "por que linhas foram recusadas"
    ]
  },
  {
    title: "Cadastrar um lead",
    text: "register_lead cadastra uma pessoa por nome com e-mail ou telefone. Um lead com o mesmo e-mail ou telefone não é criado duas vezes: volta o id dele. Só com telefone, apenas o aplicativo de mensagens e ligações alcançam a pessoa. register_referral_lead cadastra quem foi indicado por outro lead.",
    aliases: ["criar contato", "adicionar pessoa manualmente", "registrar prospect", "indicação", "lead duplicado"]
  },
  {
    title: "Pausar, assumir, parar e devolver um lead",
    text: "pause_lead_prospecting suspende o contato por um tempo e resume_lead_prospecting retoma. take_over_lead significa que você mesmo fala com o lead e o agente fica quieto. stop_lead encerra; recover_lead_to_pipeline traz de volta, com cuidado, um lead parado ou assumido. return_lead_to_pipeline devolve um lead revisado com instruções.",
    aliases: [
      "parar de falar com um lead",
      "pausar um lead",
      "falar eu mesmo com o lead",
      "retomar a prospecção de um lead",
      "trazer um lead de volta"
    ]
  },
  {
    title: "O que significam os status do lead",
    text: "Pending e Cold ainda não responderam. Confirmed respondeu. Aware conhece a oferta e não decidiu. Interested quer seguir. NotInterested recusou. Gatekeeper repassa recados para outra pessoa. Unqualified não tem perfil, Rejected foi recusado por você, Closed está encerrado, Frozen foi posto de lado pela automação. O status sozinho nunca interrompe o contato.",
    aliases: [
      "significado de cold confirmed interested",
      "lista de status de lead",
      "diferença entre status e estado no pipeline",
      "o que é lead congelado frozen",
      "status gatekeeper"
    ]
  },
  {
    title: "Revisão humana: leads que esperam a sua decisão",
    text: "Quando uma resposta cai nos seus critérios de revisão humana, vem com raiva, ameaça medidas legais ou não pode ser lida com certeza, o lead é marcado e nada é enviado. list_pending_review mostra todos. Decida com return_lead_to_pipeline, take_over_lead ou stop_lead. Escreva os critérios com set_prospecting_rules.",
    aliases: [
      "leads aguardando aprovação",
      "fila de revisão",
      "aprovar antes de enviar",
      "passar para um humano",
      "revisão pendente"
    ]
  },
  {
    title: "Perguntas dos leads e o FAQ",
    text: "O que um lead pergunta e nenhum conhecimento cobre vira pergunta aberta: veja em list_open_lead_questions e responda com answer_lead_question. A resposta vai para todos os leads que esperam. Com reusable true ela entra no FAQ e serve para os próximos; corrija com update_business_faq, encerre com valid_until ou remove_business_faq.",
    aliases: [
      "responder pergunta de um prospect",
      "faq",
      "corrigir resposta",
      "lead perguntou algo que só eu sei",
      "perguntas frequentes"
    ]
  },
  {
    title: "Arquivos de conhecimento do negócio",
    text: "register_business_file recebe texto ou um arquivo enviado (.txt, .md, .pdf, .docx, .xlsx, .pptx, .html) e indexa em segundo plano, para uma campanha ou para a conta toda. Os trechos que servem chegam ao redator como fatos. Um arquivo sem texto, criptografado ou quebrado termina no estado failed com o motivo. Remova com remove_business_file e ele deixa de ser citado.",
    aliases: [
      "ensinar o agente sobre meu produto",
      "subir conhecimento",
      "tabela de preços para o agente",
      "indexação falhou",
      "treinar a IA com documentos"
    ]
  },
  {
    title: "Arquivos de prospecção: material enviado aos leads",
    text: "register_prospecting_file cadastra um folheto, um caso de sucesso ou uma tabela de preços que o agente pode oferecer e enviar. A escolha é pelo título, pela descrição e pelo que o lead pediu, e cada lead recebe o mesmo arquivo só uma vez. Uma campanha limita onde ele vale. Para fatos que o agente deve saber e não enviar, use os arquivos de conhecimento.",
    aliases: [
      "enviar folheto",
      "anexar pdf nas mensagens",
      "catálogo para leads",
      "caso de sucesso em anexo",
      "material para prospects"
    ]
  },
  {
    title: "Segmentação: que empresas são procuradas",
    text: "set_targeting filtra por código CNAE, estado, cidade, país, funcionários, faturamento, porte, tipo de empresa, público e data de fundação. Vários valores são separados por vírgula. Um filtro numérico -1 limpa. O tipo de empresa é Private se você não disser outra coisa. Uma campanha tem filtros próprios.",
    aliases: [
      "filtrar empresas por porte",
      "escolher estados e cidades",
      "público-alvo",
      "limitar faturamento",
      "limpar um filtro"
    ]
  },
  {
    title: "Códigos CNAE e cidades",
    text: "lookup_cnae explica um código da classificação no nível de divisão, grupo, classe ou subclasse, com ou sem pontuação. generate_cnae_suggestion e generate_cnae_exclusion_suggestion propõem códigos para o seu cliente ideal; nada é salvo até set_targeting. lookup_city acha o código IBGE de um município.",
    aliases: [
      "o que é cnae 6201-5/01",
      "códigos de atividade",
      "código ibge da cidade",
      "sugerir setores",
      "cnae de dentista"
    ]
  },
  {
    title: "Quando as mensagens saem: janela de envio e melhores horários",
    text: "As mensagens saem em dias úteis entre a hora inicial e a final da janela de envio, no fuso do próprio lead. Dentro dela, os melhores horários vêm de quando o lead, o setor, a sua conta ou a plataforma responderam antes: veja get_lead_timing_intelligence. reschedule_lead_touch muda o próximo contato.",
    aliases: [
      "melhor horário para enviar",
      "horário comercial",
      "fuso horário do lead",
      "reagendar um contato",
      "envio no fim de semana"
    ]
  },
  {
    title: "Linha do aplicativo de mensagens: número, qualidade e limites de custo",
    text: "register_chatapp_line prepara um número seu, o que exige plano pago; get_chatapp_line mostra estado, qualidade e gasto. Só mensagens de abertura custam: set_chatapp_daily_cost_cap e set_chatapp_monthly_cost_cap limitam. No limite, as aberturas esperam o próximo dia ou mês, enquanto respostas e e-mail continuam.",
    aliases: [
      "número de whatsapp",
      "limitar gasto com mensagens",
      "qualidade da linha",
      "conectar meu próprio número",
      "teto de gastos"
    ]
  },
  {
    title: "A janela de 24 horas do aplicativo de mensagens",
    text: "Depois que o lead escreve, texto livre pode ser enviado por 24 horas. Fora da janela só vai um modelo de abertura aprovado, se set_allow_template_chatapp_messages permitir. Para um lead que você assumiu, send_chatapp_message_to_lead envia na hora dentro da janela e é recusado fora dela.",
    aliases: [
      "não consigo mandar mensagem ao lead",
      "mensagens modelo template",
      "janela de atendimento fechada",
      "24 horas",
      "janela expirada"
    ]
  },
  {
    title: "Ligações de voz",
    text: "set_voice_calling_active permite que o agente ligue para leads, e set_campaign_voice_calling_active muda isso em uma campanha. place_goal_driven_call liga para qualquer número com um objetivo em palavras simples; consulte get_voice_call para estado, resumo e transcrição. Ligações custam dinheiro e não podem ser desfeitas depois de enfileiradas.",
    aliases: [
      "fazer uma ligação telefônica",
      "ligar para um lead",
      "transcrição da chamada",
      "desligar ligações",
      "voz masculina ou feminina"
    ]
  },
  {
    title: "Reuniões",
    text: "Um lead que aceita um horário tem a reunião marcada e passa para você. list_lead_meetings mostra as reuniões, confirm_lead_meeting aceita, cancel_lead_meeting desmarca e volta a contatar o lead, update_lead_meeting_attendance registra quem veio. O lead é lembrado antes.",
    aliases: ["agendar reunião", "desmarcar compromisso", "não compareceu", "quem participou", "remarcar demonstração"]
  },
  {
    title: "Registrar resultados: ganho, perdido, desistência",
    text: "register_lead_outcome registra won, lost ou gave_up, que encerram a prospecção, ou negotiating e unresponsive, que não encerram. O valor do negócio só vale para uma venda ganha. As perguntas de acompanhamento sobre leads quietos podem ser silenciadas ou adiadas com mute_lead_check_ins.",
    aliases: [
      "marcar venda como ganha",
      "negócio perdido",
      "parar lembretes de acompanhamento",
      "fechar venda",
      "valor do negócio"
    ]
  },
  {
    title: "Descadastrados e a lista de bloqueio",
    text: "Quem pede para não ser contatado é descadastrado na hora em todos os canais e continua assim. add_blacklisted_email, add_blacklisted_domain e add_blacklisted_phone impedem para sempre o contato com endereços, domínios inteiros e números, como clientes e concorrentes. Um domínio não inclui subdomínios.",
    aliases: [
      "lista de não contatar",
      "descadastrar",
      "bloquear concorrente",
      "cancelar inscrição",
      "excluir clientes atuais"
    ]
  },
  {
    title: "Relatórios: funil, taxas de resposta e tendências",
    text: "get_prospecting_report resume leads e mensagens; get_performance_trends conta por dia; get_funnel_timeline por dia ou semana; get_message_performance e get_chatapp_message_performance dão taxas de resposta por campanha e tipo de mensagem; get_metrics_by_state_and_industry compara lugares e setores; what_changed_since resume desde uma data.",
    aliases: [
      "taxa de resposta",
      "quantos e-mails foram enviados",
      "painel de desempenho",
      "resumo da semana",
      "funil de conversão"
    ]
  },
  {
    title: "O que funciona melhor: ler os resultados",
    text: "get_lead_timing_intelligence diz quando os leads respondem, get_message_performance que tipos de mensagem recebem resposta, get_metrics_by_state_and_industry que lugares e setores vão melhor, e compare_campaigns em que duas campanhas diferem. Poucos contatos provam pouco: espere algumas dezenas antes de mudar as instruções.",
    aliases: [
      "o que funciona melhor",
      "insights dos resultados",
      "por que os leads recusam",
      "que setor responde",
      "melhor hora para contatar"
    ]
  },
  {
    title: "Experimentar antes de valer",
    text: "Cadastre-se como lead com o seu próprio endereço e responda como um cliente faria: o que chega é o que os leads recebem. No modo Passive (set_prospecting_preferences) só é respondido quem escreve primeiro. Onde o whoami diz sandbox de um serviço, nada sai, e as páginas em /sandbox mostram o que teria saído.",
    aliases: [
      "testar o agente",
      "experimentar antes de enviar",
      "prévia das mensagens",
      "fazer o papel do cliente",
      "conversa de teste"
    ]
  },
  {
    title: "Webhooks e o feed de eventos",
    text: "list_account_events é um feed lido com cursor; create_webhook_subscription manda os mesmos eventos para o seu endereço HTTPS, assinados pelas regras Standard Webhooks. test_webhook_subscription manda um ping. Uma assinatura que falha por cinco dias é desligada; update_webhook_subscription religa.",
    aliases: [
      "receber eventos no meu sistema",
      "verificar assinatura do webhook",
      "consultar eventos",
      "webhook desativado",
      "integrar com meu crm por eventos"
    ]
  },
  {
    title: "Tokens de acesso e como chamar a API",
    text: "Toda chamada leva Authorization: Bearer com um token de acesso. generate_mcp_token cria um, mostrado uma única vez; list_mcp_tokens lista e revoke_mcp_token encerra na hora. Chame uma ferramenta com POST /rest/v1/tools/{nome} e um objeto JSON; ferramentas de leitura também aceitam GET /rest/v1/call/{nome}. Uma falha responde error, type, reason e detail.",
    aliases: ["chave de api", "erro 401 não autorizado", "revogar token", "como autenticar", "chamada rest"]
  },
  {
    title: "Apagar uma pessoa e exportar dados",
    text: "delete_lead_data apaga uma pessoa de vez, com mensagens e ligações, e guarda só um resumo criptográfico para que ela não volte por importação. export_leads grava um CSV em segundo plano. Dados de uma conta nunca aparecem em outra.",
    aliases: ["lgpd apagar dados", "gdpr", "direito ao esquecimento", "baixar meus leads", "exportar csv"]
  },
  {
    title: "Instruções, objetivo, estratégia e assinatura",
    text: "set_prospecting_rules diz como o agente escreve: instruções gerais, as de um canal, o objetivo da conversa, a estratégia, como os leads são qualificados e uma assinatura que encerra cada e-mail. Só muda o que você passa. Uma assinatura vazia volta ao nome apenas.",
    aliases: [
      "mudar o tom das mensagens",
      "assinatura de e-mail",
      "dizer ao agente o que falar",
      "definir o objetivo",
      "estilo de escrita"
    ]
  },
  {
    title: "Planos e preços: teste grátis e plano pago",
    text: "A maioria das ferramentas funciona no teste grátis. As que custam dinheiro fora, como a linha do aplicativo de mensagens e as ligações, respondem PlanRequired até o plano pago estar ativo. whoami mostra o plano e quais serviços externos são reais ou só simulados. O preço do plano, a mensalidade e o que muda ao trocar ou cancelar a assinatura quem informa é o suporte.",
    aliases: [
      "plano pago necessário",
      "erro 403 plano",
      "assinar o plano",
      "preço do plano",
      "quanto custa o plano",
      "valor da mensalidade",
      "cancelar a assinatura do plano",
      "o que o teste inclui",
      "modo sandbox"
    ]
  },
  {
    title: "Testar com um lead inventado: simulações",
    text: "run_prospecting_simulation faz uma conversa com um lead inventado, por e-mail ou pelo aplicativo de mensagens: o agente escreve como escreveria, você responde como o lead, e a resposta diz como foi lida e o que teria acontecido. Nada é enviado e nenhum lead real é tocado. start_voice_simulation liga para o seu próprio número salvo, e get_voice_simulation_status diz como foi a ligação.",
    aliases: [
      "simular uma conversa",
      "treinar com um lead falso",
      "ensaio do agente",
      "ligação de teste para o meu telefone",
      "o que o agente responderia"
    ]
  },
  {
    title: "Aprendizados e o otimizador",
    text: 'list_prospecting_learnings diz o que os últimos 90 dias provam: horários, dias, regiões, setores, aberturas e motivos de recusa, cada um com seus números; dismiss_prospecting_learning esconde um deles. Toda semana o otimizador compara aberturas, horários, intervalos e a ordem dos canais, e list_prospecting_optimizations diz o que mudou, com que números e como desfazer. "sem otimizador" na estratégia o desliga.',
    aliases: [
      "o que a plataforma aprendeu",
      "ajustes automáticos",
      "desligar o otimizador",
      "teste a/b de mensagens",
      "motivos de recusa"
    ]
  },
  {
    title: "CRM: leads como empresas, pessoas e negócios",
    text: "connect_crm conecta um CRM: os leads vão para lá como empresa, pessoa e negócio, e negócios ganhos ou perdidos voltam como resultados. update_crm_minimum_status define a partir de que status os leads são enviados, resync_crm_leads envia os de antes, get_crm_sync_status diz o que está lá ou parado, e disconnect_crm encerra.",
    aliases: [
      "conectar hubspot ou pipedrive",
      "sincronizar leads com o meu crm",
      "mandar leads para o crm",
      "exportar negócios automaticamente",
      "integração com crm"
    ]
  },
  {
    title: "Calendário e link de agendamento",
    text: "get_calendar_connection_url é o link para conectar o seu calendário, e get_scheduler_connection_url o de uma ferramenta de agendamento em que os leads marcam sozinhos; confirme com get_calendar_status e get_scheduler_status. As reuniões passam a constar no calendário, e nenhum horário ocupado é oferecido.",
    aliases: [
      "conectar google agenda",
      "página de agendamento",
      "deixar o lead escolher o horário",
      "sincronizar minha agenda",
      "eventos do calendário"
    ]
  },
  {
    title: "Sites e páginas de captura de leads",
    text: "register_website escreve um site a partir de uma descrição e o publica; change_website muda o que você pedir, create_website_snapshot guarda um estado para voltar a ele. create_lead_capture_page faz uma página com formulário: quem envia se torna um lead interessado. get_website_traffic diz as visitas.",
    aliases: [
      "fazer um site",
      "landing page com formulário",
      "mudar o texto do meu site",
      "quantos visitantes",
      "formulário de contato"
    ]
  },
  {
    title: "Anúncios: campanhas, orçamento e resultados",
    text: "create_adsplatform_campaign_draft faz o rascunho de uma campanha, ao qual create_adsplatform_search_ad e add_adsplatform_keywords acrescentam o que falta; ela roda quando há saldo. set_adsplatform_campaign_status pausa, retoma ou encerra, update_adsplatform_campaign_budget define quanto pode gastar, e get_adsplatform_performance_report diz o que rendeu.",
    aliases: [
      "anunciar na internet",
      "campanha no google ads",
      "orçamento de anúncios",
      "palavras-chave dos anúncios",
      "pausar um anúncio"
    ]
  },
  {
    title: "O endereço de onde saem os e-mails",
    text: "update_email_settings define o nome e a assinatura do remetente. setup_custom_domain faz os e-mails saírem do seu próprio domínio: publique os registros DNS que ele responde e depois verifique. setup_email_subdomain dá um nome sob o domínio da plataforma, sem nada a publicar.",
    aliases: [
      "enviar do meu próprio domínio",
      "registros dns",
      "nome do remetente",
      "spf dkim",
      "mudar o endereço de envio"
    ]
  },
  {
    title: "Imagens, vídeos e apresentações",
    text: "generate_image e create_video fazem uma imagem ou um vídeo curto do que você descreve, em segundo plano; get_image e get_video dizem em que pé estão. generate_drawing desenha gráficos e diagramas. create_lead_presentation faz um PDF que apresenta a sua empresa a um lead.",
    aliases: [
      "fazer uma imagem para um post",
      "criar um vídeo",
      "gráfico ou diagrama",
      "apresentação para um lead",
      "slides"
    ]
  },
  {
    title: "Equipe, configurações da conta e ajuda",
    text: "add_member permite que uma pessoa compartilhe a conta, com um token próprio; remove_member encerra isso. set_timezone, update_preferences e update_notification_emails mudam a conta; update_tax_info o que as notas fiscais dizem. create_support_request pergunta ao suporte, e list_incidents diz o que está com problema no momento.",
    aliases: [
      "convidar um colega",
      "acesso de usuário",
      "mudar o fuso horário da conta",
      "dados da nota fiscal",
      "falar com o suporte"
    ]
  },
  {
    title: "Meu negócio está pronto? Avaliação e volume esperado",
    text: "get_business_assessment avalia a base da prospecção (descrição, cliente ideal, exemplos, conhecimento, resultados), com uma probabilidade e o que incluir primeiro; generate_icp_suggestion propõe um cliente ideal. estimate_lead_volume diz a quanto chegam clientes pagantes dos mesmos setores por semana e por mês.",
    aliases: [
      "meu perfil está bom",
      "o que falta antes de começar",
      "quantos leads posso esperar",
      "sugestão de cliente ideal",
      "chance de dar certo"
    ]
  }
]
