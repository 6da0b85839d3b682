import { languageOf } from "../../../Text/Language.ts"
import { fold } from "../../../Text/PlainText.ts"
import { capitalised, keyFor, within, withoutEnd } from "../../Material/MaterialText.ts"
import type { Site, SiteBlock } from "../../Site.ts"
import type { SiteOperation } from "../../SiteOperations.ts"
import { colorsNamed } from "../../Writing/ColorWords.ts"
import { siteWords } from "../../Writing/Phrases/SitePhrases.ts"
import { change, type EditDesk, failure, type Outcome } from "../EditDesk.ts"
import { type Placement, placedItems, withoutPlacement } from "../Placement.ts"
import {
  asks,
  type Clause,
  rawText,
  says,
  speaksOf,
  trimmed,
  unexplained,
  valuesOf,
  withTokens
} from "../Reading/EditClause.ts"
import {
  contentWords,
  has,
  hasDigit,
  isContent,
  isWord,
  sameWord,
  type Token,
  tokensOf,
  wordsOf
} from "../Reading/EditTokens.ts"
import {
  type Block,
  blocksOfKind,
  keysOf,
  type PlacedBlock,
  placeOn,
  replaceBlock,
  sectionsNamed
} from "../SiteSections.ts"
import { listedTokens } from "./FieldEdits.ts"

type Price = Block<"Prices">["items"][number]
type Offer = Block<"Features">["items"][number]

/** Adds items at their place in the block of their kind, or adds a new block. */
const withItems = <B extends Block<"Features"> | Block<"Prices">>(
  site: Site,
  there: PlacedBlock<B> | undefined,
  fresh: B,
  merge: (block: B) => B | undefined
): ReadonlyArray<SiteOperation> | undefined => {
  if (there !== undefined) {
    const merged = merge(there.block)
    return merged === undefined ? undefined : [replaceBlock(there, merged)]
  }
  const [home] = site.pages
  return home === undefined
    ? undefined
    : [
        {
          _tag: "AddBlock",
          page: home.id,
          after: placeOn(home),
          block: { ...fresh, id: keyFor(fresh.id, keysOf(site)) }
        }
      ]
}

const offersOf = (site: Site): PlacedBlock<Block<"Features">> | undefined =>
  blocksOfKind(site, "Features").find(({ block }) => block.id !== "benefits")

/** Words before an item's name that say what it is: "o serviço", "mais um", "to the menu:". */
const isLabel = (token: Token): boolean =>
  token.kind === "mark" ||
  (isWord(token) &&
    !/^\p{Lu}/u.test(token.text) &&
    (has(token, "function", "item", "service", "price", "list", "now", "called", "set", "add", "section") ||
      ["mais", "outro", "outra", "another", "otro", "otra", "third", "extra"].includes(token.word)))

/** The tokens of an item's name, without the words that only say what it is. */
const nameTokens = (tokens: ReadonlyArray<Token>): ReadonlyArray<Token> => {
  const inner = trimmed(tokens)
  const begin = inner.findIndex(
    (token, at) => !isLabel(token) && !(at < 3 && isWord(token) && /^\p{Ll}/u.test(token.text) && has(token, "doing"))
  )
  return begin < 0
    ? []
    : trimmed(inner.slice(begin)).filter(
        (token, at, all) =>
          !(
            at === all.length - 1 &&
            isWord(token) &&
            ["a", "at", "for", "por", "de", "para", "is", "es", "e", "sai", "custa", "cuesta", "costs"].includes(
              token.word
            )
          )
      )
}

const periods: ReadonlySet<string> = new Set(["/", "por", "per", "a", "la", "al", "el", "an", "each", "cada"])

