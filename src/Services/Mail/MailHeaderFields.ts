const maximumFields = 500

/**
 * The fields of a header block, or of each block of a delivery status: bodies by lower-case name, unfolded, in their
 * order.
 */
export const headerFields = (block: string): ReadonlyMap<string, ReadonlyArray<string>> => {
  const fields = new Map<string, Array<string>>()
  let last: { readonly name: string; body: string } | undefined
  let count = 0
  const keep = (): void => {
    if (last === undefined) return
    const bodies = fields.get(last.name)
    if (bodies === undefined) fields.set(last.name, [last.body.trim()])
    else bodies.push(last.body.trim())
    last = undefined
  }
  for (const line of block.split(/\r\n|\r|\n/)) {
    if (/^[ \t]/.test(line)) {
      if (last !== undefined && last.body.length < 16_384) last.body += ` ${line.trim()}`
      continue
    }
    keep()
    const colon = line.indexOf(":")
    if (colon < 1 || colon > 100 || count++ >= maximumFields) continue
    last = { name: line.slice(0, colon).trim().toLowerCase(), body: line.slice(colon + 1) }
  }
  keep()
  return fields
}

/** The blocks of a text, separated by empty lines. */
export const blocksOf = (text: string): ReadonlyArray<string> =>
  text
    .replace(/\r\n?/g, "\n")
    .split(/\n[ \t]*\n/)
    .filter((block) => block.trim() !== "")
    .slice(0, 100)

/** The header block at the start of a message. */
export const headOf = (message: string): string => blocksOf(message)[0] ?? ""
