import { Context, type Effect, type Option, Schema } from "effect"
import { type NotFound, type Refused, refused, type Transient } from "../../Errors.ts"
import { type AccountId, Plan } from "../Accounts/Ids.ts"
import type { Caller } from "../Core/Calls/Caller.ts"
import { Timestamp } from "../Core/Timestamp.ts"
import { TestAccountId } from "./Ids.ts"

/** The maximum number of test accounts per account. */
export const mostTestAccounts = 5

/** Days without a call after which a test account is deleted. */
export const idleDays = 30

/** How many days from now the clock of a test account may start at most. */
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
  /** By default the current time. */
  readonly startsAt: Timestamp | undefined
}

/** The facts that a gateway needs to serve a test account. */
export interface ServedTestAccount {
  /** The live account that created it. */
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
    /** Call it in a transaction. The token is shown only once. */
    readonly create: (
      account: NewTestAccount
    ) => Effect.Effect<{ readonly view: TestAccountView; readonly token: string }, Refused | Transient, Caller>
    readonly list: Effect.Effect<ReadonlyArray<TestAccountView>, Transient, Caller>
    /**
     * Deletes all data and resets the clock. All tokens end, and the test account gets a new one. Call it in a
     * transaction.
     */
    readonly reset: (
      id: TestAccountId
    ) => Effect.Effect<{ readonly view: TestAccountView; readonly token: string }, NotFound | Transient, Caller>
    /** Call it in a transaction. */
    readonly remove: (id: TestAccountId) => Effect.Effect<void, NotFound | Transient, Caller>
    /** A test account of the caller's account. */
    readonly served: (id: TestAccountId) => Effect.Effect<ServedTestAccount, NotFound | Transient, Caller>
    /** Finds a test account of any account by the key in its tokens and addresses. Records that it was called. */
    readonly servedByKey: (key: string) => Effect.Effect<Option.Option<ServedTestAccount>, Transient>
    /** Whether it was neither deleted nor reset since. Records nothing. */
    readonly isServed: (account: ServedTestAccount) => Effect.Effect<boolean, Transient>
    /** The test accounts of all accounts. */
    readonly all: Effect.Effect<ReadonlyArray<ServedTestAccount>, Transient>
    /**
     * Deletes test accounts that were not called for a long time, and databases that belong to none. Returns the number
     * of deleted test accounts.
     */
    readonly sweep: Effect.Effect<number, Transient>
  }
>() {}