/** The unit after a price: "R$ 150 por pessoa". */
const periodBehind = (tokens: ReadonlyArray<Token>): ReadonlyArray<Token> => {
  const [one, two, three] = tokens
  if (one === undefined) return []
  if (one.word === "each" || one.word === "cada") return [one]
  if (two !== undefined && (periods.has(one.word) || one.text === "/") && isWord(two)) {
    if (has(two, "per", "unit")) return [one, two]
    if (three !== undefined && periods.has(two.word) && has(three, "per", "unit")) return [one, two, three]
  }
  return []
}

/** Reads an item with its price, such as "oat scone €3.20" or "Bono 10 sesiones: 320 €". */
const pricedIn = (prompt: string, tokens: ReadonlyArray<Token>): Price | undefined => {
  const moneys = tokens.filter(({ kind }) => kind === "money")
  const last = tokens.at(-1)
  const money =
    moneys.length === 1
      ? moneys[0]
      : moneys.length === 0 &&
          last?.kind === "number" &&
          !last.text.endsWith("%") &&
          /^\d+(?:[.,]\d+)*$/.test(last.text)
        ? last
        : undefined
  if (money === undefined) return undefined
  const at = tokens.indexOf(money)
  const behind = tokens.slice(at + 1)
  const period = periodBehind(behind)
  const rest = trimmed(behind.slice(period.length))
  const name = nameTokens(tokens.slice(0, at))
  const prefix = name.at(-1)
  const hasFrom = prefix !== undefined && ["from", "desde", "partir"].includes(prefix.word)
  const bare = hasFrom
    ? name.slice(0, -1).filter(({ word }, index, all) => !(index === all.length - 1 && word === "a"))
    : name
  if (
    bare.length === 0 ||
    rest.length > 0 ||
    bare.some(({ kind }) => kind !== "word" && kind !== "number" && kind !== "mark" && kind !== "quote")
  )
    return undefined
  if (
    bare.some(({ text }) => /^[;:!?]$/.test(text)) ||
    bare.some((token) => isWord(token) && has(token, "negation", "limit"))
  )
    return undefined
  const text = capitalised(withoutEnd(rawText(prompt, bare), " .,:-–"))
  const sum = rawText(prompt, [...(hasFrom && prefix !== undefined ? [prefix] : []), money, ...period])
  return text.length < 2 || wordsOf(text).length > 9
    ? undefined
    : { name: within(text, 120), price: within(sum, 60), text: "", includes: [] }
}

/** Adds the currency of the existing prices to a bare number. */
const inCurrency = (item: Price, there: PlacedBlock<Block<"Prices">> | undefined): Price | undefined => {
  if (/[^\d.,\s]/.test(item.price)) return item
  const [example] = there?.block.items ?? []
  const number = /\d+(?:[.,]\d+)*/.exec(example?.price ?? "")
  if (example === undefined || number === null) return undefined
  const before = example.price.slice(0, number.index)
  const behind = example.price.slice(number.index + number[0].length)
  return /^(?:R\$|US\$|€|£|\$)\s?$/.test(before) && behind === ""
    ? { ...item, price: before + item.price }
    : /^\s?(?:€|pesos|reais|euros)/.test(behind) && before === ""
      ? { ...item, price: `${item.price}${/^\s?(?:€|pesos|reais|euros)/.exec(behind)?.[0] ?? ""}` }
      : undefined
}

/** Splits quotations that contain a number into their tokens. */
const withoutQuotes = (tokens: ReadonlyArray<Token>): ReadonlyArray<Token> =>
  tokens.flatMap((token) => {
    if (token.kind !== "quote" || !/\d/.test(token.text)) return [token]
    const by = token.start + 1
    return tokensOf(token.text).map((inner) => ({ ...inner, start: inner.start + by, end: inner.end + by }))
  })

