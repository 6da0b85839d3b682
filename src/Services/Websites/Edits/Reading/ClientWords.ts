import { isForeign, languageOf } from "../../../Text/Language.ts"
import { fold } from "../../../Text/PlainText.ts"
import { capitalised, keyFor, within, withoutEnd } from "../../Material/MaterialText.ts"
import type { SiteBlock } from "../../Site.ts"
import { siteWords } from "../../Writing/Phrases/SitePhrases.ts"
import { change, type EditDesk, failure, type Outcome } from "../EditDesk.ts"
import { placedItems, withoutPlacement } from "../Placement.ts"
import { blocksOfKind, keysOf, placeOn, replaceBlock } from "../SiteSections.ts"
import {
  asks,
  type Clause,
  givenText,
  rawText,
  says,
  speaksOf,
  trimmed,
  unexplained,
  withTokens,
  writtenText
} from "./EditClause.ts"
import { has, isWord, type Token, wordsOf } from "./EditTokens.ts"

const sayers: ReadonlySet<string> = new Set(
  "de da do del from by of diz dice says said disse dijo e a o la el para pela pelo".split(" ")
)

interface Author {
  readonly name: string
  readonly role: string
  readonly tokens: ReadonlySet<Token>
}

/** True for tokens that may stand inside a name: "Claire e Tom", "Dr. Renato", "María de la Cruz". */
const insideName = (token: Token): boolean =>
  ["e", "y", "and", "&", "de", "da", "do", "dos", "del", "la", "."].includes(token.word)

/** The number of leading tokens that belong to one name. */
const runOf = (tokens: ReadonlyArray<Token>): number => {
  const end = tokens.findIndex((token, at) => {
    const isCapital = isWord(token) && /^\p{Lu}/u.test(token.text)
    const isJoined = insideName(token) && /^\p{Lu}/u.test(tokens[at + 1]?.text ?? "")
    const isPoint = token.text === "." && (tokens[at - 1]?.text.length ?? 9) <= 3
    return !isCapital && !isJoined && !isPoint
  })
  return end < 0 ? tokens.length : end
}

const opensPlace: ReadonlySet<string> = new Set([",", "(", "in", "from", "de", "em", "en", "da"])

const placeIn = (tokens: ReadonlyArray<Token>): ReadonlyArray<Token> => {
  const end = tokens.findIndex((token) => token.kind !== "word" || !(/^\p{Lu}/u.test(token.text) || insideName(token)))
  return end < 0 ? tokens : tokens.slice(0, end)
}

/**
 * The client that a clause names outside quotation marks: the first run of capitalised words, and a place after a
 * comma.
 */
const authorIn = (prompt: string, tokens: ReadonlyArray<Token>): Author | undefined => {
  const begin = tokens.findIndex(
    (token, at) =>
      isWord(token) &&
      /^\p{Lu}/u.test(token.text) &&
      !(at === 0 && has(token, "add", "set", "remove", "quote", "copula", "polite", "now"))
  )
  if (begin < 0) return undefined
  const who = tokens.slice(begin, begin + runOf(tokens.slice(begin)))
  const comma = tokens[begin + who.length]
  const place = comma !== undefined && opensPlace.has(comma.word) ? placeIn(tokens.slice(begin + who.length + 1)) : []
  const used = new Set([...who, ...place, ...(place.length > 0 && comma !== undefined ? [comma] : [])])
  return { name: within(rawText(prompt, who), 120), role: within(rawText(prompt, place), 160), tokens: used }
}

/** A client's words without quotation marks, after a dash or a colon. */
const unquoted = (
  prompt: string,
  tokens: ReadonlyArray<Token>
): { readonly words: string; readonly rest: ReadonlyArray<Token> } | undefined => {
  const at = tokens.findLastIndex(({ text }) => text === ":" || text === "-" || text === "–" || text === "—")
  const words = trimmed(tokens.slice(at + 1))
  return at < 1 || words.length < 3 ? undefined : { words: writtenText(prompt, words), rest: tokens.slice(0, at) }
}

