/**
 * What people call the things that tools are about, in English, Portuguese and Spanish: beginnings of words without
 * accents, each meaning the word that names and descriptions of tools use.
 */
const beginnings: { readonly [word: string]: string } = {
  lead: "lead leads prospect prospecto prospectos contato contatos contacto contactos cliente clientes potencial pessoa pessoas persona personas oportunidade oportunidad",
  search: "search find look procur busc encontr pesquis localiz hall buscar where onde donde filtr",
  list: "list lista listar mostr muestr exib ver veja ensen todos todas todo all show quais cuales which enumer",
  get: "get show detalh detalle detail ficha perfil profile consult tell diga dime",
  register:
    "register build make hacer fazer regist cadastr cri crea criar create new nov nuev add adicion anad agreg inclu inser insert",
  update: "update atualiz actualiz alter cambi mud edit modif change correg corrig adjust ajust",
  delete: "delete delet apag borr elimin exclu remov remove quit erase esquec olvid forget lgpd gdpr tir suprim",
  stop: "stop dejar siempre sempre forever par parar encerr finaliz deten interromp cease halt termin desist",
  pause: "pause deten stop paus suspend hold segur congel freeze",
  resume: "resume again restart retom reanud continu despaus reativ reactiv unpause volt religar",
  prospecting: "prospecting prospec prospeccion outreach abord cadenc cadence autonomous automatic automatiz",
  review: "review revis human humana analis esperand waiting aguard espera",
  message: "message mensag mensaj text escrev escrib write falar hablar recado dm",
  send: "send sends sent mand manda mandar envi envia enviar",
  goal: "goal goals objetivo objetivos meta metas",
  agent: "agent agente agentes robo robot assistente asistente",
  place: "place ligar llamar telefonar discar dial",
  email: "email emails e-mail mail correo correos correio eletronic inbox caixa",
  chatapp: "chatapp whatsapp whats zap wpp wsp messaging messenger mensajeria mensageria",
  voice: "voice voz vocal speak fala call calls phone ligac llamad chamad telefon transcri",
  call: "call calls transcri lig ligac telefon llam llamad chamad phone ring dial disc",
  phone: "phone phones fone telefone telefono celular movil numero number",
  conversation: "conversation convers dialog histor history timeline thread trocad intercambi",
  campaign: "campaign campanh campan campaigns campana",
  meeting: "meeting reuni reunioes reuniones encontro cita citas agend compromiss appointment marcad booked",
  attendance:
    "attendance compare presenc asist apareceu asistio faltou falto no-show noshow showed attended vino veio came",
  confirm: "confirm aceit acept accept",
  cancel: "cancel desmarc anul call-off aborta",
  outcome:
    "outcome resultad desfecho won lost ganh gan gane perd perdid venda venta vendi sale sold deal fech cerr cerrad closed",
  question: "question pergunt pregunt duvid dud doubts ask",
  answer: "answer respond respost respuest contest repl reply",
  notification: "notification notific aviso avisos alert alerta warning news novidad noved",
  acknowledge: "acknowledge acknowledg lida leid read reconhec reconoc ciente dispens dismiss visto",
  file: "file files arquivo arquivos archivo archivos fichier anex document docs planilh spreadsheet",
  import:
    "import imports importar importac importacion subir carreg carg bulk massa masa planilh spreadsheet csv excel load",
  export: "export exports exportar baix descarg download extrair csv",
  upload: "upload enviar sub suba carreg anex attach guard",
  blacklist: "blacklist lista-negra bloque block negra nunca never exclud proib prohib ban suppress denylist",
  domain: "domain domini dominio dominios empresa-inteira company-wide",
  token: "token tokens chave clave key acess acces credencial credential api",
  revoke: "revoke revog revoc invalid disable desativ",
  generate: "generate ger genera gerar make emit emitir issue",
  webhook: "webhook webhooks hook hooks callback endpoint suscrip subscri",
  event: "event events evento eventos feed acontec ocurri happened passou paso",
  deliver: "deliver delivery deliveries entreg envi envio attempts tentativ intent",
  test: "test teste prueb prob ping try",
  job: "job jobs background segundo-plano tarefa tarefas tarea tareas trabalh trabaj process proces progress progresso",
  cost: "cost custo custos costo gast gasto spend limit teto tope cap budget orcament presupuest max",
  daily: "daily diari diario dia day",
  monthly: "monthly mensal mensual mes month",
  picture: "picture foto fot image imag avatar logo",
  profile: "profile perfil about",
  line: "line linha linea numero",
  rename: "rename renome renombr name nome nombre chamar",
  move: "move mov transfer transfir pass pasar trasl",
  archive: "archive arquivar archivar encerr",
  compare: "compare comparar comparac comparacion versus vs lado difference diferenc",
  timing: "timing horari horar hora melhor mejor best time when quando cuando momento",
  account: "account conta cuenta plan plano who quem quien sou soy whoami identity",
  config: "config configuration configurac configuracion setting settings ajuste ajustes opcoes opciones setup",
  rules: "rules regra regras regla reglas instruc instruccion instructions strategy estrateg",
  targeting:
    "targeting segment publico alvo objetivo audience icp filtr cidade city estado state industria industry setor sector cnae employees funcionari emplead",
  preference: "preference preferenc preferencia idioma language",
  presentation: "presentation apresent present pdf slides deck proposta",
  referral: "referral colleague colega indic indicac refer referid recomend recommend referred",
  reschedule: "reschedule remarc reagend reprogram posterg adi later depois despues postpone",
  touch: "touch touches toque contato-seguinte proximo proxim next siguiente",
  takeover: "take over assum assumir tomar hacerme cargo myself mim mesmo mismo manual owner maos manos",
  recover: "recover recuper resgat rescat bring trazer traer volta regres reengag",
  mute: "mute silenc calar snooze adiar quiet lembrete recordatorio reminders remind",
  lifecycle: "lifecycle ciclo vida audit auditor trail trilha historico historial",
  paused: "paused pausad suspendid hold espera",
  active: "active ativ activ ligad ligar encend enable habilit switch turn desativ desactiv apag desligar on off",
  template: "template modelo plantilla templates",
  set: "set defin mud mudar change troc trocar cambi configur escolh eleg turn",
  allow: "allow permit autoriz permitir",
  website: "website websites site sites sitio sitios web pagina paginas page pages homepage",
  page: "page pages pagina paginas landing",
  capture: "capture captur capta captar captac captacao form formulario formularios landing colet recolect collect",
  code: "code codes codigo codigos html source fonte fuente script",
  snapshot: "snapshot snapshots save salv guard version versao versoes versiones copia backup",
  restore: "restore restaur volt volver anterior undo desfaz desfazer deshac revert rollback back earlier",
  traffic: "traffic trafego trafico visit visita visitas visitor visitors visitante visitantes views acessos analytics",
  tracking: "tracking rastrei rastre seguimiento pixel tag analytics conversion conversao",
  subdomain: "subdomain subdominio subdominios endereco direccion",
  crawl: "crawl ler leer read conteudo contenido content",
  screenshot: "screenshot captura-de-tela captura-de-pantalla pantalla tela print picture shot",
  online: "online internet google pesquis busc",
  adsplatform:
    "adsplatform ads ad anuncio anuncios advert advertising publicidad publicidade propaganda google trafego-pago",
  ad: "ad ads anuncio anuncios advert",
  keyword: "keyword keywords palavra palavras palabra palabras term terms termos words",
  negative: "negative negativ negativa negativas block bloque exclud exclu",
  budget: "budget orcament presupuest verba",
  billing: "billing saldo balance pagament pago pagos payment cobranc fatur factur invoice recharge recarga",
  audience: "audience publico audienc",
  performance: "performance desempenh rendimient resultad perform funcion metric",
  diagnose: "diagnose diagnos why porque aparec mostr muestr appear problem problema wrong errado",
  draft: "draft rascunho borrador prepar",
  crm: "crm hubspot salesforce pipedrive odoo zoho kommo bitrix twenty",
  sync: "sync sincron resync missing",
  connect: "connect connection conect link vincul integr",
  disconnect: "disconnect desconect desvincul deslig unlink",
  integration: "integration integrations integrac connect conect",
  field: "field fields campo campos",
  scheduler: "scheduler calendly booking bookings reserva reservas cal agendamento agendamentos",
  calendar: "calendar calendario agenda google outlook",
  respond: "respond respond accept acept aceit declin invitation invitations invite convite convites invitac",
  upcoming: "upcoming proxim next futur",
  type: "type types tipo tipos",
  video: "video videos film filme clip reel",
  image: "image images imag imagem imagens imagen imagenes picture pictures foto",
  drawing: "drawing drawings draw desenh dibuj diagram ilustra sketch",
  edit: "edit edita editar",
  change: "change changed mud trocar troque cambi alter modif",
  create: "create cria criar crear make build nov nuev new prepar faz fazer hacer montar",
  add: "add adicion agreg anad inclu put poner por invite convid invit",
  remove: "remove remov quit tir delet apag borr elimin",
  member: "member members membro membros miembro miembros team equipe equipo colleague colega colegas works",
  welcome: "welcome boas-vindas bienvenid",
  user: "user usuario owner dono",
  business: "business negocio negocios empresa company compania",
  faq: "faq frequent frequentes frecuent pergunt pregunt",
  knowledge: "knowledge conheciment conocimient help ajuda ayuda artigo article articulo documentation",
  report: "report reports relatorio relatorios informe informes resumo resumen",
  metric: "metric metrics metrica metricas number numeros kpi",
  funnel: "funnel funil embudo conversao",
  trend: "trend trends tendenc evoluc evolution over-time",
  industry: "industry industr setor sector ramo segmento",
  cnae: "cnae activity atividade actividad industry industria setor sector economic",
  city: "city cidade ciudad",
  municipality: "municipality municip ibge prefeitura",
  state: "state estado uf",
  icp: "icp ideal perfil-ideal cliente-ideal customer profile",
  suggestion: "suggestion sugest suger suggest recomend propose ideia idea fit",
  estimate: "estimate estim how-many quantas quantos cuantas cuantos count volume",
  volume: "volume quantas quantos cuantas cuantos quantidade cantidad many",
  exclusion: "exclusion exclu leave-out",
  learning: "learning learnings learn aprend licoes leccion lesson lessons",
  optimization: "optimization optimiz otimiz ajuste improve",
  simulation: "simulation simul simulate practice practic pratic ensai ensay treino train rehearse",
  usage: "usage uso usad usei used consum quota",
  timezone: "timezone fuso zona huso",
  tax: "tax fiscal fiscais fiscales imposto impuesto cnpj cpf nota invoice",
  support: "support suporte soporte ticket chamado help ajuda ayuda atendimento",
  request: "request requests pedid solicit ticket chamado",
  incident: "incident incidents incidente incidentes down outage falha falla caiu caid fora",
  custom: "custom personaliz proprio propria propio propia own",
  permission: "permission permiss permis permit",
  pending: "pending pendent pendient esperand aguard waiting unread",
  open: "open abert abiert sem-resposta unanswered",
  since: "since desde away ausente fora enquanto mientras while",
  history: "history historic historial past antig",
  redeliver: "redeliver reenvi again novamente otra-vez",
  resend: "resend reenvi again novamente",
  minimum: "minimum minim",
  source: "source origem origen fonte fuente",
  customer: "customer cliente clientes client"
}

