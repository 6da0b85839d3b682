import type { Language } from "../../Text/Language.ts"

/** What must be left of a word after an ending is cut. Shorter roots would make unrelated words meet. */
const shortestRoot = 4

/** A word with one of the endings. The shortest root has the longest ending. */
const withEnding = (endings: string): RegExp =>
  new RegExp(`^(.{${shortestRoot},}?)(?:${endings.replaceAll(" ", "|")})$`)

/** Nouns made from verbs, persons and tenses of verbs, genders and plurals. Portuguese and Spanish share most of them. */
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

/** "particulares" and "particular". Persons of verbs that end in s are no plurals. */
const singularOf = (word: string): string =>
  word.length <= shortestRoot - 1 || /(?:[aei]mos|[aeo]is|stes)$/.test(word)
    ? word
    : word.replace(/(?<=.{2}[rlnzd])es$|(?<=.{3})s$/, "")

/**
 * What the forms of a word have in common: persons and numbers of verbs, genders, plurals, and nouns made from verbs. The
 * word comes folded.
 */
export const rootOf = (word: string, language: Language): string => {
  if (word.length <= shortestRoot || /\d/.test(word)) return word
  if (language === "en") return cut(singular(word, language), englishWord).replace(/([bdgklmnprt])\1$/, "$1")
  const root = cut(singularOf(word), romanceWord)
  // The same sound is written differently before e and i: "paga" and "pague", "marca" and "marque".
  return root.length > shortestRoot ? root.replace(/qu$/, "c").replace(/gu$/, "g") : root
}

/** A noun without its plural; other words as they are. */
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

/** Whether a listed form stands for all persons and tenses of a verb. */
export const isVerb = (word: string, language: Language): boolean =>
  language === "en"
    ? /(?:ing|ed)$/.test(word) && word.length > shortestRoot + 2
    : /(?:ar|er|ir)$/.test(word) && word.length > shortestRoot
