import * as fs from "node:fs"

/**
 * Reading the source maps of a large build takes some hundred milliseconds, and every broken connection needs a stack. So
 * each build has an index of its maps: the offset of each line in the map, and the source position at which the line before
 * ended, since maps count from there.
 */

/** Of a line: where its segments begin in the file of the map, how many bytes they are, its source, line and column. */
const numbersOfLine = 5
const lineSize = 4 * numbersOfLine
const headSize = 4

const digits = new Uint8Array(128)
for (const [value, digit] of [..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"].entries()) {
  digits[digit.charCodeAt(0)] = value
}

const comma = ",".charCodeAt(0)
const semicolon = ";".charCodeAt(0)

/** What segments add up to: the column in the program, and source, line and column of what it was made of. */
const makePlace = () => ({ generated: 0, source: 0, line: 0, column: 0 })

/**
 * Adds up segments, from `at` to the end of the line or of `bytes`; stops before one that begins after `column`. Answers
 * where it stopped.
 *
 * @param {Uint8Array} bytes
 * @param {number} at
 * @param {ReturnType<typeof makePlace>} place
 * @param {number} column
 */
const addSegments = (bytes, at, place, column) => {
  const fields = [0, 0, 0, 0, 0]
  while (at < bytes.length && bytes[at] !== semicolon) {
    if (bytes[at] === comma) at++
    let count = 0
    while (at < bytes.length && bytes[at] !== comma && bytes[at] !== semicolon) {
      let value = 0
      let shift = 0
      let digit = 0
      do {
        digit = digits[bytes[at++] ?? 0] ?? 0
        value |= (digit & 31) << shift
        shift += 5
      } while ((digit & 32) !== 0)
      if (count < fields.length) fields[count++] = (value & 1) === 1 ? -(value >>> 1) : value >>> 1
    }
    if (count === 0) continue
    const [generated = 0, source = 0, line = 0, sourceColumn = 0] = fields
    if (place.generated + generated > column) return at
    place.generated += generated
    if (count < 4) continue
    place.source += source
    place.line += line
    place.column += sourceColumn
  }
  return at
}

/** The index of the map in `file`. */
export const indexOfLines = (/** @type {Buffer} */ file) => {
  const { mappings, sources } = JSON.parse(file.toString("utf8"))
  const bytes = Buffer.from(mappings, "latin1")
  const offset = file.indexOf(bytes)
  const place = makePlace()
  /** @type {Array<number>} */
  const lines = []
  for (let at = 0; at <= bytes.length; at++) {
    const { column, line, source } = place
    place.generated = 0
    const end = addSegments(bytes, at, place, Number.POSITIVE_INFINITY)
    lines.push(offset + at, end - at, source, line, column)
    at = end
  }
  const head = Buffer.alloc(headSize)
  head.writeUInt32LE(lines.length / numbersOfLine)
  return Buffer.concat([head, Buffer.from(Uint32Array.from(lines).buffer), Buffer.from(JSON.stringify(sources))])
}

/** `size` bytes of the file from `from` on, by default to its end. */
const read = (/** @type {number} */ file, /** @type {number} */ from, size = fs.fstatSync(file).size - from) => {
  const bytes = Buffer.alloc(size)
  return bytes.subarray(0, fs.readSync(file, bytes, 0, size, from))
}

/**
 * @template A
 * @param {string} name
 * @param {(file: number) => A} use
 */
const withFile = (name, use) => {
  const file = fs.openSync(name, "r")
  try {
    return use(file)
  } finally {
    fs.closeSync(file)
  }
}

/** @type {Map<string, ReadonlyArray<string>>} */
const sourcesOf = new Map()

/** The place in the sources of a place in a compiled file; lines and columns from 1 on. Throws without map and index. */
export const sourcePlace = (
  /** @type {string} */ file,
  /** @type {number} */ generatedLine,
  /** @type {number} */ generatedColumn
) =>
  withFile(`${file}.lines`, (index) => {
    const count = read(index, 0, headSize).readUInt32LE()
    if (!(generatedLine >= 1 && generatedLine <= count)) return
    const entry = read(index, headSize + lineSize * (generatedLine - 1), lineSize)
    const [at = 0, size = 0, source = 0, line = 0, column = 0] = new Uint32Array(
      entry.buffer.slice(entry.byteOffset, entry.byteOffset + lineSize)
    )
    if (size === 0) return
    const place = { generated: 0, source, line, column }
    const segments = withFile(`${file}.map`, (map) => read(map, at, size))
    addSegments(segments, 0, place, generatedColumn - 1)
    const sources = sourcesOf.get(file) ?? JSON.parse(read(index, headSize + lineSize * count).toString("utf8"))
    sourcesOf.set(file, sources)
    /** @type {string | undefined} */
    const name = sources[place.source]
    return name === undefined ? undefined : { source: name, line: place.line + 1, column: place.column + 1 }
  })
