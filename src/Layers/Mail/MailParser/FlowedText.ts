/**
 * Removes the soft line breaks of plain text (RFC 3676) in one pass: a line that ends in a space continues on the next
 * line of the same quotation depth. `delSp` means that the space is not part of the text.
 */
export const unflowed = (text: string, delSp: boolean): string => {
  const paragraphs: Array<string> = []
  let parts: Array<string> = []
  let depth = 0
  const end = (): void => {
    if (parts.length > 0) paragraphs.push(`${">".repeat(depth)}${depth > 0 ? " " : ""}${parts.join("")}`)
    parts = []
  }
  for (const line of text.split(/\r?\n/)) {
    let quotes = 0
    while (line.charCodeAt(quotes) === 0x3e) quotes++
    const content = line.slice(line.charCodeAt(quotes) === 0x20 ? quotes + 1 : quotes)
    if (quotes !== depth) end()
    depth = quotes
    // The signature separator `-- ` ends in a space but is a separate line.
    const isSignature = content === "-- "
    if (isSignature) end()
    const isSoft = !isSignature && content.endsWith(" ")
    parts.push(isSoft && delSp ? content.slice(0, -1) : content)
    if (!isSoft) end()
  }
  end()
  return paragraphs.join("\n")
}
