import { createRequire } from "node:module"
import { openSync } from "fontkit"

/** The fonts of all texts. The files are bundled, so that the result does not depend on the machine's fonts. */
const faces = {
  Regular: { family: "Inter", weight: 400, file: "@expo-google-fonts/inter/400Regular/Inter_400Regular.ttf" },
  SemiBold: { family: "Inter", weight: 600, file: "@expo-google-fonts/inter/600SemiBold/Inter_600SemiBold.ttf" },
  Bold: { family: "Inter", weight: 800, file: "@expo-google-fonts/inter/800ExtraBold/Inter_800ExtraBold.ttf" },
  Serif: {
    family: "Playfair Display",
    weight: 800,
    file: "@expo-google-fonts/playfair-display/800ExtraBold/PlayfairDisplay_800ExtraBold.ttf"
  }
} as const
export type FaceName = keyof typeof faces

const { resolve } = createRequire(import.meta.url)

export const fontFiles: ReadonlyArray<string> = Object.values(faces).map(({ file }) => resolve(file))

interface Face {
  readonly family: string
  readonly weight: number
  readonly advance: (character: string) => number | undefined
  readonly ascent: number
  readonly descent: number
}

const opened = new Map<FaceName, Face>()

/** The face with its measures, in parts of the font size. */
export const faceOf = (name: FaceName): Face => {
  const known = opened.get(name)
  if (known !== undefined) return known
  const { family, file, weight } = faces[name]
  const font = openSync(resolve(file))
  if (!("glyphForCodePoint" in font)) throw new Error(`${file} is a collection of fonts.`)
  const advances = new Map<string, number | undefined>()
  const face: Face = {
    family,
    weight,
    ascent: font.ascent / font.unitsPerEm,
    descent: -font.descent / font.unitsPerEm,
    advance: (character) => {
      if (advances.has(character)) return advances.get(character)
      const point = character.codePointAt(0) ?? 0
      const advance = font.hasGlyphForCodePoint(point)
        ? font.glyphForCodePoint(point).advanceWidth / font.unitsPerEm
        : undefined
      // The cache is limited, because the texts come from users.
      if (advances.size < 5000) advances.set(character, advance)
      return advance
    }
  }
  opened.set(name, face)
  return face
}

/** Returns the width of one line. Kerning makes the drawn line a little narrower. */
export const widthOf = (text: string, name: FaceName, size: number): number => {
  const { advance } = faceOf(name)
  let width = 0
  for (const character of text) width += advance(character) ?? 0
  return width * size
}

// Control characters, marks that turn the direction of text, and what XML cannot hold.
// biome-ignore lint/suspicious/noControlCharactersInRegex: removing them is the point
const unprintable =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufffe\uffff]/g

/**
 * Returns the text on one line, without characters for which the fonts have no glyph. They would appear as empty boxes.
 */
export const printable = (text: string): string => {
  const { advance } = faceOf("Regular")
  const serif = faceOf("Serif")
  const kept = Array.from(
    text
      .toWellFormed()
      .normalize("NFC")
      .replace(/[\t\n]/g, " ")
      .replace(unprintable, "")
  )
    .filter((character) => advance(character) !== undefined && serif.advance(character) !== undefined)
    .join("")
  return kept.replace(/ {2,}/g, " ").trim()
}

const ellipsis = "…"

/** Splits a word that is wider than the line into pieces that fit. */
const pieces = (word: string, name: FaceName, size: number, width: number): ReadonlyArray<string> => {
  const parts: Array<string> = []
  let part = ""
  for (const character of word) {
    if (part !== "" && widthOf(part + character, name, size) > width) {
      parts.push(part)
      part = character
    } else part += character
  }
  return part === "" ? parts : [...parts, part]
}

/** Splits a text into lines. None is wider than `width`, unless a single character is. */
export const wrap = (text: string, name: FaceName, size: number, width: number): ReadonlyArray<string> => {
  const lines: Array<string> = []
  const space = widthOf(" ", name, size)
  let line = ""
  let taken = 0
  for (const word of text.split(" ").filter((each) => each !== "")) {
    const wide = widthOf(word, name, size)
    if (line !== "" && taken + space + wide <= width) {
      line += ` ${word}`
      taken += space + wide
      continue
    }
    if (line !== "") lines.push(line)
    const parts = wide <= width ? [word] : pieces(word, name, size, width)
    lines.push(...parts.slice(0, -1))
    line = parts.at(-1) ?? ""
    taken = widthOf(line, name, size)
  }
  return line === "" ? lines : [...lines, line]
}

export interface FitOptions {
  readonly width: number
  readonly height: number
  readonly face: FaceName
  readonly largest: number
  readonly smallest: number
  readonly lineHeight?: number
  readonly lines?: number
  /** Makes all lines about equally long, to avoid a short last line. */
  readonly balanced?: boolean
}

export interface FittedText {
  readonly lines: ReadonlyArray<string>
  readonly size: number
  readonly lineHeight: number
  readonly face: FaceName
  readonly width: number
  readonly height: number
  /** True if the end of the text is missing. */
  readonly isShortened: boolean
}

const breaksWords = (text: string, { face, width }: FitOptions, size: number): boolean =>
  text.split(" ").some((word) => widthOf(word, face, size) > width)

/** Returns the narrowest lines with the same number of lines. */
const balance = (text: string, lines: ReadonlyArray<string>, { face, width }: FitOptions, size: number) => {
  let [low, high] = [width * 0.4, width]
  let best = lines
  for (let round = 0; round < 7; round++) {
    const middle = (low + high) / 2
    const tried = text.split(" ").some((word) => widthOf(word, face, size) > middle)
      ? undefined
      : wrap(text, face, size, middle)
    if (tried !== undefined && tried.length <= lines.length) {
      best = tried
      high = middle
    } else low = middle
  }
  return best
}

/**
 * Returns the text at the largest size at which it fits. If it does not fit at the smallest size, it ends in an
 * ellipsis.
 */
export const fit = (text: string, options: FitOptions): FittedText => {
  const { balanced = false, face, height, largest, lineHeight = 1.2, lines: most = 1000, smallest, width } = options
  const room = (size: number) => Math.max(1, Math.min(most, Math.floor(height / (size * lineHeight))))
  const done = (lines: ReadonlyArray<string>, size: number, isShortened: boolean): FittedText => {
    const shown = balanced && lines.length > 1 && !isShortened ? balance(text, lines, options, size) : lines
    return {
      lines: shown,
      size,
      lineHeight,
      face,
      width: Math.max(0, ...shown.map((line) => widthOf(line, face, size))),
      height: shown.length * size * lineHeight,
      isShortened
    }
  }
  for (let size = largest; size > smallest; size *= 0.94) {
    if (breaksWords(text, options, size)) continue
    const lines = wrap(text, face, size, width)
    if (lines.length <= room(size)) return done(lines, size, false)
  }
  const lines = wrap(text, face, smallest, width)
  const space = room(smallest)
  if (lines.length <= space) return done(lines, smallest, false)
  let last = `${lines[space - 1] ?? ""}${ellipsis}`
  while (last.length > 1 && widthOf(last, face, smallest) > width) last = `${last.slice(0, -2).trimEnd()}${ellipsis}`
  return done([...lines.slice(0, space - 1), last], smallest, true)
}
