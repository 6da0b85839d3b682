import { fold } from "../Text/PlainText.ts"
import type { Graph } from "./DrawingModel.ts"
import { cut } from "./DrawingText.ts"
import { splitOutside } from "./DrawingWords.ts"

type Node = Graph["nodes"][number]
type Edge = Graph["edges"][number]

const answers =
  /^(?:(?:e|and|y|mas|but|pero)\s)?(?:(?:se|si|if|caso|em caso de|en caso de)\s)?(sim|nao|si|yes|no)\s?(?=[:,]|->|→|$)[:,]?\s?(?:->|→)?\s?(.*)$/iu
/** Conditions that are no plain yes or no of a question: where they lead is not certain. */
const otherCondition =
  /^(?:e |and |y )?(?:se|if|caso|unless|otherwise|else|senao|sino|when|quando|cuando|dependendo|depending|seg[uú]n)\s/u
const joinedAgain = /^(?:depois|then|luego|despu[eé]s|in the end|no fim|al final|finalmente|finally|por fim)[,\s]/iu
const looseEnds = /^(?:e|and|y|then|depois|luego|por fim|finally|finalmente)\s/iu

const isNegative = (answer: string): boolean => /^n/i.test(answer)

/** Parts of a flow in the order of the text; a question keeps its mark. */
const partsOf = (data: string): ReadonlyArray<string> =>
  splitOutside(data.replace(/([?])\s*/g, "$1\n"), /[;\n]|→|->|\.\s|\.$|,\s/u)
    .map((part) => part.replace(/^\s*(?:[-*•–]|\d{1,2}[.)])\s+/, "").trim())
    .filter((part) => part !== "")

interface End {
  readonly from: string
  readonly label: string
}

/** A flow as it grows. */
class Flow {
  readonly nodes: Array<Node> = []
  readonly #edges: Array<Edge> = []
  /** Where the next step hangs. */
  #ends: ReadonlyArray<End> = []
  #question: string | undefined
  /** The ends of the answers that are complete. */
  #answered: ReadonlyArray<End> = []
  readonly #sides = new Set<boolean>()

  get isOpen(): boolean {
    return this.#question !== undefined
  }

  get sides(): number {
    return this.#sides.size
  }

  step(raw: string, shape: Node["shape"]): void {
    const label = cut(raw.replace(looseEnds, "").replace(/^["“']|["”']$/g, ""), 120)
    const id = `n${this.nodes.length}`
    this.nodes.push({ id, label, shape })
    for (const { from, label: by } of this.#ends) this.#edges.push({ from, to: id, label: by })
    this.#ends = [{ from: id, label: "" }]
  }

  ask(question: string): void {
    this.step(question, "diamond")
    this.#question = this.#ends[0]?.from
  }

  /** False where the question has that answer already. */
  answer(word: string): boolean {
    const isNo = isNegative(word)
    if (this.#question === undefined || this.#sides.has(isNo)) return false
    if (this.#sides.size > 0) this.#answered = this.#ends
    this.#sides.add(isNo)
    this.#ends = [{ from: this.#question, label: word.toLowerCase() }]
    return true
  }

  /** What follows hangs on the ends of both answers. */
  join(): void {
    this.#ends = [...this.#answered, ...this.#ends]
    this.#question = undefined
  }

  graph(): Graph | undefined {
    const isAnswered = this.#sides.size === 0 || this.#sides.size === 2
    if (this.nodes.length < 2 || this.nodes.length > 60 || !isAnswered) return undefined
    const direction = this.nodes.length > 4 || this.#sides.size > 0 ? "down" : "across"
    return { kind: "graph", direction, nodes: this.nodes, edges: this.#edges }
  }
}

/** Whether the part could be added with certainty. */
const added = (flow: Flow, part: string): boolean => {
  const answer = flow.isOpen ? answers.exec(fold(part)) : null
  if (answer !== null) {
    const rest = answer[2] ?? ""
    // "Si sí": the answer is the last word before what follows it.
    const word =
      part
        .slice(0, part.length - rest.length)
        .match(/\p{L}+/gu)
        ?.at(-1) ?? ""
    if (!flow.answer(word)) return false
    if (rest !== "") flow.step(part.slice(part.length - rest.length), "box")
    return true
  }
  const isUnanswered = flow.isOpen && flow.sides === 0
  if (otherCondition.test(fold(part)) || isUnanswered) return false
  if (flow.isOpen && joinedAgain.test(fold(part))) flow.join()
  const isQuestion = part.endsWith("?")
  if (isQuestion && (flow.isOpen || flow.sides > 0)) return false
  if (isQuestion) flow.ask(part)
  else flow.step(part, "box")
  return true
}

/** Steps one after the other, and a decision whose answers each have steps. Undefined where it is not certain what follows what. */
export const flowIn = (data: string): Graph | undefined => {
  const flow = new Flow()
  return partsOf(data).every((part) => added(flow, part)) && (!flow.isOpen || flow.sides === 2)
    ? flow.graph()
    : undefined
}
