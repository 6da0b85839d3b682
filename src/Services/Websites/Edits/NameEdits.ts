import { languageOf } from "../../Text/Language.ts"
import { isDoubtful } from "../Material/MaterialNames.ts"
import { within, withoutEnd } from "../Material/MaterialText.ts"
import type { Site } from "../Site.ts"
import type { SiteOperation } from "../SiteOperations.ts"
import { siteWords } from "../Writing/SitePhrases.ts"
import { asks, type Clause, rawText, speaksOf, trimmed } from "./EditClause.ts"
import { change, type EditDesk, failure, type Outcome } from "./EditDesk.ts"
import { contentWords, has, isWord, sameWord, type Token, wordsOf } from "./EditTokens.ts"
import type { Role } from "./EditWords.ts"
import { replacingText, says } from "./SiteTexts.ts"

/** Whether the site's name is only what its kind is called, since nothing gave its name. */
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

/** A site that says nothing but its name, to see whether the new name holds the old one. */
const nameAlone = (site: Site, name: string): Site => ({
  ...site,
  name,
  tagline: "",
  pages: site.pages.map((page) => ({ ...page, label: "", title: name, description: "", blocks: [], variants: [] }))
})

/** A new name wherever the site writes the old one. */
export const settingName = ({ notes, site }: EditDesk, name: string): Outcome => {
  // Said once more, the name that was guessed is sure.
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
/** Most words of a name that is written without capitals. */
const mostSmallWords = 5

const connecting: ReadonlySet<string> = new Set("de da do das dos e & and y the of del la el los las a o".split(" "))

/** The name that some tokens write; undefined where it is more than a name. */
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
    // Behind a name that has capitals a run of small words is the rest of a sentence.
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

/** What a clause says the name is: behind its noun or its verb, or before "as the name". */
const nameOf = (clause: Clause, prompt: string): string | undefined => {
  const { tokens } = clause
  const seam = tokens.findLastIndex((token) => isWord(token) && has(token, "name", "called"))
  if (seam < 0) return undefined
  // "Name, company and email required" lists fields.
  if (tokens[seam + 1]?.text === ",") return undefined
  const isLead = (token: Token): boolean =>
    token.kind === "mark" || (isWord(token) && /^\p{Ll}|^\p{Lu}\p{Ll}*$/u.test(token.text) && has(token, ...aroundName))
  if (!tokens.slice(0, seam).every(isLead)) {
    // "Put Fogarty Agri Contracting as the name".
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

/** "A loja agora é a Casa Rosa": a business and what it is, with capitals. */
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

/** "Corrija: é Nogueira, Prado & Lima": what is like the name that the site has is the name. */
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

/** The name of the business in all natural forms: "O nome da empresa é X", "a gente chama X", "The business is called X". */
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

/** A bare name is an answer where it is all of a line or sentence, or behind "we are". */
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

/** Bare answers to what the owner was asked: "Câmbio Certo", "Somos a Câmbio Certo", "Publish it as it is". */
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
