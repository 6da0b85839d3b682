import { languageOf } from "../../Text/Language.ts"
import { fold } from "../../Text/PlainText.ts"
import type { UndoneWish, WishReport } from "../../Text/WishReport.ts"
import { within } from "../Material/MaterialText.ts"
import type { OpenQuestion, Site } from "../Site.ts"
import { questionTexts, stillOpen } from "../Writing/OpenQuestions.ts"
import type { SiteMaterial } from "../Writing/SiteWriter.ts"
import { type Clause, clausesOf } from "./ChangeClauses.ts"
import { type ChangeGuard, guardOf } from "./ChangeGuards.ts"
import { changeNotes } from "./ChangeNotes.ts"
import { nounIn, type WishContext, wished } from "./ChangeWishes.ts"
import { repeatsRemoval } from "./WishNoMore.ts"
import { wordsOf } from "./WishTokens.ts"
import { isNoun } from "./WishWords.ts"

export interface ChangedSite {
  readonly site: Site
  readonly notes: ReadonlyArray<string>
  readonly report: WishReport
}

const dependsOnBefore = /^(?:then|depois|luego|e |and |y )|\b(?:it|them|isso|dela|dele|eso)\b/

/** What the wishes of a prompt come to, one after the other. */
interface Progress {
  readonly site: Site
  readonly done: ReadonlyArray<string>
  readonly notDone: ReadonlyArray<UndoneWish>
  readonly isLastDone: boolean
  readonly wasRemoval: boolean
  readonly lastNoun: WishContext["lastNoun"]
  readonly answered: ReadonlyArray<OpenQuestion>
}

interface Reader {
  readonly material: SiteMaterial
  readonly notes: WishContext["notes"]
  readonly guards: ReadonlyArray<ChangeGuard>
}

const undone = (progress: Progress, text: string, reason: string, suggestion: string): Progress => ({
  ...progress,
  isLastDone: false,
  notDone: [...progress.notDone, { wish: within(text, 300), reason, suggestion }]
})

/** A wish is done unless it is not understood whole, or changes what another sentence asks to keep. */
const withWish = (progress: Progress, clause: Clause, { guards, material, notes }: Reader): Progress => {
  const { isAmbiguous, isFollowing, text } = clause
  const { lastNoun, site } = progress
  if (isFollowing && !progress.isLastDone && dependsOnBefore.test(fold(text)))
    return undone(progress, text, notes.afterUndone, notes.oneByOne)
  if (isAmbiguous) return undone(progress, text, notes.ambiguous, notes.withQuotes)
  // "Drop the repairs. We don't do those any more."
  if (progress.wasRemoval && progress.isLastDone && repeatsRemoval(text)) return progress
  const result = wished(text, { site, material, notes, lastNoun })
  const next = {
    ...progress,
    lastNoun: nounIn(text) ?? lastNoun,
    wasRemoval: result._tag === "Done" && result.isRemoval
  }
  if (result._tag === "Undone") return undone(next, text, result.reason, result.suggestion)
  const broken = guards.find((guard) => !guard.isKept(site, result.site))
  if (broken !== undefined) return undone(next, text, notes.againstGuard(within(broken.text, 160)), notes.oneByOne)
  return {
    ...next,
    site: result.site,
    isLastDone: true,
    done: [...progress.done, ...result.notes],
    answered: [...progress.answered, ...(result.answers ?? [])]
  }
}

/** The clauses of each sentence together. */
const bySentence = (clauses: ReadonlyArray<Clause>): ReadonlyArray<ReadonlyArray<Clause>> => {
  const groups: Array<Array<Clause>> = []
  for (const clause of clauses) {
    const last = groups.at(-1)
    if (last?.[0] !== undefined && last[0].sentence === clause.sentence) last.push(clause)
    else groups.push([clause])
  }
  return groups
}

/** Seams may be wrong: "add alignment and oil changes" is one wish. So a sentence is read whole where its parts are not all done. */
const withSentence = (progress: Progress, clauses: ReadonlyArray<Clause>, reader: Reader): Progress => {
  const parted = clauses.reduce((each, clause) => withWish(each, clause, reader), progress)
  const [first] = clauses
  if (first === undefined || clauses.length < 2 || parted.notDone.length === progress.notDone.length) return parted
  if (clauses.some(({ isAmbiguous }) => isAmbiguous)) return parted
  const whole = withWish(progress, { ...first, text: first.sentence }, reader)
  return whole.notDone.length === progress.notDone.length ? whole : parted
}

const isOfDrafts = (words: ReadonlyArray<string>): boolean =>
  words.some((word) => ["rascunho", "draft", "borrador"].includes(word))
const isOfLanguages = (words: ReadonlyArray<string>): boolean =>
  words.some((word) => /^(?:traduz|traduc|translat)/.test(word)) ||
  (words.some((word) =>
    ["ingles", "english", "espanhol", "spanish", "espanol", "portugues", "portuguese"].includes(word)
  ) &&
    !words.some((word) => isNoun(word, "item")))

/** Why a wish that no rule knows cannot be done, where that can be said. */
const explained = ({ reason, suggestion, wish }: UndoneWish, notes: WishContext["notes"]): UndoneWish => {
  const words = wordsOf(wish)
  if (isOfDrafts(words)) return { wish, reason: notes.noDraft, suggestion }
  return isOfLanguages(words) ? { wish, reason: notes.noLanguage, suggestion } : { wish, reason, suggestion }
}

/** What a prompt does to a site, by rules. A wish that is not understood whole changes nothing, and the report names it. */
export const changeByRules = (site: Site, prompt: string, material: SiteMaterial): ChangedSite => {
  const notes = changeNotes[material.ownerLanguage ?? languageOf(site.language)]
  const clauses = clausesOf(prompt)
  const guarding = clauses.filter((clause) => clause.isGuard).map(({ text }) => ({ text, guard: guardOf(text, site) }))
  const guards = guarding.flatMap(({ guard }) => (guard === undefined ? [] : [guard]))
  const reader: Reader = { material, notes, guards }
  const begun: Progress = {
    site,
    done: [],
    notDone: [],
    isLastDone: true,
    wasRemoval: false,
    lastNoun: undefined,
    answered: []
  }
  const read = bySentence(clauses.filter(({ isGuard }) => !isGuard)).reduce(
    (progress, sentence) => withSentence(progress, sentence, reader),
    begun
  )
  const done = [
    ...read.done,
    ...guarding.filter(({ guard }) => guard !== undefined).map(({ text }) => notes.respected(within(text, 160)))
  ]
  const notDone = [
    ...read.notDone,
    ...guarding
      .filter(({ guard }) => guard === undefined)
      .map(({ text }) => ({
        wish: within(text, 300),
        reason: notes.notUnderstood(within(text, 160)),
        suggestion: notes.nameIt
      })),
    ...(clauses.length === 0 ? [{ wish: within(prompt, 300), reason: notes.nothing, suggestion: notes.oneByOne }] : [])
  ].map((each) => explained(each, notes))
  const questions = stillOpen(read.site, read.answered)
  const { questions: open, ...answered } = read.site
  const changed: Site =
    open === undefined || questions.length === open.length
      ? read.site
      : questions.length === 0
        ? answered
        : { ...answered, questions }
  return {
    site: changed,
    notes: [...done, ...notDone.map(({ reason }) => reason)],
    report: {
      done,
      not_done: notDone,
      needs_input: questionTexts(changed.questions, material.ownerLanguage ?? site.language)
    }
  }
}
