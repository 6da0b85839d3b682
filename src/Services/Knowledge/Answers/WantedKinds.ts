import { fold } from "../../Text/PlainText.ts"
import { amountsIn } from "../../Text/Web/Links.ts"
import type { AskedQuestion } from "./AskedQuestion.ts"

/* All patterns are for folded text. */
export const duration =
  /\d{1,6}\s?(?:(?:a|to|-|e|y)\s?\d{1,6}\s?)?(?:h\b|hs\b|horas?|hours?|hrs?|minut\w*|min\b|seg\w*|seconds?|dias?|days?|semanas?|weeks?|mes(?:es)?|months?|anos?|years?)|\b(?:um|uma|dois|duas|tres|one|two|three|four|five|six|un|una|dos|half|meio|medio|media)\s(?:\w+\s)?(?:horas?|hours?|minut\w*|dias?|days?|semanas?|weeks?|mes(?:es)?|months?|anos?|years?)/
export const clock =
  /\d\s?(?:h\b|hs\b|h\d\d|am\b|pm\b|a\.m|p\.m)|\d{1,2}:\d\d|\d{1,2}\.\d\d\b|\bde \d{1,2} a \d{1,2}\b|\b(?:noon|midday|meio-dia|mediodia|any time|qualquer hora)\b|\b(?:antes|before|by|ate|hasta) (?:de las |das |as )?\d/
export const frequency =
  /\b(?:a cada|por (?:dia|semana|mes|ano|hora)|cada|every|once|twice|times|per|diari\w+|semana\w*|mensa\w+|mensual\w*|trimestr\w+|anua\w+|daily|weekly|monthly|quarterly|yearly|annual\w*|al (?:dia|mes|ano)|ao (?:dia|mes|ano)|a (?:day|week|month|year|semana))\b/
/** "There is no charge", in three languages. */
export const free =
  /\b(?:nao|no|sem|sin|without|never)\b[^.]{0,12}\b(?:custos?|cust[ao]|cobra\w*|cost[oe]?s?|cuesta|charges?|charged|cargo)\b/
export const figure =
  /\d|\b(?:um|uma|dois|duas|tres|quatro|cinco|seis|dez|one|two|three|four|five|six|eight|ten|twelve|dos|cuatro|diez|doce)\b/

const settlesPrice = (text: string, ownIds: ReadonlySet<string>): boolean =>
  amountsIn(text).length > 0 ||
  ownIds.has("#free_of_charge") ||
  ownIds.has("#include") ||
  ownIds.has("#surcharge") ||
  free.test(fold(text))

/** Topics that a figure answers, whatever words are next to it. */
export const wantedIds: ReadonlySet<string> = new Set([
  "#price",
  "#deadline_time",
  "#time_clock",
  "#opening_hours",
  "#frequency"
])

/** Whether a text contains the kind of information that is asked for. */
export const settles = ({ wanted }: AskedQuestion, text: string, ownIds: ReadonlySet<string>): boolean => {
  const folded = fold(text)
  if (wanted.has("price") && !settlesPrice(text, ownIds)) return false
  if (wanted.has("duration") && !duration.test(folded)) return false
  if (wanted.has("frequency") && !frequency.test(folded)) return false
  if (wanted.has("time") && !clock.test(folded)) return false
  return !wanted.has("count") || figure.test(folded)
}
