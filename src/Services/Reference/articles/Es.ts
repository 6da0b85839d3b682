import type { Article } from "./Article.ts"

export const articlesEs: ReadonlyArray<Article> = [
  {
    title: "Cómo funciona la prospección",
    text: "Los leads que están en el pipeline se contactan solos: un primer contacto, luego seguimientos durante algunas semanas, por correo, aplicación de mensajería o llamada, dentro de la ventana de envío. Una respuesta detiene lo previsto, se lee y se responde, se le pasa a usted o termina el contacto. set_prospecting_active enciende o apaga todo.",
    aliases: [
      "cómo funciona la plataforma",
      "qué pasa cuando enciendo la prospección",
      "cadencia de seguimientos",
      "empezar a prospectar",
      "primeros pasos"
    ]
  },
  {
    title: "Campañas: pistas separadas con negocio y reglas propios",
    text: "Una campaña tiene su propio texto de negocio, segmentación, instrucciones e interruptores y no hereda nada de la cuenta. Cree una con create_campaign, cámbiela con update_campaign, compare dos con compare_campaigns. pause_campaign detiene toda la pista y resume_campaign la retoma; archive_campaign es definitivo y los leads vuelven a la prospección normal.",
    aliases: [
      "crear una campaña",
      "separar dos productos",
      "pausar una campaña",
      "archivar una campaña",
      "mover leads entre campañas"
    ]
  },
  {
    title: "Importar leads de una hoja de cálculo",
    text: "Suba un archivo .csv, .xlsx, .xls o .txt y pase su customer_file_id a import_leads, o envíe hasta 500 filas en rows_json. Cada fila necesita correo o teléfono. La importación corre en segundo plano, reconoce los leads que ya existen y los nuevos entran en prospección. Las filas rechazadas aparecen con su motivo en get_lead_import.",
    aliases: [
      "subir lista de contactos",
      "importar csv",
      "cargar un excel de contactos",
      "alta masiva de leads",
      "por qué rechazó filas"
    ]
  },
  {
    title: "Agregar un lead",
    text: "register_lead agrega una persona por nombre con correo o teléfono. Un lead con el mismo correo o teléfono no se crea dos veces: se responde su id. Solo con teléfono, únicamente la mensajería y las llamadas lo alcanzan. register_referral_lead agrega a quien otro lead recomendó.",
    aliases: ["crear un contacto", "añadir una persona a mano", "registrar un prospecto", "referido", "lead duplicado"]
  },
  {
    title: "Pausar, tomar, detener y devolver un lead",
    text: "pause_lead_prospecting suspende el contacto por un tiempo y resume_lead_prospecting lo retoma. take_over_lead significa que usted mismo habla con el lead y el agente calla. stop_lead lo termina; recover_lead_to_pipeline trae de vuelta con cuidado un lead detenido o tomado. return_lead_to_pipeline devuelve un lead revisado con instrucciones.",
    aliases: [
      "dejar de contactar a un lead",
      "pausar un lead",
      "hablar yo mismo con el lead",
      "reanudar la prospección de un lead",
      "traer de vuelta un lead"
    ]
  },
  {
    title: "Qué significan los estados del lead",
    text: "Pending y Cold aún no respondieron. Confirmed respondió. Aware conoce la oferta y no decidió. Interested quiere seguir. NotInterested rechazó. Gatekeeper pasa recados a otra persona. Unqualified no encaja, Rejected fue descartado por usted, Closed está cerrado, Frozen fue apartado por la automatización. El estado solo nunca detiene el contacto.",
    aliases: [
      "significado de cold confirmed interested",
      "lista de estados de lead",
      "diferencia entre estado y pipeline",
      "qué es un lead congelado frozen",
      "estado gatekeeper"
    ]
  },
  {
    title: "Revisión humana: leads que esperan su decisión",
    text: "Cuando una respuesta cumple sus criterios de revisión humana, viene con enojo, amenaza con medidas legales o no se puede leer con certeza, el lead queda marcado y no se envía nada. list_pending_review los muestra. Decida con return_lead_to_pipeline, take_over_lead o stop_lead. Escriba los criterios con set_prospecting_rules.",
    aliases: [
      "leads en espera de aprobación",
      "cola de revisión",
      "aprobar antes de enviar",
      "pasar a un humano",
      "revisión pendiente"
    ]
  },
  {
    title: "Preguntas de los leads y las preguntas frecuentes",
    text: "Lo que un lead pregunta y ningún conocimiento cubre se vuelve pregunta abierta: véala en list_open_lead_questions y responda con answer_lead_question. La respuesta llega a todos los leads que esperan. Con reusable true entra en las preguntas frecuentes y sirve para los siguientes; corríjala con update_business_faq, termínela con valid_until o remove_business_faq.",
    aliases: [
      "responder la pregunta de un prospecto",
      "faq",
      "corregir una respuesta",
      "un lead preguntó algo que solo yo sé",
      "preguntas frecuentes"
    ]
  },
  {
    title: "Archivos de conocimiento del negocio",
    text: "register_business_file recibe texto o un archivo subido (.txt, .md, .pdf, .docx, .xlsx, .pptx, .html) y lo indexa en segundo plano, para una campaña o toda la cuenta. Los pasajes que sirven llegan al redactor como hechos. Un archivo sin texto, cifrado o roto termina en el estado failed con el motivo. Quítelo con remove_business_file y deja de citarse.",
    aliases: [
      "enseñar al agente sobre mi producto",
      "subir conocimiento",
      "lista de precios para el agente",
      "falló la indexación",
      "entrenar la IA con documentos"
    ]
  },
  {
    title: "Archivos de prospección: material que se envía a los leads",
    text: "register_prospecting_file agrega un folleto, un caso de éxito o una lista de precios que el agente puede ofrecer y enviar. Se elige por el título, la descripción y lo que pidió el lead, y cada lead lo recibe una sola vez. Una campaña limita dónde vale. Para hechos que el agente debe saber y no enviar, use los archivos de conocimiento.",
    aliases: [
      "enviar un folleto",
      "adjuntar un pdf a los mensajes",
      "catálogo para leads",
      "caso de éxito adjunto",
      "material para prospectos"
    ]
  },
  {
    title: "Segmentación: qué empresas se buscan",
    text: "set_targeting filtra por código CNAE, estado, ciudad, país, empleados, facturación, tamaño, tipo de empresa, público y fecha de fundación. Varios valores se separan con comas. Un filtro numérico -1 lo limpia. El tipo de empresa es Private si no dice otra cosa. Una campaña tiene filtros propios.",
    aliases: [
      "filtrar empresas por tamaño",
      "elegir estados y ciudades",
      "público objetivo",
      "limitar facturación",
      "limpiar un filtro"
    ]
  },
  {
    title: "Códigos CNAE y ciudades",
    text: "lookup_cnae explica un código de la clasificación brasileña en el nivel de división, grupo, clase o subclase, con o sin puntuación. generate_cnae_suggestion y generate_cnae_exclusion_suggestion proponen códigos para su cliente ideal; nada se guarda hasta set_targeting. lookup_city encuentra el código IBGE de un municipio.",
    aliases: [
      "qué es cnae 6201-5/01",
      "códigos de actividad de brasil",
      "código ibge de una ciudad",
      "sugerir sectores",
      "código de actividad económica"
    ]
  },
  {
    title: "Cuándo salen los mensajes: ventana de envío y mejores horas",
    text: "Los mensajes salen en días hábiles entre la hora inicial y final de la ventana de envío, en el huso horario del lead. Dentro de ella, las mejores horas vienen de cuándo respondieron antes el lead, su sector, su cuenta o la plataforma: vea get_lead_timing_intelligence. reschedule_lead_touch mueve el próximo contacto.",
    aliases: [
      "mejor hora para enviar",
      "horario de oficina",
      "huso horario del lead",
      "reprogramar un contacto",
      "envío en fin de semana"
    ]
  },
  {
    title: "Línea de mensajería: número, calidad y topes de gasto",
    text: "register_chatapp_line prepara un número propio, lo que exige plan pago; get_chatapp_line muestra estado, calidad y gasto. Solo los mensajes de apertura cuestan: set_chatapp_daily_cost_cap y set_chatapp_monthly_cost_cap los limitan. En el tope, las aperturas esperan al día o mes siguiente, mientras respuestas y correo continúan.",
    aliases: [
      "número de whatsapp",
      "limitar el gasto en mensajes",
      "calidad de la línea",
      "conectar mi propio número",
      "tope de gasto"
    ]
  },
  {
    title: "La ventana de 24 horas de la mensajería",
    text: "Después de que el lead escribe, se puede enviar texto libre durante 24 horas. Fuera de la ventana solo va una plantilla de apertura aprobada, si set_allow_template_chatapp_messages lo permite. Para un lead que usted tomó, send_chatapp_message_to_lead envía enseguida dentro de la ventana y se rechaza fuera de ella.",
    aliases: [
      "no puedo escribir al lead",
      "mensajes de plantilla",
      "ventana de servicio cerrada",
      "24 horas",
      "ventana vencida"
    ]
  },
  {
    title: "Llamadas de voz",
    text: "set_voice_calling_active permite que el agente llame a los leads, y set_campaign_voice_calling_active lo cambia en una campaña. place_goal_driven_call llama a cualquier número con un objetivo en palabras simples; consulte get_voice_call para estado, resumen y transcripción. Las llamadas cuestan dinero y no se pueden retirar una vez en cola.",
    aliases: [
      "hacer una llamada telefónica",
      "llamar a un lead",
      "transcripción de una llamada",
      "apagar las llamadas",
      "voz masculina o femenina"
    ]
  },
  {
    title: "Reuniones",
    text: "Un lead que acepta una hora queda agendado y pasa a usted. list_lead_meetings muestra las reuniones, confirm_lead_meeting acepta, cancel_lead_meeting la cancela y vuelve a contactar al lead, update_lead_meeting_attendance registra quién asistió. Al lead se le recuerda antes.",
    aliases: [
      "agendar una reunión",
      "cancelar una cita",
      "no se presentó",
      "quién asistió",
      "reprogramar una demostración"
    ]
  },
  {
    title: "Registrar resultados: ganado, perdido, abandonado",
    text: "register_lead_outcome registra won, lost o gave_up, que terminan la prospección, o negotiating y unresponsive, que no. El valor del negocio vale solo para una venta ganada. Las preguntas de seguimiento sobre leads callados se pueden silenciar o aplazar con mute_lead_check_ins.",
    aliases: [
      "marcar una venta como ganada",
      "negocio perdido",
      "detener recordatorios de seguimiento",
      "cerrar una venta",
      "valor del negocio"
    ]
  },
  {
    title: "Bajas y la lista de bloqueo",
    text: "Quien pide no ser contactado queda dado de baja enseguida en todos los canales y sigue así. add_blacklisted_email, add_blacklisted_domain y add_blacklisted_phone impiden para siempre el contacto con direcciones, dominios enteros y números, como clientes y competidores. Un dominio no incluye subdominios.",
    aliases: [
      "lista de no contactar",
      "darse de baja",
      "bloquear a un competidor",
      "cancelar suscripción",
      "excluir clientes actuales"
    ]
  },
  {
    title: "Informes: embudo, tasas de respuesta y tendencias",
    text: "get_prospecting_report resume leads y mensajes; get_performance_trends cuenta por día; get_funnel_timeline por día o semana; get_message_performance y get_chatapp_message_performance dan tasas de respuesta por campaña y tipo de mensaje; get_metrics_by_state_and_industry compara lugares y sectores; what_changed_since resume desde una fecha.",
    aliases: [
      "tasa de respuesta",
      "cuántos correos se enviaron",
      "panel de rendimiento",
      "resumen de la semana",
      "embudo de conversión"
    ]
  },
  {
    title: "Qué funciona mejor: leer los resultados",
    text: "get_lead_timing_intelligence dice cuándo contestan los leads, get_message_performance qué tipos de mensaje reciben respuesta, get_metrics_by_state_and_industry qué lugares y sectores van mejor, y compare_campaigns en qué se diferencian dos campañas. Pocos contactos prueban poco: espere algunas decenas antes de cambiar las instrucciones.",
    aliases: [
      "qué funciona mejor",
      "conclusiones de los resultados",
      "por qué los leads rechazan",
      "qué sector contesta",
      "mejor hora para contactar"
    ]
  },
  {
    title: "Probar antes de empezar",
    text: "Regístrese como lead con su propia dirección y conteste como lo haría un cliente: lo que llega es lo que reciben los leads. En el modo Passive (set_prospecting_preferences) solo se contesta a quien escribe primero. Donde whoami dice sandbox de un servicio no sale nada, y las páginas bajo /sandbox muestran lo que habría salido.",
    aliases: [
      "probar el agente",
      "ensayar antes de enviar",
      "vista previa de los mensajes",
      "hacer el papel del cliente",
      "conversación de prueba"
    ]
  },
  {
    title: "Webhooks y el flujo de eventos",
    text: "list_account_events es un flujo que se lee con cursor; create_webhook_subscription manda los mismos eventos a su dirección HTTPS, firmados según Standard Webhooks. test_webhook_subscription manda un ping. Una suscripción que falla cinco días se apaga; update_webhook_subscription la enciende de nuevo.",
    aliases: [
      "recibir eventos en mi sistema",
      "verificar la firma de un webhook",
      "consultar eventos",
      "webhook desactivado",
      "integrar con mi crm por eventos"
    ]
  },
  {
    title: "Tokens de acceso y cómo llamar la API",
    text: "Cada llamada lleva Authorization: Bearer con un token de acceso. generate_mcp_token crea uno, mostrado una sola vez; list_mcp_tokens los lista y revoke_mcp_token lo termina enseguida. Llame una herramienta con POST /rest/v1/tools/{nombre} y un objeto JSON; las de lectura aceptan también GET /rest/v1/call/{nombre}. Un fallo responde error, type, reason y detail.",
    aliases: ["clave de api", "error 401 no autorizado", "revocar un token", "cómo autenticar", "llamada rest"]
  },
  {
    title: "Borrar a una persona y exportar datos",
    text: "delete_lead_data borra a una persona para siempre, con mensajes y llamadas, y guarda solo un resumen criptográfico para que no vuelva por una importación. export_leads escribe un CSV en segundo plano. Los datos de una cuenta nunca aparecen en otra.",
    aliases: ["gdpr borrar datos", "lgpd", "derecho al olvido", "descargar mis leads", "exportar csv"]
  },
  {
    title: "Instrucciones, objetivo, estrategia y firma",
    text: "set_prospecting_rules dice cómo escribe el agente: instrucciones generales, las de un canal, el objetivo de la conversación, la estrategia, cómo se califican los leads y una firma que cierra cada correo. Solo cambia lo que pasa. Una firma vacía vuelve al nombre solo.",
    aliases: [
      "cambiar el tono de los mensajes",
      "firma de correo",
      "decir al agente qué escribir",
      "definir el objetivo",
      "estilo de redacción"
    ]
  },
  {
    title: "Planes y precios: prueba gratis y plan pago",
    text: "La mayoría de las herramientas funciona en la prueba gratis. Las que cuestan dinero afuera, como la línea de mensajería y las llamadas, responden PlanRequired hasta que el plan pago esté activo. whoami muestra el plan y qué servicios externos son reales o solo simulados. El precio del plan, la mensualidad y lo que cambia al cambiar o cancelar la suscripción los informa soporte.",
    aliases: [
      "se requiere plan pago",
      "error 403 plan",
      "contratar el plan",
      "precio del plan",
      "cuánto cuesta el plan",
      "valor de la mensualidad",
      "cancelar la suscripción",
      "qué incluye la prueba",
      "modo sandbox"
    ]
  },
  {
    title: "Probar con un lead inventado: simulaciones",
    text: "run_prospecting_simulation hace una conversación con un lead inventado, por correo o por la aplicación de mensajes: el agente escribe como escribiría, usted contesta como el lead, y la respuesta dice cómo se leyó y qué habría pasado. No se envía nada ni se toca ningún lead real. start_voice_simulation llama a su propio número guardado, y get_voice_simulation_status dice cómo fue la llamada.",
    aliases: [
      "simular una conversación",
      "practicar con un lead falso",
      "ensayo del agente",
      "llamada de prueba a mi teléfono",
      "qué contestaría el agente"
    ]
  },
  {
    title: "Aprendizajes y el optimizador",
    text: 'list_prospecting_learnings dice qué prueban los últimos 90 días: horas, días, regiones, sectores, aperturas y motivos de rechazo, cada uno con sus números; dismiss_prospecting_learning oculta uno. Cada semana el optimizador compara aperturas, horarios, intervalos y el orden de los canales, y list_prospecting_optimizations dice qué cambió, con qué números y cómo deshacerlo. "sin optimizador" en la estrategia lo apaga.',
    aliases: [
      "qué aprendió la plataforma",
      "ajustes automáticos",
      "apagar el optimizador",
      "prueba a/b de mensajes",
      "motivos de rechazo"
    ]
  },
  {
    title: "CRM: leads como empresas, personas y negocios",
    text: "connect_crm conecta un CRM: los leads van allí como empresa, persona y negocio, y los negocios ganados o perdidos vuelven como resultados. update_crm_minimum_status define desde qué estado se envían los leads, resync_crm_leads envía los de antes, get_crm_sync_status dice qué está allí o atascado, y disconnect_crm lo termina.",
    aliases: [
      "conectar hubspot o pipedrive",
      "sincronizar leads con mi crm",
      "enviar leads al crm",
      "exportar negocios automáticamente",
      "integración con crm"
    ]
  },
  {
    title: "Calendario y enlace de agenda",
    text: "get_calendar_connection_url es el enlace para conectar su calendario, y get_scheduler_connection_url el de una herramienta de agenda en la que los leads reservan solos; confirme con get_calendar_status y get_scheduler_status. Las reuniones quedan en el calendario, y no se ofrece ninguna hora ocupada.",
    aliases: [
      "conectar google calendar",
      "página de reservas",
      "que el lead elija la hora",
      "sincronizar mi agenda",
      "eventos del calendario"
    ]
  },
  {
    title: "Sitios web y páginas de captura de leads",
    text: "register_website escribe un sitio a partir de una descripción y lo publica; change_website cambia lo que pida, create_website_snapshot guarda un estado para volver a él. create_lead_capture_page hace una página con formulario: quien lo envía se convierte en un lead interesado. get_website_traffic dice las visitas.",
    aliases: [
      "hacer un sitio web",
      "landing page con formulario",
      "cambiar el texto de mi sitio",
      "cuántos visitantes",
      "formulario de contacto"
    ]
  },
  {
    title: "Anuncios: campañas, presupuesto y resultados",
    text: "create_adsplatform_campaign_draft hace el borrador de una campaña, al que create_adsplatform_search_ad y add_adsplatform_keywords agregan lo que necesita; funciona cuando hay saldo. set_adsplatform_campaign_status la pausa, reanuda o termina, update_adsplatform_campaign_budget fija cuánto puede gastar, y get_adsplatform_performance_report dice qué rindió.",
    aliases: [
      "anunciar en internet",
      "campaña en google ads",
      "presupuesto de anuncios",
      "palabras clave de anuncios",
      "pausar un anuncio"
    ]
  },
  {
    title: "La dirección desde la que salen los correos",
    text: "update_email_settings define el nombre y la firma del remitente. setup_custom_domain hace que los correos salgan de su propio dominio: publique los registros DNS que contesta y luego verifique. setup_email_subdomain da un nombre bajo el dominio de la plataforma, sin nada que publicar.",
    aliases: [
      "enviar desde mi propio dominio",
      "registros dns",
      "nombre del remitente",
      "spf dkim",
      "cambiar la dirección de envío"
    ]
  },
  {
    title: "Imágenes, videos y presentaciones",
    text: "generate_image y create_video hacen una imagen o un video corto de lo que describe, en segundo plano; get_image y get_video dicen cómo van. generate_drawing dibuja gráficos y diagramas. create_lead_presentation hace un PDF que presenta su empresa a un lead.",
    aliases: [
      "hacer una imagen para una publicación",
      "crear un video",
      "gráfico o diagrama",
      "presentación para un lead",
      "diapositivas"
    ]
  },
  {
    title: "Equipo, ajustes de la cuenta y ayuda",
    text: "add_member permite que una persona comparta la cuenta, con un token propio; remove_member lo termina. set_timezone, update_preferences y update_notification_emails cambian la cuenta; update_tax_info lo que dicen las facturas. create_support_request pregunta al soporte, y list_incidents dice qué está perturbado en este momento.",
    aliases: [
      "invitar a un colega",
      "acceso de usuario",
      "cambiar la zona horaria de la cuenta",
      "datos de facturación",
      "hablar con soporte"
    ]
  },
  {
    title: "¿Está listo mi negocio? Evaluación y volumen esperado",
    text: "get_business_assessment juzga la base de la prospección (descripción, cliente ideal, ejemplos, conocimiento, resultados), con una probabilidad y qué agregar primero; generate_icp_suggestion propone un cliente ideal. estimate_lead_volume dice a cuánto llegan los clientes que pagan de los mismos sectores por semana y por mes.",
    aliases: [
      "qué tan bueno es mi perfil",
      "qué falta antes de empezar",
      "cuántos leads puedo esperar",
      "sugerencia de cliente ideal",
      "probabilidad de éxito"
    ]
  }
]
