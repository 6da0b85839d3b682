import { Option } from "effect"

const maximumLength = 200

// Control and line separators, and marks that make a name read otherwise than it is: direction overrides, zero widths.
// biome-ignore lint/suspicious/noControlCharactersInRegex: removing them is the point
const deceptive = /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g

const reservedOnWindows = /[<>:"|?*]/g

/** At most `length` characters of the text, without splitting a surrogate pair. */
const cut = (text: string, length: number): string => Array.from(text).slice(0, length).join("")

/**
 * A file name that is safe to show and store: without folders, control characters and direction marks, at most 200
 * characters including the extension. None if nothing remains.
 */
export const cleanFileName = (raw: string): Option.Option<string> => {
  const name = raw
    .slice(0, 4096)
    .toWellFormed()
    .normalize("NFC")
    .replace(deceptive, "")
    .replace(/^.*[/\\]/s, "")
    .replace(reservedOnWindows, "_")
    .replace(/^[\s.]+|[\s.]+$/g, "")
  if (name === "") return Option.none()
  const extension = /\.[A-Za-z0-9]{1,10}$/.exec(name)?.[0] ?? ""
  const stem = name.slice(0, name.length - extension.length)
  return Option.some(cut(stem, maximumLength - extension.length) + extension)
}
