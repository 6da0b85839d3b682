import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Option } from "effect"
import { type Refused, type Transient, transient } from "../../Errors.ts"
import { Accounts } from "../../Services/Accounts/Accounts.ts"
import type { AccountId, Plan } from "../../Services/Accounts/Ids.ts"
import { Caller } from "../../Services/Core/Calls/Caller.ts"
import { UnitOfWork } from "../../Services/Core/Calls/UnitOfWork.ts"
import { SchedulerBookings } from "../../Services/Scheduler/Scheduler.ts"
import { recurring } from "../Platform/Jobs/Recurring.ts"
import { handle } from "../Platform/Jobs/TaskHandler.ts"
import { fromSql } from "../Platform/Postgres/Sql.ts"
import { Settings } from "../Platform/Settings.ts"
import { schedulerService } from "./CalendlyApi.ts"
import { SchedulerConnection } from "./SchedulerConnection.ts"
import { lookAtBooking, subscribeScheduler, sweepSchedulers } from "./SchedulerTasks.ts"

/** Accounts in one round, those that wait longest first. */
const batch = 500
const sweepMinutes = 14
export const noticePath = "/webhooks/scheduler"

const asAccount = <E, R>(accountId: AccountId, work: Effect.Effect<void, E, R | Caller>) =>
  Effect.gen(function* () {
    const accounts = yield* Accounts
    const plan = yield* accounts.planOf(accountId)
    if (Option.isNone(plan)) return
    yield* work.pipe(Effect.provideService(Caller, Caller.forTask(accountId, plan.value, "scheduler")))
  })

/** Ends work that the scheduler refuses permanently. A new connection starts all of it again. */
const untilReconnected = <E, R>(work: Effect.Effect<void, E | Refused, R>) =>
  Effect.catchIf(
    work,
    (error): error is Extract<E | Refused, Refused> =>
      typeof error === "object" && error !== null && "_tag" in error && error._tag === "Refused",
    (error) => Effect.logInfo("the scheduler waits for its owner").pipe(Effect.annotateLogs("reason", error.reason))
  )

/** Subscribes to notices. There is one subscription per address, so an existing one is used. */
const subscribe = Effect.gen(function* () {
  const sql = yield* SqlClient
  const { accountId } = yield* Caller
  const { baseUrl } = yield* Settings
  const { api: apiFor } = yield* SchedulerConnection
  const api = apiFor(false)
  const [own] = yield* sql<{ readonly user: string; readonly organization: string; readonly key: string }>`
    select user_uri as user, organization_uri as organization, webhook_key as key from scheduler_account
    where account_id = ${accountId} and subscription_uri is null`.pipe(fromSql())
  if (own === undefined) return
  const { key, organization, user } = own
  const url = `${baseUrl}${noticePath}/${key}`
  const existing = (yield* api.subscriptions({ organization, user })).find(({ callback_url }) => callback_url === url)
  const { uri } = existing ?? (yield* api.subscribe({ url, organization, user }))
  yield* sql`
    update scheduler_account set subscription_uri = ${uri}
    where account_id = ${accountId} and webhook_key = ${key}`.pipe(fromSql())
}).pipe(
  Effect.catchTag("ProviderFailure", (failure): Effect.Effect<void, Transient> => {
    switch (failure.kind) {
      case "forbidden":
      case "rejected":
      case "not_found":
        // The plan has no webhooks, or they cannot reach this address. Bookings are then found by polling.
        return Effect.logInfo("the scheduler sends no notices")
      case "conflict":
      case "rate_limited":
      case "unauthorized":
      case "unavailable":
      case "maybe_sent":
        return Effect.fail(transient("scheduler_unavailable", "The scheduler did not answer.", 30))
    }
  })
)

interface Due {
  readonly accountId: AccountId
  readonly plan: Plan
}

/** Polls one account after another. A failure of one account's scheduler does not stop the others. */
const sweepAll = Effect.gen(function* () {
  const sql = yield* SqlClient
  const unit = yield* UnitOfWork
  const bookings = yield* SchedulerBookings
  const due = yield* unit
    .acrossAccounts(sql<Due>`
    select s.account_id as "accountId", a.plan from scheduler_account s
    join account a on a.account_id = s.account_id
    join connection c on c.account_id = s.account_id and c.service = ${schedulerService} and c.state = 'connected'
    where s.swept_at <= instant() - make_interval(mins => ${sweepMinutes}) and uses_test_clock(s.account_id)
    order by s.swept_at limit ${batch}`)
    .pipe(fromSql())
  yield* Effect.forEach(
    due,
    ({ accountId, plan }) =>
      untilReconnected(bookings.sweep).pipe(
        Effect.catchTag("Transient", ({ reason }) =>
          Effect.logInfo("a scheduler was not looked through").pipe(Effect.annotateLogs({ accountId, reason }))
        ),
        Effect.provideService(Caller, Caller.forTask(accountId, plan, "scheduler"))
      ),
    { concurrency: 4, discard: true }
  )
})

export const schedulerTasks = Effect.gen(function* () {
  const bookings = yield* SchedulerBookings
  return [
    handle(subscribeScheduler, ({ accountId }) => asAccount(accountId, untilReconnected(subscribe))),
    handle(lookAtBooking, ({ accountId, inviteeUri }) =>
      asAccount(accountId, untilReconnected(bookings.look(inviteeUri)))
    ),
    handle(sweepSchedulers, () => sweepAll)
  ]
})

export const schedulerRecurring = [recurring("sweep_schedulers", "*/5 * * * *", sweepSchedulers, {})]
