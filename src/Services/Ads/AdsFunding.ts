import { Context, type Effect, type Option } from "effect"
import type { NotFound, Refused, Transient } from "../../Errors.ts"
import type { AccountId } from "../Accounts/Ids.ts"
import type { Micros } from "./AdsMoney.ts"
import type { AdsCampaignId, AdsCampaignState } from "./Ids.ts"

export type FundingSource = "payment_notice" | "operator" | "sandbox"

export interface Recharge {
  readonly accountId: AccountId
  /** Name or id. */
  readonly campaign: string
  readonly amountMicros: Micros
  /** Names the payment: one reference is entered once in an account. */
  readonly reference: string
  readonly source: FundingSource
}

export interface EnteredRecharge {
  readonly ads_campaign_id: AdsCampaignId
  /** False where the reference had been entered before. */
  readonly is_new: boolean
  readonly remaining_brl: number
}

/** A campaign as its recharge page shows it. */
export interface RechargePage {
  readonly accountId: AccountId
  readonly adsCampaignId: AdsCampaignId
  readonly name: string
  readonly state: AdsCampaignState
  readonly dailyBudgetMicros: Micros
  readonly rechargedMicros: Micros
  readonly spentMicros: Micros
}

/** The ledger of what was paid for campaigns: entries are added and never changed. */
export class AdsFunding extends Context.Tag("AdsFunding")<
  AdsFunding,
  {
    /** To be run in a transaction. Go-live is looked at again by itself after it. */
    readonly recharge: (recharge: Recharge) => Effect.Effect<EnteredRecharge, NotFound | Refused | Transient>
    /** The campaign whose recharge link has this token. */
    readonly page: (token: string) => Effect.Effect<Option.Option<RechargePage>, Transient>
  }
>() {}
