import type { Language } from "../../../Text/Language.ts"
import { fold } from "../../../Text/PlainText.ts"
import { isForMaker } from "../Audience.ts"
import { briefWordsOf, canMean } from "../BriefWords.ts"
import { bareItem, capitalised, itemsIn, titled, within, withoutEnd } from "../MaterialText.ts"
import { type BriefRule, type BriefStatement, endsInMark, filled, ruleOf, type TitledText } from "./BriefRule.ts"
import { mayBeItem, mayBeThing } from "./JudgedText.ts"

/** "The Wee One, 4 hours; The Whole Day, 10 hours": semicolons part things, and a comma a thing from what it is. */
const partsOf = (text: string): ReadonlyArray<string> =>
  /;\s/.test(text) && /,\s/.test(text)
    ? text.split(/;\s/).map((part) => bareItem(part).replace(/,\s/, ": "))
    : itemsIn(text)

export const titledItems = (text: string, isItem: boolean): ReadonlyArray<TitledText> =>
  (isItem ? [text] : partsOf(text)).map((item) => {
    const { text: more, title } = titled(item)
    return title.length > 90
      ? { title: within(title, 90), text: more }
      : { title, text: more === "" ? "" : endsInMark(more) }
  })

const hoursOfDay = /^(?:ma[nñ]ana|tarde|noche|manh[ãa]|noite|mornings?|afternoons?|evenings?|nights?)s?$/i
const verbs =
  /\b(?:is|are|was|we|you|i|it|that|who|which|has|have|can|sao|esta|estao|tem|temos|somos|fazemos|que|quem|voce|es|son|tiene|tenemos|hacemos|se|nos|faz|hace|cada vez)\b/
const begins =
  /^(?:de|do|da|dos|das|del|em|en|in|on|at|no|na|nos|nas|of|for|para|por|with|com|con|sem|sin|without|to|ate|hasta|one|an?|uma?|una?|un|the|os|as|el|la|los|las|\d\S*)\s|^\d/
const preposition = /\s(?:para|de|do|da|for|with|com|con|of|to|em|en|in)\s/

/** Whether a part of a sentence is no thing that a list would have. */
const isNoItem = (item: string): boolean =>
  item.length < 3 ||
  item.length > 48 ||
  hoursOfDay.test(item) ||
  begins.test(fold(item)) ||
  verbs.test(fold(` ${item} `))

/** "Only cats and dogs, no birds" is a limit. */
const limits = /^(?:s[oó]|solo|only|just|apenas)\s|\b(?:n[ãa]o|nem|ni|no|not|sem|sin|without)\b/i

