const mark = "[erased]"

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")

/** E-mail addresses, and runs of digits as long as a phone number's, whatever stands between the digits. */
const contacts = [String.raw`[^\s<>]+@[^\s<>]+`, String.raw`[+(]{0,2}\d(?:[\s().-]{0,2}\d){6,}`]

/** The text without the person's name, any word of it, and anything that looks like an address or a phone number. */
export const withoutPersonalData = (text: string, name: string): string => {
  const names = [name, ...name.split(/\s+/)]
    .filter((word) => word.length > 1)
    .map((word) => `(?<![\\p{L}\\p{N}])${escaped(word)}(?![\\p{L}\\p{N}])`)
  return text.replace(new RegExp([...contacts, ...names].join("|"), "giu"), mark)
}
