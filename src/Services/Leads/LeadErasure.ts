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

/** What a person is known by. */
export interface PersonTraces {
  readonly name: string
  readonly email: string | null
  readonly phone: string | null
}

/** Regular expressions that mean the same to the database, with case not counting. */
export interface TracePatterns {
  /** The whole name, the address, and the number in any spelling. */
  readonly person: string
  /** The same with any word of the name: for what the person wrote. */
  readonly words: string
  /** `person` as it stands in JSON. */
  readonly json: string
}

const literally = (text: string): string => text.replace(/[^\p{L}\p{N}\s]/gu, "\\$&").replace(/\s+/g, "\\s+")

const wholeWords = (text: string): string => `(?<![[:alnum:]])${literally(text)}(?![[:alnum:]])`

const betweenDigits = "[ ().-]{0,2}"

/** The last eight digits, which are the same with and without country and area, and what may stand before them. */
const spellingsOf = (phone: string): string => {
  const digits = phone.replace(/\D/g, "").slice(-8)
  return `[+(]{0,2}(?:[0-9]${betweenDigits}){0,7}${digits.split("").join(betweenDigits)}(?![0-9])`
}

/** Values of JSON that are no texts; a person of such a name is not looked for in it. */
const jsonWord = /^(?:null|true|false|[\d.eE+-]+)$/i

/** By what a person is found in texts that outlive the lead. */
export const tracePatterns = ({ email, name, phone }: PersonTraces): TracePatterns => {
  const trimmed = name.trim()
  const contacts = [...(email === null ? [] : [literally(email)]), ...(phone === null ? [] : [spellingsOf(phone)])]
  const words = trimmed.split(/\s+/).filter((word) => word.length > 1)
  const named = trimmed.length > 1 ? [trimmed] : []
  const inJson = named.filter((text) => !jsonWord.test(text)).map((text) => JSON.stringify(text).slice(1, -1))
  const anyOf = (patterns: ReadonlyArray<string>): string => (patterns.length === 0 ? "(?!)" : patterns.join("|"))
  return {
    person: anyOf([...contacts, ...named.map(wholeWords)]),
    words: anyOf([...contacts, ...words.map(wholeWords)]),
    json: anyOf([...contacts, ...inJson.map(wholeWords)])
  }
}

/** What stands where something was taken out. */
export const erasedMark = mark
