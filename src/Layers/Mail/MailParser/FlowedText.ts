/**
 * Plain text with its soft line breaks taken out (RFC 3676), in one pass: a line that ends in a space goes on in the
 * next one of the same depth of quotation. `delSp` tells that the space is not part of the text.
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
    // A signature's mark ends in a space, and is a line of its own.
    const isSignature = content === "-- "
    if (isSignature) end()
    const isSoft = !isSignature && content.endsWith(" ")
    parts.push(isSoft && delSp ? content.slice(0, -1) : content)
    if (!isSoft) end()
  }
  end()
  return paragraphs.join("\n")
}
