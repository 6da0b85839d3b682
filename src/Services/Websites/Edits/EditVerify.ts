import { isUnsure } from "../Material/Audience.ts"
import { kindOf } from "../Material/MaterialLabels.ts"
import { endsJoining, within, withoutEnd } from "../Material/MaterialText.ts"
import type { OpenQuestion, Site } from "../Site.ts"
import { applyOperations } from "../SiteOperations.ts"
import type { EditDesk, EditScope, Outcome } from "./EditDesk.ts"
import { wordsOf } from "./Reading/EditTokens.ts"
import { isStorable, says, visibleTexts } from "./SiteTexts.ts"

export interface DoneWish {
  readonly _tag: "Done"
  readonly site: Site
  readonly notes: ReadonlyArray<string>
  readonly scope: EditScope
  /** Texts that later changes must not remove. */
  readonly present: ReadonlyArray<string>
  readonly answers: ReadonlyArray<OpenQuestion>
  readonly topic: string
}

export type Wished = DoneWish | { readonly _tag: "Undone"; readonly reason: string; readonly suggestion: string }

/** The texts of `from` that `than` lacks. A text that occurs more often in `from` is listed once per missing copy. */
const missing = (from: ReadonlyArray<string>, than: ReadonlyArray<string>): ReadonlyArray<string> => {
  const counts = new Map<string, number>()
  for (const text of than) counts.set(text, (counts.get(text) ?? 0) + 1)
  return from.filter((text) => {
    const count = counts.get(text) ?? 0
    counts.set(text, count - 1)
    return count <= 0 && text !== ""
  })
}

const holdsAll = (longer: string, shorter: string): boolean => {
  const words = wordsOf(longer)
  return wordsOf(shorter).every((word) => words.includes(word))
}

/** True if a change altered only what its scope allows. */
const isWithin = (scope: EditScope, before: Site, after: Site, present: ReadonlyArray<string>): boolean => {
  const [old, now] = [visibleTexts(before), visibleTexts(after)]
  const [lost, fresh] = [missing(old, now), missing(now, old)]
  switch (scope) {
    case "look":
    case "order":
      return lost.length === 0 && fresh.length === 0
    case "removal":
      return fresh.every((text) => lost.some((each) => holdsAll(each, text)))
    case "addition":
      return lost.every((text) => fresh.some((each) => holdsAll(each, text)))
    case "values":
      return (
        present.length === 0 ||
        fresh.every((text) => present.some((each) => text.includes(each) || each.includes(text)))
      )
  }
}

/** "Precios de Lavandería La Espuma que está a la vuelta": longer than a heading, it is an order about prices. */
const longestHeading = 4

/** Whether a text that a change adds is whole: no cut sentence, no doubt of the owner, and no part of the site itself. */
const isWhole = (text: string): boolean => {
  const words = wordsOf(text)
  return (
    !endsJoining(withoutEnd(text, ".")) &&
    text.split("(").length === text.split(")").length &&
    !isUnsure(text) &&
    !(words.length > longestHeading && kindOf(words[0] ?? "") === "prices")
  )
}

const numbersIn = (text: string): ReadonlyArray<string> => text.match(/\d+/g) ?? []

/**
 * Whether a number that a change replaces is named in the prompt as a part of something else: the "45 minute lesson" is no price
 * of 45.
 */
const isOfOther = (prompt: string, before: Site, after: Site): boolean => {
  const [old, now] = [visibleTexts(before), visibleTexts(after)]
  const [lost, fresh] = [missing(old, now).join("\n"), missing(now, old).join("\n")]
  const words = prompt.toLowerCase().split(/\s+/)
  const siteText = old.join("\n").toLowerCase()
  return numbersIn(lost)
    .filter((number) => !numbersIn(fresh).includes(number))
    .some((number) =>
      words.some((word, at) => {
        const named = `${number} ${words[at + 1] ?? ""}`
        return word === number && siteText.includes(named) && !lost.toLowerCase().includes(named)
      })
    )
}

const undone = (reason: string, suggestion: string): Wished => ({ _tag: "Undone", reason, suggestion })

/** Applies an outcome and checks it: required texts are present, forbidden ones are gone, and the rest is unchanged. */
export const verified = (outcome: Outcome, { notes, prompt, site }: EditDesk): Wished => {
  if (outcome._tag === "Failure") return undone(outcome.reason, outcome.suggestion)
  const { answers, operations, present, scope, topic } = outcome
  const { refused, site: after } = applyOperations(site, operations)
  if (refused.length > 0 || !isStorable(after)) return undone(notes.notEffective, notes.oneByOne)
  const left = outcome.absent.find((text) => says(after, text))
  if (left !== undefined) return undone(notes.isLeft(within(left, 160)), notes.nameIt)
  if (present.some((text) => !says(after, text)) || !isWithin(scope, site, after, present))
    return undone(notes.notEffective, notes.oneByOne)
  const isDoubtful =
    (scope === "addition" && !present.every(isWhole)) || (scope === "values" && isOfOther(prompt, site, after))
  if (isDoubtful) return undone(notes.notEffective, notes.oneByOne)
  const isAnswer = answers.some((question) => site.questions?.includes(question))
  if (JSON.stringify(site) === JSON.stringify(after) && !isAnswer) return undone(notes.nothing, notes.nameIt)
  return { _tag: "Done", site: after, notes: outcome.notes, scope, present, answers, topic }
}
