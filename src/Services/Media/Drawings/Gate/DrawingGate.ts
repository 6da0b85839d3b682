import { fold, stringsIn } from "../../../Text/PlainText.ts"
import { stemOf } from "../../../Text/WordStems.ts"
import { isRemark } from "../DrawingAsk.ts"
import type { AskedKind } from "../DrawingKinds.ts"
import type { DrawingModel } from "../DrawingModel.ts"
import { isAsking, joiningWords, piecesOf, sentenceMarks, splitOutside, tokensOf, wordSet } from "../DrawingWords.ts"
import { type Breaches, type GraphLaw, lawsBroken } from "./DrawingLaws.ts"
import { isSameNumber, type Place, PromptPlaces, type Run } from "./DrawingPlaces.ts"
import { placeBody } from "./DrawingPlacing.ts"

/** Why a drawing may not be shown, and the parts of the prompt or drawing that show it. */
export interface GateBreach {
  readonly reason: "notShown" | "contradicts"
  readonly words: Breaches
}

/** Words that describe a kind, which its lines or positions show instead. */
const structure: { readonly [K in AskedKind]?: ReadonlySet<string> } = {
  org: wordSet(
    "reports report answers works responde respondem reporta reportam reportan depende dependem dependen trabalha trabalham trabajan trabaja dirige lidera manages leads heads coordena coordina " +
      "todo tudo everything everyone todos ele ela eles el ella ellos him her he she them under below embaixo abaixo debaixo debajo abajo bajo baixo fica ficam esta estan estao who runs que cuida soy sou am people pessoas personas " +
      "top topo cima root raiz arriba comanda comandan dele dela deles delas directly diretamente direto le tiene tienen tem tem has have two three four five six dois duas tres quatro cinco dos cuatro cinco seis"
  ),
  chart: wordSet(
    "resto rest restante remaining remainder demas demais same order mesma ordem mismo orden all years anos months meses labels quarters trimestres total"
  ),
  branches: wordSet(
    "centro center centre meio middle medio ramos ramas branches ramo branch tema sobre about under below se divide dividem em en splits split into inside dentro embaixo debajo debaixo abaixo ficam fica have tienen tem tiene has leva inclui incluye includes topics topicos put poe pon bota coloca"
  ),
  table: wordSet("vs versus contra colunas columnas headers with rows filas linhas row"),
  venn: wordSet(
    "tres three dois dos two duas ambos both only solo so somente apenas where they cross over overlap overlaps interseccao intersecao interseccion intersection comum comun common share comparten eles ellos meet que lo what all todos todas left right esquerda direita izquierda derecha first second third primeiro segundo terceiro primer primero segundo tercero onde donde os cruzam cruzan centro center centre meio middle medio escreve escreva escribe write pon put circles circulos"
  ),
  swot: wordSet("swot"),
  flow: wordSet(
    "se si if caso check pergunta pergunto pregunta second first primeiro primero then entao entonces otherwise senao contrario else volta voltar back go goes vuelve volver regresa not isn ai em seguida next decision decisao no nao sim yes step paso passo it it s is casos cases either way dois dos both ambos in despues depois luego"
  ),
  timeline: wordSet("desde from until hasta ate"),
  gantt: wordSet("desde from until hasta ate")
}

/** Words that a map shows as such. */
const mapWords = wordSet("brasil brazil estados states ufs mundo world mundi paises countries")

/** The number of children of each node. */
const degreesOf = (edges: ReadonlyArray<{ readonly from: string }>): ReadonlyArray<number> => {
  const counts = new Map<string, number>()
  for (const { from } of edges) counts.set(from, (counts.get(from) ?? 0) + 1)
  return [...counts.values()]
}

/** The number of drawn things. A prompt that states how many there are names that number. */
const countsOf = ({ body }: DrawingModel): ReadonlySet<number> =>
  new Set([
    ...(body.kind === "graph" ? [body.nodes.length, ...degreesOf(body.edges)] : []),
    ...(body.kind === "venn" ? [body.sets.length] : []),
    ...(body.kind === "grid" ? [body.cells.length] : []),
    ...(body.kind === "table" ? [body.columns.length, body.rows.length, body.columns.length - 1] : []),
    ...(body.kind === "timeline" ? [body.events.length] : []),
    ...(body.kind === "quadrants" ? [2] : [])
  ])

