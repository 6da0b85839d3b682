import { detectLanguage, type Language, languageOf } from "../../Text/Language.ts"
import { clip, fold } from "../../Text/PlainText.ts"
import type { SiteMaterial } from "../Writing/SiteWriter.ts"
import {
  addressIn,
  type Contacts,
  mailIn,
  phonesIn,
  siteLinksIn,
  tellsAccount,
  tellsAddress,
  tellsHours
} from "./MaterialContacts.ts"
import { isAsk, kindOf } from "./MaterialLabels.ts"
import { aboutIn, described, isDoubtful, nameIn } from "./MaterialNames.ts"
import { type PricedItem, priced } from "./MaterialPrices.ts"
import {
  bareItem,
  capitalised,
  itemsIn,
  names,
  type Statement,
  sentencesIn,
  statementsOf,
  titled,
  within,
  withoutEnd
} from "./MaterialText.ts"
import { type Sector, sectorOf } from "./Sectors.ts"

export interface TitledText {
  readonly title: string
  readonly text: string
}

/** What the material says, sorted by what a site does with it. Every text is the material's own. */
export interface ReadMaterial {
  readonly language: Language
  readonly sector: Sector
  /** Empty where nothing names the business. */
  readonly name: string
  /** Whether the name leaves no doubt. */
  readonly isNameSure: boolean
  /** "Law firm in Boston"; empty where nothing says it. */
  readonly about: string
  readonly slogan: string
  /** Sentences for visitors, in their order. */
  readonly statements: ReadonlyArray<string>
  readonly offers: ReadonlyArray<TitledText>
  /** As the material calls them; empty where it does not. */
  readonly offersLabel: string
  readonly benefits: ReadonlyArray<TitledText>
  readonly prices: ReadonlyArray<PricedItem>
  readonly pricesLabel: string
  readonly figures: ReadonlyArray<{ readonly value: string; readonly label: string }>
  readonly quotes: ReadonlyArray<{ readonly words: string; readonly name: string; readonly role: string }>
  readonly clients: ReadonlyArray<string>
  readonly clientsLabel: string
  readonly people: ReadonlyArray<{ readonly name: string; readonly role: string; readonly text: string }>
  readonly steps: ReadonlyArray<TitledText>
  readonly questions: ReadonlyArray<{ readonly question: string; readonly answer: string }>
  readonly contacts: Contacts
  /** Sentences that were left out because they are in another language. */
  readonly foreign: number
  /** What the owner asks for, without accents and in lower case. */
  readonly wishes: string
  /** Of these, what is said to who makes the site, not to its visitors. */
  readonly orders: string
}

const quoted = /[“"«]([^”"»\n]{12,600})[”"»]\s{0,3}[—–-]{1,2}\s{0,3}([^,.(\n”"]{2,80})(?:[,(]\s?([^.)\n;]{2,120}))?/g
/** "They save me every time", says Norma, neighbour. */
const saidBy =
  /[“"«]([^”"»\n]{5,600})[”"»],?\s{1,3}(?:diz|disse|dice|dijo|says|said|cuenta|conta)\s{1,3}(?:a |o |la |el )?(\p{Lu}[^,.(\n”"]{1,60})(?:,\s([^.)\n;]{2,120}))?/gu
const counted =
  /\b(?:(mais de|over|more than|más de|mas de)\s)?(\d[\d.,]{0,9}(?:\s?(?:mil|milhões|million|millones|k\b|%))?\+?)\s(anos|years?|años|clientes|clients|customers|projetos|projects|proyectos|alunos|students|alumnos|empresas|companies|firms|pacientes|patients|unidades|lojas|stores|tiendas|países|countries|paises|cidades|cities|ciudades|profissionais|professionals|profesionales|famílias|families|familias|im[oó]veis|casos|cases|eventos|events|horas|hours|quartos|rooms|habitaciones|obras|toneladas|tons|tonnes|volunt[áa]rios|volunteers|voluntarios|escolas|schools|escuelas|cursos|courses|turmas|refei[çc][õo]es|meals|comidas|[áa]rvores|trees|[áa]rboles|pe[çc]as|produtos|products|productos|membros|members|miembros|lojistas|usu[áa]rios|users|usuarios|downloads|cidad[ãa]os|im[óo]veis|m²)\b([^.,;:()\n]{0,60})/gi
