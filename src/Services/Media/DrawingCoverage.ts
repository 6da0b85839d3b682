import { fold, stringsIn } from "../Text/PlainText.ts"
import { stemOf } from "../Text/WordStems.ts"
import type { DrawingModel } from "./DrawingModel.ts"
import { amountsIn, isAsking, tokensOf } from "./DrawingWords.ts"

const numbersDrawn = ({ body }: DrawingModel): ReadonlySet<number> =>
  new Set(
    body.kind === "chart"
      ? body.rows.flatMap(({ values }) => values)
      : body.kind === "world" || body.kind === "states"
        ? body.regions.flatMap(({ value }) => (value === null ? [] : [value]))
        : []
  )

/** Removes the numbers that begin the lines of a list. */
const withoutNumbering = (text: string): string => {
  const isCounted = [...text.matchAll(inlineNumber)].every(([, digits], at) => Number(digits) === at + 1)
  const rest = isCounted ? text.replace(inlineNumber, " ") : text
  return rest.replace(/^\s{0,8}\d{1,2}[.)]\s/gm, "")
}

/** Step numbers inside a line: "1) a 2) b". */
const inlineNumber = /(?:^|\s)\(?(\d{1,2})[.)]\s/g

/** The number of children of each node. */
const degreesOf = (edges: ReadonlyArray<{ readonly from: string }>): ReadonlyArray<number> => {
  const counts = new Map<string, number>()
  for (const { from } of edges) counts.set(from, (counts.get(from) ?? 0) + 1)
  return [...counts.values()]
}

/** The number of drawn things. A prompt that states how many there are names that number. */
const countsOf = ({ body }: DrawingModel): ReadonlySet<number> => {
  const counts = [
    ...(body.kind === "graph" ? [body.nodes.length, ...degreesOf(body.edges)] : []),
    body.kind === "venn" ? body.sets.length : 0,
    body.kind === "grid" ? body.cells.length : 0,
    ...(body.kind === "table" ? [body.columns.length, body.rows.length] : []),
    body.kind === "timeline" ? body.events.length : 0
  ]
  return new Set(counts)
}

/** The numbers of a prompt that are missing in its drawing. */
export const numbersNotDrawn = (text: string, model: DrawingModel): ReadonlyArray<string> => {
  const prompt = withoutNumbering(text)
  const texts = stringsIn([model.title, model.body])
  const textNumbers = new Set(texts.flatMap((text) => amountsIn(text).map(({ value }) => value)))
  const [values, counts] = [numbersDrawn(model), countsOf(model)]
  return amountsIn(prompt)
    .filter(({ value }) => !values.has(value) && !textNumbers.has(value) && !counts.has(value))
    .map((amount) => amount.source)
}

/** The words of a prompt's data that are missing in its drawing. */
export const wordsNotDrawn = (text: string, model: DrawingModel): ReadonlyArray<string> => {
  const data = withoutNumbering(text)
  const drawn = new Set(stringsIn([model.title, model.body]).flatMap(tokensOf))
  const stems = new Set([...drawn].map(stemOf))
  // Units and signs are part of how a number is drawn.
  const rest = amountsIn(data)
    .toReversed()
    .reduce((left, { from, to }) => `${left.slice(0, from)} ${left.slice(to)}`, data)
  return [...new Set(tokensOf(rest))].filter(
    (word) =>
      !isAsking(word) &&
      !(word === "no" && model.language === "pt-BR") &&
      !drawn.has(word) &&
      (/\d/.test(word) || !stems.has(stemOf(word))) &&
      fold(word).length > 0
  )
}
