import { Schema } from "effect"

/** The languages that messages are written in and replies are read in. */
export const Language = Schema.Literal("pt-BR", "en", "es")
export type Language = typeof Language.Type

/** The language of a key such as `pt-PT`, `es_MX` or `EN`; Portuguese for any other language. */
export const languageOf = (key: string): Language => {
  const primary = key.trim().toLowerCase().split(/[-_]/)[0]
  return primary === "en" || primary === "es" ? primary : "pt-BR"
}

const words = (list: string): ReadonlySet<string> => new Set(list.split(" "))

/** Frequent words that occur in only one of the three languages. Words that differ only in accents are left out. */
const telling: { readonly [L in Language]: ReadonlySet<string> } = {
  "pt-BR": words(
    "não nao você voce vocês voces vc vcs obrigado obrigada obg uma um é são estou isso isto mais mas meu minha meus minhas seu sua e do da dos das em na nas nos ao aos às até pra pro quero tenho temos gostaria agora já também tambem olá ola oi bom boa tudo bem quanto custa quem nós pelo pela preço preco pode podemos sim com favor interesse reunião reuniao amanhã amanha segunda terça quarta quinta sexta férias ferias retorno volto fale falar comigo me mande envie enviar contato lista pare parem tira tire remova remover ligar semana hoje fora depois momento fornecedor orçamento proposta responsável setor empresa"
  ),
  es: words(
    "y el los las una es estoy está gracias hola usted ustedes quiero tengo tenemos con del al pero muy más mi mis ya hasta cuánto cuanto cuesta quién quien también tambien ahora sí qué que precio correo buenos buenas días nuestro nuestra hablar hable soy somos puede podemos reunión mañana lunes martes miércoles miercoles jueves viernes vacaciones vuelvo regreso enviar envíe baja dejen deje lo le les se eso esto interesa interesado interesada hoy después despues momento proveedor presupuesto propuesta encargado empresa escriban escribir"
  ),
  en: words(
    "the and is are you your we our i i'm it's to of in for not don't please thanks thank hi hello interested with this that have has would how what me my can could will be at on from out office back call email emails list stop remove unsubscribe meeting let us tomorrow monday tuesday wednesday thursday friday next week price cost much does do right person contact speak send more information yes no sorry already later if am pm"
  )
}

const shared: ReadonlySet<string> = new Set(["no", "me", "a", "de", "para", "por", "empresa", "momento", "quanto"])
const tellingLetters: ReadonlyArray<readonly [Language, RegExp]> = [
  ["pt-BR", /[ãõ]|ç|lh[aeo]|nh[aeo]/],
  ["es", /[ñ¿¡]/]
]
const longestSample = 4000

const endings: { readonly [L in Language]: RegExp } = {
  "pt-BR": /(?:ção|ções|dade|dades|ões|ável|áveis|inho|inha)$/,
  es: /(?:ción|ciones|idad|idades|ables|ible|illo|illa)$/,
  en: /(?:ing|tion|tions|ness|ment|ments|ly|ed|'s)$/
}

interface Score {
  readonly language: Language
  readonly score: number
  /** The difference between the text's score for this language and for the next best. */
  readonly lead: number
}

const scoreOf = (text: string, countsEndings: boolean): Score | undefined => {
  const sample = text.slice(0, longestSample).toLowerCase().normalize("NFC").replaceAll("’", "'")
  const scores: { [L in Language]: number } = { "pt-BR": 0, en: 0, es: 0 }
  for (const word of sample.split(/[^\p{L}']+/u)) {
    if (word === "" || shared.has(word)) continue
    for (const language of Language.literals) {
      if (telling[language].has(word)) scores[language] += 1
      else if (countsEndings && word.length > 4 && endings[language].test(word)) scores[language] += 1
    }
  }
  for (const [language, letters] of tellingLetters) if (letters.test(sample)) scores[language] += 2
  const [best, second] = [...Language.literals].sort((a, b) => scores[b] - scores[a])
  if (best === undefined || second === undefined) return undefined
  return { language: best, score: scores[best], lead: scores[best] - scores[second] }
}

/** The most likely language of a text. Undefined if the text is too short to decide. */
export const detectLanguage = (text: string): Language | undefined => {
  const scores = scoreOf(text, false)
  return scores === undefined || scores.lead === 0 ? undefined : scores.language
}

/** Like `detectLanguage`, for carefully written texts such as a description. Word endings count too. */
export const writtenLanguage = (text: string): Language | undefined => {
  const scores = scoreOf(text, true)
  return scores === undefined || scores.lead === 0 ? undefined : scores.language
}

/** Whether a passage is certainly in another language. */
export const isForeign = (text: string, language: Language): boolean => {
  const scores = scoreOf(text, true)
  return scores !== undefined && scores.language !== language && scores.lead >= 3
}

export const languageNames: { readonly [L in Language]: string } = {
  "pt-BR": "Brazilian Portuguese",
  en: "English",
  es: "Spanish"
}
