import { clip, tidyText } from "./PlainText.ts"
import { withoutControlCharacters } from "./SingleLine.ts"

const longestMailedName = 80

/**
 * Text that mail programs turn into links: a scheme, an address, or letters after a dot. Some treat other full stops as
 * dots.
 */
const linkLike = /:\/\/|www\.|@|[\\/]|[^\s.。．｡][.。．｡]\p{L}[\p{L}\p{N}]/iu
const joints = /[.。．｡:/\\@]+/gu

/**
 * A name for mail to people who may not know the account. It is one line without hidden characters, and no mail program
 * can turn it into a link: `evil.example` becomes `evil example`.
 */
export const mailedName = (name: string): string =>
  clip(
    withoutControlCharacters(tidyText(name).replace(/\s+/g, " "))
      .split(" ")
      .map((word) => (linkLike.test(word) ? word.replace(joints, " ").trim() : word))
      .filter((word) => word !== "")
      .join(" "),
    longestMailedName
  )