/** Adds a client's quote with the client's name. */
export const addingQuote = (clause: Clause, desk: EditDesk): Outcome | undefined => {
  const { notes, prompt, site } = desk
  if (asks(clause, "remove") || !speaksOf(clause, "quote")) return undefined
  const placed = withoutPlacement(clause, desk)
  if (placed === undefined) return undefined
  const { tokens } = placed.clause
  const quotes = tokens.filter(({ kind }) => kind === "quote")
  const [quote] = quotes
  if (quotes.length > 1) return undefined
  const quoted =
    quote === undefined
      ? unquoted(prompt, tokens)
      : { words: quote.text.trim(), rest: tokens.filter((token) => token !== quote) }
  if (quoted === undefined) return undefined
  const author = authorIn(prompt, quoted.rest)
  if (author === undefined) return undefined
  const left = unexplained(
    withTokens(placed.clause, quoted.rest),
    (token) =>
      author.tokens.has(token) ||
      sayers.has(token.word) ||
      ["novo", "new", "nuevo", "outro", "otro", "another"].includes(token.word),
    "quote",
    "section",
    "client",
    "add",
    "set",
    "now",
    "person"
  )
  if (left.length > 0) return undefined
  const item = {
    words: within(capitalised(quoted.words), 600),
    name: author.name,
    role: withoutEnd(author.role, ".;:)")
  }
  const [there] = blocksOfKind(site, "Quotes")
  if ((there?.block.items.length ?? 0) >= 6) return undefined
  if (there?.block.items.some(({ words }) => fold(words) === fold(item.words)) === true)
    return failure(notes.already(item.words), notes.oneByOne)
  const title = there?.block.title ?? siteWords[languageOf(site.language)].quotes
  const note = notes.added(`${item.words} (${item.name})`, title)
  const present = [item.words, item.name]
  if (there !== undefined) {
    const items = placedItems(there.block.items, [item], there.block.id, placed.placement)
    return items === undefined
      ? undefined
      : change("addition", note, [replaceBlock(there, { ...there.block, items })], { present, topic: item.name })
  }
  const [home] = site.pages
  if (home === undefined || placed.placement !== undefined) return undefined
  const block: SiteBlock = { _tag: "Quotes", id: keyFor("quotes", keysOf(site)), title, items: [item] }
  return change("addition", note, [{ _tag: "AddBlock", page: home.id, after: placeOn(home), block }], {
    present,
    topic: item.name
  })
}

const answerMarks: ReadonlySet<string> = new Set(["r", "a", "resposta", "answer", "respuesta"])

interface QuestionItem {
  readonly question: string
  readonly answer: string
}

/** Reads questions with their answers, such as "Atende em casa? Não, só na clínica." */
export const questionsIn = (prompt: string, tokens: ReadonlyArray<Token>): ReadonlyArray<QuestionItem> | undefined => {
  const items: Array<QuestionItem> = []
  let from = 0
  const marks = tokens.flatMap((token, at) =>
    token.text === "?" || (token.kind === "quote" && token.text.trim().endsWith("?")) ? [at] : []
  )
  for (const [index, mark] of marks.entries()) {
    const words = trimmedBegin(tokens.slice(from, mark + 1))
    const until = marks[index + 1] ?? tokens.length
    // If another question follows, a slash, a semicolon or a line break separates it from this answer.
    const seam =
      marks[index + 1] === undefined
        ? tokens.length
        : tokens.findLastIndex(({ text }, at) => at > mark && at < until && (text === "/" || text === ";"))
    if (seam <= mark) return undefined
    const reply = trimmedBegin(tokens.slice(mark + 1, seam)).filter(
      (token, at) => !(at < 2 && (token.text === ":" || (answerMarks.has(token.word) && token.text.length !== 1)))
    )
    const question = words.length === 1 && words[0]?.kind === "quote" ? words[0].text.trim() : rawText(prompt, words)
    const answer = writtenText(prompt, reply)
    if (question.length < 4 || answer.length < 2) return undefined
    items.push({ question: within(capitalised(question), 300), answer: within(capitalised(answer), 4000) })
    from = seam + 1
  }
  return items.length > 0 ? items : undefined
}

const trimmedBegin = (tokens: ReadonlyArray<Token>): ReadonlyArray<Token> => {
  const begin = tokens.findIndex(({ kind, text }) => kind !== "mark" || text === "¿")
  return begin < 0 ? [] : tokens.slice(begin)
}

/**
 * Reads one question and one answer, each in quotation marks. The rest of the clause may only be the order to add them.
 */
