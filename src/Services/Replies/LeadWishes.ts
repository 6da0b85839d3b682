import { clip, fold, sentencesOf } from "../Text/PlainText.ts"

/** What a reply wishes besides its class; over folded text, each pattern with bounded repetition only. */
const any = (...patterns: ReadonlyArray<RegExp>): RegExp => new RegExp(patterns.map(({ source }) => source).join("|"))

const longestRead = 4000

const detailsWish = any(
  /\b(?:mais|maiores|os|alguns|quais) (?:detalhes|informacoes|infos?|dados)\b|\b(?:me |nos )?(?:mand|envi|pass|compartilh|encaminh)(?:a|e|ar|em)(?:-me|-nos)? (?:\w+ ){0,4}?(?:informac|detalh|material|apresentac|resumo|catalogo|portfolio|folder|pdf|mais)|\b(?:me |nos )?(?:conta|conte|contar|fala|fale|falar|explica|explique|explicar)(?: |-me |-nos )(?:um pouco )?(?:mais|melhor)\b|\b(?:saber|entender|conhecer) (?:um pouco )?(?:mais|melhor)\b|\bdetalh(?:ar|e|a) (?:melhor|mais)\b/,
  /\b(?:more|further|some|additional|the) (?:info|information|details?|particulars|material)\b|\btell me more\b|\b(?:send|share|forward)(?: \w+){0,4}? (?:info|information|details|material|deck|brochure|overview|presentation|summary)\b|\b(?:know|hear|learn|read|understand) (?:a (?:bit|little) )?more\b|\bmore about (?:it|this|that|what|how|your|you)\b/,
  /\b(?:mas|los|algunos) (?:detalles|informacion|info|datos)\b|\b(?:envi|mand|comparta|compart|pas)(?:e|a|en|eme|ame|enme|enos|ar|arme)(?:me|nos)?(?: \w+){0,4}? (?:informacion|detalles|material|presentacion|folleto|resumen|catalogo)\b|\bcuent(?:e|a)(?:me|nos) (?:un poco )?mas\b|\b(?:saber|conocer|entender) (?:un poco )?(?:mas|mejor)\b|\bme (?:puede|puedes|podria) (?:contar|explicar) mas\b/
)

/** Whether the lead wants to read more before anything else. */
export const asksForDetails = (text: string): boolean =>
  sentencesOf(clip(text, longestRead)).some((sentence) => {
    const folded = fold(sentence.text)
    return (
      detailsWish.test(folded) &&
      !/\b(?:nao|no|not|don't|dont|without|sem|sin)\b(?: \w+){0,3} (?:mais|more|mas|quero|want|need|necesito|preciso)/.test(
        folded
      )
    )
  })

const withOwnPeople = any(
  /\b(?:com|a|ao|aos|para|pra|pro|pros|na|no) (?:(?:o|a|os|as|meu|minha|meus|minhas|nosso|nossa|nossos|nossas) )?(?:(?:restante|resto) d[oa]s? )?(?:diretoria|diretor|diretora|diretores|soci[oa]s?|equipe|time|chefe|chefia|gestor|gestora|gerente|gerencia|conselho|comite|financeiro|juridico|presidente|presidencia|esposa|marido|familia|pessoal|colegas?|dono|dona|superiores?|ti|rh|compras|lideranca)\b/,
  /\b(?:with|to|by|past|among) (?:the (?:rest of )?|my |our )?(?:board|directors?|partners?|co-?founders?|team|boss|manager|management|leadership|colleagues?|committee|council|cfo|ceo|cto|coo|finance|legal|procurement|president|owners?|wife|husband|family|superiors?|stakeholders|it)\b/,
  /\b(?:con|a|al|en) (?:(?:el|la|los|las|mi|mis|nuestro|nuestra|nuestros|nuestras) )?(?:resto del )?(?:directorio|directiva|direccion|director|directora|directores|junta|soci[oa]s?|equipo|jefe|jefa|gerente|gerencia|comite|consejo|finanzas|presidente|presidencia|esposa|esposo|familia|colegas?|duen[oa]|superiores?|compras|legal)\b/
)

