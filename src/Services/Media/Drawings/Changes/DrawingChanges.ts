import { stringsIn } from "../../../Text/PlainText.ts"
import { stemOf } from "../../../Text/WordStems.ts"
import { formIn } from "../DrawingKinds.ts"
import type { DrawingModel } from "../DrawingModel.ts"
import { amountsIn, isAsking, piecesOf, sentenceMarks, tokensOf } from "../DrawingWords.ts"
import { type GraphLaw, lawsBroken } from "../Gate/DrawingLaws.ts"
import { labelsOf, mentions } from "../Readers/DrawingItems.ts"
import type { DrawingReading } from "../Readers/DrawingReading.ts"
import { editDrawing } from "./DrawingEdits.ts"
import { waysOfNumbers } from "./DrawingNumberWishes.ts"
import { type Changed, waysOfWords } from "./DrawingWishes.ts"

type Body = DrawingModel["body"]

const wordSet = (list: string): ReadonlySet<string> => new Set(list.split(" "))

// Words that ask for a change, folded. The new content is not part of them.
const changeWords = wordSet(
  "adicione adiciona adicionar acrescente acrescenta acrescentar inclua inclui incluir add append insert agregue agrega agregar anade anada ponha poe pon ponle ponele poner coloque coloca coloquei bota put " +
    "remova remove tire tira retire retira exclua exclui apague apaga delete deleta drop take out quite quita quitale quitele elimine elimina borre borra saca saque sacale cut get rid of lose corta without sem sin " +
    "mude muda altere altera troque troca change update set make turn cambie cambia atualize actualice substitua substitui replace rename renomeie renombra corrija corrige correct fix sobe suba sube baixa baja raise lower " +
    "era eram was were foi foram fue fueron should be deve debe ser nao no not instead vez lugar mesmo mismo same valor value embaixo abaixo debaixo debajo abajo sob under below bajo " +
    "left saiu salio ela ele she he they nos we se inverta inverte swap intercambia intercambie two duas dos both it isso isto eso tambem also too agora ahora now faca deixa deixe para pra pro to row item barra fatia slice fila linea linha pinta pinte pintar paint color colour cor cores so solo only apenas somente sale salga saia verde " +
    "ordena ordene ordenar sort order maior menor mayor highest lowest largest smallest first last ultimo ultima final fim end bottom top primeiro primeira primero sorry desculpa perdon really realmente agregame sumale suma sumar " +
    "pasa passa depende depender reporta responde responder reports report chama llama apellida titulo title vai va van until ate hasta acaba acaban termina terminan retrasan retrasa atrasou atrasa late running runs slip slips by its lo del em en in as al ya esta trabalha trabaja mais longer works direto con com entrou s t re ll day days dia dias week weeks semana semanas number numero step passo paso event evento tarefa task tarea"
)

/** The texts that are only in one of the two, or more often. */
const differing = (before: ReadonlyArray<string>, after: ReadonlyArray<string>): ReadonlyArray<string> => {
  const counts = new Map<string, number>()
  for (const text of before) counts.set(text, (counts.get(text) ?? 0) + 1)
  for (const text of after) counts.set(text, (counts.get(text) ?? 0) - 1)
  return [...counts].filter(([, count]) => count !== 0).map(([text]) => text)
}

const everyText = (body: Body): ReadonlyArray<string> => {
  const numbers = JSON.stringify(body).match(/(?<=[[,:])-?\d+(?:\.\d+)?(?=[\],}])/g) ?? []
  return [...stringsIn(body), ...numbers]
}

const isUnchanged = (before: DrawingModel, after: DrawingModel): boolean =>
  JSON.stringify([before.title, before.body]) === JSON.stringify([after.title, after.body])

const colourWords =
  /(?<!\p{L})(?:azul|azuis|azules|blue|navy|verdes?|green|vermelh[oa]s?|red|roj[oa]s?|amarel[oa]s?|yellow|amarill[oa]s?|laranjas?|orange|naranjas?|rox[oa]s?|purple|morad[oa]s?|rosas?|pink|marrom|brown|marr[oó]n|pret[oa]s?|black|negr[oa]s?|cinzas?|gr[ae]y|gris(?:es)?|dourad[oa]s?|gold|dorad[oa]s?|turquesas?|teal|escur[oa]|dark|oscur[oa]|marinho)(?!\p{L})/giu