/** Splits a clause at commas, "and" and line breaks into items with one price each. */
const pricedParts = (clause: Clause): ReadonlyArray<ReadonlyArray<Token>> => {
  const all = withoutQuotes(clause.tokens.filter((token) => token !== clause.verb))
  const colon = all.findIndex(({ text }) => text === ":")
  const isLabelled =
    colon > 0 &&
    all.slice(0, colon).some((token) => isWord(token) && has(token, "price", "item", "list")) &&
    all.slice(0, colon).every((token) => !hasDigit(token))
  const body = isLabelled ? all.slice(colon + 1) : all
  const sums = body.filter(({ kind }) => kind === "money")
  const moneys = sums.length > 0 ? sums : body.filter(({ kind }) => kind === "number")
  return moneys.length < 2 ? [body] : listedTokens(body)
}

/** True if a clause can add a price. "Put it up to 70" and "the coffee now costs 8" change an existing one. */
const ordersPrice = (clause: Clause): boolean => {
  const isOfOther = says(clause, "field", "form", "question", "quote", "person", "negation")
  const isStep = clause.verb !== undefined && !has(clause.verb, "addonly") && says(clause, "raise", "lower")
  const isStatement = clause.verb === undefined && says(clause, "now", "copula")
  return asks(clause, "add") && !isOfOther && !isStep && !isStatement
}

/** Adds items with prices: "Adicione o item Pão de queijo por R$ 6", "agrega gringas a 45 y volcanes a 28". */
export const addingPrice = (clause: Clause, desk: EditDesk): Outcome | undefined => {
  const { notes, prompt, site } = desk
  if (!ordersPrice(clause)) return undefined
  const placed = withoutPlacement(clause, desk)
  if (placed === undefined) return undefined
  const [there] = blocksOfKind(site, "Prices")
  const sectionEnd = withoutSection(placed.clause, desk, ["Prices", "Features"])
  const items = pricedParts(sectionEnd).map((part) => pricedIn(prompt, part))
  const priced = items.flatMap((item) => {
    const sum = item === undefined ? undefined : inCurrency(item, there)
    return sum === undefined ? [] : [sum]
  })
  if (priced.length === 0 || priced.length !== items.length) return undefined
  const isNumberAlone =
    !withoutQuotes(clause.tokens).some(({ kind }) => kind === "money") &&
    !(there !== undefined && (speaksOf(clause, "price", "item", "list") || clause.verb !== undefined))
  if (isNumberAlone) return undefined
  const duplicate = priced.find(({ name }) => there?.block.items.some((each) => fold(each.name) === fold(name)))
  if (duplicate !== undefined || (there?.block.items.length ?? 0) + priced.length > 24) return undefined
  const title = siteWords[languageOf(site.language)].prices
  const operations = withItems<Block<"Prices">>(
    site,
    there,
    { _tag: "Prices", id: "prices", title, items: priced },
    (block) => {
      const merged = placedItems(block.items, priced, block.id, placed.placement)
      return merged === undefined ? undefined : { ...block, items: merged }
    }
  )
  return operations === undefined
    ? undefined
    : change(
        "addition",
        notes.added(priced.map(({ name }) => name).join(", "), there?.block.title ?? title),
        operations,
        {
          present: priced.flatMap(({ name, price }) => [name, price]),
          topic: priced.at(-1)?.name ?? ""
        }
      )
}

const intoWords: ReadonlySet<string> = new Set(
  "to in into on na no nas nos a as ao aos al en entre among em".split(" ")
)

/** Removes "to the services" at the end of a clause, or "to the menu:" at its beginning. */
const withoutSection = (clause: Clause, { site }: EditDesk, tags: ReadonlyArray<SiteBlock["_tag"]>): Clause => {
  const isOf = (tokens: ReadonlyArray<Token>): boolean => {
    const words = tokens.filter(isContent)
    const named = sectionsNamed(
      site,
      words.map(({ word }) => word)
    )
    return (
      words.length > 0 &&
      words.every(isWord) &&
      (named.some(({ block }) => tags.includes(block._tag)) ||
        words.every((token) => has(token, "list", "service", "price", "section")))
    )
  }
  const { tokens } = clause
  const at = tokens.findLastIndex(({ word }, index) => index > 0 && intoWords.has(word))
  if (at > 0 && isOf(tokens.slice(at + 1))) return withTokens(clause, tokens.slice(0, at))
  const colon = tokens.findIndex(({ text }) => text === ":")
  const lead = tokens.slice(clause.verb === undefined ? 0 : 1, Math.max(0, colon))
  if (colon > 0 && isOf(lead))
    return withTokens(clause, [...tokens.slice(0, clause.verb === undefined ? 0 : 1), ...tokens.slice(colon + 1)])
  return clause
}

