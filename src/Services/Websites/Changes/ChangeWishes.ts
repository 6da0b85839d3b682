import { within } from "../Material/MaterialText.ts"
import type { OpenQuestion, Site } from "../Site.ts"
import { applyOperations } from "../SiteOperations.ts"
import { changeAdding } from "./ChangeAdditions.ts"
import { unaccounted } from "./ChangeCoverage.ts"
import type { ChangeDesk } from "./ChangeDesk.ts"
import { picturing } from "./ChangePictures.ts"
import { kindNamed } from "./ChangeTargets.ts"
import { variant } from "./ChangeVariants.ts"
import { vocabulary } from "./ChangeVocabulary.ts"
import type { Reader } from "./ChangeWords.ts"
import { isStorable, says } from "./SiteTexts.ts"
import { addingIncluded, addingOffer, addingPrice, addingQuote, addingSentence, offering } from "./WishAdditions.ts"
import { answering } from "./WishAnswers.ts"
import { phoneOnly, settingContact, settingLink } from "./WishContacts.ts"
import { addingField, renamingField, requiring } from "./WishFields.ts"
import { plainWish, readingsOf } from "./WishGrammar.ts"
import { settingHours } from "./WishHours.ts"
import { look } from "./WishLook.ts"
import { naming, replacing } from "./WishNames.ts"
import { noLonger } from "./WishNoMore.ts"
import type { Outcome, Reading } from "./WishOutcome.ts"
import { movingPlaces, raisingPhone, swappingPlaces } from "./WishPlaces.ts"
import { raisingPrices, settingPrice } from "./WishPrices.ts"
import { removing } from "./WishRemoval.ts"
import { joiningTeam, leavingTeam, tellingOfPerson } from "./WishTeam.ts"
import { describing, restatingFact, settingAnswer, settingFact, settingText } from "./WishTexts.ts"
import { contentOf, wordsOf } from "./WishTokens.ts"
import { isNoun, type Noun } from "./WishWords.ts"

export type WishContext = ChangeDesk

export interface DoneWish {
  readonly _tag: "Done"
  readonly site: Site
  readonly notes: ReadonlyArray<string>
  readonly isRemoval: boolean
  /** What the site must still say when more is done. */
  readonly present: ReadonlyArray<string>
  /** Questions to the owner that it answers. */
  readonly answers?: ReadonlyArray<OpenQuestion>
}

export type Wished = DoneWish | { readonly _tag: "Undone"; readonly reason: string; readonly suggestion: string }

type ReadingDoer = (reading: Reading, desk: ChangeDesk, text: string) => Outcome | undefined

/** What a sentence as a whole says. */
const sayings: ReadonlyArray<(text: string, desk: ChangeDesk) => Outcome | undefined> = [
  answering,
  phoneOnly,
  noLonger,
  leavingTeam,
  restatingFact,
  offering,
  tellingOfPerson,
  look
]

/** What is done for one reading of a wish, the most specific first. */
const doers: ReadonlyArray<ReadingDoer> = [
  requiring,
  addingField,
  renamingField,
  removing,
  swappingPlaces,
  raisingPhone,
  movingPlaces,
  raisingPrices,
  settingPrice,
  settingContact,
  settingLink,
  settingHours,
  naming,
  addingQuote,
  joiningTeam,
  addingPrice,
  addingIncluded,
  addingOffer,
  settingAnswer,
  settingText,
  describing,
  settingFact,
  replacing,
  addingSentence
]

/** Readers whose words are accounted for afterwards, by what they changed. */
const readers: ReadonlyArray<{ readonly read: Reader; readonly vocabulary: RegExp }> = [
  { read: variant, vocabulary: vocabulary.variant },
  { read: picturing, vocabulary: vocabulary.picture },
  {
    read: (clause, desk) => {
      const isOrder = readingsOf(clause).some(({ act, isStatement }) => act === "add" && !isStatement)
      return isOrder || kindNamed(clause) !== undefined ? changeAdding(clause, desk, isOrder) : undefined
    },
    vocabulary: vocabulary.adding
  }
]

const undone = (reason: string, suggestion: string): Wished => ({ _tag: "Undone", reason, suggestion })

const same = (one: Site, other: Site): boolean => JSON.stringify(one) === JSON.stringify(other)

/** What an outcome leaves, if the site then says what it must and nothing that it may not. */
const verified = (outcome: Outcome, { notes, site }: ChangeDesk, isRemoval: boolean): Wished => {
  if (outcome._tag === "Failure") return undone(outcome.reason, outcome.suggestion)
  const { refused, site: after } = applyOperations(site, outcome.operations)
  if (refused.length > 0 || !isStorable(after)) return undone(notes.notEffective, notes.oneByOne)
  const left = outcome.absent.find((text) => says(after, text))
  if (left !== undefined) return undone(notes.isLeft(within(left, 160)), notes.nameIt)
  if (outcome.present.some((text) => !says(after, text))) return undone(notes.notEffective, notes.oneByOne)
  const isAnswer = outcome.answers.some((question) => site.questions?.includes(question))
  if (same(site, after) && outcome.operations.length > 0 && !isAnswer) return undone(notes.nothing, notes.nameIt)
  return {
    _tag: "Done",
    site: after,
    notes: outcome.notes,
    isRemoval,
    present: outcome.present,
    answers: outcome.answers
  }
}

