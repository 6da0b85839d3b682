import { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"
import { fromJsonBody, isRefused } from "../../src/Api/RequestArguments.ts"
import type { RequestRefused } from "../../src/Errors.ts"
import { AccountId, type Plan } from "../../src/Services/Accounts/Ids.ts"
import { Caller } from "../../src/Services/Core/Calls/Caller.ts"
import type { Catalog } from "../../src/Tools/Core/Catalog.ts"

let accounts = 0

/** Creates an account and returns a caller for it. */
export const makeAccount = (plan: Plan = "paid") =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const number = ++accounts
    const rows = yield* sql<{ readonly account_id: number }>`
      insert into account (name, email, handle, plan, mail_display_name)
      values (${`Account ${number}`}, ${`owner${number}@example.com`}, ${`account${number}`}, ${plan},
        ${`Sender ${number}`})
      returning account_id`
    const accountId = AccountId.make(rows[0]?.account_id ?? 0)
    yield* sql`insert into prospecting_config (account_id) values (${accountId})`
    yield* sql`insert into business_profile (account_id, business_name) values (${accountId}, ${`Business ${number}`})`
    return Caller.forTask(accountId, plan, `test-${number}`)
  }).pipe(Effect.orDie)

/** Runs an effect as `caller`. */
export const as =
  (caller: Caller["Type"]) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, Exclude<R, Caller>> =>
    Effect.provideService(effect, Caller, caller)

/** Calls a tool with `args` as its JSON body. Returns the parsed JSON answer. */
export const callTool = <R>(catalog: Catalog<R>, name: string, args: object = {}) => {
  const raw = fromJsonBody(Buffer.from(JSON.stringify(args)))
  return isRefused(raw)
    ? Effect.fail<RequestRefused>(raw)
    : Effect.map(catalog.call(name, raw), (answer): unknown => JSON.parse(JSON.stringify(answer)))
}
