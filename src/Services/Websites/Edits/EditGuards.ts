import type { Site, SiteBlock } from "../Site.ts"
import { textsOf } from "../Writing/SiteCheck.ts"
import { acts, type Clause, says, unexplained } from "./Reading/EditClause.ts"
import { has, isWord, sameWord, type Token, wordsOf } from "./Reading/EditTokens.ts"
import type { Role } from "./Reading/EditWords.ts"
import { sectionsNamed } from "./SiteSections.ts"
import { says as siteSays } from "./SiteTexts.ts"
import { type Thing, thingsOf } from "./SiteThings.ts"
import { type Detail, detailsOf } from "./Wishes/ContactEdits.ts"

/** Something that the prompt asks to leave as it is. */
export interface UntouchedPart {
  readonly text: string
  readonly isKept: (before: Site, after: Site) => boolean
}

const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

const blocksOf = (site: Site): ReadonlyArray<SiteBlock> => site.pages.flatMap(({ blocks }) => blocks)

const details: ReadonlyArray<readonly [Detail, Role]> = [
  ["address", "address"],
  ["email", "email"],
  ["phone", "phone"],
  ["hours", "hours"]
]

/** The list entries with the thing's name. */
const detailOf = (site: Site, { kind, name, placed }: Thing): ReadonlyArray<unknown> => {
  const block = blocksOf(site).find(({ id }) => id === placed.block.id)
  if (block === undefined) return []
  if (kind === "field" && block._tag === "Form") return block.fields.filter(({ label }) => label === name)
  if (!("items" in block)) return []
  const items: ReadonlyArray<object> = block.items
  return items.filter((item) => Object.values(item).includes(name))
}

const keepsThings =
  (things: ReadonlyArray<Thing>) =>
  (before: Site, after: Site): boolean =>
    things.every((thing) => same(detailOf(before, thing), detailOf(after, thing)))

const samenessWords: ReadonlySet<string> = new Set(
  "same igual iguais iguales untouched unchanged intact intacto intacta mantem mantenha manter mantener manten mantenga mantenha-se keep stay stays continua continuam sigue siguen remain remains alone paz".split(
    " "
  )
)
/** Verbs that mean "leave as it is" when nothing follows them: "a areia fica", "el negro dejalo". */
const stayingWords: ReadonlySet<string> = new Set(
  "fica ficam queda quedan stays stay dejalo dejala dejalos dejadlo deja deixa deixa-o mantem".split(" ")
)
const asItWas: ReadonlySet<string> = new Set(
  "como tal as exactly is are was esta estao estan estava tava estaba".split(" ")
)

/** The largest number of words in a clause that only says what stays. */
const longestGuard = 16

/** True if an order begins inside the tokens, after a mark or a joining word. */
export const ordersInside = (tokens: ReadonlyArray<Token>): boolean =>
  tokens.some((token, at) => {
    const [before, last] = [tokens[at - 1], tokens[at - 2]]
    if (
      before === undefined ||
      !isWord(token) ||
      !has(token, "remove", "add", "change", "set", "move") ||
      has(token, "copula")
    )
      return false
    const isSeam = ({ kind, text, word }: Token): boolean =>
      (kind === "mark" && ",;:.(".includes(text)) || has({ kind, text, word, start: 0, end: 0 }, "joint")
    return (
      isSeam(before) ||
      (last !== undefined && isSeam(last) && isWord(before) && has(before, "only", "negation", "polite"))
    )
  })

const imperatives: ReadonlySet<string> = new Set(
  "pon ponle ponlo ponga ponele poned poe ponha bota bote coloca coloque put add make set remove take drop change replace move quita quite quita tira tire troca troque muda mude cambia cambie agrega agregue anade anadid acrescenta acrescente adiciona adicione inclua sube sobe scrap".split(
    " "
  )
)

/**
 * True if a second order begins inside the tokens, so that they are not a single wish. Text after a colon is content,
 * not an order.
 */
export const holdsTwoOrders = (tokens: ReadonlyArray<Token>): boolean =>
  tokens.some((token, at) => {
    const before = tokens[at - 1]
    const isSeam =
      before !== undefined && (has(before, "joint") || (before.kind === "mark" && ",;".includes(before.text)))
    return (
      isSeam && isWord(token) && imperatives.has(token.word) && !tokens.slice(0, at).some(({ text }) => text === ":")
    )
  })

/** True if the words say that something stays as it is. */
const saysStay = (words: ReadonlyArray<Token>): boolean => {
  const [first] = words
  const last = words.at(-1)
  const isSame = words.some(({ word }) => samenessWords.has(word))
  const isAsItWas =
    words.some((token) => has(token, "keep") && !asItWas.has(token.word)) &&
    words.some(({ word }) => word === "como" || word === "as")
  const isSameThing =
    first !== undefined && ["mismo", "misma", "mesmo", "mesma", "same"].includes(first.word) && words.length <= 4
  const isStaying = last !== undefined && stayingWords.has(last.word) && words.length <= 6
  return isSame || isAsItWas || isSameThing || isStaying
}

