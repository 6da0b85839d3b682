import { type Language, languageOf } from "../../Text/Language.ts"
import type { UndoneWish } from "../../Text/WishReport.ts"
import { contentWords, stemOf } from "../../Text/WordStems.ts"
import type { ReadMaterial } from "../Material/MaterialReader.ts"
import type { OpenQuestion, Site, SiteBlock } from "../Site.ts"
import type { SiteMaterial } from "./SiteWriter.ts"

type Reason = Pick<UndoneWish, "reason" | "suggestion">

const notMet: { readonly [L in Language]: Reason } = {
  "pt-BR": {
    reason: "O site pode não ter tudo isto.",
    suggestion: "Veja o site, e peça numa mudança o que falta."
  },
  en: {
    reason: "The site may not have all of this.",
    suggestion: "Look at the site, and ask in a change for what is missing."
  },
  es: {
    reason: "El sitio puede no tener todo esto.",
    suggestion: "Vea el sitio, y pida en un cambio lo que falte."
  }
}

const leftOut: { readonly [L in Language]: Reason } = {
  "pt-BR": {
    reason: "Parece dito a quem faz o site, e não aos visitantes: ficou de fora.",
    suggestion: "Se os visitantes devem ler isto, escreva numa mudança: “Acrescente: …”."
  },
  en: {
    reason: "It seems to be said to whoever makes the site, and not to visitors. It was left out.",
    suggestion: "If visitors should read it, write in a change: “Add: …”."
  },
  es: {
    reason: "Parece dicho a quien hace el sitio, y no a los visitantes: quedó fuera.",
    suggestion: "Si los visitantes deben leerlo, escriba en un cambio: “Agregue: …”."
  }
}

const notCertain: { readonly [L in Language]: Reason } = {
  "pt-BR": {
    reason: "Não ficou claro o que os visitantes devem ler disto: ficou de fora.",
    suggestion: "Escreva numa mudança: “Acrescente: …”, com as palavras que os visitantes devem ler."
  },
  en: {
    reason: "It isn't clear what visitors should read of this. It was left out.",
    suggestion: "Write in a change: “Add: …”, with the words that visitors should read."
  },
  es: {
    reason: "No queda claro qué deben leer los visitantes de esto: quedó fuera.",
    suggestion: "Escriba en un cambio: “Agregue: …”, con las palabras que deben leer los visitantes."
  }
}

/** The parts of the material that a site leaves out without a question. */
export interface LeftOut {
  /** Words of the owner that are for no visitor. */
  readonly asides: ReadonlyArray<string>
  /** What the owner wishes of look and structure and the site may not have. */
  readonly unmet: ReadonlyArray<string>
  /** Sentences that were not understood with certainty, and without which the site is true. */
  readonly omitted: ReadonlyArray<string>
}

/** The parts of the material that a site leaves out, as a text for the owner. */
export const leftOutOf = ({ asides, omitted, unmet }: LeftOut, language: string): ReadonlyArray<UndoneWish> => {
  const key = languageOf(language)
  const withReason = (wishes: ReadonlyArray<string>, reason: Reason) => wishes.map((wish) => ({ wish, ...reason }))
  return [
    ...withReason(omitted, notCertain[key]),
    ...withReason(asides, leftOut[key]),
    ...withReason(unmet, notMet[key])
  ]
}

/** Questions that name a sentence of the owner. */
type OfSentence = "unclear" | "fields"
type Texts = { readonly [Q in Exclude<OpenQuestion, OfSentence>]: string } & {
  readonly [Q in OfSentence]: (sentence: string) => string
}

const texts: { readonly [L in Language]: Texts } = {
  "pt-BR": {
    name: "Qual é o nome do negócio? Responda numa mudança, por exemplo: “O nome é Padaria Aurora”.",
    offer: "O que o negócio oferece? Responda numa mudança, por exemplo: “Fazemos pães e bolos”.",
    contact: "Como os clientes entram em contato? Informe numa mudança um telefone, um e-mail ou um endereço.",
    foreign:
      "Partes da descrição estão em outra língua e ficaram de fora. Escreva-as na língua do site, ou responda: “Publique assim”.",
    unclear: (sentence) =>
      `Não está claro o que o site deve dizer disto: “${sentence}”. Escreva numa mudança o que os visitantes devem ler, ou responda: “Publique assim”.`,
    fields: (sentence) =>
      `Não está claro o que o formulário deve pedir: “${sentence}”. Responda numa mudança com a lista toda, por exemplo: “Campos: nome, telefone, e-mail (opcional)”, ou: “Publique assim”.`
  },
  en: {
    name: "What is the business called? Answer with a change, for example: “The business is called Aurora Bakery”.",
    offer: "What does the business offer? Answer with a change, for example: “We make bread and cakes”.",
    contact: "How do customers get in touch? Give a phone number, an e-mail address or a street address in a change.",
    foreign:
      "Parts of the description are in another language and were left out. Write them in the site's language, or answer: “Publish it as it is”.",
    unclear: (sentence) =>
      `It isn't clear what the site should say of this: “${sentence}”. Write in a change what visitors should read, or answer: “Publish it as it is”.`,
    fields: (sentence) =>
      `It isn't clear what the form should ask for: “${sentence}”. Answer with the whole list in a change, for example: “Fields: name, phone, email (optional)”, or: “Publish it as it is”.`
  },
  es: {
    name: "¿Cómo se llama el negocio? Responda con un cambio, por ejemplo: “El nombre es Panadería Aurora”.",
    offer: "¿Qué ofrece el negocio? Responda con un cambio, por ejemplo: “Hacemos panes y tortas”.",
    contact: "¿Cómo se ponen en contacto los clientes? Indique un teléfono, un correo o una dirección en un cambio.",
    foreign:
      "Partes de la descripción están en otro idioma y quedaron fuera. Escríbalas en el idioma del sitio, o responda: “Publíquelo así”.",
    unclear: (sentence) =>
      `No queda claro qué debe decir el sitio de esto: “${sentence}”. Escriba en un cambio lo que deben leer los visitantes, o responda: “Publíquelo así”.`,
    fields: (sentence) =>
      `No queda claro qué debe pedir el formulario: “${sentence}”. Responda en un cambio con la lista completa, por ejemplo: “Campos: nombre, teléfono, correo (opcional)”, o: “Publíquelo así”.`
  }
}

