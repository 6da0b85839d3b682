import { IntlMessageFormat } from "intl-messageformat"
import type { Language } from "../Text/Language.ts"
import { catalogs } from "./Catalogs.ts"
import type { MessageArguments, VariantArguments } from "./MessageArguments.ts"

/**
 * The texts that people read, in ICU message syntax, with one file per language and subject. An optional argument has
 * the choice "none".
 */

export type MessageId = keyof MessageArguments
export type VariantsId = keyof VariantArguments

/** Alternative wordings of a message. */
export type Variants = ReadonlyArray<string>

type Value = string | number | boolean | undefined
type Tree = string | ReadonlyArray<string> | { readonly [key: string]: Tree }

/** The arguments of a message whose id is one of several: the arguments of all of them. */
type All<Union> = (Union extends unknown ? (one: Union) => void : never) extends (all: infer Every) => void
  ? Every
  : never
type Needed<Arguments> = Record<never, never> extends Arguments ? [values?: Arguments] : [values: Arguments]
type ArgumentsOf<Id extends MessageId> = Needed<All<MessageArguments[Id]>>
type VariantArgumentsOf<Id extends VariantsId> = Needed<All<VariantArguments[Id]>>

/** A message that is ready to be rendered. Most have no arguments and need no parser. */
type Rendered = string | IntlMessageFormat

const needsParsing = /[{}]|''/

const parsed = (text: string, language: Language): Rendered =>
  needsParsing.test(text) ? new IntlMessageFormat(text, language, undefined, { ignoreTag: true }) : text

const textAt = (language: Language, id: string): Tree | undefined => {
  let tree: Tree | undefined = catalogs[language]
  for (const key of id.split(".")) {
    if (tree === undefined || typeof tree === "string" || Array.isArray(tree)) return undefined
    tree = Object.entries(tree).find(([name]) => name === key)?.[1]
  }
  return tree
}

const cache: { readonly [L in Language]: Map<string, ReadonlyArray<Rendered>> } = {
  "pt-BR": new Map(),
  en: new Map(),
  es: new Map()
}

/** Each message is parsed once, when it is first used. */
const messagesAt = (language: Language, id: string): ReadonlyArray<Rendered> => {
  const existing = cache[language].get(id)
  if (existing !== undefined) return existing
  const texts = textAt(language, id)
  const messages = (typeof texts === "string" ? [texts] : Array.isArray(texts) ? texts : []).map((text: string) =>
    parsed(text, language)
  )
  cache[language].set(id, messages)
  return messages
}

const icuValue = (value: Value): string | number =>
  value === undefined ? "none" : typeof value === "boolean" ? String(value) : value

const icuValues = (values: unknown): Record<string, string | number> =>
  typeof values === "object" && values !== null
    ? Object.fromEntries(Object.entries(values).map(([name, value]: [string, Value]) => [name, icuValue(value)]))
    : {}

const render = (message: Rendered, values: unknown): string =>
  typeof message === "string" ? message : String(message.format(icuValues(values)))

/** Renders the message with this id. */
export const say = <Id extends MessageId>(language: Language, id: Id, ...[values]: ArgumentsOf<Id>): string =>
  messagesAt(language, id)
    .map((message) => render(message, values))
    .join("")

/** Renders all wordings of the message with this id. */
export const variants = <Id extends VariantsId>(
  language: Language,
  id: Id,
  ...[values]: VariantArgumentsOf<Id>
): Variants => messagesAt(language, id).map((message) => render(message, values))
