import { Context, type Effect, type Option } from "effect"
import type { NotFound, Refused, Transient } from "../../Errors.ts"
import type { AccountId } from "../Accounts/Ids.ts"
import type { Micros } from "./AdsMoney.ts"
import type { AdsCampaignId, AdsCampaignState, ChannelType } from "./Ids.ts"

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

/** A refund of a campaign's balance by the operator. */
export interface Refund {
  readonly accountId: AccountId
  /** Name or id; one that has ended too. */
  readonly campaign: string
  /** Undefined: all that is left. */
  readonly amountMicros: Micros | undefined
  /** Names the repayment: one reference is entered once in an account. */
  readonly reference: string
}

export interface RefundState {
  readonly ads_campaign_id: AdsCampaignId
  /** Whether the campaign is stopped, and all is known that it cost. */
  readonly isSettled: boolean
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
  readonly channelType: ChannelType
  readonly state: AdsCampaignState
  /** The parts that the campaign lacks before it can be shown. */
  readonly missing: ReadonlyArray<string>
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
    /**
     * Pauses a campaign and has its spend synced, so that what is left of it can be given back. The gateway does both
     * within a minute. To be run in a transaction.
     */
    readonly prepareRefund: (
      campaign: Pick<Refund, "accountId" | "campaign">
    ) => Effect.Effect<RefundState, NotFound | Transient>
    /**
     * Enters what was given back, as an entry below zero; never more than is left, and only of a campaign that is
     * stopped and settled. To be run in a transaction.
     */
    readonly refund: (refund: Refund) => Effect.Effect<EnteredRecharge, NotFound | Refused | Transient>
    /** The campaign whose recharge link has this token; one that has ended too. */
    readonly page: (token: string) => Effect.Effect<Option.Option<RechargePage>, Transient>
  }
>() {}
