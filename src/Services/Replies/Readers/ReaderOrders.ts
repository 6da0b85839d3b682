import { sentencesOf } from "../../Text/PlainText.ts"

/*
 * Whoever reads a lead's reply may be told in it what to make of it. People say what they want; they do not speak of
 * rules, classes, statuses and prompts, nor of themselves as a lead. All patterns are for folded text.
 */

/** Instructions to a machine are to be forgotten, changed or shown. */
const overrides =
  /\b(?:ignor\w*|desconsider\w*|desprez\w*|esquec\w*|esquece\w*|olvid\w*|disregard\w*|forget|override|overrule|anul[ae]\w*|descart\w*|desobede\w*|bypass|pass? por cima|haga? caso omiso|haz caso omiso|no (?:haga|hagas) caso|(?:do not|don't|stop) (?:follow|obey)\w*|nao sig[ae]\w*|no sig[ao]s?|reveal|revel[ae]\w*|mostr[ae]\w*|show|print|repeat|repit[ae]\w*|imprim[ae]\w*)\b[^.!?\n]{0,60}\b(?:instruc\w*|instruct\w*|regras?|reglas?|rules?|prompts?|diretriz\w*|directri\w*|directives?|guidelines?|comandos?|commands?|programac\w*|programming|training|treinamento|entrenamiento)\b/

/** New ones are given. */
const announces =
  /\b(?:novas?|nuevas?|new|updated|ultimas?) (?:instruc\w*|instructions?|regras?|reglas?|rules?|ordens?|ordenes|orden|orders?|comandos?|commands?|prompts?|diretriz\w*|directri\w*)\s?(?:\w+ ){0,4}[:;-]/

/** Somebody is to be somebody else. */
const recasts =
  /\b(?:voce (?:agora )?(?:e|sera)|a partir de agora,? voce|from now on,? you|you are now|you're now|a partir de ahora,? (?:tu )?(?:eres|seras|usted)|ahora eres|agora voce|act(?:ua|ue|ues)? como|aja como|act as|pretend|finja|finge|imagine que voce|imagina que eres|comporte-se como|comportate como|behave as)(?: [\w'-]+){0,3} (?:assistente|asistente|assistant|robo|robot|bot|sistema|system|admin\w*|modelo|model|maquina|machine|classificador|clasificador|classifier|ia|ai)\b/

const statuses =
  "(?:interessad[oa]s?|interesad[oa]s?|interested|fechad[oa]|cerrad[oa]|closed|won|ganh[oa]|ganad[oa]|qualificad[oa]|calificad[oa]|qualified|meeting_request|referral|not_interested|not interested|lead quente|hot lead|lead caliente)"
const changes =
  "(?:marc(?:a|ar|o|ame|alo|ala|am|ando)|marque(?:-me|m|n|se|me)?|mark(?:ed)?|classif\\w*|clasifi\\w*|defin[ae]\\w*|set|mud[ae]\\w*|alter[ae]\\w*|troqu?[ae]\\w*|cambi[ae]\\w*|change|atualiz\\w*|actuali[zc]\\w*|update|coloqu?[ae]\\w*|ponha|pon(?:ga|me|lo)?|flag|label|tag|treat|trat[ae]\\w*|regist\\w*|mov[ae]\\w*|muev[ae]\\w*|establec\\w*|assign\\w*|atribu\\w*|asign\\w*)"

/** A record is to be changed, or a reply to be filed under a class. */
const files = [
  new RegExp(`\\b${changes}\\b[^.!?\\n]{0,60}\\b(?:como|as|para|a|to|em|en|in|=|:)?\\s?["'\`]?${statuses}\\b`),
  new RegExp(
    `\\b${changes}\\b[^.!?\\n]{0,40}\\b(?:(?:lead|contact|contato|contacto)(?:'s)? status|(?:status|estado|estagio|etapa|stage|pipeline|outcome)(?: (?:\\w+ ){0,3}(?:to|para|a|como|lead|contato|contacto)\\b|\\s?[=:]))`
  ),
  new RegExp(`\\b(?:status|outcome|class|classe|clase|intent)\\s?(?:=|:|->)\\s?["'\`]?(?:${statuses}|other|question)`),
  /["'](?:class|confidence|status|refusal_reason|contact_email|meeting_date)["']\s?:/,
  /\b(?:classif\w*|clasifi\w*)\b[^.!?\n]{0,40}\b(?:esta|this|essa|este|esse|a|la|the|o|el) (?:mensagem|mensaje|message|reply|resposta|respuesta|e-?mail|correo|contato|contacto|lead|texto|text)\b/,
  /\b(?:answer|respond\w*|reply|responda|responde|output|devolva|devuelv[ae]|retorne|return|say|diga|escreva|escrib[ae])\b[^.!?\n]{0,40}\b(?:class|classe|clase|json|interested|meeting_request|confidence|confianca|confianza)\b/,
  /\b(?:confidence|confianca|confianza)\b(?: (?:de|of|maxima|total|level|nivel|alta))?\s?[:=]?\s?(?:[01](?:[.,]\d+)?|100 ?%|maxim[ao])(?![\w.])/
]

/** Its writer speaks of himself as of a record. */
const thirdPerson =
  /\b(?:this|the|este|esse|o|el) lead (?:is|has|wants|says|said|agreed|tem|esta|quer|disse|aceitou|tiene|quiere|dijo|acepto|ja|already|ya)\b/

/** The machine is spoken to. */
const addresses = [
  /(?:^|[\s:])(?:atencao|atencion|attention|ola|oi|hola|hello|hi|hey|dear|car[oa]|estimad[oa]|(?:^|\n)para|^to|mensagem para|message (?:to|for)|mensaje para)[,:]? (?:a |la |o |el |the |any |qualquer |cualquier )?(?:ia|ai|robo|robot|bot|llm|modelo|language model|assistente virtual|asistente virtual|automated (?:system|reader))\b/,
  /\b(?:developer mode|debug mode|modo (?:de )?(?:desenvolvedor|desarrollador|depuracao|depuracion)|jailbreak|system override)\b/,
  /\b(?:obedec\w*|obey)\b[^.!?\n]{0,20}\b(?:mim|a mi|me|apenas|somente|solo|only)\b/,
  /\b(?:cont[ae]r?|cuent[ae]|tom[ae]r?|trat[ae]r?|count|take|treat|read|interpret\w*|entend[ae]r?|considere?)\b (?:est[ae]|essa|this|my|minha|mi) (?:resposta|respuesta|mensagem|mensaje|reply|message|answer|e-?mail|correo) (?:como|as)\b/,
  /\b(?:ignor[ae]|desconsider[ae]|disregard|forget|esquec[ae]|olvid[ae])\b (?:the above|everything above|all of the above|o acima|tudo acima|o que esta acima|lo anterior|todo lo anterior)[^.!?\n]{0,10}\b(?:e|y|and)\b (?:just |apenas |solo )?(?:diga|di|say|escrev[ae]|escrib[ae]|write|marque|marca|mark|respond\w*|answer)\b/
]

/** Matches the roles of a chat with a model, which a reply may imitate. */
const roles =
  /(?:^|\n)\W{0,6}(?:system|sistema|assistant|assistente|asistente|developer|desenvolvedor|administrador|administrator|admin|root|instruction|instrucao|instruccion)\W{0,3}[:>\]][^\n]{0,200}\b(?:lead|status|classif\w*|clasifi\w*|ignor\w*|agend\w*|marque|marca|book|responda|answer|instruc\w*)\b/
const tags =
  /<\/?(?:lead_reply|lead_message|lead_subject|our_message|system|assistant|user|instructions?|prompt|im_start|im_end)\b|<\|(?:im_start|im_end|system|user|assistant)|<<<\s?(?:data|end)\b|\[\/?inst\]|#{2,} ?(?:system|instruction|instruc)/

const patterns = [overrides, announces, ...files, ...addresses, thirdPerson]

/** "Are you a robot?" makes no one a robot. */
const isRecast = (sentence: string): boolean => !sentence.trimEnd().endsWith("?") && recasts.test(sentence)

/**
 * Whether a text tells its reader what to make of it, in Portuguese, English or Spanish. Such a text is an unclear one,
 * whatever else it says. Takes time linear in the length of the text.
 */
export const ordersItsReader = (folded: string): boolean =>
  roles.test(folded) ||
  tags.test(folded) ||
  sentencesOf(folded).some(({ text }) => isRecast(text) || patterns.some((pattern) => pattern.test(text)))
