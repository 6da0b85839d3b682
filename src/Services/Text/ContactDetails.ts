import { domainToASCII } from "node:url"
import { Either } from "effect"
import {
  type CountryCode,
  getCountryCallingCode,
  type PhoneNumber,
  parsePhoneNumberFromString,
  validatePhoneNumberLength
} from "libphonenumber-js/min"
import { parsedUrl } from "../Core/Outside/ParsedUrl.ts"

export type { CountryCode }

/** Why a contact detail was rejected: a stable `reason` code, and a sentence that never repeats the value. */
export interface Problem<out R extends ProblemReason = ProblemReason> {
  readonly reason: R
  readonly message: string
}

export const emailProblems = [
  "empty",
  "too_long",
  "control_characters",
  "several_values",
  "invalid_email",
  "invalid_email_domain"
] as const
export const domainProblems = ["empty", "too_long", "invalid_domain", "email_instead_of_domain"] as const
export const phoneProblems = [
  "empty",
  "too_long",
  "invalid_phone",
  "area_code_missing",
  "rounded_by_spreadsheet"
] as const
const linkedInProblems = ["empty", "too_long", "invalid_linkedin_url"] as const

type EmailProblem = (typeof emailProblems)[number]
type DomainProblem = (typeof domainProblems)[number]
type PhoneProblem = (typeof phoneProblems)[number]
type LinkedInProblem = (typeof linkedInProblems)[number]

export type ProblemReason = EmailProblem | DomainProblem | PhoneProblem | LinkedInProblem

export interface NormalisedPhone {
  /** `+` and up to 15 digits. */
  readonly e164: string
  /** ISO 3166-1 alpha-2. */
  readonly country: CountryCode
}

const problem = <R extends ProblemReason>(reason: R, message: string) => Either.left<Problem<R>>({ reason, message })