/** Parts of web pages that are not services. */
const webParts: ReadonlySet<string> = new Set(
  "map mapa mapas chat chatbot blog logo logos banner banners video videos popup pop-up carousel carrossel carrusel slider countdown contador newsletter cookie cookies analytics favicon menu footer rodape header cabecalho animation animacao animacion search busca buscador login icon icons icone icones icone icono iconos emoji emojis music musica music language languages idioma idiomas version versao cart carrinho carrito checkout payment pagamento pago pagos card cartao tarjeta upload more mais mas less menos some algum alguma algo something anything toque touch bit pouco poco personality energy life vida space espaco espacio white contrast contraste effect efeito efecto pixel tag seo keywords whatever nada tudo everything qr code it them isso this that me him her one top bottom left right patio wave waves live".split(
    " "
  )
)

/** True if a phrase begins like an existing service or price: "Clases de hatha" is a class. */
const isLikeOffer = (words: ReadonlyArray<string>, site: Site): boolean => {
  const [head = ""] = words
  const there = offersOf(site)
  const heads = [
    ...(there?.block.items ?? []).map(({ title }) => contentWords(title)[0] ?? ""),
    ...blocksOfKind(site, "Prices").flatMap(({ block }) => block.items.map(({ name }) => contentWords(name)[0] ?? ""))
  ]
  return head !== "" && heads.some((each) => sameWord(each, head))
}

/** True if a phrase without a section can only be a service of the business. */
const isPlainOffer = (tokens: ReadonlyArray<Token>, site: Site): boolean => {
  const content = tokens.filter(isContent)
  if (
    offersOf(site) === undefined ||
    content.length === 0 ||
    tokens.length > 5 ||
    tokens.some(({ kind }) => kind !== "word")
  )
    return false
  const isPart = content.some(
    (token) =>
      webParts.has(token.word) ||
      colorsNamed(token.word).length > 0 ||
      has(
        token,
        "phone",
        "email",
        "hours",
        "address",
        "link",
        "network",
        "name",
        "headline",
        "text",
        "sentence",
        "price",
        "button",
        "field",
        "form",
        "section",
        "page",
        "picture",
        "question",
        "quote",
        "person",
        "client",
        "look",
        "size",
        "place",
        "negation",
        "limit",
        "only",
        "highlight",
        "anymore"
      )
  )
  const isJoined = tokens.some(({ word }, at) => at > 0 && intoWords.has(word))
  const isPerson = content.length > 1 && content.every(({ text }) => /^\p{Lu}/u.test(text))
  return !isPart && !isPerson && !isJoined
}

const addedServices = (
  names: ReadonlyArray<string>,
  desk: EditDesk,
  placement: Placement | undefined
): Outcome | undefined => {
  const { notes, site } = desk
  const items = names.map((name): Offer => ({ title: within(capitalised(name), 160), text: "" }))
  const there = offersOf(site)
  const duplicate = items.find(({ title }) => there?.block.items.some((each) => fold(each.title) === fold(title)))
  if (duplicate !== undefined) return failure(notes.already(duplicate.title), notes.oneByOne)
  if (items.length === 0 || (there?.block.items.length ?? 0) + items.length > 12) return undefined
  const title = siteWords[languageOf(site.language)].services
  const operations = withItems<Block<"Features">>(
    site,
    there,
    { _tag: "Features", id: "offers", title, text: "", items },
    (block) => {
      const merged = placedItems(block.items, items, block.id, placement)
      return merged === undefined ? undefined : { ...block, items: merged }
    }
  )
  return operations === undefined
    ? undefined
    : change(
        "addition",
        notes.added(items.map((item) => item.title).join(", "), there?.block.title ?? title),
        operations,
        {
          present: items.map((item) => item.title),
          topic: items.at(-1)?.title ?? ""
        }
      )
}