const stopWords = new Set(
  "a o as os um uma uns umas de do da dos das em no na nos nas por para com sem que e ou eu me meu minha meus minhas se seu sua the an of to in on at for with without and or i my me we our is are be it its this that these those please can could want need quero preciso gostaria por-favor como el la los las un una unos unas del al en y mi mis su sus con sin quiero necesito puedo ser esta este isso aquele aquela what how do does did has have had was were will would there de-la ao aos foi sao estou they them their us from by as".split(
    " "
  )
)

const plain = (text: string): string => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase()

/** A word without the endings that only inflect it. */
const stem = (word: string): string =>
  word.length <= 4
    ? word.replace(/s$/, "")
    : word.replace(/(?:ings?|ed|es|s|cao|coes|cion|ciones|ar|er|ir|ando|endo|iendo|ado|ada|ados|adas)$/, "")

/** Beginnings, longest first, with the words that they mean. */
const meanings: ReadonlyArray<readonly [beginning: string, word: string]> = Object.entries(beginnings)
  .flatMap(([word, list]) => list.split(" ").map((beginning) => [beginning, word] as const))
  .sort(([a], [b]) => b.length - a.length)

const means = (word: string): ReadonlyArray<string> => {
  const found = new Set<string>()
  for (const [beginning, meaning] of meanings) {
    // A short beginning is a word of its own: "par" is no part of "parceiro".
    const isOne = beginning.length >= 4 ? word.startsWith(beginning) : word === beginning || stem(word) === beginning
    if (isOne) found.add(meaning)
  }
  return [...found]
}

/** Each word that a text is about, stemmed, with those of the catalog that mean the same. */
export const formsOf = (text: string): ReadonlyArray<ReadonlyArray<string>> =>
  plain(text)
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== "" && !stopWords.has(word))
    .map((word) => [stem(word), ...means(word).map((meaning) => `=${meaning}`)])

/** The same in one list. */
export const wordsOf = (text: string): ReadonlyArray<string> => formsOf(text).flat()
