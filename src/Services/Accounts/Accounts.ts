import { Context, type Effect, type Option } from "effect"
import type { Refused, Transient } from "../../Errors.ts"
import type { AccountId, Plan } from "./Ids.ts"

export interface NewAccount {
  readonly name: string
  readonly email: string | undefined
  readonly phone: string | undefined
  readonly plan: Plan
  /** ISO, two letters; where it is not given the phone and the language tell. */
  readonly country?: string | undefined
  /** What leads know the business by, and in whose name they are written to: nobody is contacted before both are known. */
  readonly business?: string | undefined
  readonly sender?: string | undefined
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
    readonly planOf: (accountId: AccountId) => Effect.Effect<Option.Option<Plan>, Transient>
    /** All of them, by their number. */
    readonly list: Effect.Effect<ReadonlyArray<AccountSummary>, Transient>
    /** Whether there is any account yet. */
    readonly exists: Effect.Effect<boolean, Transient>
  }
>() {}
