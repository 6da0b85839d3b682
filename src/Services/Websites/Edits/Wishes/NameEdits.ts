import { languageOf } from "../../../Text/Language.ts"
import { within, withoutEnd } from "../../Material/MaterialText.ts"
import { isDoubtful } from "../../Material/Names/MaterialNames.ts"
import type { Site } from "../../Site.ts"
import type { SiteOperation } from "../../SiteOperations.ts"
import { siteWords } from "../../Writing/Phrases/SitePhrases.ts"
import { change, type EditDesk, failure, type Outcome } from "../EditDesk.ts"
import { asks, type Clause, rawText, speaksOf, trimmed } from "../Reading/EditClause.ts"
import { contentWords, has, isWord, sameWord, type Token, wordsOf } from "../Reading/EditTokens.ts"
import type { Role } from "../Reading/EditWords.ts"
import { replacingText, says } from "../SiteTexts.ts"

/** True if the site's name is only its tagline or kind, because the owner gave no name. */
const isStandIn = (site: Site): boolean =>
  site.name === site.tagline || Object.values(siteWords[languageOf(site.language)].kinds).includes(site.name)

const renamedPages = (site: Site, name: string): ReadonlyArray<SiteOperation> =>
  site.pages.flatMap(
    ({ description, id, label, title }): ReadonlyArray<SiteOperation> =>
      title.startsWith(site.name)
        ? [
            {
              _tag: "DescribePage",
              page: id,
              label,
              title: within(name + title.slice(site.name.length), 160),
              description
            }
          ]
        : []
  )

const renamedOpenings = (site: Site, name: string): ReadonlyArray<SiteOperation> =>
  site.pages.flatMap(({ blocks, id }) =>
    blocks.flatMap(
      (block): ReadonlyArray<SiteOperation> =>
        block._tag === "Hero" && block.title === site.name && block.title !== site.tagline
          ? [{ _tag: "ReplaceBlock", page: id, variant: null, block: { ...block, title: within(name, 160) } }]
          : []
    )
  )

/** A site that contains only its name. It shows whether the new name contains the old one. */
const nameAlone = (site: Site, name: string): Site => ({
  ...site,
  name,
  tagline: "",
  pages: site.pages.map((page) => ({ ...page, label: "", title: name, description: "", blocks: [], variants: [] }))
})

/** Replaces the site's name wherever it appears. */
export const settingName = ({ notes, site }: EditDesk, name: string): Outcome => {
  // Giving the guessed name again confirms it.
  if (name === site.name)
    return site.questions?.includes("name") === true
      ? change("values", notes.renamed(name), [], { present: [name], answers: ["name"] })
      : failure(notes.already(name), notes.oneByOne)
  const isGuess = isStandIn(site)
  const everywhere = isGuess
    ? [...renamedPages(site, name), ...renamedOpenings(site, name)]
    : replacingText(site, site.name, name).filter(({ _tag }) => _tag !== "Rename")
  const tagline = isGuess ? site.tagline : site.tagline.replaceAll(site.name, name)
  return change(
    "values",
    notes.renamed(name),
    [{ _tag: "Rename", name: within(name, 120), tagline: within(tagline, 200) }, ...everywhere],
    {
      present: [name],
      answers: ["name"],
      absent: isGuess || says(nameAlone(site, name), site.name) ? [] : [site.name]
    }
  )
}

const longestName = 80
/** The largest number of words in a name without capitals. */
const mostSmallWords = 5

const connecting: ReadonlySet<string> = new Set("de da do das dos e & and y the of del la el los las a o".split(" "))

