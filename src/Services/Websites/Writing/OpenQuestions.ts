import { type Language, languageOf } from "../../Text/Language.ts"
import type { ReadMaterial } from "../Material/MaterialReader.ts"
import type { OpenQuestion, Site, SiteBlock } from "../Site.ts"

const texts: { readonly [L in Language]: { readonly [Q in OpenQuestion]: string } } = {
  "pt-BR": {
    name: "Qual é o nome do negócio? Responda numa mudança, por exemplo: “O nome é Padaria Aurora”.",
    offer: "O que o negócio oferece? Responda numa mudança, por exemplo: “Fazemos pães e bolos”.",
    contact: "Como os clientes entram em contato? Informe numa mudança um telefone, um e-mail ou um endereço.",
    foreign:
      "Partes da descrição estão em outra língua e ficaram de fora. Escreva-as na língua do site, ou responda: “Publique assim”."
  },
  en: {
    name: "What is the business called? Answer with a change, for example: “The business is called Aurora Bakery”.",
    offer: "What does the business offer? Answer with a change, for example: “We make bread and cakes”.",
    contact: "How do customers get in touch? Give a phone number, an e-mail address or a street address in a change.",
    foreign:
      "Parts of the description are in another language and were left out. Write them in the site's language, or answer: “Publish it as it is”."
  },
  es: {
    name: "¿Cómo se llama el negocio? Responda con un cambio, por ejemplo: “El nombre es Panadería Aurora”.",
    offer: "¿Qué ofrece el negocio? Responda con un cambio, por ejemplo: “Hacemos panes y tortas”.",
    contact: "¿Cómo se ponen en contacto los clientes? Indique un teléfono, un correo o una dirección en un cambio.",
    foreign:
      "Partes de la descripción están en otro idioma y quedaron fuera. Escríbalas en el idioma del sitio, o responda: “Publíquelo así”."
  }
}

/** The questions as their owner reads them. */
export const questionTexts = (
  questions: ReadonlyArray<OpenQuestion> | undefined,
  language: string
): ReadonlyArray<string> => (questions ?? []).map((question) => texts[languageOf(language)][question])

const blocksOf = (site: Site): ReadonlyArray<SiteBlock> => site.pages.flatMap(({ blocks }) => blocks)

const isReachable = (block: SiteBlock): boolean =>
  block._tag === "Form" ||
  (block._tag === "Contact" &&
    (block.email !== null || block.phone !== null || block.address !== null || block.links.length > 0))

const saysSomething = (block: SiteBlock): boolean =>
  (block._tag === "Hero" && block.text !== "") ||
  ["Prose", "Features", "Prices", "Steps", "Questions", "People"].includes(block._tag)

/** What of a site its material leaves open. */
export const questionsOf = (site: Site, read: ReadMaterial): ReadonlyArray<OpenQuestion> => [
  ...(read.isNameSure ? [] : (["name"] as const)),
  ...(blocksOf(site).some(saysSomething) ? [] : (["offer"] as const)),
  ...(blocksOf(site).some(isReachable) ? [] : (["contact"] as const)),
  ...(read.foreign > 0 ? (["foreign"] as const) : [])
]

/** What is still open after a change. A name is answered by giving it, though it be the one that was guessed. */
export const stillOpen = (after: Site, answered: ReadonlyArray<OpenQuestion>): ReadonlyArray<OpenQuestion> =>
  (after.questions ?? []).filter((question) => {
    if (answered.includes(question)) return false
    if (question === "offer") return !blocksOf(after).some(saysSomething)
    return question === "contact" ? !blocksOf(after).some(isReachable) : true
  })
