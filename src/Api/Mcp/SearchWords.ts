import { Array } from "effect"
import { distance } from "fastest-levenshtein"

/**
 * What people call the things that tools are about, in English, Portuguese and Spanish: beginnings of words without
 * accents, each meaning the word that names and descriptions of tools use.
 */
const beginnings: { readonly [word: string]: string } = {
  lead: "lead leads prospect prospecto prospectos contato contatos contacto contactos cliente clientes potencial pessoa pessoas persona personas oportunidade oportunidad",
  search:
    "search find look procur busc encontr pesquis localiz hall buscar where onde donde filtr quem quien who anyone contacts everyone lookup",
  list: "list lista listar mostr muestr exib ver veja ensen todos todas todo all show quais cuales which enumer",
  get: "get show detalh detalle detail ficha perfil profile consult tell diga dime open abr cadastro ficha record registro",
  register:
    "register build make hacer fazer regist cadastr cri crea criar create new nov nuev add adicion anad agreg inclu inser insert",
  update:
    "update atualiz actualiz alter cambi mud edit modif change correg corrig adjust ajust anot note attach annot trocar",
  delete: "delete delet apag borr elimin exclu remov remove quit erase esquec olvid forget lgpd gdpr tir suprim",
  stop: "stop dejar siempre sempre forever par parar encerr finaliz deten interromp cease halt termin desist insist insista insistas incomod molest bother perturb detener detiene",
  pause: "pause deten stop paus suspend hold segur congel freeze paz break descans tregua aguarde tempo tiempo",
  resume:
    "resume again restart retom reanud continu despaus reativ reactiv unpause volt religar outra otra again novamente rodar roda",
  prospecting: "prospecting prospec prospeccion outreach abord cadenc cadence autonomous automatic automatiz",
  review: "review revis human humana analis esperand waiting aguard espera",
  message: "message mensag mensaj text escrev escrib write falar hablar recado dm",
  send: "send sends sent mand manda mandar envi envia enviar drop shoot escrib escrev",
  goal: "goal goals objetivo objetivos meta metas",
  agent: "agent agente agentes robo robot assistente asistente bot assistant",
  place: "place ligar llamar telefonar discar dial liga ligue llama llame telefone telefonea ring call phone phoning",
  email: "email emails e-mail mail correo correos correio eletronic inbox caixa",
  chatapp: "chatapp whatsapp whats zap wpp wsp messaging messenger mensajeria mensageria",
  voice: "voice voz vocal speak fala call calls phone ligac llamad chamad telefon transcri phoning",
  call: "call calls transcri lig ligac telefon llam llamad chamad phone ring dial disc",
  phone: "phone phones fone telefone telefono celular movil numero number",
  conversation:
    "conversation convers dialog histor history timeline thread trocad intercambi hablamos falamos hablado falado talked conversad dijimos dissemos pedi asked ask pedido falado dito",
  campaign: "campaign campanh campan campaigns campana",
  meeting: "meeting reuni reunioes reuniones encontro cita citas agend compromiss appointment marcad booked",
  attendance:
    "attendance compare presenc asist apareceu asistio faltou falto no-show noshow showed attended vino veio came plantad bolo turned faltar esquec forgot",
  confirm: "confirm aceit acept accept",
  cancel: "cancel desmarc anul call-off aborta",
  outcome:
    "outcome resultad desfecho won lost ganh gan gane perd perdid venda venta vendi sale sold deal fech cerr cerrad closed sign signed firm firmar firmaron assin assinou contrat contract comprou bought compro vendor competitor concorrente competencia",
  question: "question pergunt pregunt duvid dud doubts ask",
  answer: "answer respond respost respuest contest repl reply",
  notification: "notification notific aviso avisos alert alerta warning news novidad noved",
  acknowledge: "acknowledge acknowledg lida leid read reconhec reconoc ciente dispens dismiss visto",
  file: "file files arquivo arquivos archivo archivos fichier anex document docs planilh spreadsheet",
  import:
    "import imports importar importac importacion subir carreg carg bulk massa masa planilh spreadsheet csv excel load planilhas excel contatos",
  export: "export exports exportar baix descarg download extrair csv",
  upload: "upload enviar sub suba carreg anex attach guard",
  blacklist:
    "blacklist lista-negra bloque block negra nunca never exclud proib prohib ban suppress denylist nunca nadie ninguem perturb contatar contactar touch contacted contatado contactado desbloq liber",
  domain: "domain domini dominio dominios empresa-inteira company-wide empresa company companhia firm",
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
  archive: "archive arquivar archivar encerr close closed cerrar cierra fechar fecha baja",
  compare:
    "compare comparar comparac comparacion versus vs lado difference diferenc rendendo rindiendo better melhor mejor outra otra",
  timing: "timing horari horar hora melhor mejor best time when quando cuando momento hours hour hora horas",
  account: "account conta cuenta plan plano who quem quien sou soy whoami identity",
  config: "config configuration configurac configuracion setting settings ajuste ajustes opcoes opciones setup",
  rules:
    "rules regra regras regla reglas instruc instruccion instructions strategy estrateg tom tono tone formal informal estilo style sound",
  targeting:
    "targeting segment publico alvo objetivo audience icp filtr cidade city estado state industria industry setor sector cnae employees funcionari emplead tamanho tamano size empleados region regiao",
  preference:
    "preference preferenc preferencia idioma language lingua lengua ingles english espanol spanish portugues portuguese",
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
  set: "set defin mud mudar change troc trocar cambi configur escolh eleg turn protec proteg limit",
  allow: "allow permit autoriz permitir",
  website: "website websites site sites sitio sitios web pagina paginas page pages homepage saite siti homepage",
  page: "page pages pagina paginas landing",
  capture:
    "capture captur capta captar captac captacao form formulario formularios landing colet recolect collect signup sign inscri",
  code: "code codes codigo codigos html source fonte fuente script",
  snapshot: "snapshot snapshots save salv guard version versao versoes versiones copia backup",
  restore: "restore restaur volt volver anterior undo desfaz desfazer deshac revert rollback back earlier",
  traffic:
    "traffic trafego trafico visit visita visitas visitor visitors visitante visitantes views acessos analytics folks looked people came gente vieron viram",
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
  budget: "budget orcament presupuest verba dinheiro dinero plata money grana",
  billing:
    "billing saldo balance pagament pago pagos payment cobranc fatur factur invoice recharge recarga dinheiro dinero plata money grana balance",
  audience: "audience publico audienc",
  performance: "performance desempenh rendimient resultad perform funcion metric",
  diagnose: "diagnose diagnos why porque aparec mostr muestr appear problem problema wrong errado",
  draft: "draft rascunho borrador prepar",
  crm: "crm hubspot salesforce pipedrive odoo zoho kommo bitrix twenty bitrix24 rdstation",
  sync: "sync sincron resync missing",
  connect: "connect connection conect link vincul integr",
  disconnect: "disconnect desconect desvincul deslig unlink",
  integration: "integration integrations integrac connect conect",
  field: "field fields campo campos",
  scheduler: "scheduler calendly booking bookings reserva reservas cal agendamento agendamentos",
  calendar:
    "calendar calendario agenda google outlook tomorrow today amanha hoje hoy manana schedule diary monday tuesday wednesday thursday friday saturday sunday lunes martes miercoles jueves viernes domingo terca quinta sexta noon lunch almoco almuerzo",
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
  remove: "remove remov quit tir delet apag borr elimin sacar saca liber desbloq unblock unlock",
  member:
    "member members membro membros miembro miembros team equipe equipo colleague colega colegas works socio socia socios companera companero companeros partner partners intern coworker teammate empleado empleada funcionario funcionaria estagiario",
  welcome: "welcome boas-vindas bienvenid",
  user: "user usuario owner dono",
  business: "business negocio negocios empresa company compania",
  faq: "faq frequent frequentes frecuent pergunt pregunt",
  knowledge: "knowledge conheciment conocimient help ajuda ayuda artigo article articulo documentation",
  report: "report reports relatorio relatorios informe informes resumo resumen vamos indo numeros balanco balance",
  metric: "metric metrics metrica metricas number numeros kpi",
  funnel: "funnel funil embudo conversao",
  trend: "trend trends tendenc evoluc evolution over-time",
  industry: "industry industr setor sector ramo segmento",
  cnae: "cnae activity atividade actividad industry industria setor sector economic",
  city: "city cidade ciudad",
  municipality: "municipality municip ibge prefeitura",
  state: "state estado uf provincia provincias regiao regioes region regiones departamento",
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
  incident:
    "incident incidents incidente incidentes down outage falha falla caiu caid fora caer cayo caido cair quebr broken works working funciona funcionando lento slow instavel",
  custom: "custom personaliz proprio propria propio propia own",
  permission: "permission permiss permis permit",
  pending: "pending pendent pendient esperand aguard waiting unread",
  open: "open abert abiert sem-resposta unanswered",
  since:
    "since desde away ausente fora enquanto mientras while missed miss rolou novidad perdi catch ponme speed semana",
  history: "history historic historial past antig",
  redeliver: "redeliver reenvi again novamente otra-vez",
  resend: "resend reenvi again novamente",
  minimum: "minimum minim",
  source: "source origem origen fonte fuente",
  customer: "customer cliente clientes client",
  material:
    "material materials materiais folheto folhetos folleto folletos brochure flyer catalog prospekt portfolio cartilha datasheet",
  backup: "backup respald seguranca restor revert rollback desfaz deshac undo anterior previous",
  server: "server servidor servidores endpoint url urls zapier n8n system sistema",
  competitor: "competitor concorr competencia competidor rival rivais",
  wrong: "wrong errad equivoc incorret incorrect mistake engano misspelled typo",
  start: "start comec empez inici begin launch lanc arranc",
  left: "left sai saiu salio leaving demit despid renunci fired quit",
  access: "access acess acceso accesos entrada login entrar",
  holiday: "holiday vacation vacacion ferias feriado viaj trip travel",
  appointment: "appointment reuni cita compromiss encontro encuentro event evento",
  cheap: "barato caro expensive overspend demais demasiado",
  ready: "ready pront list finished done complet termin acab",
  broken: "broken quebr roto fail failed falh fall error erro stuck trav",
  rating: "rate taxa tasa porcent percent share conversion",
  region: "region regiao regioes regiones estado estados provinc state states uf",
  sector: "sector setor ramo rubro segmento industry industr trade trades nicho niche vertical",
  sound: "sound hear listen ouvir oir escut",
  employee: "employee funcionari emplead vendedor seller salesperson staff worker secretari gerente manager",
  discount: "discount descont descuent preco precos precio precios price prices pricing valor",
  invite: "invite convid invit guest attendee rsvp",
  restrict: "restrict password senha clave contrasena private privad protec proteg restring locked code",
  show: "appear aparec shown exhib impression impress",
  visitors: "visit visitor visitante acess traffic",
  hide: "hide escond ocult hid",
  undo: "undo desfaz deshac revert rollback volver voltar",
  version: "version versao versoes versiones revision revisao edit",
  host: "host hosped aloj provider provedor hosting"
}

