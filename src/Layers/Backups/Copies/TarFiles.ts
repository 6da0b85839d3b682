import * as fs from "node:fs/promises"
import * as path from "node:path"

const blockBytes = 512

/** A file or folder of a tar archive. */
export interface TarEntry {
  readonly name: string
  readonly kind: "file" | "folder"
  readonly bytes: number
}

const textAt = (block: Buffer, start: number, length: number): string => {
  const field = block.subarray(start, start + length)
  const end = field.indexOf(0)
  return field.toString("utf8", 0, end < 0 ? length : end)
}

/** An octal number, or a binary one if the first bit is set. */
const numberAt = (block: Buffer, start: number, length: number): number => {
  const first = block[start] ?? 0
  if ((first & 0x80) === 0) return Number.parseInt(textAt(block, start, length).trim() || "0", 8)
  return block.subarray(start + 1, start + length).reduce((value, byte) => value * 256 + byte, first & 0x7f)
}

/**
 * The entry that a header describes. Undefined for the blocks of zeros at the end. A name that leads out of the folder,
 * a link or a damaged header is an error.
 */
export const entryOf = (block: Buffer): TarEntry | undefined => {
  if (block.every((byte) => byte === 0)) return undefined
  const sum = block.reduce((total, byte, index) => total + (index >= 148 && index < 156 ? 32 : byte), 0)
  if (sum !== numberAt(block, 148, 8)) throw new Error("the archive is damaged")
  const prefix = textAt(block, 345, 155)
  const name = `${prefix === "" ? "" : `${prefix}/`}${textAt(block, 0, 100)}`.replace(/^\.\//, "").replace(/\/$/, "")
  if (path.isAbsolute(name) || name.split("/").includes("..")) throw new Error("the archive names a file outside")
  const type = textAt(block, 156, 1)
  if (type !== "0" && type !== "" && type !== "5") throw new Error(`the archive has a link or a device: ${name}`)
  return { name, kind: type === "5" ? "folder" : "file", bytes: numberAt(block, 124, 12) }
}

/** Reads exact numbers of bytes from a stream of chunks. */
class Chunks {
  readonly #chunks: AsyncIterator<Buffer>
  #rest: Buffer = Buffer.alloc(0)

  constructor(chunks: AsyncIterable<Buffer>) {
    this.#chunks = chunks[Symbol.asyncIterator]()
  }

  /** Reads at most `bytes`, and at least one byte. Returns nothing at the end. */
  async some(bytes: number): Promise<Buffer> {
    while (this.#rest.length === 0) {
      const next = await this.#chunks.next()
      if (next.done === true) return this.#rest
      this.#rest = next.value
    }
    const part = this.#rest.subarray(0, bytes)
    this.#rest = this.#rest.subarray(part.length)
    return part
  }

  async exactly(bytes: number): Promise<Buffer> {
    const parts: Array<Buffer> = []
    for (let left = bytes; left > 0; ) {
      const part = await this.some(left)
      if (part.length === 0) throw new Error("the archive is cut")
      parts.push(part)
      left -= part.length
    }
    return parts.length === 1 && parts[0] !== undefined ? parts[0] : Buffer.concat(parts)
  }
}

const writeFile = async (file: string, bytes: number, chunks: Chunks): Promise<void> => {
  await fs.mkdir(path.dirname(file), { recursive: true, mode: 0o700 })
  const handle = await fs.open(file, "wx", 0o600)
  try {
    for (let left = bytes; left > 0; ) {
      const part = await chunks.some(left)
      if (part.length === 0) throw new Error("the archive is cut")
      await handle.writeFile(part)
      left -= part.length
    }
  } finally {
    await handle.close()
  }
}

/** Writes the files of a tar archive into a new folder. Links and names that lead out of it are refused. */
export const extractTar = async (archive: AsyncIterable<Buffer>, folder: string): Promise<void> => {
  const chunks = new Chunks(archive)
  await fs.mkdir(folder, { recursive: true, mode: 0o700 })
  for (;;) {
    const entry = entryOf(await chunks.exactly(blockBytes))
    if (entry === undefined) break
    const place = path.join(folder, entry.name)
    if (entry.kind === "folder") await fs.mkdir(place, { recursive: true, mode: 0o700 })
    else await writeFile(place, entry.bytes, chunks)
    const padding = (blockBytes - (entry.bytes % blockBytes)) % blockBytes
    if (entry.kind === "file" && padding > 0) await chunks.exactly(padding)
  }
  // The checksum of the compressed file covers the data after the archive's end too, so all of it is read.
  while ((await chunks.some(1024 * 1024)).length > 0);
}
