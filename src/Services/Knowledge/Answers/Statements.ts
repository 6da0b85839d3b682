/** A table cell with the name of its column, which may be blank. */
export interface Cell {
  readonly column: string
  readonly value: string
}

/** The smallest part of a passage that can answer a question alone. */
export interface Statement {
  readonly kind: "sentence" | "item" | "answer" | "row"
  /** Unchanged, but without list marks. */
  readonly text: string
  /** The text above it that says what it is about: a label, or the question that it answers. */
  readonly about: string
  /** The paragraph that contains it. */
  readonly paragraph: string
  /** For rows only. */
  readonly cells: ReadonlyArray<Cell>
}

const longestLabel = 70
const longestAnswer = 500
/** Dots between a name and its price. */
const leaders = /\s*\.{4,}\s*|\s+\.{2,3}\s+(?=\S)/g
const listMark = /^\s*(?:[-*•–▪]\s+|\d{1,2}[.)]\s+|[a-z]\)\s+)/
const questionMark = /^\s*(?:p|q|pergunta|pregunta|question)\s?[:.)]\s*/i
const answerMark = /^\s*(?:r|a|resposta|respuesta|answer)\s?[:.)]\s*/i

/** Sentences for quoting. A semicolon does not end one. */
const sentencesOf = (text: string): ReadonlyArray<string> =>
  text
    .split(/(?<=[.!?…])\s+(?=[\p{Lu}\d¿¡"“(])/u)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== "")

/** A table row in the form that passages use: column names and their values. */
const cellsOf = (line: string): ReadonlyArray<Cell> | undefined => {
  const parts = line.split("; ")
  if (parts.length < 2 || listMark.test(line)) return undefined
  const cells = parts.map((part): Cell => {
    const colon = part.indexOf(": ")
    return colon < 0 ? { column: "", value: part } : { column: part.slice(0, colon), value: part.slice(colon + 2) }
  })
  // A sentence with semicolons is not a row.
  const unnamed = cells.filter(({ column }) => column === "" || column.length > 60).length
  return unnamed === 0 || (unnamed === 1 && cells.length > 2) ? cells : undefined
}

/** "Delivery: we deliver on Mondays" and "3. Freezing. You may freeze": the first words state the topic of the line. */
const leadIn = (line: string): string => /^([^.:?!]{2,45})[.:]\s+\S/.exec(line)?.[1] ?? ""

const isLabel = (line: string, next: string | undefined): boolean =>
  next !== undefined &&
  line.length <= longestLabel &&
  (line.endsWith(":") || (/^[^.!?;:]*$/.test(line) && !/[\d€$£]/.test(line) && line.split(" ").length <= 6))

/** "Price per day / per week / per month" above "Dumper: 75 / 310 / 880". */
const slashed = (text: string): ReadonlyArray<string> => text.split(/\s\/\s/).map((part) => part.trim())

const slashRow = (line: string, header: ReadonlyArray<string>): ReadonlyArray<Cell> | undefined => {
  const colon = line.indexOf(": ")
  if (header.length < 2 || colon < 0) return undefined
  const values = slashed(line.slice(colon + 2))
  if (values.length !== header.length) return undefined
  return [
    { column: "", value: line.slice(0, colon) },
    ...values.map((value, index): Cell => ({ column: header[index] ?? "", value }))
  ]
}

interface Reading {
  readonly statements: Array<Statement>
  label: string
  question: string
  answer: Array<string>
}

const closeAnswer = (reading: Reading): void => {
  const text = reading.answer.join(" ").trim()
  if (reading.question !== "" && text !== "") {
    const about = reading.question
    const isShort = text.length <= longestAnswer
    if (isShort) reading.statements.push({ kind: "answer", text, about, paragraph: text, cells: [] })
    else {
      for (const sentence of sentencesOf(text)) {
        reading.statements.push({ kind: "sentence", text: sentence, about, paragraph: text, cells: [] })
      }
    }
  }
  reading.question = ""
  reading.answer = []
}

const readProse = (reading: Reading, line: string): void => {
  const bare = line.replace(listMark, "")
  const sentences = sentencesOf(bare)
  const [first = "", ...rest] = sentences
  if (first.endsWith("?") && rest.length > 0) {
    closeAnswer(reading)
    reading.question = first.replace(questionMark, "")
    reading.answer = [rest.join(" ").replace(answerMark, "")]
    closeAnswer(reading)
    return
  }
  const about = [reading.label, leadIn(bare)].filter((part) => part !== "").join(" ")
  if (sentences.length <= 1) {
    reading.statements.push({ kind: "item", text: bare.trim(), about, paragraph: bare, cells: [] })
    return
  }
  for (const text of sentences) {
    reading.statements.push({ kind: "sentence", text, about, paragraph: bare, cells: [] })
  }
}

/** Splits a passage's text into rows, answers below their questions, list items and sentences. */
export const statementsOf = (body: string): ReadonlyArray<Statement> => {
  const reading: Reading = { statements: [], label: "", question: "", answer: [] }
  for (const paragraph of body
    .replace(leaders, ": ")
    .replaceAll("**", "")
    .split(/\n{2,}/)) {
    // A blank line between a question and its answer is ignored.
    if (reading.answer.length > 0) closeAnswer(reading)
    reading.label = ""
    let header: ReadonlyArray<string> = []
    const lines = paragraph.split("\n").map((line) => line.trim())
    for (const [index, line] of lines.entries()) {
      if (line === "") continue
      const cells = cellsOf(line) ?? slashRow(line, header)
      const questionText = line.replace(questionMark, "").replace(listMark, "")
      if (questionText.endsWith("?") && sentencesOf(questionText).length === 1) {
        closeAnswer(reading)
        reading.question = questionText
      } else if (reading.question !== "") reading.answer.push(line.replace(answerMark, ""))
      else if (cells !== undefined) {
        reading.statements.push({ kind: "row", text: line, about: reading.label, paragraph: line, cells })
      } else if (!/\d/.test(line) && slashed(line).length > 1) {
        header = slashed(line)
        reading.label = line
      } else if (isLabel(line, lines[index + 1])) reading.label = line.replace(/:$/, "")
      else readProse(reading, line)
    }
  }
  closeAnswer(reading)
  return reading.statements
}
