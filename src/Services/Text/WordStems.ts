import { fold } from "./PlainText.ts"

/** Words of the three languages that say nothing about a text's topic. */
const emptyWords: ReadonlySet<string> = new Set(
  (
    "a ao aos aquela aquele aquilo as ate com como cujo da das de dela dele deles do dos e ela elas ele eles em entre era essa " +
    "esse esta estao estar este eu faz fazer faco foi for foram ha isso isto ja la lhe mais mas me mesmo meu meus minha minhas " +
    "muito na nao nas nem no nos nossa nosso num numa o onde os ou outra outro para pela pelas pelo pelos pode podem poder " +
    "posso por porque pra qual quais quando quanto quantos que quem quero se sem sendo ser seu seus sao sera so sobre sua suas " +
    "tem tenho ter tudo um uma umas uns vai vao voce voces " +
    "about after again all also am an and any are be been before being but by can could did do does doing done each for from " +
    "get had has have he her here him his how i if in into is it its just like may me might more most much my no not now of on " +
    "one only or other our out over please shall she should so some such than that the their them then there these they this " +
    "those to too up us use using want was we were what when where which while who whom whose why will with would you your " +
    "al algo alguna alguno algun ante cada con cual cuales cuando cuanto del desde donde el ella ellas ellos en es esa ese eso " +
    "estan estas estos hace hacer hacia hago hasta hay la las lo los mi mis mucho muy ni nuestra nuestro otra otro pero poco " +
    "puede pueden puedo quien quiero segun si sin sobre son soy su sus te tener tengo tiene tienen toda todas todo todos tu tus " +
    "una unas unos usted ustedes va y yo"
  ).split(" ")
)

/** Endings that are removed, longest first. At least four letters remain. */
const endings =
  /(?:izacoes|izaciones|izations?|izacao|izacion|amentos?|imentos?|amientos?|imientos?|aciones|iciones|acoes|icoes|ations?|itions?|acao|icao|acion|icion|mente|ments?|ness|adoras?|adores|ador|edoras?|edores|edor|idoras?|idores|idor|antes?|entes?|ancias?|encias?|idades?|ities|ity|ables?|ibles?|avel|aveis|ivel|iveis|ados?|adas?|idos?|idas?|ando|endo|indo|iendo|ings?|aram|eram|iram|aria|eria|iria|amos|emos|imos|ares?|eres|ires|ed|ar|er|ir|ou|am|em|ao|oes|aes)$/

/**
 * Reduces a word in Portuguese, Spanish or English to its stem. It is deliberately crude: `campanhas` must match
 * `campanha`, and `pausing` must match `pause`. Pass the folded word.
 */
export const stemOf = (word: string): string => {
  if (word.length < 4 || /\d/.test(word)) return word
  const singular =
    word.length > 4
      ? word
          .replace(/ies$/, "y")
          .replace(/(?<=[aeiouy])ns$/, "m")
          .replace(/s$/, "")
      : word
  const cut = singular.replace(endings, "")
  const stem = cut.length >= 4 ? cut : singular
  return stem.length > 4 ? stem.replace(/[aeiouy]{1,2}$/, "") : stem.length === 4 ? stem.replace(/[aeo]$/, "") : stem
}

/** The folded words of a text, without stop words. Codes such as `6201-5/01` are also kept in one piece. */
export const contentWords = (text: string): ReadonlyArray<string> => {
  const folded = fold(text)
  const codes = [...folded.matchAll(/\d[\d.\-/]{2,}\d/g)].map((match) => match[0].replace(/\D/g, ""))
  const words = folded.split(/[^a-z0-9]+/).filter((word) => word.length > 1 && !emptyWords.has(word))
  return codes.length === 0 ? words : [...words, ...codes]
}