const stopWords = new Set(
  (
    "a o as os um uma uns umas de do da dos das em no na nos nas por para com sem " +
    "que e ou eu me meu minha meus minhas se seu sua the an of to in on at for with without " +
    "and or i my we our is are be it its this that these those please can could want need quero preciso " +
    "gostaria por-favor como el la los las un una unos unas del al en y mi mis su sus con sin quiero " +
    "necesito puedo ser esta este isso aquele aquela what how does did has have had was were will would there de-la ao " +
    "aos foi sao estou they them their us from by he she him her his hers it's whom whose some any anyone " +
    "anybody someone somebody everyone everybody something anything now just really only also too very much many more most let lets get got " +
    "give gave go goes going gone went makes made take takes thing things way ours mine yours you your yourself " +
    "if then than so not nor isn aren don doesn didn won wouldn cant couldn ll ve re am im hi hello " +
    "thanks thank over about into onto guy guys folks voce voces ele ela eles elas nosso nossa nossos nossas gente cara ai " +
    "aqui esse essa esses essas estes estas aquilo isto nele nela dele dela disso deste nesse nesta num numa pelo pela pelos " +
    "pelas pra pro pras pros ate ja mais menos muito muita muitos muitas bem mal tem ter tenho temos tinha vai vou " +
    "vamos quer queria queremos ha sobre entre faz fazer faca toda nada alguem usted ustedes ellos ellas nosotros nuestro nuestra nuestros nuestras " +
    "eso esos esa esas alli ahi ya solo mas mucho mucha muchos muchas muy bien tiene tengo tenemos tenia voy va quiere " +
    "hay hazme haz hacer alguien le les lo te si"
  ).split(" ")
)

