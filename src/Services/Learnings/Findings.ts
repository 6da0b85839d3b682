import type { RefusalReason } from "../Replies/ReplyReading.ts"
import { fisher, holm, noShare, plus, rateOf, type Share } from "./Proportions.ts"

/** The dimensions by which reply rates are compared. */
export const comparedKinds = ["reply_day", "reply_hour", "message_type", "opening", "region", "sector"] as const
export type ComparedKind = (typeof comparedKinds)[number]

/**
 * Messages or leads of one group. A blank group contains those of an unknown group: others are compared with it, but it
 * is never named.
 */
export interface Group extends Share {
  readonly kind: ComparedKind
  /**
   * A weekday as a number (0 is Sunday), an hour, a message type, an opening, a state or country, or a sector's name.
   */
  readonly group: string
}

/** How many leads gave a reason for their refusal. */
export interface RefusalCount {
  readonly reason: RefusalReason
  readonly leads: number
}

/** Groups with fewer messages are not compared, and neither are groups if the others together have fewer. */
export const minimumTries = 30
/** Kinds with fewer messages or leads are not compared. */
export const minimumOfKind = 100
/** The accepted share of accounts that get a learning although nothing differs. */
export const acceptedError = 0.02
/** The smallest useful difference, in percentage points and as a share of the others' rate. */
const minimumPoints = 0.01
const minimumShare = 0.1

export type Finding =
  | {
      readonly _tag: "Difference"
      readonly kind: ComparedKind
      readonly group: string
      readonly isHigher: boolean
      readonly share: Share
      readonly others: Share
      /** Corrected for the number of comparisons. */
      readonly probability: number
    }
  /** There is enough data, but no difference. */
  | {
      readonly _tag: "NoDifference"
      readonly kind: ComparedKind
      readonly all: Share
      readonly groups: ReadonlyArray<Share & { readonly group: string }>
    }
  | { readonly _tag: "Refusals"; readonly reason: RefusalReason; readonly leads: number; readonly refusals: number }

const groupsShown = 30

const totalOf = (groups: ReadonlyArray<Group>): Share => groups.reduce<Share>(plus, noShare)

const restOf = (all: Share, { hits, tries }: Group): Share => ({ hits: all.hits - hits, tries: all.tries - tries })

interface Comparison {
  readonly group: Group
  readonly others: Share
  readonly probability: number
}

const comparisonsOf = (groups: ReadonlyArray<Group>): ReadonlyArray<Comparison> => {
  const all = totalOf(groups)
  return groups.flatMap((group) => {
    const others = restOf(all, group)
    if (group.group === "" || group.tries < minimumTries || others.tries < minimumTries) return []
    return [{ group, others, probability: fisher(group, others) }]
  })
}

const isUseful = (one: Share, other: Share): boolean => {
  const difference = Math.abs(rateOf(one) - rateOf(other))
  return difference >= minimumPoints && difference >= minimumShare * rateOf(other)
}

/**
 * Statistically significant findings. Each group is compared with all others of its kind, with a correction for all
 * comparisons of the account. Reasons for refusals are only counted and listed.
 */
export const findingsOf = (
  groups: ReadonlyArray<Group>,
  refusals: ReadonlyArray<RefusalCount>
): ReadonlyArray<Finding> => {
  const enough = comparedKinds.flatMap((kind) => {
    const ofKind = groups.filter((group) => group.kind === kind && group.tries > 0)
    return totalOf(ofKind).tries < minimumOfKind ? [] : [{ kind, ofKind, comparisons: comparisonsOf(ofKind) }]
  })
  const adjusted = holm(enough.flatMap(({ comparisons }) => comparisons.map(({ probability }) => probability)))
  let place = 0
  const findings = enough.flatMap(({ comparisons, kind, ofKind }): ReadonlyArray<Finding> => {
    const differences = comparisons.flatMap(({ group, others }) => {
      const probability = adjusted[place++] ?? 1
      if (probability >= acceptedError || !isUseful(group, others)) return []
      const share = { hits: group.hits, tries: group.tries }
      const isHigher = rateOf(share) > rateOf(others)
      return [{ _tag: "Difference" as const, kind, group: group.group, isHigher, share, others, probability }]
    })
    if (differences.length > 0) return differences
    if (comparisons.length < 2) return []
    const listedDifferences = ofKind
      .filter(({ group }) => group !== "")
      .toSorted((a, b) => b.tries - a.tries || (a.group < b.group ? -1 : 1))
      .slice(0, groupsShown)
      .map(({ group, hits, tries }) => ({ group, hits, tries }))
    return [{ _tag: "NoDifference", kind, all: totalOf(ofKind), groups: listedDifferences }]
  })
  const total = refusals.reduce((sum, { leads }) => sum + leads, 0)
  return [
    ...findings,
    ...refusals
      .filter(({ leads }) => leads > 0)
      .toSorted((a, b) => b.leads - a.leads || (a.reason < b.reason ? -1 : 1))
      .map(({ leads, reason }): Finding => ({ _tag: "Refusals", reason, leads, refusals: total }))
  ]
}

/** Identifies a finding. The same claim has the same key every night, and the opposite claim has another one. */
export const keyOf = (finding: Finding): string => {
  switch (finding._tag) {
    case "Difference":
      return `${finding.kind}:${finding.group}:${finding.isHigher ? "higher" : "lower"}`
    case "NoDifference":
      return finding.kind
    case "Refusals":
      return `refusal_reason:${finding.reason}`
  }
}

/** Differences first, then reasons for refusals, then kinds without a difference. */
const rankOf = (finding: Finding): number => (finding._tag === "Difference" ? 0 : finding._tag === "Refusals" ? 1 : 2)

export const inOrder = (findings: ReadonlyArray<Finding>): ReadonlyArray<Finding> =>
  findings.toSorted(
    (a, b) =>
      rankOf(a) - rankOf(b) || (a._tag === "Difference" && b._tag === "Difference" ? a.probability - b.probability : 0)
  )
