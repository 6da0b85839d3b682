import type { ChartForm } from "./DrawingModel.ts"

/** Words that name a kind of drawing. */
const kindWords = {
  floorPlan:
    /(?<!\p{L})(?:planta baixa|planta (?:d[aeo]s? )?(?:minha |nossa )?(?:casa|loja|cl[ií]nica|consult[oó]rio|escrit[oó]rio)|floor ?plans?|plano de (?:la )?planta|planos? del? (?:mi |la |el |nuestro |nuestra )?(?:local|tienda|casa|piso|oficina|taller|cl[ií]nica|restaurante|bar|estudio|nave|consultorio)|croqui|croquis)(?!\p{L})/iu,
  venn: /(?<!\p{L})venn(?!\p{L})/iu,
  swot: /(?<!\p{L})(?:swot|foda|dafo|fofa)(?!\p{L})/iu,
  gantt: /(?<!\p{L})(?:gantt|cronogramas?|project plan|project schedule|schedule)(?!\p{L})/iu,
  timeline:
    /(?<!\p{L})(?:linha d[eo] tempo|time ?line|l[ií]nea del? tiempo|roadmap|cronolog[ií]a|chronology)(?!\p{L})/iu,
  org: /(?<!\p{L})(?:organogramas?|org(?:ani[sz]ation(?:al)?)? ?charts?|organigramas?|orgchart|who reports to (?:whom|who)|quem (?:responde|se reporta) a quem|qui[eé]n (?:le )?reporta a qui[eé]n)(?!\p{L})/iu,
  branches:
    /(?<!\p{L})(?:mapas? menta(?:l|is)|mind ?maps?|mapas? conceptuale?s?|mapas? conceitua(?:l|is)|[aá]rvore|tree|[aá]rbol)(?!\p{L})/iu,
  table: /(?<!\p{L})(?:tabela|table|tabla|planilha|spreadsheet|cuadro comparativo|quadro comparativo)(?!\p{L})/iu,
  chart:
    /(?<!\p{L})(?:gr[aá]fic[oa]s?|gr[aá]ficos?|(?<!(?:flow|org) )charts?|graph|barras|bars?|funil|funnel|embudo|histograma?|empilhad[oa]s?|apilad[oa]s?|stacked)(?!\p{L})/iu,
  matrix: /(?<!\p{L})(?:matri[zx]|2 ?x ?2|quadrantes?|quadrants?|cuadrantes?)(?!\p{L})/iu,
  flow: /(?<!\p{L})(?:fluxogramas?|flow ?charts?|flow diagrams?|diagramas? de (?:flujo|fluxo|processo|proceso)|flujogramas?)(?!\p{L})/iu
} as const

/** Words that can also be in the data of another kind. */
const weakWords = {
  flow: /(?<!\p{L})(?:fluxo|flujo|process(?:o|os)?|proceso|jornada|journey|pipeline|passos|steps|pasos|etapas|passo a passo|step by step|paso a paso|how (?:an? |the |our )?(?:\p{L}{1,20} ){1,3}works?)(?!\p{L})/iu,
  org: /(?<!\p{L})(?:hierarquia|hierarchy|jerarqu[ií]a|estrutura da (?:empresa|equipe)|team structure)(?!\p{L})/iu
} as const

export type AskedKind = keyof typeof kindWords

const isKind = (name: string): name is AskedKind => Object.hasOwn(kindWords, name)

/** The kind that a text names first. */
const firstOf = (text: string, words: { readonly [name: string]: RegExp }): AskedKind | undefined => {
  let [best, at]: [AskedKind | undefined, number] = [undefined, Number.POSITIVE_INFINITY]
  for (const [name, pattern] of Object.entries(words)) {
    const place = text.search(pattern)
    if (place < 0 || place >= at || !isKind(name)) continue
    best = name
    at = place
  }
  return best
}

const formNames: ReadonlyArray<readonly [string, ChartForm]> = [
  ["pizza|pie|torta|tarta|rosca|donut|dona|pastel|circular|sectores|setores", "pie"],
  ["funil|funnel|embudo", "funnel"],
  ["linhas?|lines?|l[ií]neas?|evolu[cç][aã]o|evolution|evoluci[oó]n|tend[eê]ncia|trend", "line"],
  ["barras? horizonta(?:l|is|les)|horizontal bars?|horizontal|horizontais|ranking", "horizontal"],
  ["barras?|bars?|colunas?|columns?|columnas?", "bar"]
]
const all = formNames.map(([names]) => names).join("|")
/** A form right next to the word for a chart. Elsewhere such words are data, for example a pizza that is sold. */
const named = new RegExp(
  `(?<!\\p{L})(?:gr[aá]fic[oa]s?|charts?|graphs?|diagrama)\\s(?:de |em |en |of |tipo |estilo |com |con |in |as )?(?:uma? |una? |a )?(${all})(?!\\p{L})|(?<!\\p{L})(${all})(?:\\s(?:charts?|graphs?))(?!\\p{L})`,
  "iu"
)
/** The form into which a drawing is changed. */
const into = new RegExp(
  `(?<!\\p{L})(?:em|en|in|as|uma?|una?|an?|para|pra|to|into)\\s(?:uma? |una? |an? |gr[aá]fico de )?(${all})(?!\\p{L})`,
  "iu"
)
const anywhere = new RegExp(
  `(?<!\\p{L})(${all.replace("pizza|pie|torta|tarta|rosca|donut|dona|pastel|circular|sectores|setores|", "circular|")})(?!\\p{L})`,
  "iu"
)
const beginning = new RegExp(`^\\W{0,5}(?:\\p{L}{1,12}\\s){0,2}(${all})(?!\\p{L})`, "iu")

const stacked = /(?<!\p{L})(?:stacked|empilhad[oa]s?|apilad[oa]s?)(?!\p{L})/iu
const lying = /(?<!\p{L})(?:horizonta(?:l|is|les)|ranking)(?!\p{L})/iu

/** The form of chart that a text asks for. */
export const formIn = (text: string): ChartForm | undefined => {
  const word = [named, anywhere, into, beginning]
    .map((pattern) => pattern.exec(text))
    .map((match) => match?.[1] ?? match?.[2])
    .find((match) => match !== undefined)
  if (stacked.test(text)) return "stacked"
  const form =
    word === undefined ? undefined : formNames.find(([names]) => new RegExp(`^(?:${names})$`, "iu").test(word))?.[1]
  return form === "bar" && lying.test(text) ? "horizontal" : form
}

/** The kind of drawing that a text asks for. */
export const kindIn = (text: string): AskedKind | undefined => {
  const kind = firstOf(text, kindWords)
  if (kind !== undefined) return kind
  return formIn(text) !== undefined ? "chart" : firstOf(text, weakWords)
}

/** The end of the first words that name that kind, or -1. */
export const endOfKind = (text: string, kind: AskedKind): number => {
  const patterns = [
    kindWords[kind],
    kind === "flow" || kind === "org" ? weakWords[kind] : undefined,
    kind === "chart" ? named : undefined,
    kind === "chart" ? anywhere : undefined
  ]
  const ends = patterns.flatMap((pattern) => {
    const match = pattern?.exec(text)
    return match === null || match === undefined ? [] : [match.index + match[0].length]
  })
  return ends.length === 0 ? -1 : Math.max(...(kind === "chart" ? ends : [ends[0] ?? -1]))
}
