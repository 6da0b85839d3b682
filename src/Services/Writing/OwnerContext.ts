import type { Language } from "../Text/Language.ts"
import { clip, fold, sentencesOf, tidyText } from "../Text/PlainText.ts"
import { linksIn } from "../Text/Web/Links.ts"
import { readInstructions } from "./Instructions/ReadInstructions.ts"
import { meetingOf } from "./MeetingNotes.ts"
import { isIn } from "./OneLanguage.ts"

/**
 * The owner's text about a conversation to revive is a note, not a text for the lead. A sentence of ours names its
 * topic. The note itself is never in a message.
 */

/** Words that introduce the topic of the conversation. */
const introductions: { readonly [L in Language]: ReadonlyArray<string> } = {
  "pt-BR": [
    ...["queria saber sobre", "quer saber sobre", "perguntou sobre", "perguntou por", "conversamos sobre"],
    ...["falamos sobre", "interessou-se por", "se interessou por", "interesse em", "pediu"]
  ],
  en: [
    ...["wanted to know about", "wants to know about", "asked about", "asked for", "talked about", "spoke about"],
    ...["was interested in", "is interested in", "interest in"]
  ],
  es: [
    ...["quería saber sobre", "quiere saber sobre", "preguntó sobre", "preguntó por", "hablamos sobre", "hablamos de"],
    ...["se interesó por", "interés en", "pidió"]
  ]
}

/** Words that end a topic, because another clause follows. */
const conjunctions: ReadonlySet<string> = new Set([
  ...["e", "mas", "porque", "quando", "que", "se", "pois", "and", "but", "because", "when", "who", "which", "if", "so"],
  ...["y", "pero", "cuando", "si", "pues", "then", "depois", "después"]
])

const longestTopic = 60
const mostWords = 7

/** Marks after a word. They are removed one by one, because a pattern would take quadratic time on a long run. */
const endMarks = ".,;:!?()"

const withoutEndMarks = (word: string): string => {
  let end = word.length
  while (end > 0 && endMarks.includes(word.charAt(end - 1))) end--
  return word.slice(0, end)
}

/** The words of a note up to the end of their clause. */
const clauseOf = (text: string): string => {
  const words: Array<string> = []
  for (const word of text
    .trim()
    .split(" ")
    .slice(0, mostWords + 1)) {
    if (conjunctions.has(word.toLowerCase())) break
    const bare = withoutEndMarks(word)
    words.push(bare)
    if (bare !== word) break
  }
  return words.length > mostWords ? "" : words.join(" ")
}

const isSayable = (topic: string): boolean =>
  topic.length >= 3 &&
  topic.length <= longestTopic &&
  /^[\p{L}\p{M}\p{N} '’-]+$/u.test(topic) &&
  linksIn(topic).length === 0

const topicIn = (sentence: string, language: Language): string | undefined => {
  const folded = fold(sentence)
  for (const introduction of introductions[language]) {
    const at = ` ${folded}`.indexOf(` ${fold(introduction)} `)
    // Folding keeps the number of characters of a sentence in composed form.
    const topic = at < 0 ? "" : clauseOf(sentence.slice(at + introduction.length))
    if (isSayable(topic)) return topic
  }
  return undefined
}

/** The parts of the owner's note that can be said to the lead. */
export interface SayableContext {
  /** Where the two met, in one sentence. */
  readonly meeting: string | undefined
  readonly topic: string | undefined
  /** What the owner wants said. */
  readonly toSay: ReadonlyArray<string>
}

export const sayableContext = (
  context: string | undefined,
  language: Language,
  ownersLanguage: Language
): SayableContext => {
  const text = clip(
    tidyText(context ?? "")
      .normalize("NFC")
      .replace(/\s+/g, " "),
    5000
  ).trim()
  if (text === "" || !isIn(text, language, ownersLanguage)) return { meeting: undefined, topic: undefined, toSay: [] }
  const topics = sentencesOf(text).flatMap((sentence) => topicIn(sentence.text, language) ?? [])
  return {
    meeting: meetingOf(text, language),
    topic: topics[0],
    toSay: readInstructions({ nextTouch: text }, language).wishes.toSay
  }
}

/** The sentences of an owner's note that a message leaves out. */
export const unsaidContext = (context: string | undefined, language: Language): ReadonlyArray<string> => {
  const { meeting, topic } = sayableContext(context, language, language)
  const isUsed = (sentence: string): boolean => {
    const alone = sayableContext(sentence, language, language)
    const namesMeeting = alone.meeting !== undefined && alone.meeting === meeting
    const namesTopic = alone.topic !== undefined && alone.topic === topic
    return namesMeeting || namesTopic || alone.toSay.length > 0
  }
  return sentencesOf(tidyText(context ?? "").replace(/\s+/g, " "))
    .map(({ text }) => text.trim())
    .filter((sentence) => sentence !== "" && !isUsed(sentence))
}
