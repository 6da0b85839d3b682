const delimiters = [";", ",", "\t", "|"] as const

/** For a file with one column: a character that text does not have. */
const none = "\u001f"

const sampledLines = 20

/** How often each delimiter stands outside quotes in each of the first lines that are not blank. */
const countsByLine = (sample: string): ReadonlyArray<ReadonlyArray<number>> => {
  const lines: Array<ReadonlyArray<number>> = []
  let counts = delimiters.map(() => 0)
  let quoted = false
  let fieldStart = true
  let blank = true
  const endLine = () => {
    if (!blank) lines.push(counts)
    counts = delimiters.map(() => 0)
    blank = true
  }
  for (let at = 0; at < sample.length && lines.length < sampledLines; at++) {
    const character = sample[at] ?? ""
    if (quoted) {
      if (character === '"') {
        if (sample[at + 1] === '"') at++
        else quoted = false
      }
      continue
    }
    if (character === "\n" || character === "\r") {
      endLine()
      fieldStart = true
      continue
    }
    const index = delimiters.findIndex((delimiter) => delimiter === character)
    if (index >= 0) counts[index] = (counts[index] ?? 0) + 1
    // A quote opens a field only where a field starts: 15" in the middle of one is a size.
    if (character === '"' && fieldStart) quoted = true
    fieldStart = index >= 0 || (fieldStart && character === " ")
    if (character.trim() !== "") blank = false
  }
  if (!quoted) endLine()
  return lines
}

/** The count that most lines share, and how many do. */
const commonCount = (counts: ReadonlyArray<number>): { readonly count: number; readonly lines: number } => {
  let best = { count: 0, lines: 0 }
  for (const count of new Set(counts)) {
    const lines = counts.filter((other) => other === count).length
    if (count > 0 && (lines > best.lines || (lines === best.lines && count > best.count))) best = { count, lines }
  }
  return best
}

/**
 * The delimiter of a text by its first lines: the one whose number per line is the same in most of them, then the
 * more frequent one. A text with none of them is one column. `sample` should end where a line does or be long enough.
 */
export const detectDelimiter = (sample: string): string => {
  const lines = countsByLine(sample)
  let best = { delimiter: none, count: 0, lines: 0 }
  for (const [index, delimiter] of delimiters.entries()) {
    const common = commonCount(lines.map((counts) => counts[index] ?? 0))
    if (common.lines > best.lines || (common.lines === best.lines && common.count > best.count)) {
      best = { delimiter, ...common }
    }
  }
  return best.delimiter
}

/** The line `sep=;` by which spreadsheet programs name the delimiter, at the start of a text. */
export const delimiterLine = (text: string): { readonly delimiter: string; readonly length: number } | undefined => {
  const [line, delimiter] = /^"?sep=([;,|\t])"?\r?\n/i.exec(text) ?? []
  return line === undefined || delimiter === undefined ? undefined : { delimiter, length: line.length }
}
