import { type Choices, type Setting, settingRules } from "../Outreach/Adjustments.ts"
import { type Block, evidenceFor } from "./Evidence.ts"
import { noShare, plus, rateOf, type Share } from "./Proportions.ts"

/** Leads of one week with the same choice of a setting, and how many of them replied in time. */
export interface TriedWeek extends Share {
  /** `opening`, or with a sector `channel_order:62`. */
  readonly key: string
  readonly setting: Setting
  readonly choice: string
  /** The Monday of their first contact, in Unix milliseconds. */
  readonly week: number
}

/** The optimizer's present choice for a setting. */
export interface SettingChoice {
  readonly key: string
  /** Null after it was undone. */
  readonly choice: string | null
  /** Unix milliseconds. */
  readonly chosenAt: number | null
  readonly undoneAt: number | null
}

/** The accepted share of campaigns that are changed although no choice makes a difference. */
export const acceptedChanges = 0.04
/**
 * The most comparisons of a campaign: three openings, two other hours, two other pauses, three sectors and all leads.
 */
const comparisons = 12
/** The evidence that is needed for a change. By chance alone, only `acceptedChanges` of all campaigns reach it. */
export const neededEvidence = comparisons / acceptedChanges
/** The evidence that is needed to undo a change. It is lower, because the owner knows the earlier setting. */
export const evidenceToUndo = 8
/** The fewest leads per side, and the fewest replies of both together, for a judgement. */
export const minimumLeads = 50
const minimumAnswers = 10
/** How long an undone change is not tried again. */
const restAfterUndo = 26 * 7 * 86_400_000
export const sectorsCompared = 3

export interface Verdict {
  readonly key: string
  readonly setting: Setting
  readonly from: string
  readonly to: string
  /** The results of `to` and `from`. Swapped for an undone change. */
  readonly winner: Share
  readonly loser: Share
  readonly evidence: number
  readonly isUndone: boolean
}

export interface Decision {
  readonly verdicts: ReadonlyArray<Verdict>
  /** The comparison that came closest to a change. */
  readonly nearest: { readonly key: string; readonly choice: string; readonly evidence: number } | undefined
  /** The number of leads that the decision is based on. */
  readonly leads: number
}

const total = (weeks: ReadonlyArray<TriedWeek>): Share => weeks.reduce<Share>(plus, noShare)

const blocksOf = (one: ReadonlyArray<TriedWeek>, other: ReadonlyArray<TriedWeek>): ReadonlyArray<Block> => {
  const weeks = [...new Set([...one, ...other].map(({ week }) => week))].toSorted((a, b) => a - b)
  const of = (rows: ReadonlyArray<TriedWeek>, week: number) => total(rows.filter((row) => row.week === week))
  return weeks.map((week) => ({ one: of(one, week), other: of(other, week) }))
}

const areEnough = (one: Share, other: Share): boolean =>
  one.tries >= minimumLeads && other.tries >= minimumLeads && one.hits + other.hits >= minimumAnswers

/** Marks the choice to try all options of a setting equally. */
export const allAlike = "all_alike"

interface JudgedSetting {
  readonly key: string
  readonly setting: Setting
  /** Leads that were contacted since the present choice was made. */
  readonly rows: ReadonlyArray<TriedWeek>
}

const rowsWith = (rows: ReadonlyArray<TriedWeek>, choice: string) => rows.filter((row) => row.choice === choice)
const rowsWithout = (rows: ReadonlyArray<TriedWeek>, choice: string) => rows.filter((row) => row.choice !== choice)

/** Returns an undo if the results speak against the current choice. */
const undoOf = ({ key, rows, setting }: JudgedSetting, choice: string): Verdict | undefined => {
  const { usual } = settingRules[setting]
  const withChoice = rowsWith(rows, choice)
  const previous = usual === undefined ? rowsWithout(rows, choice) : rowsWith(rows, usual)
  const [winner, loser] = [total(previous), total(withChoice)]
  if (!areEnough(winner, loser) || rateOf(winner) <= rateOf(loser)) return undefined
  const evidence = evidenceFor(blocksOf(previous, withChoice))
  return evidence < evidenceToUndo
    ? undefined
    : { key, setting, from: choice, to: usual ?? allAlike, winner, loser, evidence, isUndone: true }
}