const longestOffer = 90

/** The names that the tokens list. Undefined if one part is not a name. */
const namesOf = (prompt: string, tokens: ReadonlyArray<Token>, isWhole: boolean): ReadonlyArray<string> | undefined => {
  const parts = isWhole ? [trimmed(tokens)] : listedTokens(tokens)
  const names = parts.map((part) =>
    withoutEnd(
      rawText(
        prompt,
        part.filter((token, at) => !(at === 0 && isWord(token) && has(token, "function")))
      ),
      ".;,"
    )
  )
  const isName = (name: string): boolean =>
    name.length >= 3 && name.length <= longestOffer && wordsOf(name).length <= 12 && !/[:;?!]/.test(name)
  return names.length > 0 && names.every(isName) ? names : undefined
}

/** True if the words before a name label it as a service or item: "o serviço de". */
const isLabelledOffer = (lead: ReadonlyArray<Token>): boolean =>
  lead.some((token) => isWord(token) && has(token, "service", "item")) &&
  !lead.some((token) => isWord(token) && has(token, "list") && !has(token, "item"))

const oneOf: ReadonlySet<string> = new Set("um uma a an another una un otra otro outra outro mais".split(" "))

const ordersOffer = (clause: Clause): boolean => {
  const isValued = clause.tokens.some(({ kind }) => ["money", "phone", "email", "url"].includes(kind))
  const isOfOther = says(
    clause,
    "negation",
    "limit",
    "field",
    "form",
    "question",
    "answer",
    "quote",
    "button",
    "headline",
    "sentence"
  )
  return asks(clause, "add") && !isValued && !isOfOther
}

interface OfferWords {
  readonly body: ReadonlyArray<Token>
  readonly name: ReadonlyArray<Token>
  readonly isOne: boolean
  readonly isAlike: boolean
}

/** True if the addition can only be a service, though the clause names no section. */
const isOfferByWords = (clause: Clause, { body, isAlike, isOne, name }: OfferWords, site: Site): boolean =>
  isLabelledOffer(body.slice(0, Math.max(0, body.length - name.length))) ||
  (clause.verb !== undefined && has(clause.verb, "addonly") && isPlainOffer(name, site)) ||
  (isOne && isAlike && !says(clause, "highlight"))

/** Adds services: "Add gutters to the services", "inclua o serviço de poda", "añade una clase de yin yoga". */
export const addingOffer = (clause: Clause, desk: EditDesk): Outcome | undefined => {
  const { prompt, site } = desk
  if (!ordersOffer(clause)) return undefined
  const placed = withoutPlacement(clause, desk)
  if (placed === undefined) return undefined
  const inSection = withoutSection(placed.clause, desk, ["Features"])
  const isPlaced =
    inSection !== placed.clause || placed.placement?.things.some(({ kind }) => kind === "service") === true
  const body = inSection.tokens.filter((token) => token !== clause.verb)
  const name = nameTokens(body)
  const content = name.filter(isContent)
  const [head] = body.filter((token) => isContent(token))
  if (content.some((token) => webParts.has(token.word) || (has(token, "doing") && !has(token, "item"))))
    return undefined
  const isAlike = head !== undefined && isLikeOffer([head.word], site)
  const isOne = oneOf.has(body[0]?.word ?? "")
  const isOffer = isPlaced || isOfferByWords(clause, { body, isAlike, isOne, name }, site)
  const isDated = clause.tokens.some(({ kind }) => kind === "time")
  if (!isOffer || content.length === 0 || (isDated && !isAlike)) return undefined
  const isWhole = isOne && isAlike
  const named = isWhole
    ? trimmed(body).filter((token, at) => !(at === 0 && isWord(token) && has(token, "function")))
    : name
  const names = namesOf(prompt, named, isDated || isWhole)
  return names === undefined ? undefined : addedServices(names, desk, placed.placement)
}

