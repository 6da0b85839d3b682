import { fold } from "../Text/PlainText.ts"

/** The names that people use for kinds of documents. Proposals are missing because they are made for one customer. */
export type DocumentKind =
  | "overview"
  | "catalogue"
  | "prices"
  | "proposal"
  | "contract"
  | "technical"
  | "cases"
  | "certificate"

/** Folded beginnings of words and phrases. A final blank marks a whole word. */
interface DocumentNames {
  /** Each identifies the kind without other words. */
  readonly names: ReadonlyArray<string>
  /** Hints that only identify the kind if the text names no other: "a catalogue with prices" is a catalogue. */
  readonly hints: ReadonlyArray<string>
}

const namesOf: { readonly [K in DocumentKind]: DocumentNames } = {
  overview: {
    names: [
      ...["apresentac", "institucional", "folder ", "folders ", "folheto", "panfleto", "flyer", "dossie"],
      ...[
        "presentation",
        "deck ",
        "decks ",
        "slide",
        "brochure",
        "leaflet",
        "one pager",
        "onepager",
        "company profile"
      ],
      ...["overview", "presentacion", "folleto", "diptico", "triptico", "dosier", "dossier", "perfil da empresa"]
    ],
    hints: [
      ...["pdf", "material", "materiais", "documento", "document ", "documents ", "arquivo", "archivo", "informac"],
      ...["information", "info ", "resumo", "resumen", "summary", "por escrito", "in writing", "detalhe", "details"],
      ...["detalle", "something to read", "algo para ler", "algo para leer", "prospecto"]
    ]
  },
  catalogue: {
    names: [
      ...["catalog", "portfolio", "portifolio", "portafolio", "lista de produto", "linha de produto", "product list"],
      ...["product range", "lista de producto", "linea de producto", "cardapio", "menu "]
    ],
    hints: []
  },
  prices: {
    names: [
      ...[
        "tabela de preco",
        "tabela de valor",
        "tabela com os preco",
        "lista de preco",
        "lista de valor",
        "price list"
      ],
      ...["price sheet", "price table", "price guide", "pricing", "rate card", "lista de precio", "tabla de precio"],
      ...["tarifario", "tarifas", "tabela de plano", "planos e preco", "planes y precio"]
    ],
    hints: ["preco", "precio", "price", "valores ", "tarifa", "rates "]
  },
  proposal: {
    names: [
      ...["proposta", "orcamento", "cotacao", "proposal", "quote ", "quotation", "estimate ", "propuesta"],
      ...["presupuesto", "cotizacion"]
    ],
    hints: []
  },
  contract: {
    names: ["contrato", "minuta", "contract", "agreement", "termos de", "terms of", "terminos"],
    hints: []
  },
  technical: {
    names: [
      ...["ficha tecnica", "fichas tecnicas", "especificac", "manual ", "manuais ", "datasheet", "data sheet"],
      ...["spec sheet", "specification", "tech spec", "technical", "hoja tecnica", "hoja de datos", "laudo tecnico"]
    ],
    hints: []
  },
  cases: {
    names: [
      ...["case ", "cases ", "estudo de caso", "estudos de caso", "casos de", "caso de", "case stud", "success stor"],
      ...["depoimento", "testimonial", "testimonio", "estudio de caso"]
    ],
    hints: []
  },
  certificate: {
    names: ["certifica", "alvara", "certidao", "certidoes", "licenca ", "licence ", "license ", "licencia "],
    hints: []
  }
}

export const documentKinds = [
  "catalogue",
  "prices",
  "overview",
  "technical",
  "cases",
  "certificate",
  "contract",
  "proposal"
] as const satisfies ReadonlyArray<DocumentKind>

/** The kinds of documents that a text names, and whether only hints name them. */
export interface NamedKinds {
  readonly kinds: ReadonlyArray<DocumentKind>
  readonly areHints: boolean
}

const longestRead = 2000

export const kindsIn = (text: string): NamedKinds => {
  const words = ` ${fold(text.slice(0, longestRead)).replace(/[^a-z0-9]+/g, " ")} `
  const has = (names: ReadonlyArray<string>): boolean => names.some((name) => words.includes(` ${name}`))
  const named = documentKinds.filter((kind) => has(namesOf[kind].names))
  if (named.length > 0) return { kinds: named, areHints: false }
  const hinted = documentKinds.filter((kind) => has(namesOf[kind].hints))
  return { kinds: hinted.slice(0, 1), areHints: true }
}
