import { clip, tidyText } from "./PlainText.ts"
import { withoutControlCharacters, withoutUnseen } from "./SingleLine.ts"

const longestMailedName = 80

/**
 * Text that mail programs turn into links: a scheme, an address, or letters after a dot. In some scripts the letters
 * carry marks, and some programs treat other full stops as dots.
 */
const linkLike = /:\/\/|www\.|@|[\\/⁄∕]|[^\s.。｡][.。｡](?:xn--|\p{L}[\p{L}\p{M}\p{N}])|(?:\d{1,3}\.){3}\d/iu
const joints = /[.。｡:/⁄∕\\@]+/gu

/** Seven or more digits with common separators. Phones turn them into numbers that can be called. */
const phoneLike = /\+?\(?\d(?:[ ().\-/]{0,3}\d){6,}/g

/**
 * The word as browsers and mail programs read it. They replace look-alike dots, slashes and letters by the plain
 * characters.
 */
const plainWord = (word: string): string => {
  const plain = word.normalize("NFKC")
  return linkLike.test(plain) ? plain.replace(joints, " ").trim() : word
}

/**
 * A name for mail to people who may not know the account. It is one line without hidden characters, and no mail program
 * can turn it into a link or a number to call: `evil.example` becomes `evil example`.
 */
export const mailedName = (name: string): string =>
  clip(
    withoutUnseen(withoutControlCharacters(tidyText(name).replace(/\s+/g, " ")))
      .replace(phoneLike, " ")
      .split(" ")
      .map(plainWord)
      .filter((word) => word !== "")
      .join(" "),
    longestMailedName
  )
