/** A code block with the lines around it. */
export interface Block {
  readonly language: string
  readonly text: string
  /** Where its first line is in the document, from 1. */
  readonly line: number
  /** The comment before it, if it has one. */
  readonly comment: string | undefined
}

const comment = /^<!--\s*([\s\S]*?)\s*-->\s*$/

/** The code blocks of a document, without their indentation. */
export const blocksOf = (markdown: string): ReadonlyArray<Block> => {
  const lines = markdown.split("\n")
  const blocks: Array<Block> = []
  for (let at = 0; at < lines.length; at++) {
    const [, indent = "", language = ""] = /^( *)```([\w-]*)/.exec(lines[at] ?? "") ?? []
    if (!/^ *```/.test(lines[at] ?? "")) continue
    const begin = at + 1
    const end = lines.findIndex((line, index) => index >= begin && line.trim() === "```")
    const before = lines.slice(0, at).findLast((line) => line.trim() !== "")
    blocks.push({
      language,
      line: begin,
      text: lines
        .slice(begin, end)
        .map((line) => line.slice(indent.length))
        .join("\n"),
      comment: comment.exec(before?.trim() ?? "")?.[1]
    })
    at = end
  }
  return blocks
}

export interface Step {
  readonly command: string
  readonly output: ReadonlyArray<string>
}

/** Each command of a console block with the lines that it shows; `…` replaces what is left out. */
export const stepsOf = (text: string): ReadonlyArray<Step> =>
  text
    .split(/^\$ /m)
    .slice(1)
    .map((step) => {
      const [command = "", ...output] = step.trimEnd().split("\n")
      return { command, output }
    })

/** Whether the parts of the shown line occur in the printed one, in their order, from its start to its end. */
export const isShortened = (shownLine: string, printedLine: string): boolean => {
  const parts = shownLine.split("…")
  let position = 0
  for (const [index, part] of parts.entries()) {
    const at = printedLine.indexOf(part, position)
    if (at < 0 || (index === 0 && at > 0)) return false
    position = at + part.length
  }
  return printedLine.endsWith(parts.at(-1) ?? "")
}