const controlCharacters = /[\p{Cc}\u2028\u2029]/u
// Zero-width characters and direction marks are often copied along from web pages and contact lists.
const invisible = /[\u200b-\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g

const tidy = (raw: string) => raw.replace(invisible, "").trim()

const maximumEmailLength = 254
const maximumLocalLength = 64
const maximumDomainLength = 253
const maximumPhoneTextLength = 100
// `+` and fifteen digits (ITU-T E.164).
const maximumE164Length = 16
const maximumUrlLength = 500

const localPart = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/
const asciiDomain = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/
// A top-level domain starts with a letter, so an IPv4 address is not accepted as a name.
const topLevelDomain = /\.[a-z][a-z0-9-]*[a-z0-9]$/
const asciiOutsideDomains = /[^a-z0-9.\-\u0080-\uffff]/

/** A host name in lower-case ASCII. Undefined if the text is not a host name. */
const hostName = (text: string): string | undefined => {
  const lower = text.toLowerCase()
  if (lower.length > maximumDomainLength || asciiOutsideDomains.test(lower)) return undefined
  // `domainToASCII` takes ten times as long as this test, and only changes names that are not plain ASCII or are
  // punycode.
  const ascii = asciiDomain.test(lower) && !lower.includes("xn--") ? lower : domainToASCII(lower)
  return ascii.length <= maximumDomainLength && asciiDomain.test(ascii) && topLevelDomain.test(ascii)
    ? ascii
    : undefined
}

/**
 * The address in the form in which it is stored and compared: trimmed, lower-case, with the domain in ASCII (punycode).
 * Dots and `+tags` of the local part stay, because providers treat them differently.
 */
export const normaliseEmail = (raw: string): Either.Either<string, Problem<EmailProblem>> => {
  // The length is checked first, because a field of a file can be far longer than an address.
  if (raw.length > 4 * maximumEmailLength) return problem("too_long", "The e-mail address is too long.")
  const text = tidy(raw).toLowerCase()
  if (text === "") return problem("empty", "The e-mail address is empty.")
  if (controlCharacters.test(text)) {
    return problem("control_characters", "The e-mail address has a line break or a control character.")
  }
  const at = text.lastIndexOf("@")
  if (at < 1 || at === text.length - 1) {
    return problem("invalid_email", "An e-mail address has the form name@domain.")
  }
  if (text.indexOf("@") !== at && /[,;\s]/.test(text)) {
    return problem("several_values", "Give one e-mail address only.")
  }
  const local = text.slice(0, at)
  if (local.length > maximumLocalLength) return problem("too_long", "The part before @ is longer than 64 characters.")
  if (!localPart.test(local)) {
    return problem("invalid_email", "The part before @ has a character that an e-mail address cannot have.")
  }
  const domain = hostName(text.slice(at + 1))
  if (domain === undefined) {
    return problem("invalid_email_domain", "The part after @ is not a domain name, such as company.com.")
  }
  const address = `${local}@${domain}`
  return address.length > maximumEmailLength
    ? problem("too_long", "The e-mail address is longer than 254 characters.")
    : Either.right(address)
}

/** A domain name as it is stored and compared: lower-case, ASCII (punycode), without a final dot. Subdomains stay. */
export const normaliseDomain = (raw: string): Either.Either<string, Problem<DomainProblem>> => {
  if (raw.length > 4 * maximumDomainLength) return problem("too_long", "The domain is too long.")
  const text = tidy(raw)
  if (text === "") return problem("empty", "The domain is empty.")
  if (text.includes("@")) return problem("email_instead_of_domain", "Give the domain only: what stands after the @.")
  const domain = hostName(text.replace(/\.$/, ""))
  return domain === undefined
    ? problem("invalid_domain", "Give a bare domain name such as company.com, without https:// or a path.")
    : Either.right(domain)
}

/** The digits of the first 1 000 characters in ASCII, including full-width ones. */
export const digitsOf = (raw: string): string => raw.slice(0, 1000).normalize("NFKC").replace(/\D/g, "")

const parsePhone = (text: string, defaultCountry: CountryCode): PhoneNumber | undefined =>
  parsePhoneNumberFromString(text, { defaultCountry, extract: false })

const invalidPhone = problem(
  "invalid_phone",
  "This is not a phone number that can be called; write it with area code, or with + and the country code."
)
const areaCodeMissing = problem("area_code_missing", "The phone number has no area code.")

const missingDigits = ["0", "00", "000"]

/**
 * Whether digits are missing. Numbering plans are incomplete, so a number outside of them is accepted, but only with
 * full length: `496 0190` has the length of the only British number with seven digits.
 */
const isShortened = (phone: PhoneNumber, isInPlan: boolean): boolean =>
  !isInPlan &&
  missingDigits.some((digits) => parsePhoneNumberFromString(`${phone.number}${digits}`)?.isPossible() === true)

const checkPhone = (phone: PhoneNumber, text: string): Either.Either<NormalisedPhone, Problem<PhoneProblem>> => {
  const country = phone.country ?? phone.getPossibleCountries()[0]
  if (country === undefined || !phone.isPossible()) return invalidPhone
  // A country's plan may allow more digits than can be dialled from abroad.
  if (phone.number.length > maximumE164Length) return invalidPhone
  const isInPlan = phone.isValid()
  if (country === "BR") {
    const national = phone.nationalNumber
    if (national.length === 8 || (national.length === 9 && national.startsWith("9"))) return areaCodeMissing
    if (!isInPlan) return invalidPhone
    if (national.length === 10 && /^..[6-9]/.test(national) && cutBrazilianNumber.test(text)) return invalidPhone
    // A number of eleven digits is a mobile number, whose third digit is always 9. A CPF also has eleven digits.
    if (national.length === 11 && national[2] !== "9" && !/^[3589]00/.test(national)) return invalidPhone
  }
  return isShortened(phone, isInPlan) || (phone.countryCallingCode === "1" && !/^[2-9]/.test(phone.nationalNumber))
    ? invalidPhone
    : Either.right({ e164: phone.number, country })
}

/**
 * Whether the text names another country, by a `+` or an uninterrupted international prefix. `01 16 496 0161` does not
 * start with the American prefix `011`.
 */
const isOfNamedCountry = (text: string, phone: PhoneNumber, defaultCountry: CountryCode): boolean => {
  if (text.startsWith("+") || phone.countryCallingCode === getCountryCallingCode(defaultCountry)) return true
  // `0116 496 0135` is a British number, not `011` and six digits of New Zealand.
  return /^\(?0[01]1?\d/.test(text) && phone.isValid()
}

/** Reads one number in any notation. */
const readPhone = (
  text: string,
  defaultCountry: CountryCode
): Either.Either<NormalisedPhone, Problem<PhoneProblem>> => {
  if (text.startsWith("00")) {
    const international = parsePhone(`+${text.slice(2)}`, defaultCountry)
    if (international?.isValid()) return checkPhone(international, text)
  }
  const phone = parsePhone(text, defaultCountry)
  if (phone === undefined || !isOfNamedCountry(text, phone, defaultCountry)) return invalidPhone
  const checked = checkPhone(phone, text)
  // Too long for the country and without a +, because exports of messaging apps drop it. A number that is too short
  // could be from any other country.
  const isTooLong = () => validatePhoneNumberLength(text, { defaultCountry }) === "TOO_LONG"
  if (Either.isLeft(checked) && !text.startsWith("+") && !phone.isPossible() && isTooLong()) {
    const international = parsePhone(`+${text}`, defaultCountry)
    if (international?.isValid()) return checkPhone(international, text)
  }
  return checked
}

// Spreadsheets show a long number as 5.51E+12, which loses the last digits.
const scientific = /^\d(?:[.,]\d+)?e\+?\d+$/i
/** No digit is lost if there are as many decimals as the exponent says. */
const exactScientific = (text: string): string => {
  const [, first = "", decimals = "", exponent = ""] = /^(\d)[.,](\d{9,14})e\+?(\d{1,2})$/i.exec(text) ?? []
  return first !== "" && decimals.length === Number(exponent) ? `${first}${decimals}` : text
}
/** The same number after it was saved: the lost digits are zeros. */
const roundedDigits = /^[1-9]\d{5}0{6,7}$/
// Tables exported from data frames append `.0` to numbers.
const trailingDecimal = /^(\+?\d{8,15})[.,]0$/
const carrierPlaceholder = /^(\(?)0x+/i
/** `(+44) 7700 900123` */
const bracketedCountryCode = /^\(\s*(\+\d{1,3})\s*\)/
/** Until 2019, Mexican mobile numbers had a 1 between the country code and the number. */
const mexicanMobilePrefix = /^(\+|00)?(\s*52)[\s.-]*1(?=(?:\D*\d){10}\D*$)/
/** Until 2019, Mexicans dialled these prefixes before a number of ten digits. */
const mexicanTrunkPrefix = /^\(?(?:01|044|045)\)?[\s.-]{0,3}/
const mexicanDigits = 10
/** `(802) 555-DENT`: the last seven may be letters of the keypad. */
const keypadNumber = /^(?:\+?1[\s.-]?)?\(?\d{3}\)?[\s.-]?(?=[\dA-Z.-]*[A-Z]{3})[\dA-Z]{3}[.-]?[\dA-Z]{4}$/
const keypad = "22233344455566677778889999"
const betweenNumbers = /[/;,|\n]|\s[-–—]\s|\s(?:ou|or|o|e|y|and)\s/i
/** A slash after an area code is punctuation. After more digits, it begins another ending: `3333-4444/45`. */
const slashAfterNumber = /\d(?:[^\d/]{0,3}\d){5,14}\s*\//
/** A Brazilian number ends in four digits, so fewer after a separator mean that the end was cut off. */
const cutBrazilianNumber = /\d{4,5}[\s.-]\d{1,3}$/

export const callingCodeOf = (country: CountryCode): string => getCountryCallingCode(country)

/** The most groups of digits in a text that contains two numbers. */
const mostGroups = 12

/** A country's own notation, with letters as digits and without prefixes that no longer exist. */
const inDigits = (text: string, country: CountryCode): string => {
  if (country === "MX") {
    const number = text.replace(mexicanTrunkPrefix, "")
    return number.replace(/\D/g, "").length === mexicanDigits ? number : text
  }
  if (callingCodeOf(country) !== "1" || !keypadNumber.test(text)) return text
  return text.replace(/[A-Z]/g, (letter) => keypad[letter.charCodeAt(0) - "A".charCodeAt(0)] ?? letter)
}

/** The number in `Tel: (11) 99999-8888 ramal 12`, without the words around it. */
const withoutWords = (text: string): string => /[+(\d][\d\s().+-]*/.exec(text)?.[0].trim() ?? ""

/**
 * The first number of a text such as `11 3333-4444 11 99999-8888`, if there is exactly one way to split it into two
 * numbers.
 */
const firstOfTwo = (text: string, country: CountryCode) => {
  const groups = text.split(/\s+/)
  if (groups.length < 2 || groups.length > mostGroups || /\p{L}/u.test(text)) return undefined
  const isWhole = (read: ReturnType<typeof readPhone>) =>
    Either.match(read, {
      onLeft: ({ reason }) => reason === "area_code_missing",
      onRight: ({ e164 }) => isInNumberingPlan(e164)
    })
  const firsts = groups.slice(1).flatMap((_, index) => {
    const first = readPhone(groups.slice(0, index + 1).join(" "), country)
    const second = readPhone(groups.slice(index + 1).join(" "), country)
    return Either.isRight(first) && isWhole(first) && isWhole(second) ? [first] : []
  })
  return firsts.length === 1 ? firsts[0] : undefined
}

/**
 * The number in E.164. A number without a country code belongs to `defaultCountry`. Brazilian mobile numbers without
 * the ninth digit are not completed. If a text contains several numbers, the first valid one counts.
 */
export const normalisePhone = (
  raw: string,
  defaultCountry: CountryCode = "BR"
): Either.Either<NormalisedPhone, Problem<PhoneProblem>> => {
  if (raw.length > maximumPhoneTextLength) return problem("too_long", "The phone number is too long.")
  const plainText = tidy(raw)
    .replace(trailingDecimal, "$1")
    .replace(carrierPlaceholder, (_, bracket: string) => `${bracket}0`)
    .replace(bracketedCountryCode, "$1")
    .replace(mexicanMobilePrefix, "$1$2")
  const text = inDigits(exactScientific(plainText), defaultCountry)
  if (text === "") return problem("empty", "The phone number is empty.")
  if (scientific.test(text) || roundedDigits.test(text)) {
    return problem(
      "rounded_by_spreadsheet",
      "A spreadsheet rounded this phone number; format its column as text and export it again."
    )
  }
  const whole = slashAfterNumber.test(text) ? invalidPhone : readPhone(text, defaultCountry)
  if (Either.isRight(whole)) return whole
  for (const part of text.split(betweenNumbers, 4)) {
    const number = withoutWords(part)
    if (number === "" || number === text) continue
    const read = readPhone(number, defaultCountry)
    if (Either.isRight(read)) return read
  }
  return firstOfTwo(text, defaultCountry) ?? whole
}

/** The digits of a number in E.164 without its country code. */
export const nationalNumberOf = (e164: string): string =>
  parsePhoneNumberFromString(e164)?.nationalNumber ?? e164.replace(/\D/g, "")

/** Whether the number follows its country's plan. Plans are incomplete, so this is only used for guesses. */
export const isInNumberingPlan = (e164: string): boolean => parsePhoneNumberFromString(e164)?.isValid() === true

/** The most numbers that are read from one text. */
const maximumPhonesInText = 4

/** All numbers of a text in E.164, the first one as `normalisePhone` reads it. */
export const phonesIn = (raw: string, defaultCountry: CountryCode): ReadonlyArray<string> => {
  const first = normalisePhone(raw, defaultCountry)
  if (Either.isLeft(first)) return []
  const parts = tidy(raw).split(betweenNumbers, maximumPhonesInText)
  const numbers = parts.length === 1 ? [] : parts.map((part) => normalisePhone(part, defaultCountry))
  return [...new Set([first, ...numbers].filter(Either.isRight).map(({ right }) => right.e164))]
}

const linkedInPath = /^\/(in|pub|company|school|showcase)\/([^/]+)/

const decoded = (segment: string): string | undefined => {
  try {
    return decodeURIComponent(segment)
  } catch {
    return undefined
  }
}

/**
 * The address of a LinkedIn profile or page in its one canonical form,
 * `https://www.linkedin.com/in/name`: no country host, query, language or final slash.
 */
export const normaliseLinkedInUrl = (raw: string): Either.Either<string, Problem<LinkedInProblem>> => {
  if (raw.length > maximumUrlLength) return problem("too_long", "The LinkedIn address is too long.")
  const text = tidy(raw)
  if (text === "") return problem("empty", "The LinkedIn address is empty.")
  const invalid = problem("invalid_linkedin_url", "Give the address of a LinkedIn profile: linkedin.com/in/name.")
  if (controlCharacters.test(text)) return invalid
  const address = /^https?:\/\//i.test(text) ? text : `https://${text}`
  const url = parsedUrl(address)
  if (url === undefined) return invalid
  if (url.username !== "" || url.password !== "" || url.port !== "") return invalid
  if (url.hostname !== "linkedin.com" && !url.hostname.endsWith(".linkedin.com")) return invalid
  const [, kind, segment] = linkedInPath.exec(url.pathname) ?? []
  if (kind === undefined || segment === undefined) return invalid
  const name = decoded(segment)?.normalize("NFC").toLowerCase()
  if (name === undefined || !/^[\p{L}\p{N}\p{M}_.&'’-]{1,200}$/u.test(name)) return invalid
  return Either.right(`https://www.linkedin.com/${kind}/${encodeURIComponent(name)}`)
}
