import { stringsIn } from "../../../Text/PlainText.ts"
import { isForMaker } from "../Audience.ts"
import { briefWordsOf, canMean } from "../BriefWords.ts"
import { saysAllOf } from "../Completeness.ts"
import { phonesIn, tellsAddress } from "../MaterialContacts.ts"
import { isAsk, isPageLabel } from "../MaterialLabels.ts"
import { bareItem, capitalised, endsJoining, isProper, within, withoutEnd } from "../MaterialText.ts"
import { described } from "../Names/BusinessKind.ts"
import { type BriefContext, type BriefRule, endsInMark, type ReadFigure, ruleOf, type Taken } from "./BriefRule.ts"
import { judgedText, mayBeThing, mayNameOffer, namesOffer, withLabel } from "./JudgedText.ts"
import { bareList } from "./OfferRules.ts"
import { quotationsIn } from "./QuoteRules.ts"

const counted =
  /\b(?:(mais de|over|more than|más de|mas de)\s)?(\d[\d.,]{0,9}(?:\s?(?:mil|milhões|million|millones|k\b|%))?\+?)\s(anos|years?|años|clientes|clients|customers|projetos|projects|proyectos|alunos|students|alumnos|empresas|companies|firms|pacientes|patients|unidades|lojas|stores|tiendas|países|countries|paises|cidades|cities|ciudades|profissionais|professionals|profesionales|famílias|families|familias|im[oó]veis|casos|cases|eventos|events|horas|hours|quartos|rooms|habitaciones|obras|toneladas|tons|tonnes|volunt[áa]rios|volunteers|voluntarios|escolas|schools|escuelas|cursos|courses|turmas|refei[çc][õo]es|meals|comidas|[áa]rvores|trees|[áa]rboles|pe[çc]as|produtos|products|productos|membros|members|miembros|lojistas|usu[áa]rios|users|usuarios|downloads|cidad[ãa]os|im[óo]veis|m²)\b([^.,;:()\n]{0,60})/gi
// "Fewer than 200 people" is not a figure to show.
const limits =
  /\b(?:fewer than|less than|up to|at most|até|menos de|no máximo|a partir de|hasta|como máximo|entre|between|ages?|de|from)\s\d/i

const figuresIn = (text: string): ReadonlyArray<ReadFigure> =>
  limits.test(text)
    ? []
    : [...text.matchAll(counted)].map(([, more, value = "", unit = "", rest = ""]) => ({
        value: `${more === undefined ? "" : "+"}${value.trim()}`,
        label: within(bareItem(`${unit}${rest}`), 60)
      }))

/** Shortest and longest sentence that is shown as it is written. */
const shortest = 10
export const longestProse = 420

const joining: ReadonlySet<string> = new Set(
  "a o e um uma the an and is are in at of em de da do en el la un una es y sao con com we re somos nos i m this".split(
    " "
  )
)

/** Whether a text has no words but those of others. */
const saysAgain = (text: string, ...others: ReadonlyArray<string>): boolean => {
  const wordsOfOthers = new Set(others.flatMap(briefWordsOf))
  return briefWordsOf(text).every((word) => wordsOfOthers.has(word) || joining.has(word))
}

/** Whether a sentence says no more than the name and what it is: that is above it already. */
const saysOnly = (text: string, name: string, ...others: ReadonlyArray<string>): boolean => {
  const isNaming = name !== "" && text.includes(name)
  const rest = isNaming ? text.replaceAll(name, " ") : text
  return saysAgain(
    isNaming
      ? briefWordsOf(rest)
          .filter((word) => !canMean(word, "naming", "trade"))
          .join(" ")
      : rest,
    name,
    ...others
  )
}

/** "The shop is called Aurora, in the old mill": what is said behind the clause that only names the business. */
const namedBefore = (text: string, name: string): string | undefined => {
  const [first = "", ...rest] = text.split(/,\s/)
  return name !== "" && rest.length > 0 && first.includes(name) && saysOnly(first, name) ? rest.join(", ") : undefined
}

/** Whether words are said already: the name, or words of what was read. */
const isSaid = (text: string, name: string, facts: BriefContext["facts"]): boolean => {
  const knownWords = new Set(stringsIn([name, facts]).flatMap(briefWordsOf))
  return briefWordsOf(text).every((word) => knownWords.has(word) || joining.has(word) || canMean(word, "chat", "aside"))
}

