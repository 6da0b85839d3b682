import { fold } from "../../Text/PlainText.ts"
import type { Site, SiteBlock, SitePage } from "../Site.ts"

export type Block<Tag extends SiteBlock["_tag"]> = Extract<SiteBlock, { readonly _tag: Tag }>

/** A block and the page that it stands on. */
export interface PlacedBlock<B extends SiteBlock = SiteBlock> {
  readonly page: SitePage
  readonly block: B
}

// How owners call the parts of their sites, without accents.
const kinds: ReadonlyArray<readonly [SiteBlock["_tag"], RegExp]> = [
  ["Questions", /\b(?:faq|perguntas?(?: frequentes)?|questions?|preguntas?(?: frecuentes)?|duvidas|dudas)\b/],
  ["Quotes", /\b(?:depoimentos?|testimonials?|testimonios?|avaliacoes|reviews?|resenas|citacoes)\b/],
  [
    "Prices",
    /\b(?:precos?|tabela de precos|planos?|cardapio|prices?|pricing|plans?|menu de precos|price list|precios?|planes|carta|tarifas)\b/
  ],
  ["Clients", /\b(?:clientes?|clients?|customers?|parceiros?|partners?|patrocinadores|sponsors|logos)\b/],
  ["People", /\b(?:equipe|time|team|equipo|palestrantes|speakers|ponentes|profissionais|people)\b/],
  ["Gallery", /\b(?:galeria|gallery|fotos|photos)\b/],
  ["Steps", /\b(?:passos|etapas|steps|pasos|como funciona|how it works|programacao|programme)\b/],
  ["Figures", /\b(?:numeros|figures|estatisticas|statistics|cifras|em numeros|in numbers)\b/],
  ["Form", /\b(?:formularios?|forms?|inscricao|agendamento|booking form|sign-?up form)\b/],
  ["Contact", /\b(?:contatos?|contacts?|contactos?|onde estamos|localizacao|location)\b/],
  ["CallToAction", /\b(?:chamada para acao|chamada final|call to action|cta|faixa|llamada a la accion)\b/],
  ["Records", /\b(?:lista de registros|registros|records|lista publica|public list|mural)\b/],
  ["Prose", /\b(?:sobre(?: nos)?|quem somos|about(?: us)?|quienes somos|nosotros|historia|our story|apresentacao)\b/],
  [
    "Features",
    /\b(?:servicos?|services?|servicios?|produtos?|products?|productos?|recursos|features|funcionalidades|vantagens|beneficios|benefits|ventajas|diferenciais|especialidades|tratamentos|tratamientos|cursos|courses|atividades|actividades|trabalhos|work)\b/
  ],
  ["Hero", /\b(?:abertura|hero|banner|topo|destaque inicial|portada|cabecalho|header|opening)\b/]
]

/** A folded text without the words by which owners call parts of these kinds. */
export const withoutKinds = (folded: string, tags: ReadonlySet<SiteBlock["_tag"]>): string =>
  kinds.reduce(
    (text, [tag, words]) => (tags.has(tag) ? text.replace(new RegExp(words.source, "g"), " ") : text),
    folded
  )

export const allBlocks = (site: Site): ReadonlyArray<PlacedBlock> =>
  site.pages.flatMap((page) => page.blocks.map((block) => ({ page, block })))

export const blocksOfKind = <Tag extends SiteBlock["_tag"]>(
  site: Site,
  tag: Tag
): ReadonlyArray<PlacedBlock<Block<Tag>>> => {
  const is = (block: SiteBlock): block is Block<Tag> => block._tag === tag
  return site.pages.flatMap((page) => page.blocks.filter(is).map((block) => ({ page, block })))
}

/** The kind of block that a text names. */
export const kindNamed = (text: string): SiteBlock["_tag"] | undefined => {
  const folded = fold(text)
  return kinds.find(([, words]) => words.test(folded))?.[0]
}

/** The block that a text names: by its heading, else by its kind. */
export const blockNamed = (site: Site, text: string): PlacedBlock | undefined => {
  const folded = fold(text)
  const byTitle = allBlocks(site)
    .filter(({ block }) => block.title.length > 3 && folded.includes(fold(block.title)))
    .toSorted((one, other) => other.block.title.length - one.block.title.length)[0]
  if (byTitle !== undefined) return byTitle
  const kind = kindNamed(text)
  if (kind === undefined) return undefined
  const benefits = /\b(?:vantagens|beneficios|benefits|ventajas|diferenciais)\b/.test(folded)
  const found = allBlocks(site).filter(({ block }) => block._tag === kind)
  return found.find(({ block }) => (block.id === "benefits") === benefits) ?? found[0]
}

/** The page that a text names by its label or path. */
export const pageNamed = (site: Site, text: string): SitePage | undefined => {
  const folded = fold(text)
  return site.pages
    .filter(({ label }) => label.length > 2 && folded.includes(fold(label)))
    .toSorted((one, other) => other.label.length - one.label.length)[0]
}

/** How a block is called to its owner. */
export const nameOfBlock = (block: SiteBlock): string => (block.title === "" ? block._tag : block.title)
