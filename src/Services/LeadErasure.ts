/** What is known of the person that a text must not tell. */
export interface PersonalDetails {
  readonly name: string
  readonly email: string | null
  readonly phone: string | null
}

const mark = "[erased]"

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")

/** The digits of a number, whatever stands between them. */
const spelledOut = (phone: string): string => phone.replace(/\D/g, "").split("").join("\\D{0,3}")

/**
 * The text without what tells who the person is: the name and each word of it, e-mail addresses, and runs of digits as
 * long as a phone number.
 */
export const withoutPersonalData = (text: string, { email, name, phone }: PersonalDetails): string => {
  const words = [name, ...name.split(/\s+/)].filter((word) => word.length > 1).map(escaped)
  const patterns = [
    String.raw`[^\s<>]+@[^\s<>]+`,
    ...(email === null ? [] : [escaped(email)]),
    ...(phone === null ? [] : [String.raw`\+?` + spelledOut(phone)]),
    String.raw`\+?\d(?:[\s().-]{0,2}\d){7,}`,
    ...words.map((word) => `(?<![\\p{L}\\p{N}])${word}(?![\\p{L}\\p{N}])`)
  ]
  return text.replace(new RegExp(patterns.join("|"), "giu"), mark)
}
