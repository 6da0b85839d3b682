const delimiters = [";", ",", "\t", "|"] as const

/** The delimiter of a file with one column: a character that text does not contain. */
const noDelimiter = "\u001f"

const sampledLines = 20

/** Returns how often each delimiter occurs outside quotes, for each of the first lines that are not blank. */
const countsByLine = (sample: string): ReadonlyArray<ReadonlyArray<number>> => {
  const lines: Array<ReadonlyArray<number>> = []
  let counts = delimiters.map(() => 0)
  let isQuoted = false
  let fieldStart = true
  let isBlank = true
  const endLine = () => {
    if (!isBlank) lines.push(counts)
    counts = delimiters.map(() => 0)
    isBlank = true
  }
  for (let at = 0; at < sample.length && lines.length < sampledLines; at++) {
    const character = sample[at] ?? ""
    if (isQuoted) {
      if (character === '"') {
        if (sample[at + 1] === '"') at++
        else isQuoted = false
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
    // A quote opens a field only at the start of the field: 15" in the middle of one is a size.
    if (character === '"' && fieldStart) isQuoted = true
    fieldStart = index >= 0 || (fieldStart && character === " ")
    if (character.trim() !== "") isBlank = false
  }
  if (!isQuoted) endLine()
  return lines
}

/** Returns the count that most lines share, and the number of those lines. */
const commonCount = (counts: ReadonlyArray<number>): { readonly count: number; readonly lines: number } => {
  let best = { count: 0, lines: 0 }
  for (const count of new Set(counts)) {
    const lines = counts.filter((other) => other === count).length
    if (count > 0 && (lines > best.lines || (lines === best.lines && count > best.count))) best = { count, lines }
  }
  return best
}

/**
 * Detects the delimiter by the first lines of a text: the one with the most regular count per line, then the most
 * frequent. A text without delimiters has one column. `sample` should end at a line break, or be long.
 */
export const detectDelimiter = (sample: string): string => {
  const lines = countsByLine(sample)
  let best = { delimiter: noDelimiter, count: 0, lines: 0 }
  for (const [index, delimiter] of delimiters.entries()) {
    const bestCount = commonCount(lines.map((counts) => counts[index] ?? 0))
    if (bestCount.lines > best.lines || (bestCount.lines === best.lines && bestCount.count > best.count)) {
      best = { delimiter, ...bestCount }
    }
  }
  return best.delimiter
}

/** Finds the line `sep=;` at the start of a text, by which spreadsheet programs name the delimiter. */
export const delimiterLine = (text: string): { readonly delimiter: string; readonly length: number } | undefined => {
  const [line, delimiter] = /^"?sep=([;,|\t])"?\r?\n/i.exec(text) ?? []
  return line === undefined || delimiter === undefined ? undefined : { delimiter, length: line.length }
}