/** What says one thing in two words. */
const twoWords: ReadonlyArray<readonly [said: string, meant: string]> = [
  [" de novo ", " novamente "],
  [" de nuevo ", " novamente "],
  [" otra vez ", " novamente "],
  [" outra vez ", " novamente "],
  [" look up ", " lookup "],
  [" dar um tempo ", " pausar "],
  [" dar un tiempo ", " pausar "]
]

const plain = (whole: string): string =>
  twoWords
    .reduce(
      (text, [said, meant]) => text.replace(said, meant),
      ` ${whole.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase()} `
    )
    .trim()

/** Endings that only inflect, of the three languages; the longest that leaves four letters goes. */
const endings = (
  "amientos imientos amiento imiento aciones iciones acoes icoes acion icion acao icao ations ation mente ments ment " +
  "ingly ings ing edly ed ly aram eram iram aron ieron ando endo indo iendo ados adas idos idas ado ada ido ida aram " +
  "emos aremos eremos iremos amen emen arme en em an am arei arem arnos arlo arla arle arse erlo erla erle irlo irla irle amos emos imos ares eres ires ar er ir ou eu iu oes aes ais eis " +
  "coes cion cao es os as is s o a e"
).split(" ")

/** A word without the endings that only inflect it. */
const stem = (word: string): string => {
  if (word.length < 5) return word.replace(/s$/, "")
  let shortest = word
  for (const ending of endings) {
    if (
      word.length - ending.length >= (word.length <= 6 ? 3 : 4) &&
      word.endsWith(ending) &&
      word.length - ending.length < shortest.length
    ) {
      shortest = word.slice(0, -ending.length)
    }
  }
  return shortest
}

