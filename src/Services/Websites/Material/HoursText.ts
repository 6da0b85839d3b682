import { fold } from "../../Text/PlainText.ts"
import { withoutEnd } from "./MaterialText.ts"

/** Opening hours within a sentence: a run of days, times and the words between them. */

const day =
  /^(?:segundas?|tercas?|quartas?|quintas?|sextas?|sabados?|domingos?|segunda-feira|terca-feira|quarta-feira|quinta-feira|sexta-feira|feriados?|seg|ter|qua|qui|sex|sab|dom|lun|mar|mie|jue|vie|mon|tue|tues|wed|thu|thur|thurs|fri|sat|sun|mondays?|tuesdays?|wednesdays?|thursdays?|fridays?|saturdays?|sundays?|weekdays?|weekends?|daily|diariamente|diario|lunes|martes|miercoles|mie|jueves|viernes|sabado|festivos|todo|todos|cada|every|l-v|l-j|l|v|s|d|j)$/
const strongDay =
  /^(?:segundas?|tercas?|quartas?|quintas?|sextas?|sabados?|domingos?|segunda-feira|terca-feira|quarta-feira|quinta-feira|sexta-feira|seg|sab|dom|lun|mar|mie|jue|vie|mon|tue|tues|wed|thu|thur|thurs|fri|sat|sun|mondays?|tuesdays?|wednesdays?|thursdays?|fridays?|saturdays?|sundays?|weekdays?|weekends?|daily|diariamente|diario|lunes|martes|miercoles|mie|jueves|viernes|l-v|l-j)$/
const clock = /^\d{1,2}(?:[:h.]\d{2})?(?:h|hs|hrs|am|pm|a\.m|p\.m)?$/
const between =
  /^(?:a|ao|aos|as|ate|e|das|da|do|de|the|to|til|till|until|thru|through|and|from|at|only|y|al|hasta|las|los|o|os|por|la|el|en|na|no|nas|manha|mananas?|tarde|tardes|noite|noche|mornings?|morning|evenings?|afternoons?|meio|dia|mediodia|noon|midnight|h|hs|hrs|am|pm|a\.m|p\.m|closed|fechad[oa]|fecha|fechamos|cerrad[oa]|cerramos|by|appointment|con|cita|previa|hora|horas|marcada|so|solo|every|days?|dias?|horario|abre|abrimos|abiert[oa]|abert[oa]s?|open|opens|we're|we|are|estamos|atendemos|atendimento|funciona|funcionamos|opening|hours|office|summer|feira|feiras|not|nao|sundays|menos|except|exceto|excepto|rest|year|of|week)$/
const closing = /^(?:closed|fechad[oa]|cerrad[oa]|no|nao)$/

const wordShape =
  /\d{1,2}(?:[:.h]\d{2})?(?:\s?(?:h|hs|hrs|am|pm|a\.m\.?|p\.m\.?))?(?![\d\p{L}])|[\p{L}\d'’]+(?:-feiras?)?/giu

interface Piece {
  readonly word: string
  readonly from: number
  readonly to: number
}

const piecesOf = (text: string): ReadonlyArray<Piece> =>
  [...text.matchAll(wordShape)].map((match) => ({
    word: withoutEnd(fold(match[0]).replace(/\s/g, ""), "."),
    from: match.index,
    to: match.index + match[0].length
  }))

const isTime = ({ word }: Piece): boolean => clock.test(word)
const isDay = ({ word }: Piece): boolean => day.test(word)
const fits = (piece: Piece): boolean => isTime(piece) || isDay(piece) || between.test(piece.word)

/** Marks that may be between two pieces of a run. */
const isJoined = (text: string, left: Piece, right: Piece): boolean =>
  /^[\s,;:/&+()–—·-]*$/.test(text.slice(left.to, right.from))

const runsOf = (text: string): ReadonlyArray<ReadonlyArray<Piece>> => {
  const runs: Array<Array<Piece>> = []
  let run: Array<Piece> = []
  const close = (): void => {
    if (run.length > 0) runs.push(run)
    run = []
  }
  for (const piece of piecesOf(text)) {
    const last = run.at(-1)
    if (last !== undefined && !isJoined(text, last, piece)) close()
    if (fits(piece)) run.push(piece)
    else close()
  }
  close()
  return runs
}

/** From the first word that means something to the last: joining words at the ends belong to the sentence around it. */
const trimmedRun = (run: ReadonlyArray<Piece>): ReadonlyArray<Piece> => {
  const opens = /^(?:abre|abrimos|abert[oa]s?|open|opens|abiert[oa]|atendemos|funciona)$/
  const first = run.findIndex((piece) => isDay(piece) || isTime(piece) || opens.test(piece.word))
  const last = run.findLastIndex(
    (piece) =>
      isDay(piece) ||
      isTime(piece) ||
      closing.test(piece.word) ||
      /^(?:appointment|manha|tarde|noite|noche|noon|mediodia|midnight|cita|morning|afternoon|evening|dia|abrimos|abre|only)$/.test(
        piece.word
      )
  )
  return run.slice(Math.max(0, first), last + 1)
}

/** All days, or days by their first letters: "L-V". */
const everyDay =
  /\b(?:todos (?:os|los) d[ií]as|todo dia|every day)\b|(?<![\p{L}])[LMXJVSD]\s?[-–]\s?[LMXJVSD](?![\p{L}])/iu

/** Whether a run ends where a part of its sentence ends: else it could be cut in the middle of a time. */
const isWhole = (text: string, run: ReadonlyArray<Piece>): boolean =>
  /^\s*(?:$|[.,;:!)(/–—-]|(?:e|and|y|but|pero|mas)\s)/.test(
    text.slice(run.findLast(({ word }) => !/^(?:e|and|y)$/.test(word))?.to ?? 0)
  )

/** The opening hours in a sentence, as written. Empty if it names no day with a time and no closed day. */
export const hoursIn = (text: string): ReadonlyArray<string> => {
  // Sums would be read as times.
  if (/[€£$]/.test(text)) return []
  return runsOf(text)
    .filter((run) => isWhole(text, run))
    .map(trimmedRun)
    .filter(
      (run) =>
        (everyDay.test(text) || run.some(({ word }) => strongDay.test(word))) &&
        (run.filter(isTime).length >= 2 ||
          (run.some(isTime) && run.some(({ word }) => /^(?:ate|until|hasta|til|till|h|am|pm)$|[h:.]/.test(word))) ||
          run.some(({ word }) => /^(?:closed|fechad[oa]|cerrad[oa]|appointment)$/.test(word)))
    )
    .map((run) => {
      const hours = text.slice(run[0]?.from, run.at(-1)?.to).trim()
      return hours.split("(").length > hours.split(")").length ? `${hours})` : hours
    })
}