/** The name in the tokens. Undefined if they contain more than a name. */
export const nameIn = (prompt: string, tokens: ReadonlyArray<Token>): string | undefined => {
  const inner = trimmed(tokens)
  const name = withoutEnd(rawText(prompt, inner), " .;,").replace(/\s+/g, " ").trim()
  const [first] = inner
  if (first === undefined || name.length < 2 || name.length > longestName) return undefined
  if (first.kind === "quote") return inner.length === 1 ? name : undefined
  const words = inner.filter(({ kind }) => kind !== "mark")
  if (inner.some(({ kind, text }) => kind === "mark" && !"&.'-".includes(text))) return undefined
  if (words.some(({ kind }) => kind !== "word" && kind !== "number")) return undefined
  if (
    words.some(
      (token) => isWord(token) && /^\p{Ll}/u.test(token.text) && has(token, "phone", "email", "address", "whatsapp")
    )
  )
    return undefined
  if (/^[\p{Lu}\d]/u.test(name)) {
    // After a capitalised name, two or more lower-case words are the rest of the sentence.
    const isRun = words.some(
      (token, at) =>
        at > 0 &&
        [token, words[at + 1]].every(
          (each) => each !== undefined && /^\p{Ll}/u.test(each.text) && !connecting.has(each.word)
        )
    )
    const last = words.at(-1)
    return isRun || (last !== undefined && words.length > 2 && /^\p{Ll}/u.test(last.text) && connecting.has(last.word))
      ? undefined
      : name
  }
  const isPlain =
    words.length <= mostSmallWords && !words.some((token) => has(token, "negation", "add", "remove", "change"))
  return isPlain ? name : undefined
}

const aroundName: ReadonlyArray<Role> = [
  "name",
  "called",
  "business",
  "copula",
  "now",
  "function",
  "set",
  "change",
  "subject",
  "spelled"
]

/** The name that a clause gives: after the noun or verb of naming, or before "as the name". */
const nameOf = (clause: Clause, prompt: string): string | undefined => {
  const { tokens } = clause
  const seam = tokens.findLastIndex((token) => isWord(token) && has(token, "name", "called"))
  if (seam < 0) return undefined
  // "Name, company and email required" lists form fields.
  if (tokens[seam + 1]?.text === ",") return undefined
  const isLead = (token: Token): boolean =>
    token.kind === "mark" || (isWord(token) && /^\p{Ll}|^\p{Lu}\p{Ll}*$/u.test(token.text) && has(token, ...aroundName))
  if (!tokens.slice(0, seam).every(isLead)) {
    // For example "Put Fogarty Agri Contracting as the name".
    const isBehind = seam === tokens.length - 1 && clause.verb !== undefined
    const as = tokens.findLastIndex(
      (token, at) => at < seam && ["as", "como", "for", "de", "para"].includes(token.word)
    )
    return isBehind && as > 1 ? nameIn(prompt, tokens.slice(1, as)) : undefined
  }
  let begin = seam + 1
  while (begin < tokens.length) {
    const token = tokens[begin]
    if (token === undefined) break
    const isSmall =
      isWord(token) && /^\p{Ll}/u.test(token.text) && has(token, ...aroundName) && begin < tokens.length - 1
    if (!isSmall && token.kind !== "mark") break
    begin++
  }
  return nameIn(prompt, tokens.slice(begin))
}

/** Reads "A loja agora é a Casa Rosa": a word for the business, a copula, and a capitalised name. */
const businessIs = (clause: Clause, prompt: string): string | undefined => {
  const { tokens } = clause
  const seam = tokens.findIndex((token) => isWord(token) && has(token, "copula"))
  const lead = tokens.slice(0, Math.max(0, seam))
  const isBusiness =
    lead.length > 0 &&
    lead.some((token) => has(token, "business") && !has(token, "page")) &&
    lead.every((token) => isWord(token) && has(token, "business", "function", "now"))
  if (!isBusiness) return undefined
  const value = trimmed(tokens.slice(seam + 1)).filter(
    (token, at) => !(at === 0 && isWord(token) && has(token, "function", "now"))
  )
  return /^\p{Lu}/u.test(value[0]?.text ?? "") ? nameIn(prompt, value) : undefined
}