const meanings: ReadonlyArray<readonly [beginning: string, word: string]> = Object.entries(beginnings).flatMap(
  ([word, list]) => list.split(" ").map((beginning) => [beginning, word] as const)
)

/** The same by their first letters. */
const byLetter = Array.groupBy(meanings, ([beginning]) => beginning.charAt(0))

/** The words that a word means. */
const means = (word: string): ReadonlyArray<string> => {
  const found = new Set<string>()
  const stemmed = stem(word)
  for (const [beginning, meaning] of byLetter[word.charAt(0)] ?? []) {
    // A short beginning is a word of its own: "par" is no part of "parceiro".
    const isOne = beginning.length >= 4 ? word.startsWith(beginning) : word === beginning || stemmed === beginning
    if (isOne) found.add(`=${meaning}`)
  }
  return [...found]
}

/** Words that begin alike are mostly of one family, whatever endings the stemming does not know. */
const firstLetters = 4

/** Words of descriptions come again and again. */
const known = new Map<string, ReadonlyArray<string>>()
const mostKnown = 10_000

const formOf = (word: string): ReadonlyArray<string> => {
  const before = known.get(word)
  if (before !== undefined) return before
  const stemmed = stem(word)
  const form = [
    stemmed,
    ...(stemmed.length < firstLetters ? [] : [`~${stemmed.slice(0, firstLetters)}`]),
    ...means(word)
  ]
  if (known.size < mostKnown) known.set(word, form)
  return form
}

/** Nobody wishes in more words; each that is not known is compared with all that are. */
const mostWords = 60

const contentWords = (text: string): ReadonlyArray<string> =>
  plain(text)
    .split(/[^a-z0-9]+/)
    .filter((word) => (word.length > 1 || /\d/.test(word)) && !stopWords.has(word))
    .slice(0, mostWords)

/** The words of a text, stemmed, with what they begin with and what they mean. */
export const wordsOf = (text: string): ReadonlyArray<string> => contentWords(text).flatMap(formOf)

/** Whether it is a stem, and not what a word means (`=`) or begins with (`~`). */
export const isStem = (word: string): boolean => !word.startsWith("=") && !word.startsWith("~")

/** Each word of a text, its stem first, with what it begins with and what it means. */
export const formsIn = (text: string): ReadonlyArray<ReadonlyArray<string>> => contentWords(text).map(formOf)

/** A word of a wish in all its forms, and how much it counts. */
interface WishedWord {
  readonly words: ReadonlyArray<string>
  readonly share: number
}

/** A word that was guessed at counts less: it may be a name. */
const guessed = 0.6

/** How many letters of a word may be wrong. */
const slipsOf = ({ length }: string): number => (length < 5 ? 0 : length < 8 ? 1 : 2)

/**
 * Each word that a wish is about, with those of the catalog that mean the same. One that neither the catalog nor the list
 * of meanings knows is taken for the nearest that they do: people slip on the keyboard.
 */
export const makeFormsOf = (vocabulary: ReadonlySet<string>): ((text: string) => ReadonlyArray<WishedWord>) => {
  const written = [...new Set([...vocabulary, ...meanings.map(([beginning]) => beginning)])].filter(
    ({ length }) => length >= 4
  )
  const nearest = (word: string): string | undefined => {
    const slips = slipsOf(word)
    let found: string | undefined
    let least = slips + 1
    for (const candidate of written) {
      if (Math.abs(candidate.length - word.length) > slips || candidate.charAt(0) !== word.charAt(0)) continue
      const off = distance(word, candidate)
      if (off < least) {
        least = off
        found = candidate
      }
    }
    return found
  }
  return (text) =>
    contentWords(text).map((word) => {
      const form = formOf(word)
      if (vocabulary.has(form[0] ?? "")) return { words: form, share: 1 }
      // A word and its stem may have slipped apart.
      const meant = nearest(word) ?? nearest(form[0] ?? "")
      if (meant === undefined) return { words: form, share: 1 }
      return { words: [...form, stem(meant), ...formOf(meant)], share: form.length > 1 ? 1 : guessed }
    })
}
