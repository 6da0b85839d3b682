import { Context, type Effect, type Option, Schema } from "effect"
import { type NotFound, type Refused, refused, type Transient } from "../../Errors.ts"
import { type AccountId, Plan } from "../Accounts/Ids.ts"
import type { Caller } from "../Core/Caller.ts"
import { Timestamp } from "../Core/Timestamp.ts"
import { TestAccountId } from "./Ids.ts"

/** Test accounts of one account. */
export const mostTestAccounts = 5

/** Days without a call after which a test account is deleted. */
export const idleDays = 30

/** How far from the present the clock of a test account may start, in days. */
export const mostStartDays = 366

export const TestAccountView = Schema.Struct({
  test_account_id: TestAccountId,
  name: Schema.String,
  plan: Plan,
  starts_at: Timestamp.annotations({ description: "What its clock shows at first, and after a reset." }),
  created_at: Timestamp,
  last_called_at: Schema.NullOr(Timestamp).annotations({ description: "The last call, to the hour." }),
  expires_at: Timestamp.annotations({ description: `It is deleted then if no call comes before: ${idleDays} days.` }),
  base_url: Schema.String.annotations({
    description: "Pages and links of the test account begin with this address. Tools can be called at either address."
  })
})
export type TestAccountView = typeof TestAccountView.Type

export interface NewTestAccount {
  readonly name: string
  readonly plan: Plan
  /** ISO, two letters. */
  readonly country: string | undefined
  /** By default the present. */
  readonly startsAt: Timestamp | undefined
}

/** What a gateway needs to know of a test account to serve it. */
export interface ServedTestAccount {
  /** The live account that made it. */
  readonly accountId: AccountId
  readonly testAccountId: TestAccountId
  readonly key: string
  /** A reset makes a new generation, with a new database. */
  readonly generation: number
  readonly database: string
  readonly name: string
  readonly plan: Plan
  readonly country: string | null
  readonly startsAt: Timestamp
  readonly tokenHash: Uint8Array
}

export const tooManyTestAccounts = refused(
  "too_many_test_accounts",
  `The account has ${mostTestAccounts} test accounts.`,
  "Delete one with delete_test_account, or use one again after reset_test_account.",
  { maximum: mostTestAccounts }
)

export const insideTestAccount = refused(
  "inside_test_account",
  "A test account has no test accounts.",
  "Use a token of the live account."
)

export const testAccountsUnavailable = refused(
  "test_accounts_unavailable",
  "This gateway may not create the databases of test accounts.",
  "The operator has to let its database role create databases (alter role ... createdb)."
)

export const countryInvalid = refused(
  "country_invalid",
  "The country is no ISO code.",
  "Send two capital letters, such as BR."
)

export const startOutOfRange = refused(
  "starts_at_out_of_range",
  "The clock cannot start there.",
  `Send an instant at most ${mostStartDays} days from now, or leave it out to start at the present.`
)

/** The test accounts of the caller's account. */
export class TestAccounts extends Context.Tag("TestAccounts")<
  TestAccounts,
  {
    /** To be run in a transaction. The token is shown this once. */
    readonly create: (
      account: NewTestAccount
    ) => Effect.Effect<{ readonly view: TestAccountView; readonly token: string }, Refused | Transient, Caller>
    readonly list: Effect.Effect<ReadonlyArray<TestAccountView>, Transient, Caller>
    /** Empties it and sets its clock back. All its tokens end, and it gets a new one. To be run in a transaction. */
    readonly reset: (
      id: TestAccountId
    ) => Effect.Effect<{ readonly view: TestAccountView; readonly token: string }, NotFound | Transient, Caller>
    /** To be run in a transaction. */
    readonly remove: (id: TestAccountId) => Effect.Effect<void, NotFound | Transient, Caller>
    /** One of the caller's account. */
    readonly served: (id: TestAccountId) => Effect.Effect<ServedTestAccount, NotFound | Transient, Caller>
    /** By the key in its tokens and addresses, of whichever account. Notes that it was called. */
    readonly servedByKey: (key: string) => Effect.Effect<Option.Option<ServedTestAccount>, Transient>
    /** Whether it was neither deleted nor reset since. Notes nothing. */
    readonly isServed: (account: ServedTestAccount) => Effect.Effect<boolean, Transient>
    /** Those of all accounts. */
    readonly all: Effect.Effect<ReadonlyArray<ServedTestAccount>, Transient>
    /** Deletes those that no one called for long, and all databases that belong to none. Returns how many were deleted. */
    readonly sweep: Effect.Effect<number, Transient>
  }
>() {}
