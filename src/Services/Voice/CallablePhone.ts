import { Either } from "effect"
import { type PhoneNumber, parsePhoneNumberFromString } from "libphonenumber-js/max"
import { type Refused, refused } from "../../Errors.ts"

const longestText = 40
const formatting = /^\s*(?:\+|00)[\d\s().-]+$/

// Numbers without a country belong to satellites, ships and shared services, which cost dozens of times as much.
const expensive: ReadonlySet<string> = new Set(["PREMIUM_RATE", "SHARED_COST", "PAGER", "VOICEMAIL", "UAN"])

const notInternational = refused(
  "phone_not_international",
  "phone_number is not in international format.",
  "Send a plus, the country code and the whole number, for example +5511912345678."
)
const short = refused(
  "phone_short_or_emergency",
  "phone_number is a short or emergency number, which is never called.",
  "Send the whole number of a person or company, with its country and area code."
)
const invalid = refused(
  "invalid_phone",
  "phone_number is not a number that exists in its country.",
  "Check the country code, the area code and the count of digits."
)
const notCallable = refused(
  "phone_not_callable",
  "phone_number is a premium, shared-cost, satellite or other special number, which is never called.",
  "Send a fixed or mobile number, or a freephone number."
)

/** Digits without the country code. Emergency and service numbers have fewer than any ordinary number. */
const shortest = 6

const parse = (text: string): PhoneNumber | undefined =>
  parsePhoneNumberFromString(text.trim().replace(/^00/, "+"), { extract: false })

/**
 * The number in E.164, if it may be called: a single number in international format that exists and costs no more than
 * an ordinary call.
 */
export const callablePhone = (raw: string): Either.Either<string, Refused> => {
  const text = raw.normalize("NFKC")
  if (text.length > longestText || !formatting.test(text)) return Either.left(notInternational)
  const phone = parse(text)
  if (phone === undefined) return Either.left(text.replace(/\D/g, "").length < shortest + 3 ? short : invalid)
  if (phone.isNonGeographic()) return Either.left(notCallable)
  if (!phone.isValid()) return Either.left(phone.nationalNumber.length < shortest ? short : invalid)
  const type = phone.getType()
  return type !== undefined && expensive.has(type) ? Either.left(notCallable) : Either.right(phone.number)
}
