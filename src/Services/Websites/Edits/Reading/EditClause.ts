import type { Language } from "../../../Text/Language.ts"
import { has, isContent, isWord, type Token, type TokenKind } from "./EditTokens.ts"
import { hasRole, type Role } from "./EditWords.ts"

/** The operations that a verb can ask for. */
export const acts = ["remove", "swap", "raise", "lower", "move", "change", "set", "add"] as const
export type Act = (typeof acts)[number]

/** What a clause inherits from the clauses before it. */
export interface Inherited {
  /** The operations of the previous clause's verb, for "and the Firm plan to $30". */
  readonly acts: ReadonlyArray<Act>
  /** Words of a heading such as "In the form:", or of the noun in the previous clause. */
  readonly nouns: ReadonlyArray<string>
  /** The subject of the previous clause, for "make it 30". */
  readonly topic: string
}

export const nothingInherited: Inherited = { acts: [], nouns: [], topic: "" }

/** A part of a prompt that may be a wish for a change. */
export interface Clause {
  readonly text: string
  /** The tokens without the courtesies before and after them. */
  readonly tokens: ReadonlyArray<Token>
  /** The clause's verb, if the clause begins with one. */
  readonly verb: Token | undefined
  readonly language: Language
  readonly inherited: Inherited
}

const isPolite = (token: Token): boolean =>
  token.kind === "mark" || (isWord(token) && has(token, "polite", "chatter", "joint") && !isActing(token))

const isActing = (token: Token): boolean => isWord(token) && has(token, ...acts)

/** Words that may come before a verb and mean nothing by themselves: "could you", "a gente quer", "please". */
const isLead = (token: Token): boolean =>
  token.kind === "mark" || (isWord(token) && has(token, "polite", "chatter", "joint", "subject", "function"))

/** The largest number of courtesy tokens before a verb. */
const longestLead = 8

const withoutCourtesy = (tokens: ReadonlyArray<Token>): ReadonlyArray<Token> => {
  let from = 0
  let to = tokens.length
  for (let at = 0; at < Math.min(tokens.length, longestLead); at++) {
    const token = tokens[at]
    if (token === undefined) break
    // "Let" and "want" are no order if another verb follows.
    if (isActing(token) && !has(token, "polite")) {
      from = at
      break
    }
    if (!isLead(token)) break
  }
  for (; from < to; from++) {
    const token = tokens[from]
    if (token === undefined || !isPolite(token)) break
  }
  for (; to > from; to--) {
    const token = tokens[to - 1]
    if (token === undefined || !isPolite(token) || /^\p{Lu}/u.test(token.text)) break
  }
  return tokens.slice(from, to)
}

export const clauseOf = (
  prompt: string,
  tokens: ReadonlyArray<Token>,
  language: Language,
  inherited: Inherited
): Clause => {
  const plain = withoutCourtesy(tokens)
  const [first] = plain
  return {
    text: first === undefined ? "" : prompt.slice(first.start, plain.at(-1)?.end),
    tokens: plain,
    verb: first !== undefined && isActing(first) ? first : undefined,
    language,
    inherited
  }
}

/** The operations that the clause's verb asks for. A clause without a verb inherits those of the previous clause. */
export const actsOf = ({ inherited, verb }: Clause): ReadonlyArray<Act> =>
  verb === undefined ? inherited.acts : acts.filter((act) => hasRole(verb.word, act))

export const asks = (clause: Clause, ...any: ReadonlyArray<Act>): boolean =>
  actsOf(clause).some((act) => any.includes(act))

export const valuesOf = ({ tokens }: Clause, ...kinds: ReadonlyArray<TokenKind>): ReadonlyArray<Token> =>
  tokens.filter(({ kind }) => kinds.includes(kind))

/** True if the clause, or a noun that it inherits, has one of these roles. */
export const speaksOf = ({ inherited, tokens }: Clause, ...any: ReadonlyArray<Role>): boolean =>
  tokens.some((token) => isWord(token) && has(token, ...any)) || inherited.nouns.some((word) => hasRole(word, ...any))

/** True if the clause itself has a word with one of these roles. Inherited nouns do not count. */
export const says = ({ tokens }: Clause, ...any: ReadonlyArray<Role>): boolean =>
  tokens.some((token) => isWord(token) && has(token, ...any))

/** Small words that only join a clause to the previous one. They are ignored anywhere in a clause. */
const alsoWords: ReadonlySet<string> = new Set(
  "also too tambem tb tbm tambien ademas please favor porfa pls".split(" ")
)

/** The tokens that carry meaning and that are neither the verb nor among the explained roles. */
export const unexplained = (
  { tokens, verb }: Pick<Clause, "tokens" | "verb">,
  ...explained: ReadonlyArray<Role | ((token: Token) => boolean)>
): ReadonlyArray<Token> => {
  const names = explained.filter((each) => typeof each === "string")
  const tests = explained.filter((each) => typeof each === "function")
  return tokens.filter(
    (token) =>
      token !== verb &&
      isContent(token) &&
      !alsoWords.has(token.word) &&
      !(isWord(token) && names.length > 0 && has(token, ...names)) &&
      !tests.some((test) => test(token))
  )
}

/** The same clause with some of its tokens only. */
export const withTokens = (clause: Clause, tokens: ReadonlyArray<Token>): Clause => ({
  ...clause,
  tokens,
  verb: clause.verb !== undefined && tokens.includes(clause.verb) ? clause.verb : undefined
})

/** The original text of consecutive tokens. Quotation marks around the whole text are removed. */
export const rawText = (prompt: string, tokens: ReadonlyArray<Token>): string => {
  const [first] = tokens
  const last = tokens.at(-1)
  if (first === undefined || last === undefined) return ""
  return tokens.length === 1 && first.kind === "quote" ? first.text.trim() : prompt.slice(first.start, last.end).trim()
}

/** Like `rawText`, with the full stop or exclamation mark that follows: a text of the owner is shown as written. */
export const writtenText = (prompt: string, tokens: ReadonlyArray<Token>): string => {
  const text = rawText(prompt, tokens)
  const mark = prompt.charAt(tokens.at(-1)?.end ?? prompt.length)
  const isQuote = tokens.length === 1 && tokens[0]?.kind === "quote"
  return !isQuote && ".!".includes(mark) && mark !== "" && text !== "" ? text + mark : text
}

/** The tokens without marks at either end. */
export const trimmed = (tokens: ReadonlyArray<Token>): ReadonlyArray<Token> => {
  let [from, to] = [0, tokens.length]
  while (from < to && tokens[from]?.kind === "mark") from++
  while (to > from && tokens[to - 1]?.kind === "mark") to--
  return tokens.slice(from, to)
}

/**
 * Reads the text in a clause such as "the answer about parking should be: …". The text is the last quotation or
 * whatever follows the colon. Returns it with the rest of the clause, or undefined if there is no text.
 */
export const givenText = (
  clause: Clause,
  prompt: string
): { readonly text: string; readonly rest: Clause } | undefined => {
  const { tokens } = clause
  const quote = valuesOf(clause, "quote").at(-1)
  if (quote !== undefined) {
    return {
      text: quote.text.trim(),
      rest: withTokens(
        clause,
        tokens.filter((token) => token !== quote)
      )
    }
  }
  const colon = tokens.findIndex(({ text }) => text === ":")
  return colon < 0
    ? undefined
    : { text: rawText(prompt, tokens.slice(colon + 1)), rest: withTokens(clause, tokens.slice(0, colon)) }
}
