import { Context, type Effect, type Option } from "effect"
import type { NotFound, Refused, Transient } from "../../Errors.ts"
import type { AccountId } from "../Accounts/Ids.ts"
import type { Micros } from "./AdsMoney.ts"
import type { AdsCampaignId, AdsCampaignState, ChannelType } from "./Ids.ts"

export type FundingSource = "payment_notice" | "operator" | "sandbox"

export interface Recharge {
  readonly accountId: AccountId
  /** A name or an id. */
  readonly campaign: string
  readonly amountMicros: Micros
  /** Identifies the payment. A reference is recorded only once per account. */
  readonly reference: string
  readonly source: FundingSource
}

/** A refund of a campaign's balance by the operator. */
export interface Refund {
  readonly accountId: AccountId
  /** A name or an id. The campaign may have ended. */
  readonly campaign: string
  /** Undefined refunds the whole remaining balance. */
  readonly amountMicros: Micros | undefined
  /** Identifies the refund. A reference is recorded only once per account. */
  readonly reference: string
}

export interface RefundState {
  readonly ads_campaign_id: AdsCampaignId
  /** Whether the campaign is stopped and its final cost is known. */
  readonly isSettled: boolean
}

export interface EnteredRecharge {
  readonly ads_campaign_id: AdsCampaignId
  /** False if the reference was already recorded. */
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
  /** The parts that the campaign needs before it can run. */
  readonly missing: ReadonlyArray<string>
  readonly dailyBudgetMicros: Micros
  readonly rechargedMicros: Micros
  readonly spentMicros: Micros
}

/** The ledger of payments for campaigns. Entries are added and never changed. */
export class AdsFunding extends Context.Tag("AdsFunding")<
  AdsFunding,
  {
    /** Call it in a transaction. The campaign's go-live is checked again after the commit. */
    readonly recharge: (recharge: Recharge) => Effect.Effect<EnteredRecharge, NotFound | Refused | Transient>
    /**
     * Pauses a campaign and queues a sync of its cost, so that its balance can be refunded. The gateway does both
     * within a minute. Call it in a transaction.
     */
    readonly prepareRefund: (
      campaign: Pick<Refund, "accountId" | "campaign">
    ) => Effect.Effect<RefundState, NotFound | Transient>
    /**
     * Records a refund as a negative entry. The campaign must be stopped and settled, and the amount is at most the
     * balance. Call it in a transaction.
     */
    readonly refund: (refund: Refund) => Effect.Effect<EnteredRecharge, NotFound | Refused | Transient>
    /** The campaign whose recharge link has this token, even if the campaign has ended. */
    readonly page: (token: string) => Effect.Effect<Option.Option<RechargePage>, Transient>
  }
>() {}
