import { fold, sentencesOf } from "../../Text/PlainText.ts"
import { inSharedTerms } from "../../Text/SalesTerms.ts"
import { amountsIn } from "../../Text/Web/Links.ts"
import { contentWords, stemOf } from "../../Text/WordStems.ts"
import type { WritingBrief } from "../WritingBrief.ts"
import { isDenial } from "./Segments.ts"

/** A topic that must not be mentioned. A sentence with all of its stems mentions it. */
export type Topic = ReadonlyArray<string>

const order =
  /^(?:(?:por favor|please),? )?(?:nunca|nao|jamais|never|do not|don't|no|jamas|evite|evitar|avoid|evita|sem|without|sin) (?:(?:de|em|to) )?(?:mencion[a-z]*|mention(?:ing)?|fal(?:e|ar)(?: nada)?|cit(?:e|ar)|diga|dizer|digas|decir|coment(?:e|ar|es)|oferec(?:a|er)|ofrezca|ofrezcas|ofrecer|promet(?:a|er|as)|inform(?:e|ar|es)|hable|hables|hablar|talk(?:ing)?|speak(?:ing)?|say(?:ing)?|offer(?:ing)?|promis(?:e|ing)|discuss(?:ing)?|quot(?:e|ing)|reveal(?:ing)?|bring(?:ing)? up) (?:(?:de|do|da|dos|das|del|sobre|em|en|about|of|any|anything|nada|ningun|ninguna|nenhum|nenhuma|que|that) )*(.+)$/
const conditional =
  /\b(?:antes|ate|se|quando|caso|a menos|exceto|salvo|apenas|so|somente|ainda|unless|until|before|if|except|when|only|yet|hasta|si|cuando|excepto|solo|solamente|todavia|aun|primeir[oa]|first|primer[oa]?)\b/
const between = /,| (?:e|ou|nem|and|or|nor|y|o|u|ni) /
const mostTopics = 5
const mostWords = 3
const mostWordsQuoted = 8

const stemsOf = (text: string): ReadonlyArray<string> => contentWords(inSharedTerms(text)).map(stemOf)

/**
 * The topics that a segment forbids. Undefined if it forbids nothing; "condition" and "not_understood" if they are
 * uncertain.
 */
export const forbiddenIn = (segment: string): ReadonlyArray<Topic> | "condition" | "not_understood" | undefined => {
  const folded = fold(segment)
    .replace(/[.!]+$/, "")
    .trim()
  if (!isDenial(folded)) return undefined
  const object = order.exec(folded)?.[1]
  if (object === undefined) return "not_understood"
  const quotation = /"([^"]+)"/.exec(object)?.[1]
  if (quotation === undefined && conditional.test(object)) return "condition"
  const topics = (quotation === undefined ? object.split(between) : [quotation])
    .map(stemsOf)
    .filter((topic) => topic.length > 0)
  const most = quotation === undefined ? mostWords : mostWordsQuoted
  const isClear = topics.length > 0 && topics.length <= mostTopics && topics.every((topic) => topic.length <= most)
  return isClear ? topics : "not_understood"
}

const [price = ""] = stemsOf("preço")

/** Whether a sentence mentions a topic. An amount of money mentions prices. */
const speaksOf = (sentence: string, topics: ReadonlyArray<Topic>): boolean => {
  const stems = new Set(stemsOf(sentence))
  return topics.some(
    (topic) => topic.every((stem) => stems.has(stem)) || (topic[0] === price && amountsIn(sentence).length > 0)
  )
}

const without = (text: string, topics: ReadonlyArray<Topic>): string =>
  text
    .split("\n")
    .map((line) => {
      if (!speaksOf(line, topics)) return line
      return sentencesOf(line)
        .filter((sentence) => !speaksOf(sentence.text, topics))
        .map((sentence) => sentence.text)
        .join(" ")
    })
    .join("\n")
    .trim()

/**
 * The brief without the topics that the owner forbids. A question that only they would answer remains unanswered, so
 * the owner is asked.
 */
export const withoutTopics = (brief: WritingBrief, topics: ReadonlyArray<Topic>): WritingBrief => {
  if (topics.length === 0) return brief
  const { business } = brief
  const description = business.description === undefined ? undefined : without(business.description, topics)
  return {
    ...brief,
    business: {
      ...business,
      description: description === "" ? undefined : description,
      answers: business.answers.filter(({ answer }) => without(answer, topics) === answer.trim()),
      knowledge: business.knowledge.flatMap((passage) => {
        const body = without(passage.body, topics)
        return body === "" ? [] : [{ ...passage, body }]
      })
    }
  }
}