const inlineNumber = /(?:^|\s)\(?(\d{1,2})[.)]\s/g

/** Blanks a part of a text. All positions stay. */
const blanked = (text: string, { from, to }: Run): string =>
  `${text.slice(0, from)}${" ".repeat(to - from)}${text.slice(to)}`

/** Without the numbers that begin the lines of a list, or number its items inside a line. */
const withoutNumbering = (text: string): string => {
  const isCounted = [...text.matchAll(inlineNumber)].every(([, digits], at) => Number(digits) === at + 1)
  const rest = isCounted ? text.replace(inlineNumber, (mark) => " ".repeat(mark.length)) : text
  return rest.replace(/^\s{0,8}\d{1,2}[.)]\s/gm, (mark) => " ".repeat(mark.length))
}

/** Without sentences and clauses that thank or state the purpose. */
const withoutRemarks = (text: string): string => {
  let rest = text
  for (const sentence of piecesOf(text, sentenceMarks)) {
    const clauses = piecesOf(sentence.text, /,(?!\d)/gu)
    const spans = isRemark(sentence.text)
      ? [sentence]
      : clauses
          .filter((clause) => isRemark(clause.text))
          .map((clause) => ({ ...clause, from: sentence.from + clause.from }))
    for (const span of spans) rest = blanked(rest, { from: span.from, to: span.from + span.text.length })
  }
  return rest
}