const fresh: ReadonlySet<string> = new Set(
  "agora now ahora tambem also tambien too ja ya passamos comecamos empezamos started".split(" ")
)

/** The verb must be among this many first words of the sentence. */
const farthestVerb = 6

/** Adds a service from a statement: "We now also do loft conversions", "agora fazemos também canal". */
export const offering = (clause: Clause, desk: EditDesk): Outcome | undefined => {
  const { prompt, site } = desk
  const { tokens } = clause
  const at = tokens.findIndex(
    (token, index) => index <= farthestVerb && isWord(token) && has(token, "doing") && !has(token, "function")
  )
  const verb = tokens[at]
  if (verb === undefined || verb === clause.verb || says(clause, "negation")) return undefined
  const lead = tokens.slice(0, at)
  const behind = trimmed(tokens.slice(at + 1))
  const statement = behind.filter(
    (token, index) => !(isWord(token) && fresh.has(token.word) && (index === 0 || index === behind.length - 1))
  )
  const isNew =
    site.questions?.includes("offer") === true ||
    offersOf(site) === undefined ||
    statement.length !== behind.length ||
    lead.some(({ word }) => fresh.has(word)) ||
    fresh.has(tokens[at - 1]?.word ?? "")
  const left = unexplained(withTokens(clause, lead), "subject", "now", "doing", "business", (token) =>
    fresh.has(token.word)
  )
  if (!isNew || left.length > 0 || statement.length === 0) return undefined
  // "We accept cards" and "we serve Santos" are not services.
  if (/^(?:aceit|accept|atend|atiend|acept|serv|ten|tem|have|abr|trabalh|trabaj)/.test(verb.word)) return undefined
  const [first] = statement
  if (
    first !== undefined &&
    ["em", "in", "en", "at", "ate", "until", "hasta", "de", "from", "por", "by", "that", "que"].includes(first.word)
  )
    return undefined
  if (statement.some(({ kind }) => kind !== "word" && kind !== "mark")) return undefined
  const names = namesOf(prompt, statement, false)
  return names === undefined ? undefined : addedServices(names, desk, undefined)
}

/** Adds a feature to a price item: "Add no set-up fee to the Solo plan". */
export const addingIncluded = (clause: Clause, desk: EditDesk): Outcome | undefined => {
  const { notes, prompt, site } = desk
  if (!asks(clause, "add") || clause.verb === undefined || valuesOf(clause, "money").length > 0) return undefined
  const at = clause.tokens.findLastIndex(({ word }, index) => index > 1 && intoWords.has(word))
  if (at < 0) return undefined
  const words = clause.tokens
    .slice(at + 1)
    .filter(isContent)
    .filter((token) => !has(token, "item"))
  const hits = blocksOfKind(site, "Prices").flatMap((placed) =>
    placed.block.items
      .filter(
        ({ name }) =>
          words.length > 0 && words.every(({ word }) => contentWords(name).some((each) => sameWord(each, word)))
      )
      .map((item) => ({ item, placed }))
  )
  const [hit] = hits
  if (hit === undefined || hits.length > 1 || hit.item.includes.length === 0 || hit.item.includes.length >= 12)
    return undefined
  const text = within(capitalised(withoutEnd(rawText(prompt, clause.tokens.slice(1, at)), ".;")), 200)
  if (hit.item.includes.includes(text)) return failure(notes.already(text), notes.oneByOne)
  const items = hit.placed.block.items.map((each) =>
    each === hit.item ? { ...each, includes: [...each.includes, text] } : each
  )
  return change(
    "addition",
    notes.added(text, hit.item.name),
    [replaceBlock(hit.placed, { ...hit.placed.block, items })],
    { present: [text] }
  )
}