/** True if the clause only asks that something stays: "don't touch the phone", "the rest stays the same". */
const isGuardShape = (clause: Clause): boolean => {
  const { tokens, verb } = clause
  const words = tokens.filter(isWord)
  const isValued = tokens.some(({ kind }) => !["word", "mark", "number", "time"].includes(kind))
  if (words.length < 2 || words.length > longestGuard || isValued || ordersInside(tokens)) return false
  const denial = words.findIndex((token) => has(token, "negation"))
  const isEnded = words.some((token) => has(token, "anymore"))
  const touched = words.slice(denial + 1, denial + 4).some((token) => has(token, "touch"))
  const ordersBefore = words
    .slice(0, Math.max(0, denial))
    .some((token) => has(token, "add", "remove", "change", "move") && !has(token, "keep", "copula"))
  if (denial >= 0 && touched && !isEnded) return !ordersBefore
  const isOther = words.some(({ word }) =>
    ["agora", "now", "ahora", "para", "pra", "novo", "new", "nuevo", "only", "so", "solo"].includes(word)
  )
  if (isOther || denial >= 0 || (verb !== undefined && has(verb, "remove", "change", "move", "addonly"))) return false
  return saysStay(words)
}

/** The tokens of a guard that name what must stay. */
const subjectOf = (clause: Clause): ReadonlyArray<Token> =>
  unexplained(
    { ...clause, verb: undefined },
    "keep",
    "touch",
    "rest",
    "negation",
    "polite",
    "chatter",
    "set",
    "only",
    "sentence",
    "joint",
    "copula",
    "now",
    ...acts
  )

/** Reads a clause as a guard: what must stay as it is. Undefined if the clause is something else. */
export const guardOf = (clause: Clause, site: Site): UntouchedPart | undefined => {
  if (!isGuardShape(clause)) return undefined
  const { text } = clause
  const subject = subjectOf(clause)
  const isRemoval = clause.tokens.some((token) => isWord(token) && has(token, "remove")) && says(clause, "negation")
  const words = subject.map(({ word }) => word)
  if (isRemoval) {
    const sections = sectionsNamed(site, words)
    const ids = sections.map(({ block }) => block.id)
    return { text, isKept: (_, after) => ids.every((id) => blocksOf(after).some((block) => block.id === id)) }
  }
  if (subject.some((token) => has(token, "look")))
    return { text, isKept: (before, after) => same(before.theme, after.theme) }
  if (clause.tokens.some((token) => isWord(token) && has(token, "text")))
    return {
      text,
      isKept: (before, after) => same(blocksOf(before).flatMap(textsOf), blocksOf(after).flatMap(textsOf))
    }
  const detail = details.find(([, role]) => subject.some((token) => isWord(token) && has(token, role)))?.[0]
  const things = thingsOf(site).filter(({ name }) =>
    words.some((word) => wordsOf(name).some((each) => sameWord(each, word)))
  )
  const keepsNamed = keepsThings(things)
  return {
    text,
    isKept: (before, after) =>
      (detail === undefined || same(detailsOf(before, detail), detailsOf(after, detail))) && keepsNamed(before, after)
  }
}

/** Reads what the site must not say: "Don't say cheap anywhere". Undefined if the clause forbids nothing. */
const forbiddenIn = (clause: Clause, site: Site): ReadonlyArray<string> | undefined => {
  const { tokens } = clause
  const denial = tokens.findIndex((token) => isWord(token) && has(token, "negation"))
  const verb = tokens.slice(denial + 1).find((token) => isWord(token) && has(token, "add", "set"))
  if (denial < 0 || denial > 2 || verb === undefined || says(clause, "anymore")) return undefined
  const quotes = tokens.filter(({ kind }) => kind === "quote").map(({ text }) => text)
  const left = unexplained(
    clause,
    "negation",
    "add",
    "set",
    "everywhere",
    "sentence",
    "text",
    "rest",
    "polite",
    (token) => token.kind === "quote" || ["ni", "or", "ou", "o", "nem"].includes(token.word)
  )
  if (quotes.length > 0) return left.length === 0 ? quotes : undefined
  const named = details.filter(([, role]) => left.some((token) => isWord(token) && has(token, role)))
  const isDetail =
    left.length > 0 && left.every((token) => isWord(token) && details.some(([, role]) => has(token, role)))
  return isDetail ? named.flatMap(([detail]) => detailsOf(site, detail)) : undefined
}

/**
 * A guard against words that the site does not contain yet. If the site contains them, the clause is a removal instead.
 */
export const prohibitionOf = (clause: Clause, site: Site): UntouchedPart | undefined => {
  const words = forbiddenIn(clause, site)
  if (words === undefined || words.some((word) => siteSays(site, word))) return undefined
  return { text: clause.text, isKept: (_, after) => !words.some((word) => siteSays(after, word)) }
}