const textOfQuote = (text: string): string => withoutEnd(text.replace(/^[“"«]/, ""), '”"».')

const fewestWordsOfPage = 3
/** "Page for the Puente academy" orders a page, and "Page" alone is a label of its texts. */
export const isPageOfSomething = (label: string): boolean => label.split(/\s+/).length >= fewestWordsOfPage

const withoutArticle = (text: string): string => text.replace(/^(?:uma?|an?|una?)\s/i, "")

/** "The Copper Kettle: a tea room in York", "Aurora Eventos — weddings": what the business is, behind its name. */
const behindName = (
  { isItem, isOrder, isOwn, label, text }: Parameters<BriefRule["matches"]>[0],
  name: string
): string | undefined => {
  const [before, ...behind] = label === "" && !isItem ? text.split(/\s[—–-]\s/) : [label, text]
  if (!isOwn || isItem || isOrder || name === "" || behind.length === 0 || before?.endsWith(name) !== true)
    return undefined
  return capitalised(withoutArticle(withoutEnd(behind.join(" – "), ".")))
}

const isShortAbout = (about: string): boolean =>
  about.length <= 90 && !/^\p{L}+(?:amos|emos|imos)\s|^we\s/iu.test(about) && saysWhatItIs(about)

const noKind =
  /^(?:fic[ao]|estoy|estamos|est[aá]|somos|soy|sou|i'm|im|is|its|it's|desde|since|abiert[oa]|abert[oa]|when|quando|cuando|chama)(?![\p{L}])|\b(?:chama|called|llama)\b|^\p{L}+[aei]r(?:me|se|-se)\b/iu

/** Whether a text says what the business is: it is no address, no order, no verb, and no cut sentence. */
export const saysWhatItIs = (about: string): boolean =>
  !noKind.test(about) &&
  !isForMaker(about) &&
  !endsJoining(about) &&
  !/\d\s?(?:am|pm|h\b|:\d\d)|\d[.:]\d\d/i.test(about) &&
  !tellsAddress(about) &&
  about.split("(").length === about.split(")").length &&
  (about.match(/\d+/g) ?? []).length < 2

/** Texts between quotation marks that an order wants shown: the words of a button, a slogan, a line of the footer. */
const orderedText = (text: string): { readonly button: string } | { readonly visible: string } | undefined => {
  const [only, ...more] = quotationsIn(text)
  if (only === undefined || more.length > 0) return undefined
  const words = briefWordsOf(text.slice(0, only.from))
  if (words.some((word) => ["botao", "boton", "button"].includes(word)))
    return only.words.length <= 40 ? { button: capitalised(only.words) } : undefined
  const isShown = words.some((word) => canMean(word, "order", "tell", "make") || word === "slogan" || word === "lema")
  return isShown && only.words.split(" ").length >= 3 ? { visible: only.words } : undefined
}

/** "The button says Book a class": what it says where no marks are around it. */
const bareButton =
  /\b(?:[Bb]ot[aã]o|[Bb]ot[oó]n|[Bb]utton)\s(?:should |que |deve |debe )?(?:say|says|diga|dizer|dice|diz)\s(\p{Lu}[\p{L} ]{2,30}?)(?=$|[.,;]|\s(?:and|e|y)\s)/u

/** The first part of an offer is the heading of its page, if nothing else is; what that leaves out is said below it. */
const offerTaken = (offer: string, context: BriefContext): Taken => {
  const [first = ""] = offer.replace(/\s?\([^()]{0,200}\)/g, "").split(/,\s|\.\s/)
  const title = capitalised(bareItem(first))
  const isName = saysAgain(title, context.name, context.about, context.texts.named)
  if (!isName && !mayNameOffer(title, context.language)) return { facts: { unclear: [offer] }, goesOn: true }
  const isFirst = context.about === "" && context.texts.named === ""
  // What the page is for comes before what the business is.
  const texts = isName ? {} : isFirst ? { named: title } : { slogan: title }
  const after = { ...context, texts: { ...context.texts, ...texts } }
  return {
    texts,
    ...(saysAllOf(offer, undefined, after) ? {} : { facts: { prose: [endsInMark(capitalised(offer))] } }),
    goesOn: true
  }
}

export const titleRules: ReadonlyArray<BriefRule> = [
  {
    name: "the slogan",
    matches: ({ kind }) => kind === "slogan",
    take: ({ text }) => ({ texts: { slogan: within(capitalised(textOfQuote(text)), 120) } })
  },
  { name: "the label of the name", matches: ({ kind }) => kind === "name", take: () => ({}) },
  ruleOf(
    "what the business is, behind its name",
    (statement, { name }) => behindName(statement, name),
    (about, _, context) =>
      context.about === "" && context.texts.named === "" && isShortAbout(about) && mayBeThing(about, context.language)
        ? { texts: { named: about } }
        : judgedText(about, context)
  ),
  {
    name: "what a page is for, behind the order to make it",
    matches: ({ isItem, isOwn, kind, label, text }) =>
      isOwn &&
      label !== "" &&
      !isItem &&
      kind !== "questions" &&
      (kind !== "hidden" || isPageOfSomething(label)) &&
      isPageLabel(label) &&
      isAsk(label) &&
      !isForMaker(text) &&
      !/https?:\/\//.test(text),
    take: ({ text }, context) =>
      context.texts.slogan === "" && namesOffer(withoutArticle(withoutEnd(text, ".;")), context.language)
        ? { texts: { slogan: within(capitalised(withoutEnd(text, ".;")), 120) } }
        : judgedText(text, context)
  },
  ruleOf(
    "a text that an order wants shown",
    ({ isDenial, isOrder, label, text }) =>
      isOrder && !isDenial ? orderedText(label === "" ? text : `${label}: ${text}`) : undefined,
    (ordered) =>
      "button" in ordered
        ? { texts: { button: ordered.button }, goesOn: true }
        : { facts: { prose: [endsInMark(capitalised(ordered.visible))] }, goesOn: true }
  ),
  {
    name: "what a page is for, in the order to make it",
    matches: ({ offer }, { name }) => offer !== "" && !saysAgain(offer, name),
    take: ({ offer }, context) => offerTaken(offer, context)
  },
  ruleOf(
    "what the button says",
    ({ isOrder, text }) => (isOrder ? (bareButton.exec(text)?.[1] ?? undefined) : undefined),
    (button) => ({ texts: { button: button.trim() }, goesOn: true })
  )
]

export const proseRules: ReadonlyArray<BriefRule> = [
  {
    name: "what is said to who makes the site",
    matches: ({ isOrder }) => isOrder,
    take: (statement) =>
      statement.isOwn ? { facts: { orders: [{ text: withLabel(statement), isDenial: statement.isDenial }] } } : {}
  },
  {
    name: "numbers that count something",
    matches: ({ text }) => figuresIn(text).length > 0,
    take: ({ text }) => ({ facts: { figures: figuresIn(text) }, goesOn: true })
  },
  {
    name: "the name and what it is, once more",
    matches: ({ text }, { about, name, texts }) => saysOnly(text, name, about, texts.named),
    take: () => ({})
  },
  {
    name: "what the business is called, and what comes behind it",
    matches: ({ isOwn, text }, { name }) => isOwn && namedBefore(text, name) !== undefined,
    take: ({ text }, context) => {
      const behind = namedBefore(text, context.name) ?? ""
      return isProper(behind) ? { facts: { prose: [endsInMark(text)] } } : judgedText(behind, context)
    }
  },
  {
    name: "a place or a person alone",
    matches: ({ isOwn, text }) => isOwn && isProper(text),
    take: ({ text }) => ({ facts: { prose: [endsInMark(text)] } })
  },
  {
    name: "the sentence that introduces the business",
    matches: ({ isOwn, text }, { facts, name }) =>
      isOwn &&
      name !== "" &&
      facts.prose.length === 0 &&
      text.length < 200 &&
      text.startsWith(name) &&
      described.test(text),
    take: ({ text }, context) => judgedText(text, context, true)
  },
  {
    name: "a sentence that is too long to be one",
    matches: ({ isOwn, text }) => isOwn && text.length > longestProse,
    take: ({ text }) => ({ facts: { unclear: [text] } })
  },
  {
    name: "a sentence for visitors",
    matches: ({ isOwn, text }) =>
      text.length >= shortest &&
      text.length <= longestProse &&
      (isOwn || (phonesIn(text).length === 0 && !/https?:\/\//.test(text))),
    take: (statement, context) =>
      statement.isOwn && (bareList(statement.text).length === 0 || !mayBeThing(statement.text, context.language))
        ? judgedText(withLabel(statement), context, statement.isToSay === true)
        : { facts: { prose: [endsInMark(capitalised(statement.text))] } }
  },
  {
    name: "words that are too short to say something",
    matches: ({ isOwn, text }, { facts, name }) => isOwn && !isSaid(text, name, facts),
    take: ({ text }) => ({ facts: { unclear: [text] } })
  }
]
