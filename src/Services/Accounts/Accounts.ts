import { Context, type Effect, type Option } from "effect"
import type { Transient } from "../../Errors.ts"
import type { AccountId, Plan } from "./Ids.ts"

export interface NewAccount {
  readonly name: string
  readonly email: string | undefined
  readonly phone: string | undefined
  readonly plan: Plan
  /** ISO, two letters; where it is not given the phone and the language tell. */
  readonly country?: string | undefined
}

/** Accounts as an operator handles them: no tool reaches this service. */
export class Accounts extends Context.Tag("Accounts")<
  Accounts,
  {
    readonly create: (account: NewAccount) => Effect.Effect<AccountId, Transient>
    readonly planOf: (accountId: AccountId) => Effect.Effect<Option.Option<Plan>, Transient>
    /** Whether there is any account yet. */
    readonly exists: Effect.Effect<boolean, Transient>
  }
>() {}
