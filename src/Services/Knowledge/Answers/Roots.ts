import type { Language } from "../../Text/Language.ts"

/** The shortest root after an ending is removed. Shorter ones would match unrelated words. */
const shortestRoot = 4

/** A word with one of the endings. The longest ending wins. */
const withEnding = (endings: string): RegExp =>
  new RegExp(`^(.{${shortestRoot},}?)(?:${endings.replaceAll(" ", "|")})$`)

/** Nouns derived from verbs, forms of verbs, genders and plurals. Portuguese and Spanish share most of them. */
const romanceWord = withEnding(
  "izacoes izaciones izacao izacion amentos imentos amiento imiento amientos imientos amento imento aciones iciones " +
    "acoes icoes acao icao acion icion mente adores edores idores adora edora ador edor idor " +
    "ariamos eriamos iriamos assemos essemos issemos aremos eremos iremos avamos abamos iamos ando endo indo iendo " +
    "aram eram iram aron ieron arem erem irem ariam eriam iriam arian erian irian aria eria iria avam aban avan ava aba " +
    "asse esse isse ase iese amos emos imos ais eis ados adas idos idas ado ada ido ida arao erao irao aran eran iran " +
    "ara era ira are ere ire aste este iste ou iu eu ei ar er ir am em an en as es os is a e o i s"
)
const englishWord = withEnding("ments ment nesses ness ations ation ings ing edly ed ies es s e y ly")

const cut = (word: string, pattern: RegExp): string => pattern.exec(word)?.[1] ?? word

/** "particulares" becomes "particular". Verb forms that end in s are not plurals. */
const singularOf = (word: string): string =>
  word.length <= shortestRoot - 1 || /(?:[aei]mos|[aeo]is|stes)$/.test(word)
    ? word
    : word.replace(/(?<=.{2}[rlnzd])es$|(?<=.{3})s$/, "")

/**
 * The common root of a word's forms: verb forms, genders, plurals, and nouns derived from verbs. Pass the folded word.
 */
export const rootOf = (word: string, language: Language): string => {
  if (word.length <= shortestRoot || /\d/.test(word)) return word
  if (language === "en") return cut(singular(word, language), englishWord).replace(/([bdgklmnprt])\1$/, "$1")
  const root = cut(singularOf(word), romanceWord)
  // The same sound is spelled differently before e and i: "paga" and "pague", "marca" and "marque".
  return root.length > shortestRoot ? root.replace(/qu$/, "c").replace(/gu$/, "g") : root
}

/** The singular of a noun. Other words are unchanged. */
export const singular = (word: string, language: Language): string => {
  if (language !== "en") return singularOf(word)
  const bare = word.replace(/'s?$/, "")
  return bare.length < shortestRoot || /(?:ss|us|is)$/.test(bare)
    ? bare
    : bare
        .replace(/ies$/, "y")
        .replace(/(?<=ch|sh|x|ss)es$/, "")
        .replace(/s$/, "")
}

/** Whether a listed word is a verb. Then all forms of the verb count as listed. */
export const isVerb = (word: string, language: Language): boolean =>
  language === "en"
    ? /(?:ing|ed)$/.test(word) && word.length > shortestRoot + 2
    : /(?:ar|er|ir)$/.test(word) && word.length > shortestRoot
