import { Schema } from "effect"
import type { AccountId } from "../Accounts/Ids.ts"
import type { Timestamp } from "../Core/Timestamp.ts"
import type { Language } from "../Text/Language.ts"
import type { LeadVolumeEstimate } from "./ReportModel.ts"

/** The results of one paying account in 30 days. */
export interface AccountVolume {
  readonly accountId: AccountId
  readonly newLeads: number
  readonly confirmedReplies: number
  readonly interestedLeads: number
  readonly messagesSent: number
}

const Range = Schema.Struct({ median: Schema.Number, top: Schema.Number })
export const VolumeFigures = Schema.Struct({
  newLeads: Range,
  confirmedReplies: Range,
  interestedLeads: Range,
  messagesSent: Range
})
export type VolumeFigures = typeof VolumeFigures.Type

/** A range of fewer accounts could reveal one of them. */
export const minimumAccounts = 10
/**
 * Ranges are published again only after this many accounts joined or left. Otherwise a comparison of two publications
 * could reveal them.
 */
const minimumChange = 3
/** How many accounts must reach each end of a range, so that a single one does not determine it. */
const minimumAccountsBehind = 3

/** Rounds to one leading digit up to 100, else to two. Smaller steps could reveal single accounts. */
export const rounded = (value: number): number => {
  if (value <= 0) return 0
  const digits = Math.max(0, Math.floor(Math.log10(value)) - (value > 100 ? 1 : 0))
  const step = 10 ** digits
  return Math.round(value / step) * step
}

/**
 * The quantile of the sorted values, limited to values that enough accounts reach. It never interpolates, because that
 * would reveal the larger value.
 */
const quantile = (sorted: ReadonlyArray<number>, share: number): number =>
  sorted[Math.min(Math.floor((sorted.length - 1) * share), sorted.length - minimumAccountsBehind)] ?? 0

const rangeOf = (values: ReadonlyArray<number>) => {
  const sorted = values.toSorted((a, b) => a - b)
  return { median: rounded(quantile(sorted, 0.5)), top: rounded(quantile(sorted, 0.9)) }
}

/** The ranges of a group of accounts. Undefined if there are too few. */
export const benchmarkOf = (accounts: ReadonlyArray<AccountVolume>): VolumeFigures | undefined =>
  accounts.length < minimumAccounts
    ? undefined
    : {
        newLeads: rangeOf(accounts.map(({ newLeads }) => newLeads)),
        confirmedReplies: rangeOf(accounts.map(({ confirmedReplies }) => confirmedReplies)),
        interestedLeads: rangeOf(accounts.map(({ interestedLeads }) => interestedLeads)),
        messagesSent: rangeOf(accounts.map(({ messagesSent }) => messagesSent))
      }

/**
 * Decides about a group's published ranges. They stay unchanged if so few accounts joined or left that a comparison
 * would reveal them. A group that becomes too small is hidden, and shown unchanged when it grows again.
 */
export const publication = (
  shownOf: ReadonlyArray<AccountId> | undefined,
  accounts: ReadonlyArray<AccountId>
): "publish" | "keep" | "hide" => {
  if (accounts.length < minimumAccounts) return "hide"
  if (shownOf === undefined) return "publish"
  const before = new Set(shownOf)
  const remainingCount = accounts.filter((account) => before.has(account)).length
  const movedCount = before.size + accounts.length - 2 * remainingCount
  return movedCount === 0 || movedCount >= minimumChange ? "publish" : "keep"
}

const tooFew: { readonly [L in Language]: string } = {
  "pt-BR": `Menos de ${minimumAccounts} clientes pagantes sustentam os números; por isso nenhum é mostrado.`,
  en: `Fewer than ${minimumAccounts} paying customers stand behind the figures, so that none are shown.`,
  es: `Menos de ${minimumAccounts} clientes que pagan respaldan las cifras; por eso no se muestra ninguna.`
}

const volumes = ({ median, top }: typeof Range.Type) => ({
  per_week: { median: rounded((median * 7) / 30), top: rounded((top * 7) / 30) },
  per_month: { median, top }
})

export const estimateOf = (
  estimate: { readonly isSimilar: boolean; readonly figures: VolumeFigures; readonly madeAt: Timestamp } | undefined,
  language: Language
): LeadVolumeEstimate =>
  estimate === undefined
    ? {
        benchmark: "Global",
        new_leads: null,
        confirmed_replies: null,
        interested_leads: null,
        messages_sent: null,
        reason: tooFew[language],
        as_of: null
      }
    : {
        benchmark: estimate.isSimilar ? "Similar" : "Global",
        new_leads: volumes(estimate.figures.newLeads),
        confirmed_replies: volumes(estimate.figures.confirmedReplies),
        interested_leads: volumes(estimate.figures.interestedLeads),
        messages_sent: volumes(estimate.figures.messagesSent),
        reason: null,
        as_of: estimate.madeAt
      }
