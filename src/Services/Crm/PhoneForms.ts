import { parsePhoneNumberFromString } from "libphonenumber-js/min"

const digitsOf = (text: string): string => text.replace(/\D/g, "")

/** Brazilian mobile numbers had eight digits before a leading 9 was added. */
const withoutNinthDigit = (national: string): ReadonlyArray<string> =>
  /^\d{2}9[6-9]\d{7}$/.test(national) ? [national.slice(0, 2) + national.slice(3)] : []

interface PhoneParts {
  readonly callingCode: string
  /** The national forms of the number, the current one first. */
  readonly nationals: readonly [string, ...ReadonlyArray<string>]
  readonly isBrazilian: boolean
}

const partsOf = (e164: string): PhoneParts | undefined => {
  const parsed = parsePhoneNumberFromString(e164)
  if (parsed === undefined) return undefined
  const { countryCallingCode, nationalNumber } = parsed
  const isBrazilian = countryCallingCode === "55"
  return {
    callingCode: countryCallingCode,
    nationals: [nationalNumber, ...(isBrazilian ? withoutNinthDigit(nationalNumber) : [])],
    isBrazilian
  }
}

/** A Brazilian number with a separate area code and a hyphen before the last four digits. */
const brazilianForms = (national: string): ReadonlyArray<string> => {
  const [area, first, last] = [national.slice(0, 2), national.slice(2, -4), national.slice(-4)]
  return [
    `(${area}) ${first}-${last}`,
    `+55 (${area}) ${first}-${last}`,
    `+55 ${area} ${first}-${last}`,
    `${area} ${first}-${last}`,
    `(${area})${first}-${last}`,
    `(${area}) ${first}${last}`,
    `${area} ${first}${last}`
  ]
}

const foreignForms = (e164: string): ReadonlyArray<string> => {
  const parsed = parsePhoneNumberFromString(e164)
  return parsed === undefined ? [] : [parsed.formatInternational(), parsed.formatNational()]
}

/**
 * The notations in which people type a number into a CRM, most usual first. Used for CRMs that compare phones as text.
 * Numbers without an area code are ambiguous and therefore not included.
 */
export const phoneForms = (e164: string): readonly [string, ...ReadonlyArray<string>] => {
  const parts = partsOf(e164)
  if (parts === undefined) return [e164]
  const { callingCode, isBrazilian, nationals } = parts
  const forms = nationals.flatMap((national, index) => {
    const formatted = isBrazilian ? brazilianForms(national) : index === 0 ? foreignForms(e164) : []
    const [first = national, ...others] = formatted
    return [`+${callingCode}${national}`, national, first, `${callingCode}${national}`, ...others, `0${national}`]
  })
  return [e164, ...new Set(forms.filter((form) => form !== e164))]
}

/** The number without its country code, as CRMs that normalise phones index it. */
export const nationalNumbers = (e164: string): ReadonlyArray<string> => partsOf(e164)?.nationals ?? [digitsOf(e164)]

/** Whether a typed text is the same number. */
export const isSamePhone = (typed: string, e164: string): boolean => {
  const digits = digitsOf(typed).replace(/^00/, "")
  if (digits === "") return false
  const parts = partsOf(e164)
  if (parts === undefined) return digits === digitsOf(e164)
  const { callingCode, isBrazilian, nationals } = parts
  const isForeign = typed.trim().startsWith("+") && !digits.startsWith(callingCode)
  if (isForeign) return false
  // Removes a trunk zero, in Brazil with the two digits of a carrier.
  const domestic = digits.replace(/^0/, "")
  return nationals.some(
    (national) =>
      digits === `${callingCode}${national}` ||
      digits === `${callingCode}0${national}` ||
      domestic === national ||
      (isBrazilian && digits.startsWith("0") && domestic.length === national.length + 2 && domestic.endsWith(national))
  )
}
