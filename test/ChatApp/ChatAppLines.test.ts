import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { transient } from "../../src/Errors.ts"
import { LineRefused } from "../../src/Services/ChatApp/ChatApp.ts"
import { ChatAppLines } from "../../src/Services/ChatApp/ChatAppLines.ts"
import { ChatAppOutbox } from "../../src/Services/ChatApp/ChatAppMessages.ts"
import { Caller } from "../../src/Services/Core/Calls/Caller.ts"
import { UnitOfWork } from "../../src/Services/Core/Calls/UnitOfWork.ts"
import { JobId } from "../../src/Services/Jobs/Ids.ts"
import {
  ChatAppWithFake,
  healthyLine,
  insertLine,
  messageRow,
  Provider,
  queueMessage
} from "../support/channels/ChatAppServices.ts"
import { insertLead } from "../support/leads/LeadServices.ts"
import { as, makeAccount } from "../support/TestAccount.ts"

const register = (usesOwnNumber = false) =>
  Effect.flatMap(ChatAppLines, (lines) =>
    Effect.flatMap(UnitOfWork, (unit) => unit.write(lines.register({ usesOwnNumber })))
  )

/** Does the work of the job. */
const provision = Effect.gen(function* () {
  const lines = yield* ChatAppLines
  const { accountId } = yield* Caller
  yield* lines.provision({
    accountId,
    jobId: JobId.make("6f1d3f5e-8f0a-4c7e-9d5e-0a8e8f1c2b3d"),
    subjectId: undefined,
    attempt: 1,
    setProgress: () => Effect.void,
    checkpoint: Effect.void
  })
})

const get = Effect.flatMap(ChatAppLines, (lines) => lines.get)

/** The provider reports this about every line while the effect runs. */
const saying =
  (snapshot: Provider["Type"]["snapshot"]) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.gen(function* () {
      const provider = yield* Provider
      provider.snapshot = snapshot
      return yield* Effect.ensuring(
        effect,
        Effect.sync(() => {
          provider.snapshot = Effect.succeed(healthyLine)
        })
      )
    })

const refusing = saying(new LineRefused({ reason: "The provider refused this." }))
const away = saying(transient("provider_unavailable", "The provider is not available for the moment.", 30))

/** As if the owner of the platform's number had left. */
const giveBack = Effect.flatMap(
  SqlClient,
  (sql) => sql`
    with left_line as (delete from chatapp_provider_line where provider_line_id = '900001' returning account_id)
    delete from chatapp_line l using left_line where l.account_id = left_line.account_id`
)

layer(ChatAppWithFake, { excludeTestServices: true })("the account's line", (it) => {
  it.effect("each platform number goes to one account, and the next account is refused", () =>
    Effect.gen(function* () {
      const accounts = yield* Effect.all([makeAccount(), makeAccount(), makeAccount()])
      const ends = yield* Effect.all(
        accounts.map((caller) =>
          as(caller)(
            Effect.gen(function* () {
              yield* register()
              yield* Effect.ignore(provision)
              return yield* get
            })
          )
        ),
        { concurrency: 3 }
      )
      assert.deepStrictEqual(ends.map(({ status }) => status).sort(), ["failed", "failed", "live"])
      assert.match(ends.find(({ status }) => status === "failed")?.failure_reason ?? "", /No number .* is free/)

      // Once a number is released, the next attempt gets it.
      yield* giveBack
      const again = accounts.find((_, index) => ends[index]?.status === "failed")
      if (again === undefined) throw new Error("Nobody failed.")
      const me = as(again)
      assert.deepInclude(yield* me(register()), { created: true, status: "provisioning" })
      yield* me(provision)
      assert.deepInclude(yield* me(get), { status: "live", failure_reason: null })
      yield* giveBack
    })
  )

  it.effect("a number that the provider refuses fails with the reason and is released", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const me = as(yield* makeAccount())
      yield* me(register())
      const failure = yield* refusing(Effect.flip(me(provision)))
      assert.deepInclude(failure, { _tag: "JobFailed", reason: "The provider refused this." })
      assert.deepInclude(yield* me(get), { status: "failed", failure_reason: "The provider refused this." })
      assert.isEmpty(yield* sql`select from chatapp_line where provider_line_id = '900001'`)
    })
  )

  it.effect("an unavailable provider leaves the line to the next attempt", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      yield* me(register())
      assert.deepInclude(yield* away(Effect.flip(me(provision))), { _tag: "Transient" })
      assert.deepInclude(yield* me(get), { status: "provisioning" })
      yield* me(provision)
      assert.deepInclude(yield* me(get), { status: "live", phone: "+15550100000" })
      yield* giveBack
    })
  )

  it.effect("owners' numbers are refused if the sign-up is not configured", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      yield* me(register(true))
      assert.deepInclude(yield* Effect.flip(me(provision)), { _tag: "JobFailed" })
      assert.match((yield* me(get)).failure_reason ?? "", /own cannot be connected/)
    })
  )

  it.effect("is shown as the provider reports it: blocked, refused, or as stored if it cannot be asked", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      yield* me(insertLine())
      assert.deepInclude(yield* me(get), {
        status: "live",
        is_ready: true,
        health_issue: null,
        quality_rating: "green"
      })
      const health = { issue: "The provider banned the number.", fix: "Request a review." }
      const blocked = saying(Effect.succeed({ ...healthyLine, isBlocked: true, quality: "red" as const, health }))
      assert.deepInclude(yield* blocked(me(get)), {
        status: "suspended",
        is_ready: false,
        quality_rating: "red",
        health_issue: health.issue,
        health_fix: health.fix
      })
      const refused = yield* refusing(me(get))
      assert.deepInclude(refused, { status: "suspended", is_ready: false, health_issue: "The provider refused this." })
      assert.isNotNull(refused.health_fix)
      assert.deepInclude(yield* away(me(get)), { status: "live", is_ready: true, refreshed_at: null })
    })
  )

  it.effect("a simulated line does not exist for a real provider, so a new one is created", () =>
    Effect.gen(function* () {
      const outbox = yield* ChatAppOutbox
      const caller = yield* makeAccount()
      const me = as(caller)
      yield* me(insertLine(`sandbox-${caller.accountId}`))
      assert.deepInclude(yield* me(get), { status: "failed", is_ready: false })
      const leadId = yield* me(insertLead({ phone: "+5511987650001" }))
      const id = yield* me(queueMessage(leadId))
      yield* outbox.deliver({ accountId: caller.accountId, chatAppMessageId: id }, { isLast: false })
      assert.deepInclude(yield* me(messageRow(id)), { status: "failed", failure_reason: "chatapp_line_not_live" })
      assert.deepInclude(yield* me(register()), { created: true, status: "provisioning" })
      yield* me(provision)
      assert.deepInclude(yield* me(get), { status: "live", is_ready: true })
      yield* giveBack
    })
  )

  it.effect("the problem of a failed send is shown until one succeeds", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const caller = yield* makeAccount()
      const me = as(caller)
      yield* me(insertLine())
      yield* sql`
        update chatapp_line set health_issue = 'Unpaid.', health_fix = 'Pay.' where account_id = ${caller.accountId}`
      assert.deepInclude(yield* away(me(get)), { health_issue: "Unpaid.", health_fix: "Pay." })
    })
  )
})
