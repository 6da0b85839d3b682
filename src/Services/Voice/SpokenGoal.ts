import { say } from "../Messages/Messages.ts"
import type { Language } from "../Text/Language.ts"
import { greetingName } from "../Text/PersonName.ts"
import { clip, fold, tidyText } from "../Text/PlainText.ts"
import { sayingsIn } from "../Writing/Instructions/Sayings.ts"
import { segmentsOf } from "../Writing/Instructions/Segments.ts"
import type { CallOrder } from "./Voice.ts"

/** Verbs that begin a goal which can be said to the person unchanged: "to confirm the meeting". */
const purposeVerbs: { readonly [L in Language]: RegExp } = {
  "pt-BR":
    /^(?:confirmar|marcar|agendar|remarcar|combinar|conversar|apresentar|perguntar|convidar|avisar|lembrar|tratar)\b/,
  en: /^(?:confirm|schedule|book|arrange|reschedule|discuss|ask|invite|remind|present)\b/,
  es: /^(?:confirmar|agendar|reagendar|concertar|coordinar|conversar|presentar|preguntar|invitar|avisar|recordar|tratar)\b/
}

/** Phrases such as "ask him" and "without telling her" are only meant for the caller. */
const aboutPerson =
  /\b(?:ele|ela|eles|elas|dele|dela|lhe|leads?|clientes?|prospects?|ella|ellos|le|les|him|her|them|his|their|they|he|she|client|customer|sem|sin|without|nao|no|not|don't)\b/

const oneLine = (text: string, length: number): string =>
  clip(tidyText(text).replace(/\s+/g, " ").trim(), length).trim()

const lowered = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1)

const purposeOf = (segment: string, { companyName, language, personName }: CallOrder): string | undefined => {
  const text = oneLine(segment, 200).replace(/[.!;:,]+$/, "")
  const folded = fold(text)
  const name = personName === null ? undefined : greetingName(personName, companyName ?? undefined)
  const isNamed = name !== undefined && folded.split(/[^\p{L}]+/u).includes(fold(name))
  const isSayable = purposeVerbs[language].test(folded) && !aboutPerson.test(folded) && !isNamed
  return isSayable && !/[{}[\]<>]/.test(text) ? say(language, "calls.purpose", { purpose: lowered(text) }) : undefined
}

/**
 * The part of a call's goal that can be said to the person: the sentences that the owner wants said, otherwise the
 * purpose of the call. The rest is only for the caller. Undefined if nothing can be said.
 */
export const spokenGoal = (order: CallOrder, longest: number): string | undefined => {
  const segments = segmentsOf(clip(order.goal, 4000))
  const sayings = segments.flatMap((segment) => sayingsIn(segment, order.language).sentences)
  const spoken = sayings.length > 0 ? sayings.join(" ") : purposeOf(segments[0] ?? "", order)
  return spoken === undefined ? undefined : oneLine(spoken, longest)
}
