import { detectLanguage, type Language, languageOf } from "../../Text/Language.ts"
import { clip, fold } from "../../Text/PlainText.ts"
import type { SiteMaterial } from "../Writing/SiteWriter.ts"
import {
  addressIn,
  type Contacts,
  mailIn,
  phonesIn,
  siteLinksIn,
  tellsAddress,
  tellsHours
} from "./MaterialContacts.ts"
import { isAsk, kindOf } from "./MaterialLabels.ts"
import { aboutIn, described, nameIn } from "./MaterialNames.ts"
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
const counted =
  /\b(?:(mais de|over|more than|más de|mas de)\s)?(\d[\d.,]{0,9}(?:\s?(?:mil|milhões|million|millones|k\b|%))?\+?)\s(anos|years?|años|clientes|clients|customers|projetos|projects|proyectos|alunos|students|alumnos|empresas|companies|firms|pacientes|patients|unidades|lojas|stores|tiendas|países|countries|paises|cidades|cities|ciudades|profissionais|professionals|profesionales|famílias|families|familias|im[oó]veis|casos|cases|eventos|events|horas|hours|quartos|rooms|habitaciones|obras|toneladas|tons|tonnes|volunt[áa]rios|volunteers|voluntarios|escolas|schools|escuelas|cursos|courses|turmas|refei[çc][õo]es|meals|comidas|[áa]rvores|trees|[áa]rboles|pe[çc]as|produtos|products|productos|membros|members|miembros|lojistas|usu[áa]rios|users|usuarios|downloads|cidad[ãa]os|im[óo]veis|m²)\b([^.,;:()\n]{0,60})/gi
// "Fewer than 200 people" is not a figure to show.
const limits =
  /\b(?:fewer than|less than|up to|at most|até|menos de|no máximo|a partir de|hasta|como máximo|entre|between)\s\d/i

const offering =
  /\b(?:oferecemos|oferece|fazemos|vendemos|trabalhamos com|prestamos|atuamos (?:com|em)|we offer|we provide|offers|offering|we sell|we make|we do|ofrecemos|ofrece|hacemos|mostrar|divulgar|apresentar|mostre|show|present|showcase|mostrar|ofrecer|muestre)\s(?:os |as |the |our |nossos |nossas |los |las |nuestros |nuestras |serviços de |services such as |servicios de )?([^.;\n]{6,300})/i
const sectionWords =
  /^(?:(?:os|as|a|o|the|our|nossos?|nossas?|los|las|el|la|nuestr[oa]s|with|com|con)\s)?(?:servicos?|services?|servicios?|produtos?|products?|productos?|equipe|team|equipo|contatos?|contact(?: form)?|contacto|precos?|prices?|pricing|precios?|planos?|plans|planes|depoimentos?|testimonials?|testimonios|galeria|gallery|fotos|photos|faq|perguntas frequentes|preguntas frecuentes|horarios?(?: de .*)?|opening hours|hours|localizacao|location|ubicacion|mapa|map|sobre(?: nos)?|about(?: us)?|blog|cardapio|menu|formulario.*|form|endereco|address|direccion|clientes|clients|portfolio|trabalhos|numeros|historia|diferenciais|redes sociais|whatsapp|telefone|phone|e-?mail)$/

const isForeignTo = (text: string, language: Language, leastWords = 5): boolean => {
  if (text.split(/\s+/).length < leastWords) return false
  // "e-mail" would count as a Portuguese word.
  const found = detectLanguage(text.replace(/\be-mail/gi, "mail"))
  return found !== undefined && found !== language
}

const published = (text: string): boolean => text.length >= 15 && text.length <= 420

const longestLine = 2000

const linesOf = (texts: ReadonlyArray<string>): ReadonlyArray<string> =>
  texts.flatMap((text) => text.split("\n")).map((line) => clip(line, longestLine))

const unique = <A>(items: ReadonlyArray<A>, keyOf: (item: A) => string, most: number): ReadonlyArray<A> =>
  [...new Map(items.toReversed().map((item) => [fold(keyOf(item)), item])).values()].toReversed().slice(0, most)

