import { Schema } from "effect"
import type { AccountId } from "../Accounts/Ids.ts"
import type { Timestamp } from "../Core/Timestamp.ts"
import type { Language } from "../Text/Language.ts"
import type { LeadVolumeEstimate } from "./ReportModel.ts"

/** What one paying account came to in 30 days. */
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

/** Fewer accounts than these stand behind no range: one of them could be told from it. */
export const leastAccounts = 10
/** Ranges are made anew only when so many accounts joined or left since those that were shown: the change tells of none of them alone. */
const leastChange = 3
/** Accounts that reach each end of a range, at least: the largest one alone moves nothing. */
const leastBehind = 3

/** To one leading digit up to 100, to two above: small steps would show single accounts. */
export const rounded = (value: number): number => {
  if (value <= 0) return 0
  const digits = Math.max(0, Math.floor(Math.log10(value)) - (value > 100 ? 1 : 0))
  const step = 10 ** digits
  return Math.round(value / step) * step
}

/** A value that so large a share stays below, as far as enough accounts reach it. Not between two: that would tell of the larger one. */
const quantile = (sorted: ReadonlyArray<number>, share: number): number =>
  sorted[Math.min(Math.floor((sorted.length - 1) * share), sorted.length - leastBehind)] ?? 0

const rangeOf = (values: ReadonlyArray<number>) => {
  const sorted = values.toSorted((a, b) => a - b)
  return { median: rounded(quantile(sorted, 0.5)), top: rounded(quantile(sorted, 0.9)) }
}

/** The ranges of a group of accounts; nothing where they are too few. */
export const benchmarkOf = (accounts: ReadonlyArray<AccountVolume>): VolumeFigures | undefined =>
  accounts.length < leastAccounts
    ? undefined
    : {
        newLeads: rangeOf(accounts.map(({ newLeads }) => newLeads)),
        confirmedReplies: rangeOf(accounts.map(({ confirmedReplies }) => confirmedReplies)),
        interestedLeads: rangeOf(accounts.map(({ interestedLeads }) => interestedLeads)),
        messagesSent: rangeOf(accounts.map(({ messagesSent }) => messagesSent))
      }

/**
 * What becomes of a group's ranges: shown anew, or as they were, where so few joined or left since that a comparison would tell
 * of them. A group that fell below the least keeps what was shown, unseen: to leave and join again makes nothing new.
 */
export const publication = (
  shownOf: ReadonlyArray<AccountId> | undefined,
  accounts: ReadonlyArray<AccountId>
): "anew" | "as before" | "withheld" => {
  if (accounts.length < leastAccounts) return "withheld"
  if (shownOf === undefined) return "anew"
  const before = new Set(shownOf)
  const stayed = accounts.filter((account) => before.has(account)).length
  const moved = before.size + accounts.length - 2 * stayed
  return moved === 0 || moved >= leastChange ? "anew" : "as before"
}

const tooFew: { readonly [L in Language]: string } = {
  "pt-BR": `Menos de ${leastAccounts} clientes pagantes sustentam os números; por isso nenhum é mostrado.`,
  en: `Fewer than ${leastAccounts} paying customers stand behind the figures, so that none are shown.`,
  es: `Menos de ${leastAccounts} clientes que pagan respaldan las cifras; por eso no se muestra ninguna.`
}

const volumes = ({ median, top }: typeof Range.Type) => ({
  per_week: { median: rounded((median * 7) / 30), top: rounded((top * 7) / 30) },
  per_month: { median, top }
})

export const estimateOf = (
  known: { readonly isSimilar: boolean; readonly figures: VolumeFigures; readonly madeAt: Timestamp } | undefined,
  language: Language
): LeadVolumeEstimate =>
  known === undefined
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
        benchmark: known.isSimilar ? "Similar" : "Global",
        new_leads: volumes(known.figures.newLeads),
        confirmed_replies: volumes(known.figures.confirmedReplies),
        interested_leads: volumes(known.figures.interestedLeads),
        messages_sent: volumes(known.figures.messagesSent),
        reason: null,
        as_of: known.madeAt
      }