/** Words that change what the data mean. A sentence with one is not left aside. */
const changing =
  /(?<!\p{L})(?:\p{L}+n['’]t|mil|miles|milhares|milh[oõ]es|millones|thousands?|millions?|double[ds]?|dobro|doble|half|metade|mitad|except|exceto|excepto|menos|minus|without|sem|sin|not|n[aã]o|no|only|s[oó]|apenas|solo|but|mas|pero|same|mesmo|mismo|rest|resto|others?|outr[oa]s?|otr[oa]s?)(?!\p{L})/iu

/** "Don't draw those": a wish that is done if what it names is not drawn. */
const leavingOut =
  /(?<!\p{L})(?:no l[oa]s? (?:pongas?|incluyas?|dibujes?)|n[aã]o (?:os? |as? )?(?:coloca|coloque|p[oõ]e|ponha|inclua|inclui|desenha|desenhe)|don'?t (?:include|add|draw|show|put)|leave (?:it|them|that|those) out|ignore (?:it|them|that|those)|ignor[ae])(?!\p{L})/iu

/** Whether a sentence asks to leave something out. */
export const isLeftOut = (sentence: string): boolean => leavingOut.test(sentence)

const namesDrawn = (sentence: string, model: DrawingModel): boolean => {
  const words = new Set(tokensOf(sentence))
  return labelsIn(model).some((label) => {
    const parts = tokensOf(label)
    return parts.length > 0 && parts.every((word) => words.has(word))
  })
}

const withoutLeftOut = (text: string, model: DrawingModel): string =>
  piecesOf(text, sentenceMarks)
    .filter((sentence) => leavingOut.test(sentence.text) && !namesDrawn(sentence.text, model))
    .reduce((rest, { from, text: sentence }) => blanked(rest, { from, to: from + sentence.length }), text)

const isAside = (sentence: string, model: DrawingModel): boolean =>
  !changing.test(sentence) && !namesDrawn(sentence, model)

const totalSaid = /(?<!\p{L})(?:total|sum|soma|suma)(?!\p{L})[^\n]{0,30}$/iu

/** The stated totals that differ from the sum; the others are understood, and take their place. */
const wrongTotals = (places: PromptPlaces, { body }: DrawingModel): Breaches =>
  places.freeAmounts
    .filter(({ from }) => totalSaid.test(places.text.slice(Math.max(0, from - 40), from)))
    .filter((amount) => {
      if (body.kind !== "chart") return false
      const sums = body.series.map((_, at) => body.rows.reduce((all, { values }) => all + (values[at] ?? 0), 0))
      const whole = sums.reduce((all, sum) => all + sum, 0)
      if (![...sums, whole].some((sum) => isSameNumber(sum, amount.value))) return true
      places.take(amount)
      return false
    })
    .map(({ source }) => source)

/** Takes the words of the title, in their order. Returns those that the prompt lacks. */
const placeTitle = (places: PromptPlaces, title: string): Breaches => {
  const clipped = title.endsWith("…")
  let at = 0
  return splitOutside(clipped ? title.slice(0, Math.max(0, title.lastIndexOf(" "))) : title, /[\s,]+/gu).filter(
    (word) => {
      if (tokensOf(word).length === 0) return false
      const [run] = [...places.runsOf(word, at), ...places.runsOf(word), ...places.runsOf(word, 0, false)]
      if (run === undefined) return true
      if (run.from >= at) at = run.to
      places.take(run)
      return false
    }
  )
}

const colourWords =
  /^(?:azul|azuis|azules|blue|navy|verdes?|green|vermelh[oa]s?|red|roj[oa]s?|amarel[oa]s?|yellow|amarill[oa]s?|laranjas?|orange|naranjas?|rox[oa]s?|purple|morad[oa]s?|rosas?|pink|marrom|brown|marron|pret[oa]s?|black|negr[oa]s?|cinzas?|gr[ae]y|gris(?:es)?|dourad[oa]s?|gold|dorad[oa]s?|turquesas?|teal|escur[oa]|dark|oscur[oa]|marinho|light|clar[oa])$/u

interface Explained {
  readonly kind: AskedKind | undefined
  readonly model: DrawingModel
  /** From the first to the last thing that is drawn. */
  readonly data: Run
  readonly text: string
}

/** Whether a word that is left is understood without being drawn. */
const isExplained = ({ data, kind, model, text }: Explained): ((place: Place) => boolean) => {
  const words = kind === undefined ? undefined : structure[kind]
  const isMap = model.body.kind === "world" || model.body.kind === "states"
  const isColoured = model.body.kind === "chart" && (model.body.colors ?? []).length > 0
  const sentences = piecesOf(text, sentenceMarks)
  const isOutside = ({ from }: Place): boolean => {
    if (from < data.from || from >= data.to) return true
    const sentence = sentences.find((each) => from < each.from + each.text.length) ?? { from: 0, text: "" }
    return sentence.from + sentence.text.length <= data.from || sentence.from >= data.to
  }
  return (place) =>
    joiningWords.has(place.word) ||
    words?.has(place.word) === true ||
    (isAsking(place.word) && isOutside(place)) ||
    (isMap && mapWords.has(place.word)) ||
    (place.word === "no" && model.language === "pt-BR") ||
    (isColoured && colourWords.test(place.word))
}

/** The first cell of a pasted header names the labels below it, which need no other name. */
const takeCorner = (places: PromptPlaces, header: string): void => {
  for (const { from, text: line } of piecesOf(places.text, /\n/g)) {
    const [corner = "", first] = line.split(/[\t|;]/).map((cell) => cell.trim())
    if (header !== "" && first === header) places.take({ from, to: from + line.indexOf(header, corner.length) })
  }
}

/** Words that refer to a drawn label again: "Anna" for "Anna Kowalski". */
const takeReferences = (places: PromptPlaces, model: DrawingModel, kind: AskedKind | undefined): void => {
  const { body } = model
  if (body.kind === "chart") takeCorner(places, body.series[0] ?? "")
  if (body.kind === "chart")
    for (const label of [...body.series, ...body.rows.map((row) => row.label)]) places.takeMentions(label)
  if (body.kind === "graph" || body.kind === "gantt" || body.kind === "quadrants" || body.kind === "venn") {
    const labels = stringsIn(body)
    const isTree = kind === "org" || kind === "branches"
    for (const label of labels) {
      places.takeMentions(label)
      if (isTree) for (const word of tokensOf(label)) places.takeMentions(word)
    }
  }
}

const stemsOf = (model: DrawingModel): ReadonlySet<string> =>
  new Set(stringsIn([model.body]).flatMap(tokensOf).map(stemOf))

const lawOf = (kind: AskedKind | undefined): GraphLaw =>
  kind === "org" ? "tree" : kind === "branches" ? "mindmap" : kind === "flow" ? "flow" : undefined

const labelsIn = ({ body }: DrawingModel): ReadonlyArray<string> =>
  body.kind === "table" || body.kind === "wireframe" || body.kind === "shapes" ? [] : stringsIn(body)

export interface Gated {
  readonly kind: AskedKind | undefined
  /** Sentences that are reported as not done. */
  readonly asides: ReadonlyArray<string>
  /** What the request says that the drawing is about. It is the title, unless the prompt gives another one. */
  readonly topic: string
  /** A formal text names its own kind. */
  readonly isFormal: boolean
}

const bodiesOf: { readonly [K in AskedKind]: ReadonlyArray<DrawingModel["body"]["kind"]> } = {
  chart: ["chart", "world", "states"],
  table: ["table"],
  org: ["graph"],
  branches: ["graph"],
  flow: ["graph"],
  gantt: ["gantt"],
  timeline: ["timeline"],
  venn: ["venn"],
  swot: ["quadrants"],
  matrix: ["quadrants"],
  floorPlan: []
}

/**
 * Compares a drawing with its prompt in both directions. Everything that is drawn is at one place of the prompt, and
 * everything in the prompt is drawn or understood. Undefined if the drawing may be shown.
 */
export const gateBreach = (prompt: string, model: DrawingModel, gated: Gated): GateBreach | undefined => {
  const { asides, isFormal, kind, topic } = gated
  if (!isFormal && kind !== undefined && !bodiesOf[kind].includes(model.body.kind))
    return { reason: "notShown", words: [] }
  const broken = lawsBroken(model, isFormal ? undefined : lawOf(kind), labelsIn(model))
  if (broken.length > 0) return { reason: "contradicts", words: broken }
  const left = asides.filter((aside) => !leavingOut.test(aside) || namesDrawn(aside, model))
  const unclear = left.filter((aside) => !isAside(aside, model))
  if (unclear.length > 0) return { reason: "notShown", words: unclear }
  let text = withoutLeftOut(withoutRemarks(withoutNumbering(prompt)), model)
  for (const aside of asides) {
    const from = text.lastIndexOf(aside)
    if (from >= 0) text = blanked(text, { from, to: from + aside.length })
  }
  const { places, unplaced } = placeBody(PromptPlaces.of(text), model.body)
  if (unplaced.length > 0) return { reason: "notShown", words: unplaced }
  const data = places.span
  takeReferences(places, model, kind)
  const totals = wrongTotals(places, model)
  if (totals.length > 0) return { reason: "contradicts", words: totals }
  const untitled = placeTitle(places, model.title)
  if (untitled.length > 0) return { reason: "notShown", words: untitled }
  placeTitle(places, topic)
  const words = notExplained(prompt, places, { kind, model, data, text })
  return words.length === 0 ? undefined : { reason: "notShown", words }
}

/** The numbers and words of the prompt that are neither drawn nor understood. */
const notExplained = (prompt: string, places: PromptPlaces, explained: Explained): Breaches => {
  const { kind, model } = explained
  const counts = countsOf(model)
  const numbers = places.freeAmounts.filter(({ value }) => !counts.has(value))
  if (numbers.length > 0) return numbers.map(({ source }) => source)
  for (const amount of places.freeAmounts) places.take(amount)
  const explains = isExplained(explained)
  const stems = kind === "org" || kind === "branches" || kind === "chart" ? stemsOf(model) : new Set<string>()
  const left = places.left.filter((place) => !explains(place) && !stems.has(stemOf(place.word)))
  return [...new Set(left.map(({ from, to }) => fold(prompt.slice(from, to))))]
}