/** Reads "Corrija: é Nogueira, Prado & Lima". A text similar to the site's current name is the corrected name. */
const corrected = (clause: Clause, { prompt, site }: EditDesk): string | undefined => {
  const { tokens } = clause
  const begin = tokens.findIndex(
    (token) =>
      !(
        token.kind === "mark" ||
        (isWord(token) && /^\p{Ll}/u.test(token.text) && has(token, ...aroundName)) ||
        token === clause.verb
      )
  )
  if (begin < 0 || !asks(clause, "change")) return undefined
  const name = nameIn(prompt, tokens.slice(begin))
  if (name === undefined || !/^\p{Lu}/u.test(name)) return undefined
  const ownWords = contentWords(site.name)
  const shared = ownWords.filter((word) => wordsOf(name).some((each) => sameWord(each, word)))
  return shared.length >= Math.min(2, ownWords.length) && wordsOf(name).length <= 10 ? name : undefined
}

/**
 * Reads all usual ways to give the business's name: "O nome da empresa é X", "a gente chama X", "The business is called
 * X".
 */
export const naming = (clause: Clause, desk: EditDesk): Outcome | undefined => {
  if (asks(clause, "remove", "move") && !asks(clause, "set", "change")) return undefined
  if (
    clause.tokens.some(
      (token) =>
        isWord(token) && has(token, "negation", "headline", "button", "field", "section", "item", "person", "client")
    ) ||
    clause.tokens.some(({ word }) => word === "pagina" || word === "page")
  )
    return undefined
  if (speaksOf(clause, "form", "field", "required", "optional")) return undefined
  const name = nameOf(clause, desk.prompt) ?? businessIs(clause, desk.prompt) ?? corrected(clause, desk)
  return name === undefined ? undefined : settingName(desk, name)
}

const asItIs: ReadonlySet<string> = new Set(
  "publique publica publicar publish publiquelo publiquela publicalo assim asi like this as it is como esta anyway mesmo the site o".split(
    " "
  )
)

/** True if a bare name is an answer: it fills a whole line or sentence, or follows "we are". */
const isAnswer = ({ tokens }: Clause, prompt: string): boolean => {
  const begins = tokens[0]?.start ?? 0
  const ends = tokens.at(-1)?.end ?? 0
  const lead = prompt.slice(0, begins)
  const before = lead.trimEnd()
  const isBegun = before === "" || ".!?".includes(before.slice(-1)) || lead.slice(before.length).includes("\n")
  const isWhole = isBegun && /^ {0,9}(?:$|[.!\n])/.test(prompt.slice(ends))
  return (
    isWhole || /^(?:somos|we are|we're|we’re|nosotros somos|n[óo]s somos|a gente é)\s/i.test(prompt.slice(begins, ends))
  )
}

/** Reads short answers to the site's open questions: "Câmbio Certo", "Somos a Câmbio Certo", "Publish it as it is". */
export const answering = (clause: Clause, desk: EditDesk): Outcome | undefined => {
  const { notes, prompt, site } = desk
  const open = site.questions ?? []
  const words = clause.tokens.filter(isWord)
  const isPublish = words.some(({ word }) => /^publi/.test(word)) && words.every(({ word }) => asItIs.has(word))
  const asIs = (["foreign", "unclear", "fields"] as const).filter((question) => open.includes(question))
  if (isPublish && asIs.length > 0) return change("values", notes.published, [], { answers: asIs })
  if (!open.includes("name") || !isAnswer(clause, prompt)) return undefined
  const begin = clause.tokens.findIndex(
    (token) =>
      !(isWord(token) && /^\p{Ll}/u.test(token.text) && has(token, "function", "copula", "called")) &&
      !["Somos", "We", "We're", "Chamamos", "É", "Es", "It's"].includes(token.text)
  )
  const name = begin < 0 ? undefined : nameIn(prompt, clause.tokens.slice(begin))
  if (name === undefined || !/^[\p{Lu}\d]/u.test(name) || clause.verb !== undefined || isDoubtful(name))
    return undefined
  const parts = name.split(" ")
  const capitals = parts.filter((word) => /^[\p{Lu}\d&]/u.test(word)).length
  return capitals * 2 < parts.length || parts.length > 6 ? undefined : settingName(desk, name)
}
