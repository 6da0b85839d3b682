import { nationalNumberOf } from "../../Text/ContactDetails.ts"
import { LeadId } from "../Ids.ts"

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

/** Not the end of a longer address, nor the beginning of one. */
const wholeAddress = (email: string): string =>
  `(?<![[:alnum:]._%+-])${literally(email)}(?![[:alnum:]-]|[.][[:alnum:]])`

/**
 * The whole number in any notation, with or without its country code. Without its area code it may be another person's.
 */
const wholeNumber = (phone: string): string => {
  const digits = phone.replace(/\D/g, "")
  const national = nationalNumberOf(phone)
  const spaced = (text: string): string => text.split("").join(betweenDigits)
  const code = digits.slice(0, digits.length - national.length)
  const prefix = code === "" ? "" : `(?:${spaced(code)}${betweenDigits})?`
  return `(?<![0-9])[+(]{0,2}${prefix}[(]?0?${spaced(national)}(?![0-9])`
}

/** JSON values that are not texts. A person with such a name is not searched for in JSON. */
const jsonWord = /^(?:null|true|false|[\d.eE+-]+)$/i

/** The patterns that find a person in texts that remain after the lead is deleted. */
export const tracePatterns = ({ email, name, phone }: PersonTraces): TracePatterns => {
  const trimmed = name.trim()
  const contacts = [...(email === null ? [] : [wholeAddress(email)]), ...(phone === null ? [] : [spellingsOf(phone)])]
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

/** The id of no lead, for erasing a person who is none: ids of leads begin with 1. */
export const noLead = LeadId.make(0)

/** The patterns that find a person everywhere in an account, where a name of one word may be someone else's. */
export interface EverywherePatterns {
  readonly person: string
  readonly json: string
  /** The contacts only. */
  readonly contacts: string
  /** The phone numbers as JSON numbers. */
  readonly numbers: ReadonlyArray<string>
}

const anyOfPatterns = (patterns: ReadonlyArray<string>): string => {
  const distinct = [...new Set(patterns.filter((pattern) => pattern !== "(?!)"))]
  return distinct.length === 0 ? "(?!)" : distinct.join("|")
}

/** The patterns for a person with these contacts and these names. */
export const everywherePatterns = (people: ReadonlyArray<PersonTraces>): EverywherePatterns => {
  const names = people.map(({ name }) => name).filter((name) => /\s/.test(name.trim()))
  const ofNames = names.map((name) => tracePatterns({ name, email: null, phone: null }))
  const contacts = people.flatMap(({ email, phone }) => [
    ...(email === null ? [] : [wholeAddress(email)]),
    ...(phone === null ? [] : [wholeNumber(phone)])
  ])
  const numbers = people.flatMap(({ phone }) =>
    phone === null ? [] : [phone.replace(/\D/g, ""), nationalNumberOf(phone)]
  )
  return {
    person: anyOfPatterns([...contacts, ...ofNames.map(({ person }) => person)]),
    json: anyOfPatterns([...contacts, ...ofNames.map(({ json }) => json)]),
    contacts: anyOfPatterns(contacts),
    numbers: [...new Set(numbers)]
  }
}

/**
 * Converts a pattern to match bytes as PostgreSQL escapes them: a non-ASCII byte becomes a backslash and three octal
 * digits.
 */
export const patternInBytes = (pattern: string): string =>
  pattern.replace(/[\u0080-\u{10ffff}]/gu, (character) =>
    [...new TextEncoder().encode(character)].map((byte) => `\\\\${byte.toString(8)}`).join("")
  )

/** Replaces removed text. */
export const erasedMark = mark
