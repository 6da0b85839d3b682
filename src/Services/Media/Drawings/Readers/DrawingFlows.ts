import { fold } from "../../../Text/PlainText.ts"
import type { Graph } from "../DrawingModel.ts"
import { splitOutside, tokensOf } from "../DrawingWords.ts"
import { FlowBuilder } from "./DrawingFlowBuilder.ts"

/** A part of a flow, in the order of the text. */
interface Part {
  readonly text: string
  /** Whether it begins a sentence or a line. */
  readonly begins: boolean
}

const numbering = /(?:^|\s)\(?\d{1,2}(?:[.)]|\s?[-–])\s/gu
const listMark = /^\s*(?:[-*•–]|\(?\d{1,2}[.)]|\d{1,2}\s?[-–])\s+/

/** Puts the items of a numbered list inside a line on separate lines: "1. a 2. b". */
const onLines = (data: string): string => {
  const numbers = data.match(numbering) ?? []
  return numbers.length > 1 ? data.replace(numbering, "\n") : data
}

const steps = /,\s|→|->|=>|;|\s>\s|\s\/\s(?=(?:si|sí|no|sim|n[ãa]o|yes)\s?[:,-])/giu
const sentences = /(?<=\?)\s*|\n|\.\s|\.$/gu

const partsOf = (data: string): ReadonlyArray<Part> =>
  splitOutside(onLines(data).replace(/\?\s*(?:->|→|=>|>|:|,)?\s*/g, "?\n"), sentences).flatMap((sentence, at, all) =>
    splitOutside(
      (all[at - 1] ?? "").trimEnd().endsWith("?") ? labelledArrows(sentence) : shieldedAnswers(sentence),
      steps
    )
      .map((part) => part.replaceAll("\ue001", "->").replace(listMark, "").trim())
      .filter((part) => part !== "")
      .map((text, at) => ({ text, begins: at === 0 }))
  )

/** After a question, the first arrow of each part belongs to its answer: "damaged -> repair, not damaged -> refund". */
const labelledArrows = (sentence: string): string =>
  splitOutside(sentence, /,\s|;/gu)
    .map((part) => {
      const arrow = /^([^→>-]{1,40}?)\s?(?:->|→|=>)/u.exec(part)
      return arrow !== null && tokensOf(arrow[1] ?? "").length <= 3
        ? `${arrow[1]}\ue001${part.slice(arrow[0].length)}`
        : part
    })
    .join(", ")