/** The words of a change request that the changed drawing does not explain. */
const unaccounted = (raw: string, before: DrawingModel, { model: after, named }: Changed): ReadonlyArray<string> => {
  const colours = (body: Body) => (body.kind === "chart" ? JSON.stringify(body.colors) : undefined)
  const prompt = colours(before.body) === colours(after.body) ? raw : raw.replace(colourWords, " ")
  const texts = [...differing(everyText(before.body), everyText(after.body)), ...named]
  if (before.title !== after.title) texts.push(before.title, after.title)
  const textWords = new Set([...texts, before.title].flatMap(tokensOf))
  const stems = new Set([...textWords].map(stemOf))
  const numbers = new Set(texts.flatMap((text) => amountsIn(text).map(({ value }) => value)))
  const amounts = amountsIn(prompt).filter(({ value }) => !numbers.has(value))
  const rest = amountsIn(prompt)
    .toReversed()
    .reduce((text, { from, to }) => `${text.slice(0, from)} ${text.slice(to)}`, prompt)
  return [
    ...amounts.map((amount) => amount.source),
    ...tokensOf(rest).filter(
      (word) => !isAsking(word) && !changeWords.has(word) && !textWords.has(word) && !stems.has(stemOf(word))
    )
  ]
}

const removing = /(?<!\p{L})(?:remov|tir|retir|delete|drop|take|quit|elimin|borr|sac|exclu|apag)\p{L}*/iu

const valuesOf = (body: Body): string =>
  body.kind === "chart" ? JSON.stringify(body.rows.map(({ values }) => values)) : ""

/** Other changes, given by quotation marks, arrows and the like, if they cannot be data. */
const otherwise = (model: DrawingModel, text: string): DrawingModel => {
  const { kind } = model.body
  const isRead =
    kind === "timeline" || kind === "gantt" || kind === "table" || (kind === "graph" && removing.test(text))
  if (isRead) return model
  const after = editDrawing(model, text)
  return valuesOf(model.body) === valuesOf(after.body) ? after : model
}

/** Whether the chart has the form that the wish names, if it names one. */
const hasForm = ({ body }: DrawingModel, text: string): boolean => {
  const form = formIn(text.replace(/\s(?:em vez de|en vez de|en lugar de|instead of|no lugar de)\s.{1,40}$/iu, ""))
  if (body.kind !== "chart" || form === undefined || body.form === form) return true
  // "Paint the bars green" refers to the existing bars.
  return (
    labelsOf(body).some((label) => formIn(label) !== undefined) || /(?:bar|barra|coluna|column|linha|line)/iu.test(text)
  )
}

/** The law of a graph: a flow has decisions, and in a tree each node is below at most one other. */
const graphLawOf = (body: Body): GraphLaw => {
  if (body.kind !== "graph") return undefined
  if (body.nodes.some(({ shape }) => shape === "diamond")) return "flow"
  return new Set(body.edges.map(({ to }) => to)).size === body.edges.length ? "tree" : undefined
}

/** Whether a change breaks a law that the drawing kept before. */
const breaksLaws = (before: DrawingModel, after: DrawingModel): boolean => {
  const law = graphLawOf(before.body)
  const earlier = lawsBroken(before, law, labelsOf(before.body))
  return lawsBroken(after, law, labelsOf(after.body)).some((breach) => !earlier.includes(breach))
}

type Step = { readonly model: DrawingModel } | { readonly missing: ReadonlyArray<string> }

const leading =
  /^(?:(?:e|and|y|ah|oi|hola|hi|also|tamb[eé]m|tambi[eé]n|please|por favor|then|depois|luego|pode|puedes|can you|could you)[,\s]\s*)+/iu

const changedByWish = (model: DrawingModel, raw: string): Step => {
  const text = raw
    .replace(leading, "")
    .replace(/[.!,;\s]+$/, "")
    .replace(/,?\s(?:please|por favor|pls|sorry|desculpa|perd[oó]n|obrigad[oa]|thanks|gracias)$/iu, "")
  let missing: ReadonlyArray<string> | undefined
  const other = otherwise(model, text)
  const ways = [...waysOfWords, ...waysOfNumbers, () => ({ model: other, named: [] })]
  for (const way of ways) {
    const result = way(model, text)
    if (result === undefined || isUnchanged(model, result.model) || !hasForm(result.model, text)) continue
    if (breaksLaws(model, result.model)) continue
    const left = unaccounted(text, model, result)
    if (left.length === 0) return { model: result.model }
    missing ??= left
  }
  return { missing: missing ?? [] }
}