const willSpeak = any(
  /\b(?:vou|vamos|irei|iremos|preciso|precisamos|tenho que|temos que|tenho de|temos de|devo|quero|queremos|deixa eu|deixe-me|estou|estamos|ficamos de|fiquei de)(?: \w+){0,2}? (?:convers\w{1,5}|fal(?:ar|ando)|discut\w{1,4}|ver|vendo|alinh\w{1,5}|avali\w{1,4}|lev(?:ar|ando)|consult\w{1,4}|apresent\w{1,4}|trat(?:ar|ando)|chec\w{1,4}|verific\w{1,5}|pass(?:ar|ando)|debat\w{1,4}|decid\w{1,5}|analis\w{1,4}|encaminh\w{1,4}|compartilh\w{1,4}|validar|mostrar)\b/,
  /\b(?:i(?:'ll| will| am going to|'m going to| need to| have to| must| want to|'d like to| would like to)|we(?:'ll| will| are going to|'re going to| need to| have to| must| want to)|let me|going to|gonna)(?: first| just| also)? (?:discuss|talk|speak|check|review|run|share|bring|take|go over|consult|confer|raise|present|pass|look at|evaluate|show|align|sync)\b/,
  /\b(?:voy a|vamos a|tengo que|tenemos que|debo|debemos|necesito|necesitamos|quiero|queremos|deje(?:n)?me|dejame|permitame|lo)(?: \w+)? ?(?:habl\w{1,6}|convers\w{1,6}|consult\w{1,6}|coment\w{1,6}|discut\w{1,6}|revis\w{1,6}|ver(?:lo|la)?|present\w{1,6}|evalu\w{1,6}|analiz\w{1,6}|llev\w{1,6}|trat\w{1,6}|compart\w{1,6}|mostr\w{1,6}|pas(?:ar\w{0,3}|o))\b/
)

const speaksInside = (folded: string): boolean => willSpeak.test(folded) && withOwnPeople.test(folded)

/** Whether the lead says that its own people are to be asked first: no talk with us is meant. */
export const deliberates = (text: string): boolean =>
  sentencesOf(clip(text, longestRead)).some((sentence) => speaksInside(fold(sentence.text)))

const willLook = any(
  /\b(?:vou|vamos|irei|iremos|deixa eu|deixe-me|estou|estamos) (?:\w+ ){0,2}?(?:ver|vendo|olh\w{1,4}|analis\w{1,4}|avali\w{1,4}|verific\w{1,5}|pens\w{1,4}|ler|estud\w{1,4}|chec\w{1,4})\b/,
  /\b(?:i(?:'ll| will)|we(?:'ll| will)|let me|let us|going to) (?:have |take )?(?:\w+ ){0,2}?(?:look|check|review|consider|think|read|see|evaluate|go through)\b/,
  /\b(?:lo|la|los) (?:reviso|revisamos|veo|vemos|analizo|analizamos|pienso|pensamos|evaluo|leo|miro)\b|\b(?:voy a|vamos a|dejeme|dejame|permitame) (?:\w+ )?(?:ver|revis|analiz|evalu|pens|leer|mir|consider)\w{0,5}\b/
)

const thenWrites = any(
  /\b(?:te|lhe|vos|os) (?:aviso|avisamos|retorno|retornamos|respondo|respondemos|digo|falo|escrevo|dou (?:um )?retorno|damos (?:um )?retorno)\b|\b(?:aviso|retorno|respondo|avisamos|retornamos|respondemos) (?:voces?|por aqui|em breve|depois|assim que|amanha|esta semana)\b|\b(?:dou|damos) (?:um )?retorno\b/,
  /\b(?:let you know|get back to you|come back to you|be in touch|reply (?:soon|later)|write (?:back|to you)|revert)\b/,
  /\b(?:te|le|les|os) (?:aviso|avisamos|respondo|respondemos|escribo|escribimos|digo|decimos|confirmo|confirmamos|contacto)\b/
)

/** Whether the lead will look at it and then write back. Until then we ask nothing. */
export const promisesWord = (text: string): boolean => {
  const folded = fold(clip(text, longestRead))
  return !text.includes("?") && willLook.test(folded) && thenWrites.test(folded)
}