const endsInMark = (text: string): string => (/[.!?…”"]$/.test(text) ? text : `${text}.`)

const verbs =
  /\b(?:is|are|was|we|you|i|it|that|who|which|has|have|can|sao|esta|estao|tem|temos|somos|fazemos|que|quem|voce|es|son|tiene|tenemos|hacemos|se|nos)\b/
const begins =
  /^(?:de|do|da|dos|das|del|em|en|in|on|at|no|na|nos|nas|of|for|para|por|with|com|con|sem|sin|without|to|ate|hasta|one|an?|uma?|una?|un|the|os|as|el|la|los|las|\d\S*)\s|^\d/
const preposition = /\s(?:para|de|do|da|for|with|com|con|of|to|em|en|in)\s/

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
    items.some(
      (item) => item.length < 3 || item.length > 48 || begins.test(fold(item)) || verbs.test(fold(` ${item} `))
    ) ||
    others.some((item) => /^\p{Lu}\p{Ll}/u.test(item)) ||
    first.split(" ").length > 6
    ? []
    : items.map(capitalised)
}

const plainWords = (text: string): ReadonlyArray<string> => fold(text).match(/[\p{L}\d]+/gu) ?? []
const joining: ReadonlySet<string> = new Set(
  "a o e um uma the an and is are in at of em de da do en el la un una es y sao con com".split(" ")
)

/** Whether a sentence says no more than the name and what it is: that stands above it already. */
const saysOnly = (text: string, ...known: ReadonlyArray<string>): boolean => {
  const said = new Set(known.flatMap(plainWords))
  return plainWords(text).every((word) => said.has(word) || joining.has(word))
}

/** Reads all that the material says. Pure: the same material is read the same. */
export const readMaterial = (material: SiteMaterial): ReadMaterial => {
  const language = languageOf(material.language)
  const { description } = material
  // Its name and what it is stand at the beginning.
  const opening = clip(description, longestLine)
  const business = material.facts.filter(({ source }) => source === "business").map(({ text }) => text)
  const [businessName = ""] = business.filter((text) => text.length <= 80 && !/[.!?]\s|\n|https?:|www\./.test(text))
  const name = material.businessName?.trim() || nameIn(opening) || businessName
  const aboutText = aboutIn(opening, name, language)
  let named = ""
  let list: { readonly items: ReadonlyArray<string>; readonly text: string } | undefined
  const read: ReadonlyArray<Statement & { readonly isOwn: boolean }> = [
    ...statementsOf(description).map((each) => ({ ...each, isOwn: true })),
    ...material.facts
      .filter(({ source, text }) => source !== "faq" && source !== "guidelines" && text !== businessName)
      .flatMap(({ text }) => statementsOf(text).map((each) => ({ ...each, isOwn: false })))
  ]
  const offers: Array<TitledText> = []
  const benefits: Array<TitledText> = []
  const prices: Array<PricedItem> = []
  const figures: Array<ReadMaterial["figures"][number]> = []
  const clients: Array<string> = []
  const people: Array<ReadMaterial["people"][number]> = []
  const steps: Array<TitledText> = []
  const questions: Array<ReadMaterial["questions"][number]> = []
  const prose: Array<string> = []
  const hours: Array<string> = []
  let [offersLabel, pricesLabel, clientsLabel, slogan, foreign, asked] = ["", "", "", "", 0, ""]
  const items = (text: string, isItem: boolean): ReadonlyArray<TitledText> =>
    (isItem ? [text] : itemsIn(text)).map((item) => {
      const { text: more, title } = titled(item)
      return title.length > 90
        ? { title: within(title, 90), text: more }
        : { title, text: more === "" ? "" : endsInMark(more) }
    })

  for (const { isItem, isOwn, label, text } of read) {
    const kind = label === "" ? undefined : kindOf(label)
    if (kind === "hidden") continue
    if (asked !== "") {
      if (!text.endsWith("?")) questions.push({ question: asked, answer: text.replace(/^(?:R|A):\s/, "") })
      asked = ""
      continue
    }
    if (kind === "slogan") {
      slogan = slogan || within(capitalised(withoutEnd(text.replace(/^[“"«]/, ""), '”"».')), 120)
      continue
    }
    if (kind === "name") continue
    // "The Copper Kettle: a tea room in York", "Aurora Eventos — weddings": what it is, behind its name.
    const [dashed, ...behind] = label === "" && !isItem ? text.split(/\s[—–-]\s/) : [label, text]
    if (isOwn && !isItem && name !== "" && dashed !== undefined && behind.length > 0 && dashed.endsWith(name)) {
      const told = capitalised(withoutEnd(behind.join(" – "), ".").replace(/^(?:uma?|an?|una?)\s/i, ""))
      if (named === "" && told.length <= 90 && !/^\p{L}+(?:amos|emos|imos)\s|^we\s/iu.test(told)) named = told
      else prose.push(endsInMark(told))
      continue
    }
    // "A page for teams: a free guide": what it is for, and what it offers.
    if (isOwn && label !== "" && !isItem && isAsk(label)) {
      if (slogan === "" && text.length >= 8) slogan = within(capitalised(withoutEnd(text, ".;")), 120)
      continue
    }
    const bare = text.replace(quoted, "").trim()
    if (bare !== text && bare.length < 40) continue
    if (
      isForeignTo(text, language, isItem || kind !== undefined ? 10 : 5) &&
      !(kind === "contact" || kind === "clients" || kind === "people")
    ) {
      if (!isAsk(text)) foreign++
      continue
    }
    const isPlaceOrTime = tellsHours(text) || tellsAddress(text)
    if (tellsHours(text) || (kind === "contact" && names(label, /horario|hours|funcionamento|atendimento/))) {
      hours.push(capitalised(withoutEnd(text.replace(/^(?:estamos |we are |we're )/i, ""), ".;")))
    }
    if (kind === "contact" || isPlaceOrTime || mailIn(text) !== undefined) continue
    const each = isItem || kind !== undefined ? items(text, isItem) : []
    const withPrice = (isItem ? [text] : itemsIn(text)).map(priced)
    const pricesFound = withPrice.filter((item) => item !== undefined)
    if (pricesFound.length > 0 && !isAsk(text)) {
      if (kind === "prices" && pricesLabel === "") pricesLabel = label
      // One item with what it includes, or a list of them.
      const whole = pricesFound.length === 1 ? priced(text) : undefined
      prices.push(...(whole === undefined ? pricesFound : [whole]))
      continue
    }
    for (const [, more, value = "", unit = "", rest = ""] of text.matchAll(counted)) {
      if (figures.length < 6 && !limits.test(text))
        figures.push({
          value: `${more === undefined ? "" : "+"}${value.trim()}`,
          label: within(bareItem(`${unit}${rest}`), 60)
        })
    }
    switch (kind) {
      case "offers":
      case "prices":
        if (kind === "offers" && offersLabel === "") offersLabel = label
        offers.push(...each)
        continue
      case "benefits":
        benefits.push(...each)
        continue
      case "steps":
        steps.push(...each)
        continue
      case "clients":
        if (clientsLabel === "") clientsLabel = label
        clients.push(...itemsIn(text).map((client) => within(client, 120)))
        continue
      case "people":
        people.push(
          ...(isItem
            ? [text]
            : text.includes(";")
              ? text.split(/;\s?/)
              : / [–-] /.test(text)
                ? itemsIn(text)
                : [text]
          ).flatMap((person) => {
            const [who = "", ...what] = person.split(/\s[–—-]\s|,\s|:\s|\s\(/)
            const cleanWho = bareItem(who)
            const role = bareItem(what[0]?.replace(/\)$/, "") ?? "")
            return /^\p{Lu}/u.test(cleanWho) && cleanWho.length <= 60
              ? [
                  {
                    name: cleanWho,
                    role: within(capitalised(role), 160),
                    text: within(what.slice(1).join(", "), 400)
                  }
                ]
              : []
          })
        )
        continue
      case "figures":
      case "quotes":
        continue
      case "about":
      case undefined:
        break
    }
    if (text.endsWith("?") && !isOwn) {
      asked = text.replace(/^(?:P|Q):\s/, "")
      continue
    }
    const listed = label !== "" && !isItem && kind === undefined ? items(text, false) : []
    if (listed.length > 1 && listed.every(({ title }) => title.length <= 60)) {
      offers.push(...listed)
      if (offersLabel === "") offersLabel = label
      continue
    }
    if (isItem && !isAsk(text) && text.length <= 200) {
      offers.push(...each)
      if (offersLabel === "" && label !== "" && label.length <= 40) offersLabel = label
      continue
    }
    const offered = offering.exec(text)
    if (offered !== null && (isOwn || offers.length === 0)) {
      const found = itemsIn(offered[1] ?? "").filter(
        (item) => !sectionWords.test(fold(item)) && item.length <= 70 && !/^(?:em|en|in|at|no|na|por|de)\s/.test(item)
      )
      if (found.length > 1 || (found.length === 1 && isAsk(text))) {
        offers.push(...found.map((item) => ({ title: capitalised(item), text: "" })))
        continue
      }
    }
    if (isAsk(text) || saysOnly(text, name, aboutText, named)) continue
    if (
      isOwn &&
      name !== "" &&
      prose.length === 0 &&
      text.length < 200 &&
      text.startsWith(name) &&
      described.test(text)
    ) {
      prose.push(text)
      continue
    }
    if (published(text) && phonesIn(text).length === 0 && !/https?:\/\//.test(text)) {
      const told = endsInMark(capitalised(text))
      const listed = isOwn && label === "" && list === undefined ? bareList(text) : []
      if (listed.length > 0) list = { items: listed, text: told }
      prose.push(told)
    }
  }
  for (const { source, text } of material.facts) {
    if (source !== "faq") continue
    const [question = "", ...answer] = text.split("\n")
    const told = answer.join("\n").trim()
    if (isForeignTo(told, language)) foreign++
    else if (question.trim() !== "" && told !== "")
      questions.push({ question: within(question.trim(), 300), answer: within(told, 1500) })
  }
  const everything = [description, ...material.facts.filter(({ source }) => source !== "faq").map(({ text }) => text)]
  const quotes = linesOf(everything)
    .flatMap((line) =>
      [...line.matchAll(quoted)].map(([whole, words = "", who = "", role = ""], index, all) => {
        // "M. K., client": a client who does not give more of the name.
        const behind = /^\s?\p{Lu}$/u.test(who) ? line.slice((all[index]?.index ?? 0) + whole.length) : ""
        const [, initials = "", part = ""] =
          /^((?:\.\s?\p{Lu}(?!\p{L})){0,2})\.?(?:,\s([^.)\n;]{2,120}))?/u.exec(behind) ?? []
        return [words, `${who}${initials}`, role || part] as const
      })
    )
    .map(([words, who, role]) => ({
      words: within(capitalised(words.trim()), 600),
      name: within(bareItem(who), 120),
      role: within(bareItem(role.replace(/\)$/, "")), 160)
    }))
  // Wherever it stands first: the owner's words before the account's, those before the web's.
  const first = <A>(find: (text: string) => A | undefined): A | null => {
    for (const text of everything) {
      const found = find(text)
      if (found !== undefined) return found
    }
    return null
  }
  const wishes = fold(`${description}\n${material.guidelines}`)
  const [firstSentence = ""] = sentencesIn(
    business.find((text) => text !== businessName && text.length > 20 && !/^https?:/.test(text)) ?? ""
  )
  const sector = sectorOf(`${description}\n${business.join("\n")}`, name)
  // A sentence that only lists things is what is offered, where nothing else is and it is not all that is said.
  const isOffered = list !== undefined && offers.length === 0 && read.length > 1
  if (list !== undefined && isOffered) {
    offers.push(...list.items.map((title) => ({ title, text: "" })))
    prose.splice(prose.indexOf(list.text), 1)
  }
  const about = aboutText === "" || isForeignTo(aboutText, language) ? named : aboutText
  return {
    language,
    sector,
    name,
    about,
    slogan,
    statements: unique(
      prose.length === 0 && !isOffered && firstSentence !== "" && !isForeignTo(firstSentence, language)
        ? [endsInMark(firstSentence)]
        : prose,
      (text) => text,
      24
    ),
    offers: unique(
      offers.filter(({ title }) => title.length > 1),
      ({ title }) => title,
      12
    ),
    offersLabel: offersLabel.length <= 40 ? capitalised(offersLabel) : "",
    benefits: unique(benefits, ({ title }) => title, 9),
    prices: unique(prices, ({ name: item }) => item, 24),
    pricesLabel: capitalised(pricesLabel),
    figures: unique(figures, ({ label, value }) => `${value} ${label}`, 4),
    quotes: unique(quotes, ({ words }) => words, 6),
    clientsLabel: capitalised(clientsLabel),
    clients: unique(clients, (client) => client, 24),
    people: unique(people, ({ name: person }) => person, 12),
    steps: unique(steps, ({ title }) => title, 8),
    questions: unique(questions, ({ question }) => question, 12),
    contacts: {
      email: first(mailIn),
      phone: first((text) => phonesIn(text)[0]),
      address: first(addressIn),
      hours: hours.length === 0 ? null : within(unique(hours, (text) => text, 4).join("\n"), 300),
      links: siteLinksIn(everything.join("\n"))
    },
    foreign,
    wishes,
    orders: fold(
      [
        ...statementsOf(description).flatMap(({ label, text }) =>
          isAsk(text) || (label !== "" && (kindOf(label) === "hidden" || isAsk(label))) ? [`${label} ${text}`] : []
        ),
        material.guidelines
      ].join("\n")
    )
  }
}
