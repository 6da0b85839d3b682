import { type Refused, refused } from "../../Errors.ts"
import { parsedUrl } from "../Core/Outside/ParsedUrl.ts"
import { isSingleLine } from "../Text/SingleLine.ts"

/** Returns the non-blank lines of the text, trimmed and with single spaces. */
export const linesOf = (text: string): ReadonlyArray<string> =>
  text
    .replaceAll("\r\n", "\n")
    .replaceAll("\r", "\n")
    .split("\n")
    .map((line) => line.split(/\s/).filter(Boolean).join(" "))
    .filter((line) => line !== "")

const wideRanges: ReadonlyArray<readonly [from: number, to: number]> = [
  [0x1100, 0x115f],
  [0x2e80, 0x303e],
  [0x3041, 0x33ff],
  [0x3400, 0x4dbf],
  [0x4e00, 0x9fff],
  [0xa000, 0xa4cf],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe30, 0xfe4f],
  [0xff00, 0xff60],
  [0xffe0, 0xffe6],
  [0x1f300, 0x1faff],
  [0x20000, 0x3fffd]
]

const widthOf = (codePoint: number): number =>
  codePoint >= 0x1100 && wideRanges.some(([from, to]) => codePoint >= from && codePoint <= to) ? 2 : 1

const insertion = "{keyword:"

/** Replaces each `{KeyWord:…}` by its default text. Undefined if a placeholder is not closed or has no default. */
const shownText = (text: string): string | undefined => {
  let shown = ""
  let rest = text
  while (true) {
    const at = rest.toLowerCase().indexOf(insertion)
    if (at < 0) return shown + rest
    const end = rest.indexOf("}", at)
    const fallback = end < 0 ? "" : rest.slice(at + insertion.length, end).trim()
    if (fallback === "") return undefined
    shown += rest.slice(0, at) + fallback
    rest = rest.slice(end + 1)
  }
}

/**
 * The length of a text as the platform counts it. Chinese, Japanese and Korean characters count as two, and a
 * placeholder counts as its default text.
 */
export const adWidth = (text: string): number | undefined => {
  const shown = shownText(text)
  return shown === undefined ? undefined : [...shown].reduce((sum, each) => sum + widthOf(each.codePointAt(0) ?? 0), 0)
}

interface TextRule {
  readonly parameter: "headlines" | "descriptions"
  readonly noun: string
  readonly fewest: number
  readonly most: number
  readonly width: number
}

export const headlineRule: TextRule = { parameter: "headlines", noun: "headline", fewest: 3, most: 15, width: 30 }
export const descriptionRule: TextRule = {
  parameter: "descriptions",
  noun: "description",
  fewest: 2,
  most: 4,
  width: 90
}

const clipped = (text: string): string => (text.length > 200 ? `${text.slice(0, 200)}…` : text)

/** Checks the texts of a responsive search ad. Refused with the first text that the platform would reject. */
export const checkedTexts = (
  { fewest, most, noun, parameter, width }: TextRule,
  text: string
): ReadonlyArray<string> | Refused => {
  const lines = linesOf(text)
  if (lines.length < fewest || lines.length > most) {
    return refused(
      `${noun}_count`,
      `An ad has ${fewest} to ${most} ${noun}s, and ${lines.length} came.`,
      `Send ${fewest} to ${most}, one per line.`,
      { parameter, minimum: fewest, maximum: most, count: lines.length }
    )
  }
  const seen = new Set<string>()
  for (const line of lines) {
    const value = clipped(line)
    if (!isSingleLine(line)) {
      return refused("control_characters", `A ${noun} has control characters.`, "Send plain text.", {
        parameter,
        value
      })
    }
    const found = adWidth(line)
    if (found === undefined) {
      return refused(
        "keyword_insertion_invalid",
        `A ${noun} has a {KeyWord:…} that is not closed, or shows nothing where no keyword fits.`,
        "Write it as {KeyWord:text to show instead}.",
        { parameter, value }
      )
    }
    if (found > width) {
      return refused(
        `${noun}_too_long`,
        `A ${noun} is ${found} characters long; at most ${width} are taken.`,
        `Shorten it to ${width} characters; wide ones (Chinese, Japanese, Korean) count two.`,
        { parameter, value, maximum: width, width: found }
      )
    }
    const key = line.toLowerCase()
    if (seen.has(key)) {
      return refused(`${noun}_repeated`, `A ${noun} came twice.`, "Each has to differ from the others.", {
        parameter,
        value
      })
    }
    seen.add(key)
  }
  return lines
}

const longestUrl = 2048

/** The address of the page that an ad opens, in the form in which it is stored. */
export const checkedUrl = (given: string): string | Refused => {
  const wrong = (error: string) =>
    refused("final_url_invalid", error, "Send the page's full address, such as https://example.com/offer.", {
      parameter: "final_url",
      accepted_values: ["https://…"]
    })
  const text = given.trim()
  if (text.length > longestUrl) return wrong(`The URL is longer than ${longestUrl} characters.`)
  const url = parsedUrl(text)
  if (url === undefined || !isSingleLine(text)) return wrong("final_url is no URL.")
  if (url.protocol !== "https:") return wrong("Ads lead to https pages alone.")
  if (url.username !== "" || url.password !== "") return wrong("The URL has credentials in it.")
  if (!url.hostname.includes(".") || url.hostname.endsWith(".")) return wrong("The URL names no public host.")
  return url.href
}