/** Compares every other choice with the present one. */
const comparisonsOf = ({ key, rows, setting }: JudgedSetting, current: string | undefined) =>
  settingRules[setting].choices.flatMap((choice) => {
    if (choice === current) return []
    const one = rowsWith(rows, choice)
    const other = current === undefined ? rowsWithout(rows, choice) : rowsWith(rows, current)
    const [winner, loser] = [total(one), total(other)]
    if (!areEnough(winner, loser)) return []
    return [{ key, choice, winner, loser, evidence: evidenceFor(blocksOf(one, other)) }]
  })

const judge = (
  key: string,
  setting: Setting,
  rows: ReadonlyArray<TriedWeek>,
  present: SettingChoice | undefined,
  now: number
) => {
  const since = present?.choice === null ? present.undoneAt : (present?.chosenAt ?? null)
  // Leads that were contacted before the choice do not show its effect.
  const relevantRows = rows.filter(({ week }) => since === null || week >= since)
  const judged: JudgedSetting = { key, setting, rows: relevantRows }
  if (present?.choice !== null && present?.choice !== undefined) {
    const undo = undoOf(judged, present.choice)
    if (undo !== undefined) return { verdict: undo, candidates: [] }
  }
  const isResting = present?.choice === null && present.undoneAt !== null && now - present.undoneAt < restAfterUndo
  if (isResting) return { verdict: undefined, candidates: [] }
  const current = present?.choice ?? settingRules[setting].usual
  const candidates = comparisonsOf(judged, current)
  const [best] = candidates
    .filter(({ evidence }) => evidence >= neededEvidence)
    .toSorted((a, b) => b.evidence - a.evidence)
  if (best === undefined) return { verdict: undefined, candidates }
  const { choice, evidence, loser, winner } = best
  const verdict: Verdict = {
    key,
    setting,
    from: current ?? allAlike,
    to: choice,
    winner,
    loser,
    evidence,
    isUndone: false
  }
  return { verdict, candidates }
}

/** The sectors with the most leads. The others are only compared together. */
const keysOf = (weeks: ReadonlyArray<TriedWeek>): ReadonlyArray<readonly [key: string, setting: Setting]> => {
  const sizes = new Map<string, { readonly setting: Setting; readonly tries: number }>()
  for (const { key, setting, tries } of weeks) sizes.set(key, { setting, tries: tries + (sizes.get(key)?.tries ?? 0) })
  const all = [...sizes].toSorted(([a, x], [b, y]) => y.tries - x.tries || (a < b ? -1 : 1))
  const ofSector = all.filter(([key, { setting }]) => key !== setting).slice(0, sectorsCompared)
  return [...all.filter(([key, { setting }]) => key === setting), ...ofSector].map(([key, { setting }]) => [
    key,
    setting
  ])
}

/**
 * Decides what to change or undo by a campaign's results. Choices that were assigned at random in the same week are
 * compared week by week. See `evidenceFor` for the evidence.
 */
export const decide = (
  weeks: ReadonlyArray<TriedWeek>,
  standings: ReadonlyArray<SettingChoice>,
  now: number
): Decision => {
  const judgements = keysOf(weeks).map(([key, setting]) =>
    judge(
      key,
      setting,
      weeks.filter((row) => row.key === key),
      standings.find((standing) => standing.key === key),
      now
    )
  )
  const candidates = judgements.flatMap((judgement) => judgement.candidates).toSorted((a, b) => b.evidence - a.evidence)
  const [nearest] = candidates.filter(({ evidence }) => evidence < neededEvidence)
  return {
    verdicts: judgements.flatMap(({ verdict }) => (verdict === undefined ? [] : [verdict])),
    nearest: nearest && { key: nearest.key, choice: nearest.choice, evidence: nearest.evidence },
    leads: total(weeks.filter(({ key }) => key === "opening")).tries
  }
}

/** The current choices, for planning touches. */
export const choicesOf = (standings: ReadonlyArray<SettingChoice>): Choices =>
  Object.fromEntries(standings.flatMap(({ choice, key }) => (choice === null ? [] : [[key, choice]])))