// "Fewer than 200 people" is not a figure to show.
const limits =
  /\b(?:fewer than|less than|up to|at most|até|menos de|no máximo|a partir de|hasta|como máximo|entre|between)\s\d/i

const offering =
  /\b(?:oferecemos|oferece|fazemos|trabalhamos com|prestamos|atuamos (?:com|em)|we offer|we provide|offers|offering|we sell|we make|we do|ofrecemos|ofrece|hacemos|mexemos com|consertamos|atendemos com|reparamos|we fix|we repair|arreglamos|vendemos|mostrar|divulgar|apresentar|mostre|show|present|showcase|mostrar|ofrecer|muestre)\s(?:os |as |the |our |nossos |nossas |los |las |nuestros |nuestras |serviços de |services such as |servicios de )?([^.;\n]{6,300})/i
const sectionWords =
  /^(?:(?:os|as|a|o|the|our|nossos?|nossas?|los|las|el|la|nuestr[oa]s|with|com|con)\s)?(?:servicos?|services?|servicios?|produtos?|products?|productos?|equipe|team|equipo|contatos?|contact(?: form)?|contacto|precos?|prices?|pricing|precios?|planos?|plans|planes|depoimentos?|testimonials?|testimonios|galeria|gallery|fotos|photos|faq|perguntas frequentes|preguntas frecuentes|horarios?(?: de .*)?|opening hours|hours|localizacao|location|ubicacion|mapa|map|sobre(?: nos)?|about(?: us)?|blog|cardapio|menu|formulario.*|form|endereco|address|direccion|clientes|clients|portfolio|trabalhos|numeros|historia|diferenciais|redes sociais|whatsapp|telefone|phone|e-?mail)$/

const isForeignTo = (text: string, language: Language, leastWords = 5): boolean => {
  if (text.split(/\s+/).length < leastWords) return false
  // "e-mail" would count as a Portuguese word.
  const found = detectLanguage(text.replace(/\be-mail/gi, "mail"))
  return found !== undefined && found !== language
}

const published = (text: string): boolean => text.length >= 10 && text.length <= 420

const longestLine = 2000

const linesOf = (texts: ReadonlyArray<string>): ReadonlyArray<string> =>
  texts.flatMap((text) => text.split("\n")).map((line) => clip(line, longestLine))

const unique = <A>(items: ReadonlyArray<A>, keyOf: (item: A) => string, most: number): ReadonlyArray<A> =>
  [...new Map(items.toReversed().map((item) => [fold(keyOf(item)), item])).values()].toReversed().slice(0, most)

