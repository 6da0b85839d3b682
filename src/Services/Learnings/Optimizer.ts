import { type Choices, type Setting, settingRules } from "../Outreach/Adjustments.ts"
import { type Block, evidenceFor } from "./Evidence.ts"
import { noShare, plus, rateOf, type Share } from "./Proportions.ts"

/** Leads of one week that got one choice of a setting, and how many of them answered in time. */
export interface TriedWeek extends Share {
  /** `opening`, or of a sector `channel_order:62`. */
  readonly key: string
  readonly setting: Setting
  readonly choice: string
  /** The Monday of their first contact, in Unix milliseconds. */
  readonly week: number
}

/** What the optimizer did with a setting before. */
export interface Standing {
  readonly key: string
  /** Null after it was taken back. */
  readonly choice: string | null
  /** Unix milliseconds. */
  readonly chosenAt: number | null
  readonly undoneAt: number | null
}

/** Of 100 campaigns in which nothing makes a difference, at most these many are ever changed. */
export const acceptedChanges = 0.04
/** Comparisons of a campaign at the most: three openings, two other hours, two other pauses, three sectors and all. */
const comparisons = 12
/** From how much evidence on something is changed: what chance alone reaches in `acceptedChanges` of all campaigns. */
export const neededEvidence = comparisons / acceptedChanges
/** From how much on a change is taken back: sooner, since what was before is what the owner knows. */
export const evidenceToUndo = 8
/** Leads of each side, and answers of both together, below which nothing is judged. */
export const leastLeads = 50
const leastAnswers = 10
/** What was taken back is not tried again before this has passed. */
const restAfterUndo = 26 * 7 * 86_400_000
export const sectorsCompared = 3

export interface Verdict {
  readonly key: string
  readonly setting: Setting
  readonly from: string
  readonly to: string
  /** What got `to` and `from`: of a change taken back the other way round. */
  readonly winner: Share
  readonly loser: Share
  readonly evidence: number
  readonly isUndone: boolean
}

export interface Decision {
  readonly verdicts: ReadonlyArray<Verdict>
  /** The closest look that nothing came of: how far it is from a change. */
  readonly nearest: { readonly key: string; readonly choice: string; readonly evidence: number } | undefined
  /** Leads that the decision rests on. */
  readonly leads: number
}

const total = (weeks: ReadonlyArray<TriedWeek>): Share => weeks.reduce<Share>(plus, noShare)

const blocksOf = (one: ReadonlyArray<TriedWeek>, other: ReadonlyArray<TriedWeek>): ReadonlyArray<Block> => {
  const weeks = [...new Set([...one, ...other].map(({ week }) => week))].toSorted((a, b) => a - b)
  const of = (rows: ReadonlyArray<TriedWeek>, week: number) => total(rows.filter((row) => row.week === week))
  return weeks.map((week) => ({ one: of(one, week), other: of(other, week) }))
}

const areEnough = (one: Share, other: Share): boolean =>
  one.tries >= leastLeads && other.tries >= leastLeads && one.hits + other.hits >= leastAnswers

/** The name of the state in which all choices of a setting are tried alike. */
export const allAlike = "all_alike"

const judge = (
  key: string,
  setting: Setting,
  rows: ReadonlyArray<TriedWeek>,
  standing: Standing | undefined,
  now: number
) => {
  const { choices, usual } = settingRules[setting]
  const since = standing?.choice === null ? standing.undoneAt : (standing?.chosenAt ?? null)
  // Leads contacted before a choice was made say nothing of how it does since.
  const seen = rows.filter(({ week }) => since === null || week >= since)
  const current = standing?.choice ?? usual
  const of = (choice: string) => seen.filter((row) => row.choice === choice)
  const but = (choice: string) => seen.filter((row) => row.choice !== choice)

  if (standing?.choice !== null && standing?.choice !== undefined) {
    const own = of(standing.choice)
    const before = usual === undefined ? but(standing.choice) : of(usual)
    const [winner, loser] = [total(before), total(own)]
    const evidence = areEnough(winner, loser) && rateOf(winner) > rateOf(loser) ? evidenceFor(blocksOf(before, own)) : 0
    if (evidence >= evidenceToUndo) {
      const verdict: Verdict = {
        key,
        setting,
        from: standing.choice,
        to: usual ?? allAlike,
        winner,
        loser,
        evidence,
        isUndone: true
      }
      return { verdict, looks: [] }
    }
  }
  const isResting = standing?.choice === null && standing.undoneAt !== null && now - standing.undoneAt < restAfterUndo
  if (isResting) return { verdict: undefined, looks: [] }
  const looks = choices.flatMap((choice) => {
    if (choice === current) return []
    const one = of(choice)
    const other = current === undefined ? but(choice) : of(current)
    const [winner, loser] = [total(one), total(other)]
    if (!areEnough(winner, loser)) return []
    return [{ key, choice, winner, loser, evidence: evidenceFor(blocksOf(one, other)) }]
  })
  const [best] = looks.filter(({ evidence }) => evidence >= neededEvidence).toSorted((a, b) => b.evidence - a.evidence)
  if (best === undefined) return { verdict: undefined, looks }
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
  return { verdict, looks }
}

/** Of the sectors those with the most leads; the others are taken with all. */
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
 * What the results of a campaign say of its adjustments: what is to be changed, what is to be taken back, or nothing.
 * Choices that were tried at the same time, by lot, are compared week by week; see `evidenceFor` for what the evidence is.
 */
export const decide = (weeks: ReadonlyArray<TriedWeek>, standings: ReadonlyArray<Standing>, now: number): Decision => {
  const judged = keysOf(weeks).map(([key, setting]) =>
    judge(
      key,
      setting,
      weeks.filter((row) => row.key === key),
      standings.find((standing) => standing.key === key),
      now
    )
  )
  const looks = judged.flatMap((each) => each.looks).toSorted((a, b) => b.evidence - a.evidence)
  const [nearest] = looks.filter(({ evidence }) => evidence < neededEvidence)
  return {
    verdicts: judged.flatMap(({ verdict }) => (verdict === undefined ? [] : [verdict])),
    nearest: nearest && { key: nearest.key, choice: nearest.choice, evidence: nearest.evidence },
    leads: total(weeks.filter(({ key }) => key === "opening")).tries
  }
}

/** The choices that hold, as touches are steered by them. */
export const choicesOf = (standings: ReadonlyArray<Standing>): Choices =>
  Object.fromEntries(standings.flatMap(({ choice, key }) => (choice === null ? [] : [[key, choice]])))
