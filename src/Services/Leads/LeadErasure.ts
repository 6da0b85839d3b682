const mark = "[erased]"

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")

/** E-mail addresses, and runs of as many digits as a phone number has, with any separators. */
const contacts = [String.raw`[^\s<>]+@[^\s<>]+`, String.raw`[+(]{0,2}\d(?:[\s().-]{0,2}\d){6,}`]

/**
 * The text without any word of the person's name, and without anything that looks like an address or a phone number.
 */
export const withoutPersonalData = (text: string, name: string): string => {
  const names = [name, ...name.split(/\s+/)]
    .filter((word) => word.length > 1)
    .map((word) => `(?<![\\p{L}\\p{N}])${escaped(word)}(?![\\p{L}\\p{N}])`)
  return text.replace(new RegExp([...contacts, ...names].join("|"), "giu"), mark)
}

/** What identifies a person in texts. */
export interface PersonTraces {
  readonly name: string
  readonly email: string | null
  readonly phone: string | null
}

/** Case-insensitive regular expressions, in a syntax that PostgreSQL reads in the same way. */
export interface TracePatterns {
  /** Matches the whole name, the address, and the number in any notation. */
  readonly person: string
  /** Matches any word of the name as well, for texts that the person wrote. */
  readonly words: string
  /** `person`, as it appears in JSON. */
  readonly json: string
}

const literally = (text: string): string => text.replace(/[^\p{L}\p{N}\s]/gu, "\\$&").replace(/\s+/g, "\\s+")

const wholeWords = (text: string): string => `(?<![[:alnum:]])${literally(text)}(?![[:alnum:]])`

const betweenDigits = "[ ().-]{0,2}"

/** The last eight digits, which are equal with and without country and area code, and any prefix. */
const spellingsOf = (phone: string): string => {
  const digits = phone.replace(/\D/g, "").slice(-8)
  return `[+(]{0,2}(?:[0-9]${betweenDigits}){0,7}${digits.split("").join(betweenDigits)}(?![0-9])`
}

/** JSON values that are not texts. A person with such a name is not searched for in JSON. */
const jsonWord = /^(?:null|true|false|[\d.eE+-]+)$/i

/** The patterns that find a person in texts that remain after the lead is deleted. */
export const tracePatterns = ({ email, name, phone }: PersonTraces): TracePatterns => {
  const trimmed = name.trim()
  const contacts = [...(email === null ? [] : [literally(email)]), ...(phone === null ? [] : [spellingsOf(phone)])]
  const words = trimmed.split(/\s+/).filter((word) => word.length > 1)
  const fullName = trimmed.length > 1 ? [trimmed] : []
  const inJson = fullName.filter((text) => !jsonWord.test(text)).map((text) => JSON.stringify(text).slice(1, -1))
  const anyOf = (patterns: ReadonlyArray<string>): string => (patterns.length === 0 ? "(?!)" : patterns.join("|"))
  return {
    person: anyOf([...contacts, ...fullName.map(wholeWords)]),
    words: anyOf([...contacts, ...words.map(wholeWords)]),
    json: anyOf([...contacts, ...inJson.map(wholeWords)])
  }
}

/** Replaces removed text. */
export const erasedMark = mark
