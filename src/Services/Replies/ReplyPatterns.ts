import type { RefusalReason } from "./ReplyReading.ts"

/** Patterns over folded text: lower case, no accents. Each has bounded repetition only, so that time stays linear. */
const any = (...patterns: ReadonlyArray<RegExp>): RegExp => new RegExp(patterns.map(({ source }) => source).join("|"))

export const bounceText = any(
  /delivery status notification|mail delivery (?:failed|subsystem|system)|undeliver(?:able|ed)|delivery (?:has )?failed|returned mail|message (?:wasn't|was not|could not be|couldn't be) delivered|user unknown|mailbox (?:is )?(?:full|unavailable|not found)|recipient address rejected|no such user|address (?:couldn't|could not) be found|\b55[0-4][ -]5\.\d\.\d/,
  /nao (?:pode|foi possivel|conseguimos) (?:ser )?entreg|mensagem nao entregue|falha na entrega|caixa (?:de correio |postal )?(?:esta )?cheia|endereco (?:de e-?mail )?nao (?:existe|encontrado|foi encontrado)|destinatario desconhecido/,
  /no se (?:pudo|ha podido) entregar|mensaje no entregado|error de entrega|direccion no encontrada|buzon (?:esta )?lleno|destinatario desconocido/
)

export const outOfOffice = any(
  /\bfora (?:do|de) (?:escritorio|expediente|empresa|cidade|pais)|\bfora da (?:empresa|cidade)|\bausente\b|\b(?:de|em|minhas|periodo de|gozo de|saindo de|entrando em) ferias|\blicenca[ -](?:maternidade|paternidade|medica|premio)|\bde licenca\b|\bafastad[oa] (?:por|ate|do)|\bestou (?:ausente|viajando|em viagem)|\bestarei (?:ausente|fora|viajando|em viagem|de ferias|de volta)|\bausencia (?:temporaria|programada)|\bacesso limitado|\bsem acesso (?:ao|aos|a) (?:meus? )?e-?mail|\b(?:retorno|retornarei|volto|voltarei|de volta)(?: ao (?:escritorio|trabalho))? (?:em|no dia|dia|na|a partir|apos|somente|apenas|so|segunda|terca|quarta|quinta|sexta)|\bem recesso|\brecesso (?:de|ate|entre)|\batestado medico/,
  /\bout of (?:the )?office|\booo\b|\bon (?:annual |parental |maternity |paternity |sick |medical )?(?:leave|vacation|holidays?|pto)\b|\baway (?:from (?:my desk|the office|work)|until|till|on business)|\b(?:be|am|get) back (?:on|in(?! touch)|at)|\bback in the office|\b(?:i will|i'll) (?:return|be returning|be away|be out)|\blimited access to (?:my )?e-?mail|\bwithout access to (?:my )?e-?mail|\bat an? (?:conference|offsite|event|trade show)|\b(?:sporadic|intermittent|limited|no) (?:e-?mail )?access\b|\bback (?:on )?(?:january|february|march|april|may|june|july|august|september|october|november|december|the \d)|\bcurrently (?:travell?ing|away|out)/,
  /\bfuera de (?:la )?oficina|\bde vacaciones|\bestare (?:ausente|fuera|de viaje|de vacaciones)|\b(?:me encuentro|estoy) (?:ausente|fuera|de viaje|de licencia|de baja (?:medica|por))|\bacceso limitado|\bsin acceso a(?:l| mi) correo|\b(?:regreso|regresare|vuelvo|volvere|retorno|estare de vuelta) (?:el|a partir|la|al|en|hasta)\b|\blicencia (?:de|por) (?:maternidad|paternidad|medica)/
)

/** Absence is also what people speak of when they ask for a later talk. */
export const autoText = any(
  /resposta automatica|mensagem automatica|e-?mail automatico|automaticamente|nao responda (?:a )?(?:este|esse|esta|essa)|prazo de (?:resposta|retorno)|fora do (?:nosso )?horario (?:de atendimento|comercial)|recebemos (?:a )?(?:sua|seu) (?:mensagem|e-?mail|contato|solicitacao)|agradecemos (?:o |pelo )?(?:seu )?contato|obrigado por entrar em contato com (?:a|o) |obrigado pelo seu contato\b.{0,60}(?:breve|retornar|responder)|protocolo (?:n|de|:|#|\d)|em breve (?:um|uma|nosso|nossa|retornaremos|responderemos|entraremos|daremos)|nosso horario de atendimento|seu chamado|numero do (?:chamado|protocolo)/,
  /automat(?:ed|ic) (?:response|reply|message|e-?mail)|auto[- ]?reply|do not reply to this|thank you for (?:contacting|reaching out to|getting in touch with|your (?:e-?mail|message|enquiry|inquiry))\b.{0,80}(?:we|our|ticket|shortly|soon)|thank you for contacting us|(?:team|office) is (?:currently )?(?:unavailable|closed|away)|reply as soon as possible|not monitored|your (?:ticket|request|case) (?:#|number|has been|\d)|ticket #?\d|we have received your|we(?:'ve| have) received your|will (?:get back to you|be in touch|respond|reply|contact you) (?:shortly|soon|as soon|within)|a member of our team will|your (?:request|message|e-?mail|enquiry) (?:has been|was) received/,
  /respuesta automatica|mensaje automatico|no responda (?:a )?este|hemos recibido su|su (?:mensaje|correo|solicitud) (?:ha sido|fue) recibid|numero de (?:ticket|caso|folio)|(?:equipo|asesor\w*) (?:le|lo|la) (?:contactara|atendera|respondera)|gracias por (?:comunicarse|contactar|escribir)(?:se|nos)? (?:con|a)|gracias por contactarnos|le responderemos|nos pondremos en contacto|a la brevedad|en breve (?:un|una|uno|nos|le|sera)|uno de nuestros (?:asesores|agentes)|horario de atencion|su (?:ticket|solicitud|caso) (?:#|numero|ha sido|fue|\d)/
)

export const wrongPerson = any(
  /\bnao sou (?:a pessoa|o responsavel|a responsavel|responsavel|eu (?:que|quem)|quem|o contato|mais (?:o|a) responsavel|da area|desse setor|dessa area|desse departamento)|\bnao e comigo|\bnao (?:cuido|trato|respondo|decido|lido|mexo|participo|sou eu)\b(?: mais)? ?(?:d|por|com|n|diss|dess)|\bnao sou eu\b|\bpessoa errada|\b(?:numero|contato|e-?mail|destinatario) (?:errado|incorreto)|\bnao (?:trabalho|faco parte|atuo|estou) mais (?:n|d|a[qi]|com)|\bja nao trabalho|\bsai (?:da|de|do) (?!ferias|reuniao)\w+|\b(?:mandou|enviou|ligou) (?:pra |para )?(?:o |a )?(?:errad|pessoa errad|numero errad)|\bnao sou (?:o|a) [a-z]{3,}|\bnao (?:e|pertence) mais (?:d|o (?:numero|contato|e-?mail)|a)|\bnao e mais comigo|\bmudei de (?:setor|area|empresa|departamento|cargo)|\bfui (?:desligad|demitid|transferid)[oa]|\baqui nao (?:trabalha|tem|mora|existe)|\bnao tem (?:nenhum|ninguem)|\bsou (?:so |apenas |so o |apenas o )?estagiari|\bisso e com (?!a gente|nos)|\btelefone (?:e )?(?:residencial|particular|pessoal)|\bme aposentei|\baposentad[oa]\b|\be engano|\bfoi engano|\bengano\b|\baqui nao e (?:d|a|o)|\bnao conheco (?:essa|esta|nenhum|ninguem)|\bnao e (?:a )?minha (?:area|funcao|responsabilidade|alcada)|\bme desliguei da empresa|\bnao pertenc/,
  /\bnot the (?:right|correct|best|appropriate) (?:person|contact|one|department)|\bwrong (?:person|number|contact|guy|department|(?:e-?mail )?address|e-?mail|company|team|place)|\b(?:nobody|no one|no-one) (?:by|with|called|named)|\bnot something i (?:deal|handle|manage|do|look)|\bi'?m (?:just )?an intern|\b(?:changed|switched) (?:jobs|companies|roles|departments)|\bmoved to (?:another|a different|a new)|\bdon't make (?:those|these|the|that)|\bi(?:'ve| have| am|'m)? ?(?:now )?retired\b|\b(?:not|never) (?:been )?(?:employed|with) (?:by|at|the)|\bthis (?:number|e-?mail|address) (?:no longer|doesn't|does not|isn't)|\bno longer (?:work|with|at|employed|part of|in charge|responsible)|\b(?:don't|do not|dont) (?:handle|deal with|manage|work (?:at|for|with|there|here|in (?:that|this))|look after|make (?:these|those|that|purchasing|buying))|\bnot (?:my|in my) (?:area|department|responsibility|role|remit|job)|\bnot responsible for|\bnot (?:involved|the one)\b|\bnot in charge of|\bi(?:'ve| have)? left (?:the company|that company)|\bisn't my (?:area|department|role)|\bnot the decision[- ]maker|\bnot me\b/,
  /\bno soy (?:la persona|el (?:responsable|encargado|indicado)|la (?:responsable|encargada|indicada)|quien|yo)|\bya no trabajo|\bno trabajo (?:mas|ahi|alli|en esa)|\bequivoc\w{1,4} de (?:persona|numero|correo)|\b(?:numero|correo|persona|contacto) (?:equivocad[oa]|incorrect[oa])|\b(?:esta|estan|estas|creo que se) equivocad[oa]s?\b|\bse equivoc[oa]\b|\bpersona equivocada|\bno soy [a-z]{3,}(?:[.,!]|$)|\baqui no (?:trabaja|hay|vive|existe)|\b(?:me )?cambie de (?:empresa|area|trabajo|puesto)|\bme jubile\b|\b(?:no veo|yo no veo|no manejo) es[eo]s\b|\bno (?:me encargo|manejo|llevo|veo) (?:de )?(?:es|las|los|el|la|compras)|\bno es mi (?:area|departamento|funcion|responsabilidad)|\bno me corresponde/
)

/** Words that hand over to somebody; a name, an address or a number must stand beside them. */
export const handsOver = any(
  /\b(?:fal[ea]r?|falem|convers[ea]r?|trat[ea]r?|vej[ae]|ver) (?:direto |diretamente |melhor |isso )?com\b|\b(?:contat[ea]r?|procur[ea]r?|procurem|cham[ea]r?|escrev[ae]r?|acion[ea]r?) |\bentr[ea]r? em contato com|\bcopi(?:ando|ei|o|ar|arei)\b|\bem copia|\bquem (?:cuida|decide|trata|responde|resolve|ve|compra|define)|\bresponsavel (?:e|seria|agora|por|pel|hoje)|\b(?:ele|ela) (?:que|quem|e quem) (?:cuida|decide|trata|responde|resolve|ve)|\b(?:encaminh|repass|direcion)\w{1,4} (?:para|pra|pro|ao?|sua)|\b(?:passa|passe|ve|veja) (?:la |isso |direto )?com\b|\bdirecion\w{1,3}\b|\bisso e com [oa]\b|\b(?:te |lhe )?pass(?:ar|o|arei) o contato|\b(?:mand|envi)[ea]r? (?:isso |direto )?(?:para|pra|pro|ao) |\bsegue (?:o |a )?contato|\bo contato (?:d[aeo]|e)|\bsegue o (?:telefone|e-?mail|numero|whats)|\b(?:mand|envi)[ea]r? (?:para|pra|pro) [oa]\b|\bpasse? (?:para|pra) |\bmeu (?:colega|chefe|gerente|socio)|\bminha (?:colega|chefe|gerente|socia)/,
  /\b(?:speak|talk|chat|connect|check) (?:to|with)\b|\bsend (?:this|it|your \w+) to\b|\b(?:contact|reach out to|get in touch with|write to|ask|try|e-?mail|reach) (?:our|my|the|mr|ms|mrs|dr|him|her|[a-z]{2,20})|\b(?:right|best|correct) (?:person|contact)(?: for (?:this|that))? (?:is|would be|to)|\b(?:looping|loop|copying|cc'?ing|adding|introducing) |\bin charge (?:is|of)|\b(?:he|she|they) (?:handles?|is responsible|runs?|looks? after|takes? care|deals?|makes?)|\b(?:better|best|right) (?:contact|person|point)|\bheads? (?:up )?(?:our |the )?\w+|\bforward(?:ed|ing)? (?:this|it|your \w{1,12}) to|\bis (?:your|the) (?:guy|man|woman|person|one)\b|\bmy (?:colleague|boss|manager|partner)|\bwho (?:runs|handles|leads|manages|is in charge)/,
  /\b(?:hable|habla|hablar|converse|comuniquese|comunicate) (?:con|directamente)|\b(?:contacte|contacta|contactar|escribale|escribele|escriba|llame|busque|dirijase) (?:a|con|al)\b|\bencargad[oa] (?:es|de)|\bquien (?:se encarga|decide|lleva|ve)|\b(?:reenvi|deriv|pas)\w{1,4} (?:su|tu|el|este) (?:correo|mensaje)|\bcon copia a|\bcopio a|\bmi (?:companer[oa]|jef[ae]|soci[oa]|colega)|\bsu correo es|\beso lo (?:ve|maneja|lleva|decide)|\b(?:comparto|paso|dejo) (?:el|su) (?:contacto|correo|numero)|\bel contacto (?:es|de)|\bla persona (?:indicada|correcta|adecuada|encargada) es/
)

export const gatekeeper = any(
  /\b(?:sou|aqui e|quem fala e) (?:a |o |da |do )?(?:secretari[ao]|recepc|assistente|portaria|atendente|telefonista)|\bsou (?:a )?(?:secretari|assistent)|\bqual (?:e |seria )?o (?:assunto|motivo)|\bdo que se trata|\bde que se trata|\bsobre o que (?:e|seria)\b|\bvou (?:repassar|passar|encaminhar|deixar|transmitir) (?:o |a |seu |sua |o seu |a sua )?(?:recado|mensagem|e-?mail|contato|material)?(?: ?(?:para|ao|a|pro|pra) )|\b(?:repassarei|encaminharei|passarei|transmitirei)\b|\bquem (?:gostaria|deseja|fala)\b|\b(?:e )?(?:sobre|referente a|a respeito d)[eo]? ?(?:o )?que\b|\bseria sobre o que|\b(?:deixo|deixe|deixar|anoto|anotei|deixou) (?:o )?(?:anotado|recado)|\bpasso (?:o recado |a mensagem |seu recado )?(?:para|pra|pro) |\bquando (?:ele|ela) (?:voltar|chegar|retornar|estiver)|\beu filtro|\bdiret(?:or|oria) nao (?:atende|recebe)|\bnao passamos (?:o )?(?:contato|telefone|e-?mail)|\bse houver interesse.{0,30}(?:contato|retorn)|\bsecretaria d(?:ele|ela|o|a)\b|\b(?:ele|ela) (?:esta|ta) em reuniao|\besta em reuniao|\bnao se encontra\b|\b(?:doutora?|dra?|diretora?|chefe|responsavel|dona?)\.? (?:\w+ )?(?:esta|ta) em (?:atendimento|reuniao|consulta|viagem|cirurgia)|\b(?:quer|gostaria de|deseja|pode) deixar (?:um |o )?recado|\bencaminhamos (?:sua|seu|a|o|para)/,
  /\b(?:i'm|i am|this is) (?:the |an? |his |her )?(?:\w+'s )?(?:\w+ )?(?:assistant|receptionist|secretary|pa)\b|\b(?:i'll|i will|will|we will|we'll) (?:pass|forward|relay|hand) (?:this|it|your|the|that|along)|\bpass (?:your message|this|it) (?:along|on)|\bwhat is (?:this|it) (?:regarding|about|in regards? to|concerning)|\bwhat's this (?:regarding|about)|\b(?:doesn't|does not) (?:take|accept) (?:unsolicited|cold|sales)|\bwhat (?:this|it)(?:'s| is) (?:about|regarding|concerning)|\b(?:i'll|i will|let me) (?:let|tell|inform|ask) (?:him|her|them|the|mr|ms|dr)\b|\b(?:i )?(?:manage|handle|screen|monitor) (?:his|her|their|m[rs]s?\.? \w+|dr\.? \w+)(?:'s)? (?:inbox|calendar|schedule|calls|e-?mail)|\btake a message|\b(?:vendor|sales|supplier) (?:inquir|enquir|pitch|proposal|e-?mail)\w* (?:are|is|go|must)|\bnot (?:to )?(?:give|share|provide)(?: out)? (?:direct |personal |employee )?(?:contacts?|numbers?|details|information)|\bif (?:there is|there's|they see) (?:a fit|interest)|\bmay i ask (?:what|who)|\bwe don't give out|\bscreen (?:his|her|all)/,
  /\bsoy (?:la|el) (?:asistente|secretari[ao]|recepcionista)|\ble paso\b|\b(?:le )?(?:pasare|paso|transmitire|hare llegar) (?:su|el|tu) (?:mensaje|correo|recado|informacion)|\bvoy a (?:reenviar|pasar|transmitir|derivar) (?:su|el|tu)|\besta en (?:consulta|reunion|una reunion|junta)\b|\bdejar(?:le)? (?:un |el )?(?:mensaje|recado)|\bno se encuentra\b|\bde parte de quien|\bcual es el (?:asunto|motivo)|\bde que se trata|\ba que se debe su|\b(?:reenviare|derivare) (?:su|el|tu)/
)

/** A talk at a time, or the wish for one. */
export const meetingWish = any(
  /\b(?:marc|agend|combin)(?:ar|amos|emos|armos|a|e|o|ado|ei)\b|\breuniao\b|\breunir\b|\b(?:bater|marcar|trocar) (?:um )?(?:papo|uma ideia|ideia)|\b(?:uma|fazer|numa|marcar|agendar|por) (?:call|video ?chamada|videoconferencia|chamada|ligacao|meet)\b|\bme (?:liga|ligue|ligar|chama|chame) |\b(?:pode|podem|poderia) (?:me )?ligar|\bme liga\b|\b(?:sua|tua|minha|a) agenda\b|\btenho (?:disponibilidade|horario|agenda|tempo)|\bestou (?:disponivel|livre)|\bvamos (?:conversar|falar|marcar|agendar) .{0,30}(?:segunda|terca|quarta|quinta|sexta|amanha|hoje|semana|dia \d|\d{1,2}h|as \d)|\bvisit(?:a|ar|e) .{0,40}(?:dia|segunda|terca|quarta|quinta|sexta|amanha)|\btomar um cafe|\bquando (?:voce |vc |podem |pode |podemos )+(?:me )?(?:apresent|mostr|ligar|conversar|falar|vir)|\b(?:manda|mande|envia|envie|mandar|enviar) (?:o |um )?(?:convite|invite)|\b(?:falar|conversar) (?:amanha|hoje|na (?:segunda|terca|quarta|quinta|sexta)|por telefone|por video)/,
  /\b(?:schedule|book|set up|arrange|hop on|jump on|get on|have|do) (?:a|an|some|another|time for a|in a) ?(?:quick |short |brief |\d+[- ]?min\w* )?(?:call|meeting|demo|chat|zoom|time|slot|session)|\bcan we (?:meet|talk|speak|chat|connect)|\blet's (?:meet|talk|chat|speak|connect|schedule|do|hop|jump|set)|\b(?:call|ring|phone) me\b|\bgive me a (?:call|ring)|\bi(?:'m| am) (?:free|available|open)\b|\bmy (?:calendar|availability)|\byour (?:calendar|availability|calendly)|\bcould you call\b|\bwhen (?:are|can|would) (?:you|we) (?:available|free|meet|talk)|\b(?:find|make) (?:some )?time\b|\bavailable (?:on|at|for|tomorrow|next|this)|\b(?:send|share|shoot|forward)(?: me| us| over| through)? (?:an? |the |your )?(?:calendar )?(?:invite|invitation|calendar link)|\bhappy to (?:chat|talk|meet|jump|hop)|\bcoffee\b|\b(?:like|love|want|happy|glad) to (?:talk|speak|chat|meet)(?: to| with)? you\b/,
  /\b(?:agend|program|coordin|concert)(?:ar|emos|amos|e|a|o)\b|\breunion\b|\breunirnos\b|\b(?:una|hacer una|tener una) (?:llamada|videollamada|reunion|cita)\b|\bllam(?:e|a|en)me\b|\bme (?:puede|pueden|puedes) llamar|\bpuede llamarme|\bsu (?:agenda|calendario|disponibilidad)|\btengo (?:disponibilidad|tiempo|espacio|libre)|\bestoy (?:disponible|libre)|\bhablemos (?:el|manana|la|por)|\bpodemos (?:hablar|conversar|vernos)/
)
/** With a day or a time beside them, these mean a talk too. */
export const meetingAssent = any(
  /\bpode ser\b|\bpodemos\b|\besta (?:bom|otimo|bem)|\bfunciona\b|\bconsigo\b|\bbora\b|\bprefiro\b|\bfica (?:bom|melhor)|\bque tal\b|\bserve\b|\bpossivel\b|\bfalamos\b|\bnos falamos\b|\bvamos\b|\bdisponivel\b|\blivre\b|\bconfirmo\b|\bconfirmad[oa]\b|\bcombinado\b|\bok\b/,
  /\bworks?\b|\bhow about\b|\bwhat about\b|\bcould do\b|\bcan do\b|\bsuits?\b|\bgood for me\b|\bfree\b|\bavailable\b|\bprefer\b|\bconfirmed?\b|\bsee you\b|\bspeak (?:then|on)\b|\btalk (?:then|on|tomorrow)\b|\bmeet\b/,
  /\bpuedo\b|\ble parece\b|\bte parece\b|\bme (?:viene|va|queda) bien|\bmejor (?:el|la|manana|a las)\b|\bque tal\b|\bprefiero\b|\bnos vemos\b|\bhablamos\b|\bde acuerdo\b|\bconfirmo\b/
)

const talk =
  "(?:reuni\\w+|conversa|chamada|call|encontro|visita|demo\\w*|apresentac\\w+|ligacao|compromisso|horario|agenda\\w*|bate-?papo)"
const conversation = "(?:meeting|call|appointment|demo|chat|conversation|visit|slot|time)"
const cita = "(?:reunion|cita|llamada|videollamada|demo\\w*|visita|encuentro|horario)"

/** A meeting that stands does not take place. Said of nothing else where one stands. */
export const meetingCancelled = any(
  new RegExp(
    `\\b(?:cancel|desmarc)\\w{1,5}(?: \\w+){0,3} ${talk}|\\b${talk}(?: \\w+){0,6} (?:cancelad|desmarcad)[oa]|\\bdesmarc(?:ar|amos|o|a|ando|armos)\\b|\\b(?:preciso|precisamos|vou|vamos|quero|queria|tenho que|tive que|terei que|gostaria de) cancelar\\b`
  ),
  /\bnao (?:vou|vamos|iremos|irei) (?:mais )?(?:participar|comparecer|estar disponivel)\b|\bnao (?:vou (?:mais )?(?:poder|conseguir)|vamos (?:mais )?(?:poder|conseguir)|poderei|poderemos|conseguirei|conseguiremos|consigo|posso|vai dar|vai ser possivel|da)(?: mais)?(?= (?:participar|comparecer|ir|entrar|estar|atender|falar|conversar|na|no|nessa|nesse|neste|nesta|amanha|hoje|as|segunda|terca|quarta|quinta|sexta|dia|infelizmente|pois)\b|[.,!;]|$)|\b(?:surgiu|apareceu|tive) (?:um|uma) (?:imprevisto|urgencia|compromisso|emergencia|conflito)|\b(?:imprevisto|conflito) (?:na|de) agenda/,
  new RegExp(
    `\\bcancel(?:l?ing)?(?: \\w+){0,3} ${conversation}|\\b${conversation}(?: \\w+){0,5} cancell?ed|\\b(?:have|need|want|like|going) to cancel\\b|\\bcall off\\b`
  ),
  /\b(?:can't|cannot|can not|cant|won't be able to|will not be able to|unable to|not able to|no longer able to|couldn't) (?:\w+ )?(?:make|attend|join|do|meet|be there|come|talk|take)\b|\bsomething (?:has |just )?c[ao]me up\b|\bnot going to make it\b|\b(?:scheduling|calendar) conflict\b/,
  new RegExp(
    `\\bcancel(?:ar|amos|o|emos|e|ando)(?: \\w+){0,3} ${cita}|\\b${cita}(?: \\w+){0,5} cancelad[oa]|\\b(?:necesito|tengo que|debo|quiero|quisiera|voy a) cancelar\\b`
  ),
  /\bno (?:voy a poder|vamos a poder|podre|podremos|puedo|podemos)(?= (?:asistir|participar|ir|llegar|conectarme|acudir|estar|atender|hablar|el|ese|en ese|a las|hoy|manana|lamentablemente)\b|[.,!;]|$)|\b(?:surgio|tuve|ha surgido) (?:un|una) (?:imprevisto|urgencia|compromiso|emergencia)/
)

/** Stands before the words where they are denied: "não precisa remarcar". */
export const meetingUnchanged =
  /\b(?:nao|no|not|don't|dont|sem|sin|nem|ni)(?: (?:vou|vamos|voy a|precisa|preciso|precisamos|quero|queremos|need|needed|want|to|necesito|necesitamos|quiero|hace falta|e|e preciso|e necessario|have|going|pretendo|de)){0,3} $/

/** The same talk, but at another time. */
export const meetingMoved = any(
  /\b(?:remarc|reagend|adi(?=ar|amos|emos|ou|ado|ada|a\b)|posterg|antecip|reprogram)\w{1,6}\b|\b(?:outr[oa]|novo|nova) (?:dia|data|horario|hora|momento)\b|\b(?:mudar|mudamos|trocar|trocamos|passar|passamos|transferir|alterar|empurrar|jogar) (?:\w+ ){0,4}(?:para|pra|pro|horario|data|dia)\b|\b(?:mais tarde|mais cedo)\b/,
  /\b(?:re-?schedul|postpon)\w{1,4}\b|\bpush (?:\w+ ){0,3}(?:back|to|out)\b|\bmove (?:\w+ ){0,3}(?:to|our|the|it)\b|\b(?:another|different|new|other|later|earlier) (?:day|date|time|slot)\b|\brain ?check\b/,
  /\b(?:reprogram|reagend|pospon|posterg|aplaz|adelant)\w{1,6}\b|\b(?:otr[oa]|nuev[oa]) (?:dia|fecha|hora|horario|momento)\b|\b(?:cambiar|cambiamos|mover|movemos|pasar|pasamos) (?:\w+ ){0,4}(?:para|al|a las|a la|hora|fecha|dia)\b|\bmas tarde\b|\bmas temprano\b/
)

export const interest = any(
  /(?<!\bnao )(?<!\bsem )(?<!\bnenhum )\b(?:tenho|temos|tem|ha|houve|existe|demonstr\w{1,4}|muito|total|real|grande)(?: \w+)? interesse\b|(?<!\bnao )(?<!\bnao estou )(?<!\bnao estamos )\binteressad[oa]s?\b|\binteressante\b|\bme interess(?:a|ei|ou)\b|(?<!\bnao )\bnos interess(?:a|ou)\b|(?<!\bnao )\bgostei\b|(?<!\bnao )\bgostamos\b|(?<!\bnao )\b(?:quero|queremos|queria|gostaria de|gostariamos de|adoraria) (?:saber|conhecer|entender|receber|ver|testar|contratar|fechar|experimentar|avaliar|uma proposta|um orcamento|orcar|participar)|\b(?:me |nos )?(?:mand|envi|pass|compartilh|encaminh)(?:a|e|ar|em)(?:-me|-nos)? (?:\w+ ){0,4}?(?:informac|detalh|material|apresentac|proposta|orcamento|catalogo|portfolio|folder|pdf|video|mais|link)|\bpode (?:sim |me |nos )?(?:mandar|enviar|explicar|apresentar|detalhar|passar|contar|falar|ser sim)|\bfaz(?:endo)? (?:todo |muito )?sentido\b|\bvamos (?:em frente|avancar|fechar|seguir|conversar)|\b(?:buscando|procurando|precisando|precisamos|preciso)(?: justamente| exatamente| muito)?(?: de)? (?:uma|um|algo|isso|exatamente|justamente|dessa|desse)|\bexatamente o que (?:precis|procur|busc)|\bcomo (?:podemos |posso |fazemos para |faco para )?(?:seguir|prosseguir|avancar|contratar|comecar|proceder|comprar)|\bproximos? passos?|\bme explica(?:r|m)? (?:melhor|mais|como)|\bha tempos (?:que )?(?:quer|precis|busc)|\bqueremos resolver|\bvamos evoluir|\bme conta mais|\bmanda (?:ai|sim|bala|ver|por favor|pra mim|pra gente)|\b(?:avaliando|comparando|cotando) (?:fornecedor|opc|soluc|ferrament|empresas|propostas)|\b(?:gostaria|quero|preciso|queria|solicito)(?: de)?(?: \w+){0,2} (?:orcamento|proposta|cotacao|demonstracao)|\bachei (?:bem |muito )?(?:bacana|legal|interessante|bom|boa|otim)|\bquero (?:sim|contratar|fechar|uma)|\bcomo (?:eu )?contrat(?:o|amos|ar)\b|\bcurti\b|\bpode (?:vir|seguir)\b|\bbora\b|\btopo\b|\btopamos\b|\baceito\b|\bfechado\b|\bperfeito\b/,
  /(?<!\bnot )(?<!\bn't )(?<!\bnot really )(?<!\bnot currently )\binterested\b|\binteresting\b|\b(?:sounds|looks|seems) (?:\w+ )?(?:good|great|interesting|promising|perfect|useful|amazing)|\btell me more\b|\b(?:like|love|want|happy|keen|glad|eager|curious) to (?:\w+ )?(?:learn|know|hear|see|find out|try|explore|discuss|understand|move forward|proceed|get started)|\b(?:send|share|forward)(?: it| them| me| us| over| that| along| the| some| your| a| more){1,4}|\bcould you (?:share|send)|\bplease (?:send|share)|\bnext steps?\b|\bcount (?:me|us) in\b|\b(?:i'm|we're) in\b(?! (?:the|a|an|no))|\bget going\b|\blooking for (?:something|a|an|this|exactly)|\bexactly what we(?:'re| are| need)|\bsign (?:me|us) up\b|\blet's (?:do it|go|move|proceed|get started)|\bsend it\b|\bmore (?:info|information|details)\b|\bdefinitely\b|\bkeep talking\b|\b(?:great|perfect|good) timing\b|\bin the (?:middle|process) of (?:choosing|selecting|evaluating|looking)|\bon our roadmap\b|\b(?:might|could|would) be a (?:good|great) fit|\bopen to (?:hear|learn|explor|discuss|a |it|chat|see)\w*|\bevaluating (?:vendors?|options|solutions|tools|suppliers)|\bsend (?:the |me |us |over )*(?:details|info|pricing|deck|proposal)|\b(?:want|like|love) (?:a|the|to get a) (?:demo|quote|proposal)|\byes please\b/,
  /(?<!\bno )\b(?:me|nos) interesa(?:ria)?\b|(?<!\bno )(?<!\bno estoy )(?<!\bno estamos )\binteresad[oa]s?\b|\binteresante\b|\bsuena (?:muy )?(?:bien|interesante)|\bcuent[ea](?:me|nos)\b|\b(?:envi|mand|comparta|pas)(?:e|a|en)(?:me|nos)\b(?! m[aá]s (?:correos|mensajes))|\bpuede (?:enviar|mandar|compartir|explicar)|\b(?:quiero|queremos|quisiera|quisieramos|me gustaria|nos gustaria) (?:saber|conocer|recibir|ver|probar|contratar|mas informacion|una)|\b(?:envi|mand|compart|pas)(?:e|a|en|enos|eme|ame|emos|eme)(?: \w+){0,3}? (?:cotizacion|informacion|propuesta|presentacion|catalogo|detalles|presupuesto|precios)|\b(?:quisiera|quiero|necesito|solicito) (?:una |la )?(?:cotizacion|propuesta|presentacion|demo)|\bevaluando (?:proveedores|opciones|soluciones)|\bmas (?:informacion|info|detalles)\b|\bestamos buscando|\bbuscamos (?:un|una|algo)|\bcomo (?:seguimos|avanzamos|continuamos|procedemos|podemos (?:avanzar|seguir))|(?<!\bmas )\badelante\b|\bme encanta\b|\bperfecto\b/
)
/** A bare yes. */
export const assent =
  /^(?:sim|si|yes|yep|yeah|sure|claro|claro que sim|com certeza|pode|pode sim|pode mandar|manda|manda ai|ok,? pode (?:mandar|enviar)|opa|quero|quero sim|por favor|please do|of course|absolutely|desde luego|por supuesto|vale|dale|beleza,? manda)[\s!.,]{0,5}$/

interface Refusal {
  readonly reason: RefusalReason
  readonly pattern: RegExp
}

/** The first that matches names the reason, so a definite one stands before a vague one. */
export const refusals: ReadonlyArray<Refusal> = [
  {
    reason: "closed_down",
    pattern: any(
      /\b(?:empresa|loja|negocio|clinica|firma|restaurante|escritorio|escola) (?:foi )?(?:encerr|fech|falid|faliu|acab|fali)\w{0,5}\b|\bencerramos (?:as )?atividades|\bencerrou (?:as )?(?:suas )?atividades|\bfechamos as portas|\bfalencia\b/,
      /\b(?:company|business|store|shop|firm) (?:has |is |was |have )?(?:been )?(?:closed|shut|shutting|dissolved|bankrupt|out of business|no longer)|\bout of business\b|\bbankrupt|\bclosed (?:down|our doors)/,
      /\b(?:empresa|negocio|tienda) (?:ya )?(?:cerro|ha cerrado|quebro|fue cerrad)|\bcerramos (?:la empresa|el negocio)|\bquiebra\b/
    )
  },
  {
    reason: "bad_experience",
    pattern: any(
      /\b(?:ma|pessima|horrivel|experiencia ruim|terrivel) experiencia|\bexperiencia (?:ruim|pessima|horrivel|negativa|terrivel)|\bja (?:usei|usamos|contratei|contratamos|tivemos|testamos) .{0,60}(?:nao (?:gost|deu|funcion|foi)|problema|pessim|ruim|horriv)|\bnao confio/,
      /\bbad experience|\b(?:terrible|awful|horrible|poor) (?:experience|service)|\b(?:tried|used) (?:you|it|your|this).{0,60}(?:didn't|did not|wasn't|bad|terrible|disappointed)/,
      /\bmala experiencia|\b(?:pesima|terrible) experiencia|\bya (?:usamos|probamos|contratamos).{0,60}(?:no (?:funciono|gusto|sirvio)|mal|problemas)/
    )
  },
  {
    reason: "no_budget",
    pattern: any(
      /\b(?:sem|nao (?:tenho|temos|ha|tem)|falta|faltam|cortaram|cortamos|cortou)(?: \w+){0,2} (?:orcamento|verba|budget|caixa|dinheiro|recursos|grana)\b|\borcamento (?:\w+ )?(?:fechado|congelado|zerado|comprometido|estourado)|\bsem condicoes\b|\bcontencao de (?:gastos|custos|despesas)|\bcortando custos/,
      /\b(?:no|don't have (?:the|a|any)?|do not have (?:the|a|any)?|without|lack(?:ing)? (?:the)?|out of|zero) ?budget|\bbudget(?: \w+){0,6}? (?:frozen|committed|allocated|locked|closed|cut|tight|spent|exhausted|gone|freeze)|\bmoney(?:'s| is) tight|\b(?:no|zero) (?:new )?spend\b|\b(?:hiring|spending|spend|budget) freeze|\bcan't afford|\bcannot afford|\bcutting costs|\bno (?:money|funds|funding)/,
      /\b(?:sin|no (?:tengo|tenemos|hay|contamos con)|falta de)(?: \w+){0,2} (?:presupuesto|dinero|fondos|recursos)\b|\bse sale de (?:nuestro|mi|el) presupuesto|\bpresupuesto (?:cerrado|congelado|agotado)|\brecortando gastos/
    )
  },
  {
    reason: "price",
    pattern: any(
      /\b(?:muito|bem|bastante|meio|mais|achei|acho|ficou|esta|e|um pouco|ta) (?:\w+ )?(?:caro|cara|salgado|pesado)\b|\bpreco (?:\w+ ){0,3}?(?:alto|elevado|salgado|acima)|\bvalor (?:\w+ ){0,3}?(?:alto|elevado|acima|fora)|\bacima do (?:que|nosso)|\bfora do (?:nosso |que |meu )?(?:orcamento|budget|que podemos|bolso)|\bcusto (?:\w+ ){0,3}?(?:alto|elevado)|\bpagamos (?:bem )?menos|\bmais barato/,
      /\btoo (?:expensive|pricey|costly|much for)|\b(?:price|cost|pricing|fee)s? (?:is |are |was |seems? )?(?:\w+ )?(?:too |very )?(?:high|steep|expensive|prohibitive)|\b(?:way |far |well )?above (?:what|our|the)|\b(?:more than|beyond) (?:what )?we (?:pay|can)|\bout of our (?:price )?(?:range|budget)|\bexpensive for|\bcheaper\b|\bover (?:our )?budget/,
      /\b(?:muy|demasiado|es|bastante|algo|sale) (?:\w+ )?(?:caro|cara|costos[oa]|elevado)\b|\bprecio (?:\w+ ){0,3}?(?:alto|elevado)|\bfuera de (?:nuestro )?presupuesto|\bmas barato|\b(?:costo|coste|tarifa) (?:\w+ ){0,3}?(?:alto|elevado)/
    )
  },
  {
    reason: "has_supplier",
    pattern: any(
      /\bja (?:temos|tenho|possuimos|contamos|trabalhamos|trabalho|usamos|uso|utilizamos|somos atendid\w{1,2}|contratamos|fechamos|estamos com|ha)\b(?! interesse| vontade| mais| muito interesse| curiosidade| tentad)|\bestamos (?:\w+ )?(?:satisfeit|content|feliz|bem atendid)\w{0,3}(?: com)?|\b(?:meu|nosso|o) (?:atual )?fornecedor(?: atual)?\b|\b(?:hoje|atualmente) (?:nos |ja )?(?:usamos|uso|utilizamos|trabalhamos|temos)\b(?! (?:planilha|papel|excel))|\b(?:usamos|uso) (?:o|a) (?:concorrente|\w+ e (?:estamos|estou))|\bparceir[oa] (?:fix[oa]|atual|exclusiv[oa]|h[aá])|\btemos (?:um |uma )?(?:fornecedor|parceiro|contrato com|agencia|empresa que)|\bcontrato (?:vigente|com (?:o |a |outr)|vai ate|ate )|\b(?:tem|temos|tenho) quem (?:fa[cz]|cuid)|\ba gente ja (?:tem|usa|faz|trabalha)|\btrabalhamos com (?:outr|um|uma|a concorren)/,
      /\b(?:we|i) (?:already|currently) (?:have|use|work|using|working|got|are|partner)|\balready (?:have|use|using|work with|working with|got|covered|set up|partnered|signed)|\b(?:happy|satisfied|pleased|content|good) with (?:our|my|the|what|who)|\bcurrent (?:provider|vendor|supplier|solution|partner|tool|system|agency)|\bexisting (?:provider|vendor|supplier|solution|partner|contract|tool)|\b(?:just |recently )?signed (?:[\w-]+ ){0,6}?(?:with|contract|deal)|\bwe use [a-z]|\bwent with (?:another|someone|a )|\bunder contract|\b(?:built|build|made|developed|have|use) our own\b|\bwe're covered|\blocked in(?:to)?\b/,
      /\bya (?:tenemos|tengo|contamos|trabajamos|trabajo|usamos|utilizamos|contratamos)\b(?! interes)|\b(?:nuestro|mi) proveedor|\bproveedor actual|\bestamos (?:\w+ )?(?:satisfech|content|conform|feli)\w{1,4}|\bestamos (?:bien )?cubiertos\b|\b(?:tenemos|tengo) (?:un )?(?:contrato|proveedor|convenio)|\bcon lo que tenemos\b|\btrabajamos con (?:otr|un)|\bcontrato vigente/
    )
  },
  {
    reason: "timing",
    pattern: any(
      /\b(?:no momento|por enquanto|por ora|agora|neste momento|nesse momento|hoje)(?:,? (?:infelizmente|realmente|ainda))?,? nao\b|\bnao (?:\w+ ){0,4}?(?:no momento|por enquanto|agora|neste momento|nesse momento|por ora|este ano|esse ano|ainda|hoje em dia)\b|\bnao e (?:um |uma )?(?:\w+ )?(?:momento|hora|prioridade)|\b(?:me )?(?:procur|cham|contat|escrev|lig|volt|retorn|fal)\w{1,4}(?:-me)? (?:\w+ ){0,4}?(?:em (?:janeiro|fevereiro|marco|abril|maio|junho|julho|agosto|setembro|outubro|novembro|dezembro|\d+ (?:meses|semanas|dias)|20\d\d)|ano que vem|proximo (?:ano|semestre|trimestre|mes)|mes que vem|mais (?:pra |para a )?frente|depois d[aeo]|daqui a|no (?:segundo|proximo|fim|final|inicio))|\b(?:mais (?:pra|para a?) ?frente|quem sabe (?:n|em|mais|depois)|ano que vem|proximo (?:ano|semestre|trimestre)|outro momento|outra hora|futuramente|no futuro|em outra oportunidade)\b|\bestamos (?:em fechamento|muito ocupad|na correria|sem tempo|em (?:obras|mudanca|reestruturac|transicao))|\bsem tempo\b/,
      /\bnot (?:\w+ ){0,4}?(?:right now|at (?:this|the) (?:time|moment|point|stage)|at the moment|for now|currently|this (?:year|quarter|month)|yet|now)\b|\bnot (?:a|the|our) (?:top )?(?:priority|good time|right time|best time)|\b(?:bad|wrong) tim(?:e|ing)|\bmaybe (?:next|later|in)|\b(?:next|following) (?:quarter|year|month|fiscal)\b|\b(?:check|circle|reach|come|touch|get|follow|ping|try)(?: me| us| back| base| in| out| up| again){0,3} (?:in|after|next|later|around) |\blater (?:this|in the|on)|\bin (?:a few|a couple of|\d+|six|three|two) (?:months?|weeks?|quarters?)|\brevisit (?:this|it|in)|\btoo busy\b|\bsome ?time (?:next|later)/,
      /\bpor (?:ahora|el momento),? (?:no|preferimos)|\b(?:ahora|en este momento|hoy),? no\b|\bno (?:\w+ ){0,4}?(?:por ahora|por el momento|en este momento|ahora|este ano|de momento|todavia)\b|\bmas adelante\b|\b(?:proximo|el otro) (?:ano|trimestre|semestre|mes)\b|\bno es (?:un )?(?:buen momento|el momento|prioridad|una prioridad)|\b(?:contact|busqu|escrib|llam|vuelv)(?:e|a|o|en|an|ar|ir|eme|ame|enme|anme|enos|anos|eno|ale|ele) (?:\w+ ){0,3}?(?:en (?:enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre|\d+|unos)|el (?:proximo|otro)|despues de|dentro de|la proxima)|\btal vez (?:mas|el|en|luego)|\bahorita no\b|\bahora mismo,? no\b|\b(?:ano|mes|trimestre|semestre) que viene\b|\ben otro momento/
    )
  },
  {
    reason: "no_need",
    pattern: any(
      /\bn(?:ao|aum)? (?:precis|necessit)\w{1,5}|\bnao (?:temos|tenho|ha|existe|vemos|vejo) (?:\w+ )?(?:necessidade|demanda|essa dor)|\bfazemos (?:isso |tudo )?(?:internamente|aqui mesmo|por conta)|\b(?:equipe|time|solucao|area) (?:intern[ao]|propri[ao])|\binternamente\b|\bdesnecessari/,
      /\b(?:don't|do not|no|dont) (?:really |currently |actually )?need|\bno (?:use|need) for|\bin[- ]house\b|\binternally\b|\b(?:don't|do not) outsource|\bnot needed|\bhave no need|\b(?:our own|internal) (?:team|solution|tool)/,
      /\bno (?:lo |la |los |las )?(?:necesit|requer|precis)\w{1,5}|\bno (?:tenemos|tengo|hay) (?:\w+ )?(?:necesidad|demanda)|\bno (?:nos |me )?hace falta\b|\binternamente\b|\bequipo (?:interno|propio)/
    )
  },
  {
    reason: "not_a_fit",
    pattern: any(
      /\bnao (?:e|esta no|faz parte do|seria) (?:\w+ )?(?:nosso |meu )?(?:foco|perfil|segmento|ramo|publico|escopo)|\bnao faz (?:o menor |nenhum |muito |mais )?sentido|\bnao se (?:aplica|encaixa|adequa|enquadra)|\bnao (?:atende|combina|serve|condiz)|\bfora do nosso (?:perfil|escopo|foco|segmento|ramo)|\bsomos (?:muito )?(?:pequen|micro)/,
      /\b(?:not|isn't|is not|wasn't|don't think (?:it|this) is) (?:really )?(?:a |the |right )?(?:good |right |great )?(?:fit|match)|\b(?:not|isn't) (?:really |very )?(?:relevant|applicable|suitable|for us|for me|our (?:focus|business|market))|\bdoesn't (?:apply|fit|suit|make sense|work for us)|\bdoes not (?:apply|fit|suit|make sense)|\btoo small\b/,
      /\bno (?:es|se ajusta|encaja|aplica|corresponde) (?:\w+ )?(?:nuestro |a nuestro |para )?(?:foco|perfil|giro|rubro|sector|nosotros)|\bno (?:aplica|encaja|tiene sentido)\b|\bno nos sirve|\bno es lo que (?:busc|necesit)/
    )
  },
  {
    reason: "other",
    pattern: any(
      /\bnao (?:\w+ ){0,3}?interess\w{1,4}|\bsem interesse|\bnao,? (?:muito )?(?:obrigad[oa]|valeu|brigad[oa]|agradeco|grat[oa])|\bnao (?:quero|queremos|vamos|vou|pretend\w{1,5}|desej\w{1,4})(?! (?:parar|perder|deixar|ficar))(?:,| (?:seguir|avancar|prosseguir|contratar|comprar|fechar|dar|mais|nada|continuar|obrigad|isso|no|$)|$)|\b(?:agradec\w{1,4}|obrigad[oa]),? (?:\w+ ){0,4}?mas (?:nao|declin|vamos declinar|dispens|vou declinar)|\bdispens(?:o|amos)\b|\bdeclin(?:o|amos|ar|ei)\b|\bdeixa pra (?:la|proxima)|\bfica (?:pra|para) (?:a )?proxima|\b(?:deixar|deixa|deixamos|fica) (?:\w+ )?(?:pra|para) (?:uma |a )?(?:outra|proxima) (?:oportunidade|ocasiao|vez|hora)|\bnem pensar|\bmas passo\b|\b(?:to|estou|estamos|tamo) fora\b(?! (?:do|da|de|ate|por|em))|\bnao vejo (?:\w+ )?(?:utilidade|valor|vantagem|sentido|motivo|razao|beneficio)|\bdecid\w{1,4} (?:por )?nao\b|\bnao trabalhamos com\b|\bnao (?:nos )?(?:atende|serve|convem)\b|\bnao (?:vai|vamos) rolar|\bnao (?:esta|estao|e) (?:n[oa]s |para |pra )?(?:nossos planos|meus planos|planejad|nos planos)|\bnao e (?:para|pra) (?:nos|mim|a gente)/,
      /\bnot (?:\w+ ){0,2}?(?:interested|keen)|\bno,? (?:thanks|thank you|thx)|\bi'?(?:ll| will)? pass\b|\bwe'?(?:ll| will)? pass\b|\b(?:hard|gonna|going to|have to) pass\b|\b(?:we|i)(?:'ve| have)? decided (?:not|against)|\bno interest\b|\bwe(?:'re| are) (?:all set|good)\b|\bi'm good\b|\ball set\b|\b(?:won't|will not) be (?:moving|proceeding|pursuing|going)|\bnot (?:going to|moving|looking|pursuing|proceeding)|\bdecline\b|\bthanks,? but no\b|\bnot (?:something|what) we(?:'re| are)?\b|\bnot looking (?:for|to|at)|\b(?:it's|its|that's|is) a (?:\w+ )?no\b|\b(?:different|another) direction\b|\bdecided against\b|\bwent (?:another|a different) way|\b(?:don't|do not) see (?:the|any|a|much) (?:value|need|point|benefit|fit)|\bnot convinced\b|\bnot for us\b|\bwon't work for us/,
      /\bno (?:\w+ ){0,2}?(?:me |nos )?interes\w{1,4}|\bno,? (?:muchas )?gracias|\bno (?:estoy|estamos) interesad|\bsin interes\b|\bno (?:vamos|queremos|deseo|deseamos|quiero)(?: a)? (?:seguir|avanzar|continuar|contratar|comprar|nada)|\bgracias,? pero no\b|\bya lo (?:resolvimos|solucionamos|hacemos|tenemos)|\bno (?:le )?veo (?:\w+ )?(?:valor|utilidad|sentido|beneficio)|\bdecidimos no\b|\bno (?:esta|entra) en (?:nuestros?|mis?) (?:planes|plan)|\bdeclin(?:o|amos)\b|\bpaso\b(?! (?:su|el|tu))/
    )
  }
]

/** A bare no. */
export const bareRefusal = /^(?:nao|no|nope|nah|n|negativo|never)[\s!.,]{0,5}$/

/** A question without its mark, which chats leave out. */
export const questionStart = any(
  /^(?:e |mas |oi,? |ola,? |bom dia,? |boa tarde,? |boa noite,? )?(?:quanto|quantos|quantas|qual|quais|como|quando|onde|de onde|quem|por ?que|pq|o que|oq|voces|vcs|vc|voce|tem|existe|funciona|aceita|atende|atendem|serve para|da para|e possivel|posso|qto) /,
  /^(?:and |but |hi,? |hello,? |hey,? )?(?:how|what|what's|whats|which|when|where|who|why|do you|does|is there|are there|are you|can you|can i|could you|is it|will it|would it|have you) /,
  /\b(?:valor|valores|preco|precos|price|pricing|precio|precios|cotizacion|orcamento)[ ,]+(?:por favor|pfv|pf|please|pls|porfa)\b/,
  /^(?:y |pero |hola,? |buen(?:os|as) \w{1,7},? )?(?:cuanto|cuantos|cual|cuales|como|cuando|donde|de donde|quien|por que|que|tienen|hay|funciona|trabajan|ofrecen|aceptan|se puede|me pueden|me puede) /
)
