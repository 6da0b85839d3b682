import { clip, tidyText } from "./PlainText.ts"
import { withoutControlCharacters } from "./SingleLine.ts"

const longestMailedName = 80

/** What mail programs make links of: a scheme, an address, or letters after a dot. Some read other full stops as dots. */
const linkLike = /:\/\/|www\.|@|[\\/]|[^\s.。．｡][.。．｡]\p{L}[\p{L}\p{N}]/iu
const joints = /[.。．｡:/\\@]+/gu

/**
 * A name as mail shows it to people who may not know its account. It is one line without hidden characters, and no
 * program makes a link of any of its words: `evil.example` becomes `evil example`.
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