/** Protects the arrow or mark after an answer, because it belongs to the answer: "yes -> refund". */
const shieldedAnswers = (sentence: string): string =>
  sentence.replace(
    /((?:^|[,;(]\s*|\s)(?:(?:se|si|if)\s)?(?:n[ãa]o|not|no|sim|s[ií]|yes)?(?:\s?\p{L}{2,20}){0,3}\s?)(?:->|→|=>)/giu,
    (whole, label: string) =>
      /^[,;(\s]*(?:(?:se|si|if)\s)?(?:n[ãa]o|not|no|sim|s[ií]|yes)(?!\p{L})/iu.test(label) ? `${label}\ue001` : whole
  )

const plain =
  /^(?:(?:e|and|y|mas|but|pero)\s)?(?:(?:se|si|if|caso|em caso de|en caso de|en caso que)\s(?:a resposta for |the answer is |es |for |eh |e |it is |it's )?)?(sim|nao|si|yes|no|negativo|positivo)\s?(?:(?:->|[:,=-])\s?|\s(?:then|entao|entonces)\s|$)(.*)$/iu
/** After "se", "if" or "si", an answer needs no mark: "se sim fazer o serviço". */
const loose = /^(?:(?:e|and|y|mas|but|pero)\s)?(?:se|si|if)\s(sim|nao|si|yes|no|not)\s(.+)$/iu
const bareAnswer = /^\(?(sim|nao|si|yes|no)\)?\s(?=\S)(.+)$/iu
const labelledStep = /^(.{1,30}?)\s?(?:->|:)\s(.+)$/u
const otherwise =
  /^(?:(?:e|and|y|mas|but|pero)\s)?(?:se nao|senao|caso contrario|do contrario|sino|de lo contrario|en caso contrario|otherwise|else|if not|or else)[,:]?\s(.+)$/iu
const conditional = /^(?:(?:e|and|y|mas|but|pero)\s)?(?:se|si|if|caso|quando|when|cuando)\s(.+)$/iu
const verbs =
  /^(?:tiver|houver|tem|ha|for|estiver|der|puder|quiser|aprovar|aceitar|pagar|hay|tiene|es|esta|puede|quiere|acepta|paga|is|are|it|they|he|she|there|has|have|does|the|o|a|el|la|le|ele|ela|cliente)(?!\p{L})/u
const returning =
  /^(?:(?:e|and|y)\s)?(?:volta(?:r|mos)?|retorna(?:r)?|go(?:es)? back|return(?:s)?|back|vuelve|volver|volvemos|regresa(?:r)?)\s(?:para|pra|pro|ao|a|to|al)\s(.+)$/iu
const joinedAgain =
  /^(?:nos dois casos|em ambos|in both cases|either way|en ambos casos|no fim|al final|finalmente|finally|por fim|in the end|em todos os casos)[,:\s]\s?/iu
const looseEnds =
  /^(?:e|and|y|then|depois|luego|despu[eé]s|por fim|finally|finalmente|a[ií]|da[ií]|em seguida|next|ent[aã]o|first|primeiro|primero)[,\s]\s*/iu
const askingFirst =
  /^(?:.{0,20}?(?:pergunta|check|pergunto|verifica|confere|ver|pregunta|pregunto|se pregunta|decis[aã]o|decisi[oó]n|decision|second check|first check|segunda pergunta))\s?[:,]?\s(?=.+\?$)/iu
const corrected =
  /(?<!\p{L})(?:n[aã]o,? perd[aã]o|no,? perd[oó]n|digo|i mean|quer dizer|ou melhor|mejor dicho|sorry|scratch that)(?!\p{L})/iu

const isNegative = (answer: string): boolean => /^(?:n|sem |sin |without )/i.test(answer)
const answered = (text: string, rest: string): string =>
  (
    text
      .slice(0, text.length - rest.length)
      .match(/\p{L}+/gu)
      ?.at(-1) ?? ""
  ).toLowerCase()

/** An answer to an open question, with the step after it. */
interface Answer {
  readonly word: string
  readonly step: string
  readonly isNo: boolean
  /** The repeated words of the question. */
  readonly of: string
}

/** "si hay stock": a condition that repeats the words of a question. */
const restated = (flow: FlowBuilder, text: string): Answer | undefined => {
  const match =
    /^(?:(?:e|and|y|mas|but|pero)\s)?(?:se|si|if)\s(?:(n[aã]o|no|not)\s)?(.{2,60}?)\s?(?:->|:|,)\s?(.*)$/iu.exec(text)
  const words = tokensOf(match?.[2] ?? "")
  const question = flow.questions.find(
    (each) => words.length > 0 && words.every((word) => tokensOf(each).includes(word))
  )
  if (match === null || question === undefined) return undefined
  const isNo = match[1] !== undefined
  return { word: flow.wordFor(isNo), step: match[3] ?? "", isNo, of: question }
}

/** A plain yes or no, with the step after it. */
const plainAnswer = (flow: FlowBuilder, text: string): Answer | undefined => {
  const folded = fold(text)
  const marked = plain.exec(folded)
  const match = marked ?? loose.exec(folded) ?? (flow.isFresh ? bareAnswer.exec(folded) : null)
  const rest = match?.[2] ?? ""
  // "Se não tiver" is a further condition, not an answer.
  if (match === null || (marked === null && loose.test(folded) && verbs.test(rest))) return undefined
  const step = rest === "" ? "" : text.slice(text.length - rest.length)
  return { word: answered(text, rest), step, isNo: isNegative(match[1] ?? ""), of: "" }
}

const otherAnswer = (flow: FlowBuilder, text: string): Answer | undefined => {
  const rest = otherwise.exec(fold(text))?.[1] ?? ""
  if (rest === "" || flow.sides !== 1 || verbs.test(rest)) return undefined
  const isNo = !flow.lastIsNo
  return { word: flow.wordFor(isNo), step: text.slice(text.length - rest.length), isNo, of: "" }
}

const labelledAnswer = (text: string): Answer | undefined => {
  const match = labelledStep.exec(text)
  const word = (match?.[1] ?? "").trim()
  return match !== null && tokensOf(word).length <= 3
    ? { word, step: match[2] ?? "", isNo: isNegative(fold(word)), of: "" }
    : undefined
}

const answerIn = (flow: FlowBuilder, text: string): Answer | undefined =>
  !flow.isOpen || fold(text).length !== text.length
    ? undefined
    : (plainAnswer(flow, text) ?? restated(flow, text) ?? otherAnswer(flow, text) ?? labelledAnswer(text))

/** A condition without a question implies one: "Se tiver estoque, separa". */
const conditionIn = (text: string): string | undefined => {
  const match = conditional.exec(text)
  const condition = match?.[1] ?? ""
  return condition === "" || /^(?:n[aã]o|not|no)(?!\p{L})/iu.test(condition) ? undefined : condition
}

const withMark = (flow: FlowBuilder, condition: string): boolean =>
  flow.ask(`${condition.charAt(0).toUpperCase()}${condition.slice(1)}?`)

const isNegated = (text: string): boolean =>
  /^(?:(?:e|and|y|mas|but|pero)\s)?(?:(?:se|caso)\sn[aã]o|if\s(?:\p{L}+\s){0,3}(?:not|isn't|aren't|doesn't|don't|no)|si\sno|caso contr[aá]rio|otherwise|else|sen[aã]o|sino)(?!\p{L})/iu.test(
    text
  )

const addStep = (flow: FlowBuilder, raw: string): boolean => {
  const text = raw.replace(looseEnds, "").trim()
  const back = returning.exec(text)
  if (back !== null) return flow.back(back[1] ?? "")
  return text === "" ? false : flow.step(text)
}

/** A condition and its consequence in two parts: "if it is late", "call the driver". */
const addCondition = (flow: FlowBuilder, text: string): boolean | undefined => {
  if (isNegated(text))
    return flow.isConditional && flow.sides === 1 ? flow.answer({ isNo: true, word: flow.wordFor(true) }) : undefined
  const condition = conditionIn(text)
  if (condition === undefined) return undefined
  return withMark(flow, condition) && flow.answer({ isNo: false, word: flow.wordFor(false) })
}

/** Whether the part was added with certainty. */
const added = (flow: FlowBuilder, { begins, text }: Part): boolean => {
  if (corrected.test(text)) return false
  const answer = answerIn(flow, text)
  if (answer !== undefined)
    return flow.answer(answer) && (answer.step === "" || added(flow, { text: answer.step, begins: false }))
  if (text.endsWith("?"))
    return flow.ask(
      text
        .replace(looseEnds, "")
        .replace(askingFirst, "")
        .replace(/^["“']/, "")
    )
  const condition = addCondition(flow, text)
  if (condition !== undefined) return condition
  if (conditional.test(fold(text)) || otherwise.test(fold(text))) return false
  if (flow.isFresh) return false
  const again = joinedAgain.exec(text)
  if (again !== null && flow.isOpen) return flow.join() && addStep(flow, text.slice(again[0].length))
  // For a new sentence after the answers, it is unclear whether it follows one of them or both.
  if (begins && flow.isOpen && !flow.isAwaiting) return false
  return addStep(flow, text)
}

/** "mix and then bake": two steps. */
const thenWords = /,?\s(?:and then|e depois|e ent[aã]o|y despu[eé]s|y luego)\s/giu

/** Steps in sequence, and decisions whose answers lead to steps. Undefined if the order is uncertain. */
export const flowIn = (data: string, language: string): Graph | undefined => {
  const flow = new FlowBuilder(language)
  return partsOf(data.replace(thenWords, ", ")).every((part) => added(flow, part)) ? flow.graph() : undefined
}
