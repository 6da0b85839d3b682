import { clip, fold, sentencesOf } from "../Text/PlainText.ts"

const longestQuestion = 500

const listed = (phrases: string): ReadonlyArray<string> => phrases.split("|")

/** Folded beginnings of a greeting before a question, in three languages. */
const greetings = listed(
  "oi|ola|opa|eai|e ai|bom dia|boa tarde|boa noite|tudo bem|tudo bom|td bem|prezado|prezada|prezados|caro|cara|hi|hello|hey|good morning|good afternoon|good evening|dear|how are you|hope you are well|hola|buenas|buenos dias|buen dia|que tal|estimado|estimada|estimados"
)

/** Folded beginnings of a closing below a question. */
const closings = listed(
  "att|atte|atenciosamente|abraco|um abraco|obrigado|obrigada|muito obrigado|muito obrigada|grato|grata|desde ja|cordialmente|aguardo|fico no aguardo|thanks|thank you|many thanks|cheers|regards|best|best regards|kind regards|sincerely|looking forward|gracias|muchas gracias|saludos|un saludo|atentamente|quedo atento|quedo atenta|enviado do meu|sent from my|enviado desde mi"
)

const numbering = /^(?:\(?\d{1,2}\s?[).:ºª-]|[-*•>])\s*/

/** The most words of a greeting with a name. Longer sentences have content. */
const mostGreetingWords = 5

const wordsOf = (text: string): ReadonlyArray<string> =>
  fold(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "")

const beginsWith = (text: string, phrases: ReadonlyArray<string>): boolean => {
  const words = ` ${wordsOf(text).join(" ")} `
  return phrases.some((phrase) => words.startsWith(` ${phrase} `))
}

const isGreeting = (part: string): boolean => beginsWith(part, greetings) && wordsOf(part).length <= mostGreetingWords

/** Returns the text after the greeting: "vocês parcelam?" of "Olá Ana, vocês parcelam?". */
const afterGreeting = (sentence: string): string => {
  const comma = sentence.search(/[,:;!–-]/)
  return comma > 0 && isGreeting(sentence.slice(0, comma)) ? sentence.slice(comma + 1).trim() : sentence
}

/** "Oi Ana, tudo bem?", but not "Olá João, vocês parcelam?". */
const onlyGreets = (sentence: string): boolean => isGreeting(sentence) && isGreeting(afterGreeting(sentence))

/** The text without its closing line and the signature below it. */
const withoutClosing = (text: string): string => {
  const lines = text.split("\n")
  const end = lines.findIndex((line, index) => index > 0 && (line.trim() === "--" || beginsWith(line, closings)))
  return end < 0 ? text : lines.slice(0, end).join("\n")
}

/** A question without greeting, numbering and signature, as it is stored for the owner and quoted to the lead. */
export const bareQuestion = (text: string): string => {
  const sentences = sentencesOf(withoutClosing(text.trim()).replace(/\s+/g, " ")).map((sentence) =>
    sentence.text.trim()
  )
  const from = sentences.findIndex((sentence) => !onlyGreets(sentence))
  const end = sentences.findLastIndex((sentence) => !beginsWith(sentence, closings))
  const sentencesLeft = from < 0 ? [] : sentences.slice(from, Math.max(from, end) + 1)
  const bare = afterGreeting(sentencesLeft.join(" ").replace(numbering, "")).replace(numbering, "").trim()
  const question = clip(bare === "" ? text.trim() : bare, longestQuestion)
  return question.charAt(0).toUpperCase() + question.slice(1)
}
