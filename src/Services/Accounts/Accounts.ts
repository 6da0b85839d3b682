import { Context, type Effect, type Option } from "effect"
import type { NotFound, Refused, Transient } from "../../Errors.ts"
import type { AccountId, Plan } from "./Ids.ts"

export interface NewAccount {
  readonly name: string
  readonly email: string | undefined
  readonly phone: string | undefined
  readonly plan: Plan
  /** ISO, two letters; without it, the country of its phone. The account begins in the country's language and time zone. */
  readonly country?: string | undefined
  /** The business's name and the sender's name. Leads are contacted only once both are set. */
  readonly business?: string | undefined
  readonly sender?: string | undefined
}

/** An operator's changes to an account. Omitted fields stay. */
export interface AccountChanges {
  /** The owner's phone. Null removes it. */
  readonly phone?: string | null
  /** Two-letter ISO code. */
  readonly country?: string
}

export interface ChangedAccount {
  readonly account_id: AccountId
  readonly phone: string | null
  readonly country: string | null
}

export interface AccountSummary {
  readonly account_id: AccountId
  readonly name: string
  readonly email: string | null
  readonly plan: Plan
  readonly is_prospecting_active: boolean
}

/** Accounts as an operator handles them: no tool reaches this service. */
export class Accounts extends Context.Tag("Accounts")<
  Accounts,
  {
    /** A phone belongs to one person of all accounts. */
    readonly create: (account: NewAccount) => Effect.Effect<AccountId, Transient | Refused>
    /** To be run in a transaction. The language and the time zone stay, since the owner may have set them. */
    readonly update: (
      accountId: AccountId,
      changes: AccountChanges
    ) => Effect.Effect<ChangedAccount, NotFound | Refused | Transient>
    readonly planOf: (accountId: AccountId) => Effect.Effect<Option.Option<Plan>, Transient>
    /** All accounts, sorted by number. */
    readonly list: Effect.Effect<ReadonlyArray<AccountSummary>, Transient>
    /** Pauses the outreach of all accounts. Returns how many were active. */
    readonly pauseAll: Effect.Effect<number, Transient>
    /** Whether there is any account yet. */
    readonly exists: Effect.Effect<boolean, Transient>
  }
>() {}
