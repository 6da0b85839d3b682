/** Writes archives in POSIX.1-1988 format (ustar), which every archive program can read. */

const blockBytes = 512
const encoder = new TextEncoder()

/** An octal number in a field of `width` bytes, the last one a NUL. */
const octal = (value: number, width: number): string => `${value.toString(8).padStart(width - 1, "0")}\0`

const largestSize = 8 ** 11 - 1

/** The header of a file. Its path has at most 100 bytes. */
const header = (path: string, size: number, modifiedSeconds: number): Uint8Array => {
  const name = encoder.encode(path)
  if (name.length > 100 || size > largestSize) throw new Error("The file does not fit into an archive.")
  const block = new Uint8Array(blockBytes)
  block.set(name, 0)
  const fields = [
    [100, octal(0o644, 8)],
    [108, octal(0, 8)],
    [116, octal(0, 8)],
    [124, octal(size, 12)],
    [136, octal(modifiedSeconds, 12)],
    // For the checksum, its own field counts as blanks.
    [148, " ".repeat(8)],
    [156, "0"],
    [257, "ustar\0"],
    [263, "00"]
  ] as const
  for (const [offset, text] of fields) block.set(encoder.encode(text), offset)
  const sum = block.reduce((total, byte) => total + byte, 0)
  block.set(encoder.encode(`${sum.toString(8).padStart(6, "0")}\0 `), 148)
  return block
}

/** The header of a file and the padding after its bytes. */
export const tarEntry = (
  path: string,
  size: number,
  modifiedSeconds: number
): { readonly before: Uint8Array; readonly after: Uint8Array } => ({
  before: header(path, size, modifiedSeconds),
  after: new Uint8Array((blockBytes - (size % blockBytes)) % blockBytes)
})

export const tarEnd = new Uint8Array(2 * blockBytes)
