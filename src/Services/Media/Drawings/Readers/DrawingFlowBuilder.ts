import { fold } from "../../../Text/PlainText.ts"
import type { Graph } from "../DrawingModel.ts"
import { cut } from "../DrawingText.ts"
import { bareLabel, tokensOf } from "../DrawingWords.ts"

type Node = Graph["nodes"][number]
type Edge = Graph["edges"][number]

interface End {
  readonly from: string
  readonly label: string
}

interface Question {
  readonly id: string
  readonly text: string
  readonly answers: Map<boolean, string>
  /** The open ends of the other answers, for their next step. */
  ends: ReadonlyArray<End>
}

const answerWords: { readonly [language: string]: readonly [yes: string, no: string] } = {
  "pt-BR": ["sim", "não"],
  en: ["yes", "no"],
  es: ["sí", "no"]
}

/** A flow that is built step by step. Steps are attached to the open ends, and answers to their question. */
export class FlowBuilder {
  readonly #nodes: Array<Node> = []
  readonly #edges: Array<Edge> = []
  #ends: ReadonlyArray<End> = []
  #open: Array<Question> = []
  #awaiting = false
  #isFresh = false
  #lastIsNo = false
  #isConditional = false

  constructor(readonly language: string) {}

  get isOpen(): boolean {
    return this.#open.length > 0
  }

  /** A question that has no answer yet. */
  get isFresh(): boolean {
    return this.#isFresh
  }

  /** An answer that has no step yet. */
  get isAwaiting(): boolean {
    return this.#awaiting
  }

  get lastIsNo(): boolean {
    return this.#lastIsNo
  }

  get isConditional(): boolean {
    return this.#isConditional
  }

  /** How many answers the innermost question has. */
  get sides(): number {
    return this.#open.at(-1)?.answers.size ?? 0
  }

  get questions(): ReadonlyArray<string> {
    return this.#open.map(({ text }) => text)
  }

  wordFor(isNo: boolean): string {
    return answerWords[this.language]?.[isNo ? 1 : 0] ?? ""
  }

  #add(label: string, shape: Node["shape"]): string {
    const id = `n${this.#nodes.length}`
    this.#nodes.push({ id, label: cut(label.replace(/^["“'(]+|["”')]+$/g, ""), 120), shape })
    for (const { from, label: by } of this.#ends) this.#edges.push({ from, to: id, label: by })
    this.#ends = [{ from: id, label: "" }]
    this.#awaiting = false
    return id
  }

  step(label: string): boolean {
    if (bareLabel(label) === "") return false
    this.#add(label, "box")
    return true
  }

  ask(text: string): boolean {
    // After two complete answers, it is unclear which one leads to the step, unless it belongs to the last one.
    if (this.#isFresh) return false
    const id = this.#add(text, "diamond")
    this.#open.push({ id, text, answers: new Map(), ends: [] })
    this.#isFresh = true
    this.#isConditional = !text.includes(" ") || /^[A-ZÀ-Ý]/.test(text)
    return true
  }

  /** False if no open question lacks that answer. */
  answer({ isNo, of = "", word }: { readonly isNo: boolean; readonly word: string; readonly of?: string }): boolean {
    if (this.#awaiting) return false
    while (this.#open.length > 0) {
      const question = this.#open.at(-1)
      if (question === undefined) return false
      const isOther = of !== "" && question.text !== of
      if (!isOther && !question.answers.has(isNo)) {
        if (question.answers.size > 0) question.ends = [...question.ends, ...this.#ends]
        question.answers.set(isNo, word)
        this.#ends = [{ from: question.id, label: cut(word, 40) }]
        this.#isFresh = false
        this.#awaiting = true
        this.#lastIsNo = isNo
        return true
      }
      // The inner question is complete, so the answer belongs to the one around it.
      if (question.answers.size < 2 || this.#open.length < 2) return false
      this.#ends = [...question.ends, ...this.#ends]
      this.#open = this.#open.slice(0, -1)
    }
    return false
  }

  /** Attaches the next step to the ends of both answers. */
  join(): boolean {
    while (this.#open.length > 0) {
      const question = this.#open.at(-1)
      if (question === undefined || question.answers.size < 2) return false
      this.#ends = [...question.ends, ...this.#ends]
      this.#open = this.#open.slice(0, -1)
    }
    return true
  }

  /** An arrow to an existing step, by its words or its number in the text. */
  back(name: string): boolean {
    const words = tokensOf(bareLabel(name)).filter((word) => word.length > 2)
    const number = /^(?:o |a |the |el |la )?(?:passo|step|paso|etapa)\s(\d{1,2})$/.exec(fold(name).replace(/[.]$/, ""))
    const matches =
      number === null
        ? this.#nodes.filter(({ label }) => words.length > 0 && words.every((word) => tokensOf(label).includes(word)))
        : this.#nodes.slice(Number(number[1]) - 1, Number(number[1]))
    const [target] = matches
    if (matches.length !== 1 || target === undefined) return false
    for (const { from, label } of this.#ends) this.#edges.push({ from, to: target.id, label })
    this.#ends = []
    this.#awaiting = false
    return true
  }

  graph(): Graph | undefined {
    const isAnswered = this.#open.every(({ answers }) => answers.size === 2)
    const isDecision = this.#nodes.some(({ shape }) => shape === "diamond")
    if (this.#nodes.length < 2 || this.#nodes.length > 60 || !isAnswered || this.#awaiting) return undefined
    return {
      kind: "graph",
      direction: this.#nodes.length > 4 || isDecision ? "down" : "across",
      nodes: this.#nodes,
      edges: this.#edges
    }
  }
}