const tried = (
  wish: string,
  desk: ChangeDesk,
  { read, vocabulary: words }: (typeof readers)[number]
): Wished | undefined => {
  const { notes, site } = desk
  const change = read(wish, desk)
  if (change === undefined) return undefined
  const [reason = notes.nothing] = change.notes
  if (change.operations.length === 0)
    return undone(reason, reason === notes.noMaterial(within(wish, 160)) ? notes.giveFacts : notes.nameIt)
  const { refused, site: after } = applyOperations(site, change.operations)
  if (refused.length > 0 || same(site, after))
    return undone(refused.length > 0 ? notes.notFound(within(wish, 160)) : notes.nothing, notes.nameIt)
  const left = unaccounted(wish, {
    before: site,
    after,
    operations: change.operations,
    vocabulary: new RegExp([words.source, ...(change.words ?? [])].join("|"), "u")
  })
  return left.length === 0
    ? { _tag: "Done", site: after, notes: change.notes, isRemoval: false, present: [] }
    : undone(notes.notWhole(left.map((word) => `“${word}”`).join(", ")), notes.oneByOne)
}

/** One wish: the first way to read it whole whose change is then seen on the site; else why the first way failed. */
const single = (wish: string, desk: ChangeDesk): Wished => {
  const text = plainWish(wish)
  let first: Wished | undefined
  const keep = (result: Wished): Wished | undefined => {
    if (result._tag === "Done") return result
    first ??= result
    return undefined
  }
  for (const say of sayings) {
    const outcome = say(text, desk)
    const result =
      outcome === undefined ? undefined : keep(verified(outcome, desk, say === noLonger || say === leavingTeam))
    if (result !== undefined) return result
  }
  const readings = readingsOf(wish)
  for (const doer of doers) {
    for (const reading of readings) {
      const outcome = doer(reading, desk, text)
      const result = outcome === undefined ? undefined : keep(verified(outcome, desk, reading.act === "remove"))
      if (result !== undefined) return result
    }
  }
  for (const reader of readers) {
    const result = tried(text, desk, reader)
    const success = result === undefined ? undefined : keep(result)
    if (success !== undefined) return success
  }
  return first ?? undone(desk.notes.notUnderstood(within(wish, 160)), desk.notes.oneByOne)
}

const joints = /(?:[,;]\s+(?:(?:e|and|y|mas|but|pero)\s+)?|\s(?:e|and|y|mas|but|pero)\s)/giu

const isInside = (text: string, at: number): boolean => {
  const before = text.slice(0, at)
  return (
    (before.match(/[“«]/g) ?? []).length > (before.match(/[”»]/g) ?? []).length ||
    (before.match(/"/g) ?? []).length % 2 === 1
  )
}

const mostJoints = 4

/** Whether the later of two changes undoes the earlier: they are then no two wishes. */
const overrides = (before: Site, left: DoneWish, right: DoneWish): boolean =>
  left.present.some((text) => !says(right.site, text)) ||
  (["brand", "layout", "palette", "typefaces"] as const).some(
    (key) => left.site.theme[key] !== before.theme[key] && right.site.theme[key] !== left.site.theme[key]
  )

/** A wish, or two of one sentence of which both are done: "o telefone agora é A e o e-mail é B". */
export const wished = (wish: string, desk: ChangeDesk): Wished => {
  const whole = single(wish, desk)
  if (whole._tag === "Done") return whole
  const seams = [...wish.matchAll(joints)].filter(({ index }) => !isInside(wish, index)).slice(0, mostJoints)
  for (const seam of seams) {
    const left = single(wish.slice(0, seam.index), desk)
    if (left._tag === "Undone") continue
    const text = wish.slice(0, seam.index)
    const rest = wish.slice(seam.index + seam[0].length)
    if (contentOf(wordsOf(rest)).length < 2) continue
    const right = wished(rest, { ...desk, site: left.site, lastNoun: nounIn(text) ?? desk.lastNoun })
    if (right._tag === "Undone" || overrides(desk.site, left, right)) continue
    return {
      ...right,
      answers: [...(left.answers ?? []), ...(right.answers ?? [])],
      notes: [...left.notes, ...right.notes],
      present: [...left.present, ...right.present]
    }
  }
  return whole
}

/** The kind of part that a wish names, for "the one of Hugo" in the next. */
export const nounIn = (text: string): Noun | undefined => {
  const words = wordsOf(text)
  return (["quote", "question", "person", "price", "field", "item"] as const).find((noun) =>
    words.some((word) => isNoun(word, noun))
  )
}