/** The questions as their owner reads them. */
export const questionTexts = (
  { questions = [], unclear = [], unreadFields = [] }: Pick<Site, "questions" | "unclear" | "unreadFields">,
  language: string
): ReadonlyArray<string> => {
  const words = texts[languageOf(language)]
  return questions.flatMap((question) =>
    question === "unclear"
      ? unclear.map(words.unclear)
      : question === "fields"
        ? unreadFields.map(words.fields)
        : [words[question]]
  )
}

const blocksOf = (site: Site): ReadonlyArray<SiteBlock> => site.pages.flatMap(({ blocks }) => blocks)

/** An address alone is no way to ask for something. */
const isReachable = (block: SiteBlock): boolean =>
  block._tag === "Form" ||
  (block._tag === "Contact" && (block.email !== null || block.phone !== null || block.links.length > 0))

const saysSomething = (block: SiteBlock): boolean =>
  (block._tag === "Hero" && block.text !== "") ||
  ["Prose", "Features", "Prices", "Steps", "Questions", "People"].includes(block._tag)

/** Whether the site says what is offered, be it in its heading alone. The heading of a capture page must say it. */
const offersSomething = (
  site: Site,
  { about, name, offers, slogan, statements }: ReadMaterial,
  { type }: SiteMaterial
): boolean => {
  if (about !== "" || slogan !== "" || offers.length > 0) return true
  if (type !== "LeadCapturePage") return blocksOf(site).some(saysSomething) || statements.length > 0
  return blocksOf(site).some(
    (block) => block._tag === "Hero" && statements.some((text) => text.startsWith(block.title)) && block.title !== name
  )
}

/** Whether visitors of a page that collects data cannot see whom to turn to about it. */
const lacksController = (site: Site, { legal, type }: SiteMaterial): boolean =>
  type === "LeadCapturePage" &&
  legal !== undefined &&
  legal.email === null &&
  !blocksOf(site).some((block) => block._tag === "Contact" && (block.email !== null || block.phone !== null))

/** The open questions about a site's material. */
export const questionsOf = (
  site: Site,
  read: ReadMaterial,
  material: SiteMaterial,
  unclear: ReadonlyArray<string>
): ReadonlyArray<OpenQuestion> => [
  ...(read.isNameSure ? [] : (["name"] as const)),
  ...(offersSomething(site, read, material) ? [] : (["offer"] as const)),
  ...(blocksOf(site).some(isReachable) && !lacksController(site, material) ? [] : (["contact"] as const)),
  ...(read.foreign > 0 ? (["foreign"] as const) : []),
  ...(unclear.length > 0 ? (["unclear"] as const) : []),
  ...(read.unreadFields.length > 0 && blocksOf(site).some(({ _tag }) => _tag === "Form") ? (["fields"] as const) : [])
]

/** Share of a sentence's words that its answer has too. */
const sharedWords = 0.5

/** The sentences that a change has not answered: one is, whose words the change has. */
export const stillUnclear = (sentences: ReadonlyArray<string>, prompt: string): ReadonlyArray<string> => {
  const promptWords = new Set(contentWords(prompt).map(stemOf))
  return sentences.filter((sentence) => {
    const words = contentWords(sentence).map(stemOf)
    return words.length === 0 || words.filter((word) => promptWords.has(word)).length < words.length * sharedWords
  })
}

/** What is still open after a change. A name is answered by giving it, though it be the one that was guessed. */
export const stillOpen = (after: Site, answered: ReadonlyArray<OpenQuestion>): ReadonlyArray<OpenQuestion> =>
  (after.questions ?? []).filter((question) => {
    if (answered.includes(question)) return false
    if (question === "offer") return !blocksOf(after).some(saysSomething)
    return question === "contact" ? !blocksOf(after).some(isReachable) : true
  })