const quotedQuestion = (tokens: ReadonlyArray<Token>): ReadonlyArray<QuestionItem> | undefined => {
  const [question, answer, ...others] = tokens.filter(({ kind }) => kind === "quote")
  if (question === undefined || answer === undefined || others.length > 0) return undefined
  return [
    { question: within(capitalised(question.text.trim()), 300), answer: within(capitalised(answer.text.trim()), 4000) }
  ]
}

/** Adds questions with their answers as the prompt writes them. */
export const addingQuestion = (clause: Clause, desk: EditDesk): Outcome | undefined => {
  const { notes, prompt, site } = desk
  const colon = clause.tokens.findIndex(({ text }) => text === ":")
  const lead = colon < 0 ? clause.tokens.filter(({ kind }) => kind !== "quote") : clause.tokens.slice(0, colon)
  const isNamed = lead.some((token) => isWord(token) && has(token, "question"))
  const isOrder = asks(clause, "add") || lead.some((token) => isWord(token) && has(token, "now"))
  if (!isNamed || !isOrder) return undefined
  const left = unexplained(
    withTokens(clause, lead),
    "question",
    "answer",
    "section",
    "list",
    "add",
    "set",
    "now",
    "page"
  )
  if (left.length > 0) return undefined
  const items = colon < 0 ? quotedQuestion(clause.tokens) : questionsIn(prompt, clause.tokens.slice(colon + 1))
  if (items === undefined) return undefined
  const all = items.map(({ answer, question }) => `${question} ${answer}`).join(" ")
  if (isForeign(all, languageOf(site.language))) return failure(notes.foreignText, notes.inSiteLanguage)
  const [there] = blocksOfKind(site, "Questions")
  const present = items.flatMap(({ answer, question }) => [question, answer])
  const title = there?.block.title ?? siteWords[languageOf(site.language)].questions
  const note = notes.added(items.map(({ question }) => question).join(" "), title)
  if (there !== undefined) {
    const same = there.block.items.find(({ question }) => items.some((item) => fold(item.question) === fold(question)))
    if (same !== undefined || there.block.items.length + items.length > 20)
      return failure(notes.already(same?.question ?? ""), notes.oneByOne)
    return change(
      "addition",
      note,
      [replaceBlock(there, { ...there.block, items: [...there.block.items, ...items] })],
      { present }
    )
  }
  const page = site.pages.at(-1)
  if (page === undefined) return undefined
  const block: SiteBlock = { _tag: "Questions", id: keyFor("questions", keysOf(site)), title, items }
  return change("addition", note, [{ _tag: "AddBlock", page: page.id, after: placeOn(page), block }], { present })
}

/** The one question that the words refer to. */
const questionNamed = ({ site }: EditDesk, words: ReadonlyArray<string>) => {
  const hits = blocksOfKind(site, "Questions").flatMap((placed) =>
    placed.block.items
      .filter(
        ({ answer, question }) =>
          words.length > 0 &&
          words.every((word) =>
            [...wordsOf(question), ...wordsOf(answer)].some(
              (each) => each === word || (each.length > 4 && each.slice(0, 5) === word.slice(0, 5))
            )
          )
      )
      .map((item) => ({ placed, item }))
  )
  return hits.length === 1 ? hits[0] : undefined
}

/** Changes the answer of an existing question: "The answer about parking should be: …". */
export const settingAnswer = (clause: Clause, desk: EditDesk): Outcome | undefined => {
  const { notes, prompt } = desk
  if (!says(clause, "answer") || asks(clause, "remove") || says(clause, "negation", "add") === undefined)
    return undefined
  const ownText = givenText(clause, prompt)
  if (ownText === undefined) return undefined
  const words = unexplained(
    ownText.rest,
    "answer",
    "question",
    "about",
    "copula",
    "set",
    "change",
    "valuemark",
    "now"
  ).map(({ word }) => word)
  const hit = questionNamed(desk, words)
  if (hit === undefined) return undefined
  const answer = within(capitalised(ownText.text), 1500)
  const items = hit.placed.block.items.map((item) => (item === hit.item ? { ...item, answer } : item))
  return change(
    "values",
    notes.text(hit.item.question, answer),
    [replaceBlock(hit.placed, { ...hit.placed.block, items })],
    { present: [answer], topic: hit.item.question }
  )
}