const endsInMark = (text: string): string => (/[.!?…”"]$/.test(text) ? text : `${text}.`)

const hoursOfDay = /^(?:ma[nñ]ana|tarde|noche|manh[ãa]|noite|mornings?|afternoons?|evenings?|nights?)s?$/i
const verbs =
  /\b(?:is|are|was|we|you|i|it|that|who|which|has|have|can|sao|esta|estao|tem|temos|somos|fazemos|que|quem|voce|es|son|tiene|tenemos|hacemos|se|nos)\b/
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

/** The items of "Cuts, colouring and braids": a sentence that is a list and nothing else; empty for any other. */
const bareList = (text: string): ReadonlyArray<string> => {
  const bare = withoutEnd(text, ".")
  if (bare.length > 160 || /[:;!?()“”"]/.test(bare)) return []
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

const plainWords = (text: string): ReadonlyArray<string> => fold(text).match(/[\p{L}\d]+/gu) ?? []
const joining: ReadonlySet<string> = new Set(
  "a o e um uma the an and is are in at of em de da do en el la un una es y sao con com we re somos nos i m this".split(
    " "
  )
)

/** Whether a sentence says no more than the name and what it is: that stands above it already. */
const saysOnly = (text: string, ...known: ReadonlyArray<string>): boolean => {
  const said = new Set(known.flatMap(plainWords))
  return plainWords(text).every((word) => said.has(word) || joining.has(word))
}

/** A statement of the material, and what its label says it is. */
interface LabeledStatement extends Statement {
  /** Whether it is from the owner's description, and not from a fact. */
  readonly isOwn: boolean
  readonly kind: ReturnType<typeof kindOf>
}

/** What the statements say so far, sorted. */
interface Sorted {
  readonly language: Language
  readonly name: string
  readonly aboutText: string
  readonly offers: Array<TitledText>
  readonly benefits: Array<TitledText>
  readonly prices: Array<PricedItem>
  readonly figures: Array<ReadMaterial["figures"][number]>
  readonly clients: Array<string>
  readonly people: Array<ReadMaterial["people"][number]>
  readonly steps: Array<TitledText>
  readonly questions: Array<ReadMaterial["questions"][number]>
  readonly prose: Array<string>
  readonly hours: Array<string>
  offersLabel: string
  pricesLabel: string
  clientsLabel: string
  slogan: string
  /** A question whose answer is the next statement. */
  openQuestion: string
  /** What the business is, as the text behind its name says. */
  named: string
  list: { readonly items: ReadonlyArray<string>; readonly text: string } | undefined
  foreign: number
}

/** Sorts a statement if it is of this kind, and returns whether later steps are left out. */
type Step = (sorted: Sorted, statement: LabeledStatement) => boolean

const titledItems = (text: string, isItem: boolean): ReadonlyArray<TitledText> =>
  (isItem ? [text] : itemsIn(text)).map((item) => {
    const { text: more, title } = titled(item)
    return title.length > 90
      ? { title: within(title, 90), text: more }
      : { title, text: more === "" ? "" : endsInMark(more) }
  })

const asSentence = (question: string): string =>
  question.startsWith("¿") ? `¿${capitalised(question.slice(1))}` : capitalised(question)

const answersQuestion: Step = (sorted, { text }) => {
  if (sorted.openQuestion === "") return false
  if (!text.endsWith("?")) {
    sorted.questions.push({ question: asSentence(sorted.openQuestion), answer: text.replace(/^(?:R|A):\s/, "") })
  }
  sorted.openQuestion = ""
  return true
}

const isSlogan: Step = (sorted, { kind, text }) => {
  if (kind !== "slogan") return kind === "name"
  sorted.slogan ||= within(capitalised(withoutEnd(text.replace(/^[“"«]/, ""), '”"».')), 120)
  return true
}

/** "The Copper Kettle: a tea room in York", "Aurora Eventos — weddings": what the business is, behind its name. */
const followsName: Step = (sorted, { isItem, isOwn, label, text }) => {
  const [before, ...behind] = label === "" && !isItem ? text.split(/\s[—–-]\s/) : [label, text]
  const { name } = sorted
  if (!isOwn || isItem || name === "" || behind.length === 0 || before?.endsWith(name) !== true) return false
  const about = capitalised(withoutEnd(behind.join(" – "), ".").replace(/^(?:uma?|an?|una?)\s/i, ""))
  const isShort = about.length <= 90 && !/^\p{L}+(?:amos|emos|imos)\s|^we\s/iu.test(about)
  if (sorted.named === "" && isShort) sorted.named = about
  else sorted.prose.push(endsInMark(about))
  return true
}

/** "A page for teams: a free guide": what the page is for, and what it offers. */
const followsOrder: Step = (sorted, { isItem, isOwn, label, text }) => {
  if (!isOwn || label === "" || isItem || !isAsk(label) || ofQuestions.test(fold(label))) return false
  if (sorted.slogan === "" && text.length >= 8 && !/https?:\/\//.test(text))
    sorted.slogan = within(capitalised(withoutEnd(text, ".;")), 120)
  return true
}

const isQuote: Step = (_, { text }) => {
  const bare = text.replace(quoted, "").replace(saidBy, "").trim()
  return bare !== text && bare.length < 40
}

const isForeignText: Step = (sorted, { isItem, kind, text }) => {
  if (kind === "contact" || kind === "clients" || kind === "people") return false
  if (!isForeignTo(text, sorted.language, isItem || kind !== undefined ? 10 : 5)) return false
  if (!isAsk(text)) sorted.foreign++
  return true
}

const isContact: Step = (sorted, { kind, label, text }) => {
  if (tellsHours(text) || (kind === "contact" && names(label, /horario|hours|funcionamento|atendimento/))) {
    sorted.hours.push(capitalised(withoutEnd(text.replace(/^(?:estamos |we are |we're )/i, ""), ".;")))
  }
  return (
    kind === "contact" || tellsHours(text) || tellsAddress(text) || tellsAccount(text) || mailIn(text) !== undefined
  )
}

const hasPrices: Step = (sorted, { isItem, kind, label, text }) => {
  const items = (isItem ? [text] : itemsIn(text)).map(priced).filter((item) => item !== undefined)
  if (items.length === 0 || isAsk(text)) return false
  if (kind === "prices" && sorted.pricesLabel === "") sorted.pricesLabel = label
  // One item with what it includes, or a list of them.
  const whole = items.length === 1 ? priced(text) : undefined
  sorted.prices.push(...(whole === undefined ? items : [whole]))
  return true
}

/** Figures stay part of their sentence. */
const collectFigures: Step = (sorted, { text }) => {
  for (const [, more, value = "", unit = "", rest = ""] of text.matchAll(counted)) {
    if (sorted.figures.length < 6 && !limits.test(text)) {
      sorted.figures.push({
        value: `${more === undefined ? "" : "+"}${value.trim()}`,
        label: within(bareItem(`${unit}${rest}`), 60)
      })
    }
  }
  return false
}

const personName =
  /^(?:(?:Dr|Dra|Sr|Sra|Mr|Mrs|Ms|Prof|Profa)\.?\s)?\p{Lu}[\p{L}'’.-]*(?:\s(?:d[aeo]s?\s)?\p{Lu}[\p{L}'’.-]*){0,4}$/u

/** "Dana Wu, Ana Lee and Peter Marsh": names and nothing else. */
const namesOfPeople = (text: string): ReadonlyArray<string> => {
  const items = itemsIn(text)
  return items.length > 1 && items.every((item) => personName.test(item)) ? items : []
}

const titledPerson =
  /((?:Dr|Dra|Prof|Profa)\.\s\p{Lu}[\p{L}'’-]*(?:\s(?:d[aeo]s?\s)?\p{Lu}\p{Ll}[\p{L}'’-]*){0,4})(?:,?\s\(?((?:OAB|CRM|CRO|CREA|CRP|CRN|CREFITO|CRC)[\s/-]?[A-Z]{0,2}\s?[\d./-]*\d)\)?)?/gu

/** "Dra. Helena Nogueira OAB/SP 123.456 e Dr. Caio Prado": people with their titles, and nothing else. */
const isTitledPeople: Step = (sorted, { text }) => {
  const found = [...text.matchAll(titledPerson)]
  const rest = text.replace(titledPerson, " ").replace(/[\s,.;]|\b(?:e|y|and)\b/g, "")
  if (found.length === 0 || rest !== "") return false
  sorted.people.push(...found.map(([, name = "", role = ""]) => ({ name, role, text: "" })))
  return true
}

const peopleIn = (text: string, isItem: boolean): ReadonlyArray<ReadMaterial["people"][number]> => {
  const only = namesOfPeople(text)
  if (only.length > 0) return only.map((name) => ({ name, role: "", text: "" }))
  const withRoles = text.replace(/\.$/, "").split(/,\s(?=\p{Lu})|\s(?:and|e|y)\s(?=\p{Lu})/u)
  const inBrackets = withRoles.map((part) => /^([^()]{2,60}?)(?:\s\(([^()]{2,100})\))?$/.exec(part.trim()))
  if (withRoles.length > 1 && inBrackets.every((match) => match !== null && personName.test(match[1] ?? "")))
    return inBrackets.map((match) => ({
      name: match?.[1] ?? "",
      role: within(capitalised(match?.[2] ?? ""), 160),
      text: ""
    }))
  const listed = text.includes(";") ? text.split(/;\s?/) : / [–-] /.test(text) ? itemsIn(text) : [text]
  return (isItem ? [text] : listed).flatMap((person) => {
    const [who = "", ...what] = person.split(/\s[–—-]\s|,\s|:\s|\s\(/)
    const name = bareItem(who)
    const role = bareItem(what[0]?.replace(/\)$/, "") ?? "")
    return /^\p{Lu}/u.test(name) && name.length <= 60
      ? [{ name, role: within(capitalised(role), 160), text: within(what.slice(1).join(", "), 400) }]
      : []
  })
}

const isOfLabel: Step = (sorted, { isItem, kind, label, text }) => {
  switch (kind) {
    case "offers":
    case "prices":
      if (kind === "offers" && sorted.offersLabel === "") sorted.offersLabel = label
      sorted.offers.push(...titledItems(text, isItem))
      return true
    case "benefits":
      sorted.benefits.push(...titledItems(text, isItem))
      return true
    case "steps":
      sorted.steps.push(...titledItems(text, isItem))
      return true
    case "clients":
      if (sorted.clientsLabel === "") sorted.clientsLabel = label
      sorted.clients.push(...itemsIn(text).map((client) => within(client, 120)))
      return true
    case "people":
      sorted.people.push(...peopleIn(text, isItem))
      return true
    default:
      return kind === "figures" || kind === "quotes"
  }
}

const ofQuestions = /^(?:perguntas?|preguntas?|questions?|faqs?|duvidas?|dudas?)\b/

const isQuestion: Step = (sorted, { isOwn, label, text }) => {
  const isAsked = ofQuestions.test(fold(label)) || text.startsWith("¿") || sorted.questions.length > 0
  if (!text.endsWith("?") || (isOwn && !isAsked)) return false
  sorted.openQuestion = text.replace(/^(?:P|Q):\s/, "")
  return true
}

/** Items without a label that says what they are. */
const isListOfOffers: Step = (sorted, { isItem, kind, label, text }) => {
  const listed = label !== "" && !isItem && kind === undefined ? titledItems(text, false) : []
  if (listed.length > 1 && listed.every(({ title }) => title.length <= 60)) {
    sorted.offers.push(...listed)
    if (sorted.offersLabel === "") sorted.offersLabel = label
    return true
  }
  if (!isItem || isAsk(text) || text.length > 200) return false
  sorted.offers.push(...titledItems(text, isItem))
  if (sorted.offersLabel === "" && label !== "" && label.length <= 40) sorted.offersLabel = label
  return true
}

/** "We offer cuts and braids". */
const namesOffers: Step = (sorted, { isOwn, text }) => {
  const offered = offering.exec(text)
  if (offered === null || (!isOwn && sorted.offers.length > 0)) return false
  const items = itemsIn(offered[1] ?? "").filter(
    (item) => !sectionWords.test(fold(item)) && item.length <= 70 && !/^(?:em|en|in|at|no|na|por|de)\s/.test(item)
  )
  if (items.length === 0 || (items.length === 1 && !isAsk(text))) return false
  sorted.offers.push(...items.map((item) => ({ title: capitalised(item), text: "" })))
  return true
}

const isOrderOrRepetition: Step = ({ aboutText, name, named }, { text }) =>
  isAsk(text) || saysOnly(text, name, aboutText, named)

const isProse: Step = (sorted, { isOwn, label, text }) => {
  const { name, prose } = sorted
  const isIntroduction = isOwn && name !== "" && prose.length === 0 && text.length < 200 && text.startsWith(name)
  if (isIntroduction && described.test(text)) prose.push(text)
  else if (published(text) && phonesIn(text).length === 0 && !/https?:\/\//.test(text)) {
    const sentence = endsInMark(capitalised(text))
    const items = isOwn && label === "" && sorted.list === undefined ? bareList(text) : []
    if (items.length > 0) sorted.list = { items, text: sentence }
    prose.push(sentence)
  }
  return true
}

const steps: ReadonlyArray<Step> = [
  (_, { kind }) => kind === "hidden",
  answersQuestion,
  isSlogan,
  followsName,
  followsOrder,
  isQuote,
  isTitledPeople,
  isForeignText,
  isContact,
  hasPrices,
  collectFigures,
  isOfLabel,
  isQuestion,
  isListOfOffers,
  namesOffers,
  isOrderOrRepetition,
  isProse
]

const sortStatements = (
  statements: ReadonlyArray<LabeledStatement>,
  known: Pick<Sorted, "aboutText" | "language" | "name">
): Sorted => {
  const sorted: Sorted = {
    ...known,
    offers: [],
    benefits: [],
    prices: [],
    figures: [],
    clients: [],
    people: [],
    steps: [],
    questions: [],
    prose: [],
    hours: [],
    offersLabel: "",
    pricesLabel: "",
    clientsLabel: "",
    slogan: "",
    openQuestion: "",
    named: "",
    list: undefined,
    foreign: 0
  }
  for (const statement of statements) steps.some((step) => step(sorted, statement))
  return sorted
}

type Fact = SiteMaterial["facts"][number]

/** Every statement of the owner's description and of the facts. */
const labeledStatements = (
  description: string,
  facts: ReadonlyArray<Fact>,
  businessName: string
): ReadonlyArray<LabeledStatement> => {
  const labeled = (text: string, isOwn: boolean) =>
    statementsOf(text).map((each) => ({ ...each, isOwn, kind: each.label === "" ? undefined : kindOf(each.label) }))
  return [
    ...labeled(description, true),
    ...facts
      .filter(({ source, text }) => source !== "faq" && source !== "guidelines" && text !== businessName)
      .flatMap(({ text }) => labeled(text, false))
  ]
}

const addFaq = ({ foreign, language, questions }: Sorted, facts: ReadonlyArray<Fact>): number => {
  let skipped = foreign
  for (const { source, text } of facts) {
    if (source !== "faq") continue
    const [question = "", ...rest] = text.split("\n")
    const answer = rest.join("\n").trim()
    if (isForeignTo(answer, language)) skipped++
    else if (question.trim() !== "" && answer !== "")
      questions.push({ question: within(question.trim(), 300), answer: within(answer, 1500) })
  }
  return skipped
}

const quotesIn = (texts: ReadonlyArray<string>): ReadMaterial["quotes"] =>
  linesOf(texts)
    .flatMap((line) =>
      [...line.matchAll(quoted)]
        .map(([whole, words = "", who = "", role = ""], index, all) => {
          // "M. K., client": a client who does not give more of the name.
          const behind = /^\s?\p{Lu}$/u.test(who) ? line.slice((all[index]?.index ?? 0) + whole.length) : ""
          const [, initials = "", part = ""] =
            /^((?:\.\s?\p{Lu}(?!\p{L})){0,2})\.?(?:,\s([^.)\n;]{2,120}))?/u.exec(behind) ?? []
          return [words, `${who}${initials}`, role || part] as const
        })
        .concat([...line.matchAll(saidBy)].map(([, words = "", who = "", role = ""]) => [words, who, role] as const))
    )
    .map(([words, who, role]) => ({
      words: within(capitalised(words.trim()), 600),
      name: within(bareItem(who), 120),
      role: within(bareItem(role.replace(/\)$/, "")), 160)
    }))

const contactsIn = (texts: ReadonlyArray<string>, hours: ReadonlyArray<string>): Contacts => {
  // The owner's words come before the account's, and those before the web's.
  const first = <A>(find: (text: string) => A | undefined): A | null => {
    for (const text of texts) {
      const value = find(text)
      if (value !== undefined) return value
    }
    return null
  }
  return {
    email: first(mailIn),
    phone: first((text) => phonesIn(text)[0]),
    address: first(addressIn),
    hours: hours.length === 0 ? null : within(unique(hours, (text) => text, 4).join("\n"), 300),
    links: siteLinksIn(texts.join("\n"))
  }
}

/** The owner's orders on how the site is made, which are not shown to visitors. */
const ordersIn = ({ description, guidelines }: SiteMaterial): string =>
  fold(
    [
      ...statementsOf(description).flatMap(({ label, text }) =>
        isAsk(text) || (label !== "" && (kindOf(label) === "hidden" || isAsk(label))) ? [`${label} ${text}`] : []
      ),
      guidelines
    ].join("\n")
  )

/** A sentence that only lists things is the offer if there is no other, and if it is not all that is said. */
const offerFromList = ({ list, offers, prose }: Sorted, statementCount: number): boolean => {
  if (list === undefined || offers.length > 0 || statementCount <= 1) return false
  offers.push(...list.items.map((title) => ({ title, text: "" })))
  prose.splice(prose.indexOf(list.text), 1)
  return true
}

/** Reads all that the material says. Pure: the same material is read the same. */
export const readMaterial = (material: SiteMaterial): ReadMaterial => {
  const language = languageOf(material.language)
  const { description, facts } = material
  // The name and what the business is come at the beginning.
  const opening = clip(description, longestLine)
  const business = facts.filter(({ source }) => source === "business").map(({ text }) => text)
  const [businessName = ""] = business.filter((text) => text.length <= 80 && !/[.!?]\s|\n|https?:|www\./.test(text))
  const name = material.businessName?.trim() || nameIn(opening) || businessName
  const aboutText = aboutIn(opening, name, language)
  const statements = labeledStatements(description, facts, businessName)
  const sorted = sortStatements(statements, { aboutText, language, name })
  const foreign = addFaq(sorted, facts)
  const isOffered = offerFromList(sorted, statements.length)
  const texts = [description, ...facts.filter(({ source }) => source !== "faq").map(({ text }) => text)]
  const [firstSentence = ""] = sentencesIn(
    business.find((text) => text !== businessName && text.length > 20 && !/^https?:/.test(text)) ?? ""
  )
  const isSentenceUsed =
    sorted.prose.length === 0 && !isOffered && firstSentence !== "" && !isForeignTo(firstSentence, language)
  return {
    language,
    sector: sectorOf(`${description}\n${business.join("\n")}`, name),
    name,
    isNameSure: name !== "" && (material.businessName?.trim() === name || name === businessName || !isDoubtful(name)),
    about: aboutText === "" || isForeignTo(aboutText, language) ? sorted.named : aboutText,
    slogan: sorted.slogan,
    statements: unique(isSentenceUsed ? [endsInMark(firstSentence)] : sorted.prose, (text) => text, 24),
    offers: unique(
      sorted.offers.filter(({ title }) => title.length > 1),
      ({ title }) => title,
      12
    ),
    offersLabel: sorted.offersLabel.length <= 40 ? capitalised(sorted.offersLabel) : "",
    benefits: unique(sorted.benefits, ({ title }) => title, 9),
    prices: unique(sorted.prices, ({ name: item }) => item, 24),
    pricesLabel: capitalised(sorted.pricesLabel),
    figures: unique(sorted.figures, ({ label, value }) => `${value} ${label}`, 4),
    quotes: unique(quotesIn(texts), ({ words }) => words, 6),
    clientsLabel: capitalised(sorted.clientsLabel),
    clients: unique(sorted.clients, (client) => client, 24),
    people: unique(sorted.people, ({ name: person }) => person, 12),
    steps: unique(sorted.steps, ({ title }) => title, 8),
    questions: unique(sorted.questions, ({ question }) => question, 12),
    contacts: contactsIn(texts, sorted.hours),
    foreign,
    wishes: fold(`${description}\n${material.guidelines}`),
    orders: ordersIn(material)
  }
}