const mayBeList = (text: string): boolean => text.length <= 160 && !/[:;!?()“”"]/.test(text) && !limits.test(text)

/** The items of "Cuts, colouring and braids": a sentence that is a list and nothing else; empty for any other. */
export const bareList = (text: string): ReadonlyArray<string> => {
  const bare = withoutEnd(text, ".")
  if (!mayBeList(bare)) return []
  const parts = bare.split(/,\s/)
  const last = parts.at(-1) ?? ""
  const isJoined = /^(?:e|and|y|ou|or|o)\s/.test(last)
  const tail = isJoined ? null : /^(.{2,60}?)\s(?:e|and|y)\s(.{2,80})$/.exec(last)
  const [, before = "", after = ""] = tail ?? []
  const isParted = tail !== null && !preposition.test(` ${before} `)
  const items = (isParted ? [...parts.slice(0, -1), before, after] : parts).map(bareItem)
  const [first = "", ...others] = items
  // "Toddler, primary and elementary classes" has one noun for all.
  const isShared =
    isParted &&
    after.includes(" ") &&
    !preposition.test(` ${after} `) &&
    items.slice(0, -1).every((item) => !item.includes(" "))
  return parts.length < 2 ||
    items.length < 3 ||
    isShared ||
    items.some(isNoItem) ||
    others.some((item) => /^\p{Lu}\p{Ll}/u.test(item)) ||
    first.split(" ").length > 6
    ? []
    : items.map(capitalised)
}

const offering =
  /\b(?:oferecemos|oferece|fazemos|faço|faco|a gente faz|trabalhamos com|prestamos|atuamos (?:com|em)|we offer|we provide|offers|offering|we sell|we make|we do|i do|ofrecemos|ofrece|hacemos|hago|mexemos com|a gente mexe com|consertamos|atendemos com|reparamos|we fix|we repair|arreglamos|vendemos)\s(?:os |as |the |our |nossos |nossas |los |las |nuestros |nuestras |serviços de |services such as |servicios de )?([^.;\n]{6,300})/i
const ofPlace = /^(?:em|en|in|at|no|na|por|de)\s/

/** "We offer cuts and braids": a list behind a verb of offering; undefined where it is one thing or the beginning of a sentence. */
const offeredIn = (
  { isOwn, isOrder, text }: BriefStatement,
  hasOffers: boolean,
  language: Language
): ReadonlyArray<string> | undefined => {
  const match = offering.exec(text)
  const before = text.slice(0, match?.index ?? 0)
  if (isOrder || match === null || (!isOwn && hasOffers) || /\b(?:não|nao|not|no|don't|nunca|never)\b/i.test(before))
    return undefined
  const items = itemsIn(match[1] ?? "").filter((item) => item.length <= 70 && !ofPlace.test(item))
  const isPriced = /[€£$]\s?\d|\d\s?[€£]|\breais\b|\bpesos\b/.test(text)
  return items.length < 2 ||
    isPriced ||
    items.some((item) => /\b(?:n[ãa]o|not|no|sin|sem)\b/i.test(item)) ||
    items.some((item) => /^\d|^(?:entre|between)\s/i.test(item)) ||
    items.some((item) => verbs.test(fold(` ${item} `)) || !mayBeThing(item, language))
    ? undefined
    : items
}

/** "What I don't want", "Contact form", "Rule": no heading of things that are offered. */
const isNoHeading = (label: string): boolean =>
  isForMaker(label) ||
  /\p{Ll}/u.test(label) === false ||
  briefWordsOf(label).some((word) => canMean(word, "negation", "tell", "order"))

export const offerRules: ReadonlyArray<BriefRule> = [
  {
    name: "offers below their heading",
    matches: ({ isOrder, kind }) => !isOrder && (kind === "offers" || kind === "prices"),
    take: ({ isItem, kind, label, text }) => ({
      facts: { offers: titledItems(text, isItem) },
      ...(kind === "offers" ? { texts: { offersLabel: label } } : {})
    })
  },
  {
    name: "benefits below their heading",
    matches: ({ isOrder, kind }) => !isOrder && kind === "benefits",
    take: ({ isItem, text }) => ({ facts: { benefits: titledItems(text, isItem) } })
  },
  {
    name: "steps below their heading",
    matches: ({ isOrder, kind }) => !isOrder && kind === "steps",
    take: ({ isItem, text }) => ({ facts: { steps: titledItems(text.replace(/(?<=^|, )\d\s/g, ""), isItem) } })
  },
  {
    name: "clients below their heading",
    matches: ({ isOrder, kind }) => !isOrder && kind === "clients",
    take: ({ label, text }) => ({
      facts: { clients: itemsIn(text).map((client) => within(client, 120)) },
      texts: { clientsLabel: label }
    })
  },
  ruleOf(
    "a list behind a label of its own",
    ({ isItem, isOrder, kind, label, text }) => {
      if (isOrder || label === "" || isItem || kind !== undefined || isNoHeading(label)) return undefined
      const listed = titledItems(text, false)
      const isDenied = listed.some(({ title }) => canMean(briefWordsOf(title)[0] ?? "", "negation"))
      return listed.length > 1 && !isDenied && listed.every(({ title }) => title.length <= 60) ? listed : undefined
    },
    (offers, { label }) => ({ facts: { offers }, texts: { offersLabel: label } })
  ),
  {
    name: "an item of a list",
    matches: ({ isItem, isOrder, isOwn, text }, { language }) =>
      !isOrder && isItem && text.length <= 200 && (!isOwn || mayBeItem(text, language)),
    take: ({ isItem, label, text }) => ({
      facts: { offers: titledItems(text, isItem) },
      ...(label !== "" && label.length <= 40 ? { texts: { offersLabel: label } } : {})
    })
  },
  ruleOf(
    "a list behind a verb of offering",
    (statement, { facts, language }) => {
      const match = offeredIn(statement, facts.offers.length > 0, language)
      return match === undefined ? undefined : filled(match)
    },
    (items) => ({ facts: { offers: items.map((item) => ({ title: capitalised(item), text: "" })) } })
  )
]
