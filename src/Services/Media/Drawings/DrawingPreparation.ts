import { kindIn } from "./DrawingKinds.ts"
import { isAsking, piecesOf, sentenceMarks, tokensOf } from "./DrawingWords.ts"

/** "march 38 no wait march was 40": the label, the old number, the correction and the new number. */
const correction =
  /(?<!\p{L})(\p{L}{1,30})(\s?:?\s)[-\d][\d.,]{0,12}[,.]?\s(?:no,? wait|wait,? no|no,? sorry|sorry|i mean|n[aã]o,? pera|n[aã]o,? perd[aã]o|perd[aã]o|no,? perd[oó]n|quer dizer|ou melhor|mejor dicho|digo),?\s(?:(?:o |a |el |la )?(\p{L}{1,30})\s)?(?:(?:was|is|foi|era|fue|fueron|foram|é|es|son)\s)?([-\d][\d.,]{0,12})(?![\p{L}\d])/giu

const corrected = (text: string): string =>
  text.replace(correction, (whole, label: string, mark: string, again: string | undefined, value: string) =>
    again === undefined || again.toLowerCase() === label.toLowerCase() ? `${label}${mark}${value}` : whole
  )

const greeting =
  /^(?:oi+|ol[aá]|hola|hi|hello|hey|bom dia|boa tarde|boa noite|buenos d[ií]as|buenas(?: tardes)?|good morning)(?!\p{L})[\s,.!]{1,4}/iu

/** How people introduce themselves before they ask. */
const introduction =
  /^(?:eu )?(?:sou|somos|tenho|temos|trabalho|soy|tengo|tenemos|trabajo|i am|i'm|i have|i run|i own|we are|we're|we have|we run)(?!\p{L})/iu

const joinedRequest =
  /^[^,.:;\n]{3,80}?\s(?:e|and|y)\s(?=(?:quero|queria|preciso|want|need|i want|i need|quiero|necesito)\s)/iu

/** Without an introduction of the person in front of the request, which is no data. */
const withoutIntroduction = (text: string): string => {
  if (!introduction.test(text)) return text
  const joined = joinedRequest.exec(text)
  if (joined !== null && !/\d/.test(joined[0])) return text.slice(joined[0].length)
  const [first, next] = piecesOf(text, sentenceMarks)
  const isRequest =
    first !== undefined &&
    next !== undefined &&
    kindIn(first.text) === undefined &&
    kindIn(next.text) !== undefined &&
    isAsking(tokensOf(next.text)[0] ?? "") &&
    // With a colon, it is certain where the data begin.
    /:\s/.test(next.text)
  return isRequest ? text.slice(next.from).trimStart() : text
}

/** Bars of several series stand side by side anyway. */
const sideBySide = /,?\s(?:lado a lado|side by side|una al lado de la otra|uno al lado del otro)(?!\p{L})/giu

/** A prompt without greetings, introductions and corrected numbers. All that follows reads this text. */
export const prepared = (prompt: string): string =>
  corrected(withoutIntroduction(prompt.replace(greeting, ""))).replace(sideBySide, "")
