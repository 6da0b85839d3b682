import { languageOf } from "../../Text/Language.ts"
import { fold } from "../../Text/PlainText.ts"
import { priced as priceIn } from "../Material/MaterialPrices.ts"
import { capitalised, itemsIn, keyFor, titled, within, withoutEnd } from "../Material/MaterialText.ts"
import type { Site, SiteBlock } from "../Site.ts"
import type { SiteOperation } from "../SiteOperations.ts"
import { colorsNamed } from "../Writing/ColorWords.ts"
import { siteWords } from "../Writing/SitePhrases.ts"
import { keysOf, placeOn } from "./ChangeAdditions.ts"
import type { ChangeDesk } from "./ChangeDesk.ts"
import { type Block, blocksOfKind, kindNamed, type PlacedBlock } from "./ChangeTargets.ts"
import { replaceBlock } from "./ChangeWords.ts"
import { says } from "./SiteTexts.ts"
import { resolveThings } from "./SiteThings.ts"
import { change, failure, type Outcome, type Reading } from "./WishOutcome.ts"
import { bare, contentOf, sameWord, tokensOf, unexplained, wordsOf } from "./WishTokens.ts"
import { actsOf, doing, isNoun, type Noun, nouns, wordList } from "./WishWords.ts"

const endsInMark = (text: string): string => (/[.!?…”"]$/.test(text) ? text : `${text}.`)

/** Adds the block, or its items to the one of its kind. */
const withList = <B extends Block<"Features"> | Block<"Prices"> | Block<"Quotes"> | Block<"Clients">>(
  site: Site,
  fresh: B,
  merge: (there: B) => B,
  placed: PlacedBlock<B> | undefined
): ReadonlyArray<SiteOperation> | undefined => {
  if (placed !== undefined) return [replaceBlock(placed, merge(placed.block))]
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

const offersOf = (site: Site) => {
  const all = blocksOfKind(site, "Features")
  return all.find(({ block }) => block.id !== "benefits")
}

const addedServices = (names: ReadonlyArray<string>, { notes, site }: ChangeDesk): Outcome | undefined => {
  const items = names
    .map((name) => titled(name))
    .map(({ text, title }) => ({ title: within(title, 160), text: text === "" ? "" : endsInMark(text) }))
  const there = offersOf(site)
  const duplicate = items.find(({ title }) => there?.block.items.some((each) => fold(each.title) === fold(title)))
  if (duplicate !== undefined) return failure(notes.already(duplicate.title), notes.oneByOne)
  if (items.length === 0 || (there?.block.items.length ?? 0) + items.length > 12) return undefined
  const title = siteWords[languageOf(site.language)].services
  const operations = withList<Block<"Features">>(
    site,
    { _tag: "Features", id: "offers", title, text: "", items },
    (block) => ({ ...block, items: [...block.items, ...items] }),
    there
  )
  return operations === undefined
    ? undefined
    : change(notes.added(items.map((item) => item.title).join(", "), there?.block.title ?? title), operations, {
        present: items.map((item) => item.title)
      })
}

const itemNoun =
  /^(?:(?:mais |more |otro |otra )?(?:um |uma |o |a |os |as |the |an? |un |una |el |la |los |las |outro |outra |another )?(?:novo |nova |novos |novas |new |nuevo |nueva |nuevos )?)?(?:servi[çc]os?|services?|servicios?|produtos?|products?|productos?|item|itens|items|pratos?|dish(?:es)?|platos?|op[çc](?:[ãa]o|[õo]es)|options?|opci[óo]n(?:es)?|planos?|plans?)(?:\s(?:de|of|chamado|called|llamado|novo|nuevo|new))?\s*:?\s/i
const toPlace =
  /\s(?:to|in|into|on|na|no|nas|nos|à|às|ao|aos|em|a|al|en|entre|among|como|as)\s((?:(?:o|a|os|as|the|our|el|la|los|las|nossos?|nossas?|nuestros?|nuestras?|list of|lista de|lista dos)\s){0,3}[\p{L}\s]{3,40})$/iu

/** Where a phrase says that something goes: a section of offers or of prices. */
const placeIn = (
  phrase: string,
  site: Site
): { readonly rest: string; readonly tag: SiteBlock["_tag"] } | undefined => {
  const match = toPlace.exec(withoutEnd(phrase, ".;"))
  if (match === null) return undefined
  const words = contentOf(wordsOf(match[1] ?? ""))
  const titles = site.pages.flatMap(({ blocks }) => blocks.filter(({ title }) => title !== ""))
  const named = titles.find(
    (block) =>
      words.length > 0 &&
      words.every(
        (word) => wordsOf(block.title).some((each) => sameWord(each, word)) || isNoun(word, "list", "section")
      ) &&
      words.some((word) => wordsOf(block.title).some((each) => sameWord(each, word)))
  )
  const tag =
    named?._tag ??
    kindNamed(words.join(" ")) ??
    (words.length > 0 && words.every((word) => isNoun(word, "list", "item")) ? "Features" : undefined)
  const isWhole =
    named !== undefined ||
    words.every((word) => isNoun(word, "list", "section", "item", "price") || kindNamed(word) === tag)
  return tag === undefined || !isWhole ? undefined : { rest: phrase.slice(0, match.index), tag }
}

const hasMoney = /(?:R\$|US\$|S\/|€|£|\$)\s?\d|\d\s?(?:€|£|reais|euros?|d[oó]lares|dollars|pounds|pesos)/i

/** "Adicione o item Pão de queijo por R$ 6". */
export const addingPrice = ({ act, object, value }: Reading, desk: ChangeDesk): Outcome | undefined => {
  const { notes, site } = desk
  if (act !== "add") return undefined
  const whole =
    value === undefined
      ? object
      : itemNoun.test(`${object} `) || contentOf(wordsOf(object)).every((word) => isNoun(word, "price", "item", "list"))
        ? value
        : undefined
  if (whole === undefined || !hasMoney.test(whole)) return undefined
  const place = placeIn(whole, site)
  const lines = (place?.rest ?? whole)
    .split("\n")
    .map((line) => line.replace(/^[-*•]\s/, "").trim())
    .filter((line) => line !== "")
  const items = lines.map((line) =>
    priceIn(line.replace(itemNoun, "").replace(/^(?:um|uma|o|a|an?|the|un|una|el|la)\s/i, ""))
  )
  const finding = items.filter((item) => item !== undefined)
  if (
    finding.length !== lines.length ||
    finding.length === 0 ||
    finding.some(({ includes, text }) => text !== "" || includes.length > 0)
  )
    return undefined
  const [there] = blocksOfKind(site, "Prices")
  const duplicate = finding.find(({ name }) => there?.block.items.some((each) => fold(each.name) === fold(name)))
  if (duplicate !== undefined || (there?.block.items.length ?? 0) + finding.length > 24) return undefined
  const title = siteWords[languageOf(site.language)].prices
  const operations = withList<Block<"Prices">>(
    site,
    { _tag: "Prices", id: "prices", title, items: finding },
    (block) => ({ ...block, items: [...block.items, ...finding] }),
    there
  )
  return operations === undefined
    ? undefined
    : change(notes.added(finding.map(({ name }) => name).join(", "), there?.block.title ?? title), operations, {
        present: finding.flatMap(({ name, price }) => [name, price])
      })
}

/** What an item of the site is called by: "Clases de hatha" is a class. */
const isLikeOffer = (phrase: string, site: Site): boolean => {
  const [head = ""] = contentOf(wordsOf(bare(phrase)))
  const there = offersOf(site)
  const priced = blocksOfKind(site, "Prices").flatMap(({ block }) =>
    block.items.flatMap(({ name }) => contentOf(wordsOf(name)))
  )
  const heads = [...(there?.block.items.map(({ title }) => contentOf(wordsOf(title))[0] ?? "") ?? []), ...priced]
  return (
    head !== "" &&
    (heads.some((each) => sameWord(each, head)) ||
      wordsOf(there?.block.title ?? "").some((each) => sameWord(each, head)))
  )
}

/** Parts of web pages that are no offer. */
const webParts = wordList(
  "map mapa mapas chat chatbot blog logo logos banner banners video videos popup pop-up carousel carrossel carrusel slider countdown contador newsletter cookie cookies analytics favicon menu footer rodape header cabecalho animation animacao animacion search busca buscador login icon icons icone icones icono iconos emoji emojis music musica language languages idioma idiomas version versao more mais mas less menos some algum alguma algo something anything toque touch bit pouco poco personality personalidade energy energia life vida space espaco espacio white contrast contraste color cor cores colors effect efeito efecto pixel tag seo keywords whatever nada tudo everything qr code cta it them isso this that me him her one link links top bottom left right size font fonts letter letters texto text"
)

/** Verbs that mean nothing but adding. */
const plainAdding = wordList("adicion* acrescent* inclu* add include anad* agreg* incorpor* sum* offer")

/** "Add emergency appointments" to a site that lists services: a short phrase that names no part of a page. */
const isPlainOffer = (phrase: string, site: Site): boolean => {
  const there = offersOf(site)
  const all = wordsOf(bare(phrase))
  const words = contentOf(all)
  if (
    there === undefined ||
    words.length === 0 ||
    all.length > 5 ||
    /[\d:;?!"“”@/]|\s(?:to|in|on|at|no|na|ao|en|al|em|com|with|con|que|that)\s/i.test(phrase)
  )
    return false
  const isPerson =
    phrase.trim().split(/\s+/).length > 1 &&
    phrase
      .trim()
      .split(/\s+/)
      .every((word) => /^\p{Lu}/u.test(word))
  const isPart = words.some(
    (word) =>
      webParts.has(word) ||
      kindNamed(word) !== undefined ||
      colorsNamed(word).length > 0 ||
      actsOf(word).length > 0 ||
      (Object.keys(nouns) as ReadonlyArray<Noun>).some((noun) => noun !== "item" && isNoun(word, noun))
  )
  return !isPerson && !isPart
}

/** Whether "o serviço: …" or "lista de produtos: …" comes before what is added. */
const isOfferLabel = (object: string): boolean => {
  const words = contentOf(wordsOf(object))
  return (
    words.length > 0 &&
    words.every(
      (word) =>
        isNoun(word, "item", "list", "section") ||
        kindNamed(word) === "Features" ||
        ["novo", "nova", "new", "nuevo", "nueva"].includes(word)
    )
  )
}

const oneOf = /^(?:uma?|mais uma?|an?|another|una?|otr[oa]|outr[oa])\s/i

/** Whether a phrase without a place is of what the site offers. */
const isOfferByItself = (phrase: string, verb: string, site: Site): boolean =>
  (plainAdding.has(verb) && isPlainOffer(phrase, site)) ||
  (oneOf.test(phrase) && !/\s(?:em destaque|highlighted|destacad[oa])/i.test(phrase) && isLikeOffer(phrase, site))

/** "Add gutters to the services", "inclua o serviço de poda", "añade una clase de yin yoga". */
export const addingOffer = ({ act, object, value, verb = "" }: Reading, desk: ChangeDesk): Outcome | undefined => {
  const { site } = desk
  if (act !== "add" || hasMoney.test(`${object} ${value ?? ""}`)) return undefined
  const labelled = value !== undefined && isOfferLabel(object)
  if (value !== undefined && !labelled) return undefined
  const phrase = value ?? object
  const place = placeIn(phrase, site)
  const isNamed =
    labelled || itemNoun.test(phrase) || (place === undefined ? isOfferByItself(phrase, verb, site) : true)
  if (!isNamed || (place !== undefined && place.tag !== "Features")) return undefined
  const names = namesIn(place?.rest ?? phrase, isLikeOffer(phrase, site))
  return names === undefined ? undefined : addedServices(names, desk)
}

const namesIn = (phrase: string, isWhole: boolean): ReadonlyArray<string> | undefined => {
  const plain = bare(phrase.trim().replace(itemNoun, ""))
  const items = isWhole ? [plain] : itemsIn(plain)
  const names = items.map((item) => capitalised(bare(item)))
  return names.length === 0 || names.some((name) => name.length < 3 || name.length > 90 || /[:;?!]/.test(name))
    ? undefined
    : names
}

const also: ReadonlySet<string> = new Set(
  "agora now ahora tambem also tambien too ja ya passamos comecamos empezamos started a".split(" ")
)

/** How far from the beginning of a sentence its verb may be, in words. */
const farthestVerb = 6

/** "We now also do loft conversions", "agora fazemos também canal". */
export const offering = (text: string, desk: ChangeDesk): Outcome | undefined => {
  const plain = withoutEnd(text.trim(), ".!;")
  const tokens = tokensOf(plain)
  const at = tokens.findIndex(({ word }, index) => index <= farthestVerb && doing.has(word))
  const verb = tokens[at]
  if (verb === undefined) return undefined
  const behind = plain.slice(verb.end).trim()
  const rest = behind.replace(/^(?:também|tambem|also|también|tambien|now|agora|ahora|too)\s/i, "")
  const statement = rest.replace(/\s(?:também|tambem|too|as well|también|tambien|agora|now|ahora)$/i, "")
  const lead = [
    ...tokens.slice(0, at).map(({ word }) => word),
    ...wordsOf(behind.slice(0, behind.length - rest.length))
  ]
  const isNew =
    desk.site.questions?.includes("offer") === true || statement !== rest || lead.some((word) => also.has(word))
  const isDenied = lead.some((word) => ["nao", "no", "not", "don't", "longer", "mais", "mas"].includes(word))
  if (!isNew || isDenied || unexplained(lead, (word) => also.has(word) || doing.has(word)).length > 0) return undefined
  if (hasMoney.test(statement) || /\d{1,2}\s?(?:h|am|pm|:)/.test(statement)) return undefined
  const isAccepting = /^(?:aceit|accept|atend|acept)/.test(verb.word)
  if (isAccepting || /^(?:em|in|en|at|até|until|hasta|de|from|por|by)\s/i.test(statement)) return undefined
  const names = namesIn(statement, false)
  if (names === undefined || names.some((name) => /^\d/.test(name))) return undefined
  return addedServices(names, desk)
}

/** "Add no set-up fee to the Solo plan": what an item of the prices includes. */
export const addingIncluded = ({ act, object, value }: Reading, desk: ChangeDesk): Outcome | undefined => {
  const { notes, site } = desk
  if (act !== "add" || value !== undefined || hasMoney.test(object)) return undefined
  const match = /^(.{3,160})\s(?:to|in|into|on|no|na|ao|à|al|en|a)\s(?:o |a |the |el |la )?(.{3,60})$/iu.exec(
    withoutEnd(object.trim(), ".;")
  )
  if (match === null) return undefined
  const finding = resolveThings(site, match[2] ?? "", ({ kind }) => kind === "price")
  const [thing] = finding._tag === "Things" ? finding.things : []
  if (thing === undefined || thing.placed.block._tag !== "Prices") return undefined
  const { block, page } = thing.placed
  const item = block.items[thing.index]
  if (item === undefined || item.includes.length === 0 || item.includes.length >= 12) return undefined
  const text = within(capitalised(bare(match[1] ?? "")), 200)
  if (item.includes.includes(text)) return failure(notes.already(text), notes.oneByOne)
  const items = block.items.map((each) => (each === item ? { ...each, includes: [...each.includes, text] } : each))
  return change(notes.added(text, item.name), [replaceBlock({ block, page }, { ...block, items })], { present: [text] })
}

const quoteShape = /[“"«]([^“”"«»]{3,600})[”"»]/
const ofName =
  /(?:\b(?:de|da|do|del|from|by|of)\s|[—–-]\s*|\b(?:diz|dice|says|said|disse|dijo)\s(?:a |o |la |el )?)((?:(?:Dr|Dra|Sr|Sra|Mr|Mrs|Ms)\.?\s)?\p{Lu}[\p{L}.'’-]*(?:\s(?:d[aeo]s?\s|del\s)?\p{Lu}[\p{L}.'’-]*){0,4})(?:,\s([^:“"«\n]{2,80}))?/u

/** The words of a client with the client's name. */
export const addingQuote = ({ act, object, value }: Reading, desk: ChangeDesk, text: string): Outcome | undefined => {
  const { notes, site } = desk
  if (act !== "add" && act !== "set") return undefined
  const quote = quoteShape.exec(text)
  if (quote === null) return undefined
  const outside = `${text.slice(0, quote.index)} ${text.slice(quote.index + quote[0].length)}`
  const name = ofName.exec(outside)
  if (name?.[1] === undefined) return undefined
  const speaks = wordsOf(outside).some((word) => isNoun(word, "quote")) || desk.lastNoun === "quote"
  if (!speaks) return undefined
  const rest = outside.replace(name[0], " ")
  const left = unexplained(
    wordsOf(rest).slice(1),
    (word) =>
      isNoun(word, "quote", "section", "client") ||
      ["novo", "new", "nuevo", "outro", "otro", "another", "testimonio"].includes(word)
  )
  if (left.length > 0 || (value === undefined && object === "")) return undefined
  const item = {
    words: within(capitalised((quote[1] ?? "").trim()), 600),
    name: within(name[1].trim(), 120),
    role: within(withoutEnd((name[2] ?? "").trim(), ".;:"), 160)
  }
  const [there] = blocksOfKind(site, "Quotes")
  if ((there?.block.items.length ?? 0) >= 6) return undefined
  const title = siteWords[languageOf(site.language)].quotes
  const operations = withList<Block<"Quotes">>(
    site,
    { _tag: "Quotes", id: "quotes", title, items: [item] },
    (block) => ({ ...block, items: [...block.items, item] }),
    there
  )
  return operations === undefined
    ? undefined
    : change(notes.added(`${item.words} (${item.name})`, there?.block.title ?? title), operations, {
        present: [item.words, item.name]
      })
}

const leadIn =
  /^(?:(?:também|tambem|also|también|tambien)\s)?(?:(?:a |o |the |la |el |una? |uma? |an? )?(?:frase|sentence|line|texto|text|linha|informa[çc][ãa]o|informaci[óo]n|info|nota|note|aviso|notice)\s?:?\s?)?(?:(?:dizendo |saying |diciendo |informando )?(?:que|that)\s)?/i

/** A sentence of the owner's: "Adiciona: aceitamos Unimed", "acrescente que atendemos também em Santos". */
export const addingSentence = ({ act, object, value }: Reading, desk: ChangeDesk): Outcome | undefined => {
  const { notes, site } = desk
  if (act !== "add") return undefined
  const isLabelled =
    value !== undefined &&
    contentOf(wordsOf(object)).every(
      (word) => isNoun(word, "sentence", "text") || ["aviso", "notice", "nota", "note", "fato", "fact"].includes(word)
    )
  const behind = object.replace(leadIn, "")
  const isTold = value === undefined && behind !== object
  if (!isLabelled && !isTold) return undefined
  const raw = (isLabelled ? value : behind).trim()
  const place = placeIn(raw, site)
  const plain = (/^[“"«']([^“”"«»]+)[”"»']\.?$/.exec(raw)?.[1] ?? raw).trim()
  if (place !== undefined && plain === raw && place.tag !== "Prose" && place.tag !== "Hero") return undefined
  const statement = place !== undefined && (place.tag === "Prose" || place.tag === "Hero") ? place.rest : plain
  const sentence = endsInMark(capitalised(withoutEnd(statement.trim().replace(/^[“"«']|[”"»']$/g, ""), ".;")))
  if (wordsOf(sentence).length < 2 || sentence.length > 400 || hasMoney.test(sentence)) return undefined
  if (says(site, withoutEnd(sentence, "."))) return failure(notes.already(sentence), notes.oneByOne)
  return change(notes.fact(sentence), sentenceOperations(site, sentence), { present: [withoutEnd(sentence, ".")] })
}

const longestOpening = 400

const sentenceOperations = (site: Site, sentence: string): ReadonlyArray<SiteOperation> => {
  const [prose] = blocksOfKind(site, "Prose")
  if (prose !== undefined)
    return [replaceBlock(prose, { ...prose.block, text: within(`${prose.block.text}\n\n${sentence}`.trim(), 4000) })]
  const [hero] = blocksOfKind(site, "Hero")
  if (hero !== undefined && hero.block.text.length + sentence.length < longestOpening)
    return [replaceBlock(hero, { ...hero.block, text: `${hero.block.text} ${sentence}`.trim() })]
  const [home] = site.pages
  if (home === undefined) return []
  const block: SiteBlock = {
    _tag: "Prose",
    id: keyFor("information", keysOf(site)),
    title: siteWords[languageOf(site.language)].information,
    text: sentence,
    picture: null
  }
  return [{ _tag: "AddBlock", page: home.id, after: placeOn(home), block }]
}