const stays =
  /(?<!\p{L})(?:(?:n[aã]o|no|don't|do not|sin|sem|without) (?:se )?(?:mud[ae]|mex[ae]|mov[ae]r?|muev[ae]n?|mueve|toqu?[ea]s?|touch(?:ing)?|chang(?:e|ing)|alter[ae]|cambi[ae]s?|move)|leave (?:the |all )?(?:other|rest|everything)|(?:o )?resto (?:deixa|fica|igual)|deixa o resto|everything else|lo dem[aá]s|los dem[aá]s|the (?:others|rest) stay)/iu
const reasons =
  /^(?:(?:e|and|y) )?(?:pq|porque|because|since|pois|ya que|que |it was|it's been|he's|she's|they're|he is|she is|he left|she left|they left|i |we |nobody|no one|my mistake|contei|errei|me equivoqu|foi erro|saiu errado|foi a |foi o |was a |fue la |fue el |se fue|sorry|desculp|perd[oó]n|obrigad|thanks|gracias|por favor|please|era err|ele saiu|ela saiu|mesmo valor|same value|mismo valor)/iu

/** Words around a wish: reasons, thanks, and what must not change. */
const isAround = (model: DrawingModel, text: string): boolean => {
  const hasNumbers = amountsIn(text).length > 0
  return (
    (stays.test(text) && !hasNumbers) ||
    (reasons.test(text.trim()) &&
      !hasNumbers &&
      !labelsOf(model.body).some((label) => label.length > 2 && mentions(text, label)))
  )
}

interface Progress {
  readonly model: DrawingModel
  readonly done: number
  readonly undone: ReadonlyArray<{ readonly wish: string; readonly missing: ReadonlyArray<string> }>
}

const breaks = /,\s|\s(?=(?:e|and|y|mas|but|pero|pq|porque|because|since|pois)\s)|;\s/gu
/** The beginning of a wish that is complete, whatever precedes it. */
const beginsWish =
  /^(?:(?:e|and|y|mas|but|pero)\s)?(?:(?:adicion|acrescent|inclu|add|agreg|a[nñ]ad|remov|tir|retir|delet|take|quit|elimin|borr|sac|mud|alter|change|make|faz|fa[cç]a|haz|troc|troqu|cambi|renom|rename|coloc|coloqu|p[oõ]e|put|pon|pint|paint|orden|sort|sub|sob|baj|baix)\p{L}*\s|(?:el |o |the |la |a )?[\p{L}\d]+(?: [\p{L}\d]+)? (?:era|was|foi|fue|is|es|[ée]|should be)\s)/iu

const correcting =
  /^(?:(?:e|and|y|mas|but|pero)\s)?(?:not|n[ãa]o|no|instead of|em vez de|en vez de|en lugar de)\s(?=.{0,20}\d)/iu

/** Longer sentences are not wishes of a person, and would take long to parse. */
const longestSentence = 400

/** A person would not write a wish with more parts in one sentence. */
const mostBreaks = 12

const isBetter = (one: Progress, other: Progress | undefined): boolean =>
  one.done > (other?.done ?? 0) || (one.done === other?.done && one.undone.length < other.undone.length)

/** Splits the sentence in two such that most of it is understood. */
const inParts = (model: DrawingModel, text: string, depth: number): Progress | undefined => {
  let best: Progress | undefined
  for (const { 0: mark, index } of depth < 4 ? [...text.matchAll(breaks)].slice(0, mostBreaks) : []) {
    const rest = text.slice(index + mark.length)
    // "Fev was 54, not 44" is one wish, and the old number must match.
    if (correcting.test(rest)) continue
    const left = withSentence({ model, done: 0, undone: [] }, text.slice(0, index), 4)
    if (left.done === 0 && left.undone.length > 0 && !beginsWish.test(rest)) continue
    const both = withSentence(left, rest, depth + 1)
    if (isBetter(both, best)) best = both
  }
  return best
}

/** Reads the sentence as one wish, or as two if both are understood. The rest is reported as not done. */
const withSentence = (progress: Progress, sentence: string, depth = 0): Progress => {
  const { done, model, undone } = progress
  const text = sentence.trim()
  if (text === "") return progress
  if (text.length > longestSentence) return { model, done, undone: [...undone, { wish: text, missing: [] }] }
  const whole = changedByWish(model, text)
  if ("model" in whole) return { model: whole.model, done: done + 1, undone }
  const best = inParts(model, text, depth)
  if (isAround(model, text) && (best === undefined || best.done === 0)) return progress
  if (best !== undefined && best.done > 0)
    return { model: best.model, done: done + best.done, undone: [...undone, ...best.undone] }
  return { model, done, undone: [...undone, { wish: text, missing: whole.missing }] }
}

const isQuestion = (text: string): boolean => text.trim().endsWith("?")

/** Applies the wishes of the prompt that are certain, and returns the others. Undefined if no wish is certain. */
export const changeDrawing = (model: DrawingModel, prompt: string): DrawingReading => {
  const text = prompt.slice(0, 8000)
  const sentences = piecesOf(text, sentenceMarks)
    .map((piece) => ({
      text: piece.text,
      isQuestion: isQuestion(text.slice(piece.from, piece.from + piece.text.length + 1))
    }))
    .filter((piece) => piece.text.trim() !== "")
  const start: Progress = { model, done: 0, undone: [] }
  const end = sentences.reduce<Progress>(
    (progress, sentence) =>
      sentence.isQuestion && !("model" in changedByWish(progress.model, sentence.text))
        ? { ...progress, undone: [...progress.undone, { wish: `${sentence.text.trim()}?`, missing: [] }] }
        : withSentence(progress, sentence.text),
    start
  )
  if (end.done > 0) return { _tag: "Read", model: end.model, undone: end.undone.map(({ wish }) => wish) }
  const missing = [...new Set(end.undone.flatMap((each) => each.missing))]
  return { _tag: "Unread", reason: missing.length > 0 ? "notShown" : "notChanged", words: missing.slice(0, 12) }
}
