import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Schema } from "effect"
import { Webhook as Svix } from "svix"
import { WebhookOperationsPostgres } from "../../src/Layers/Events/WebhookOperationsPostgres.ts"
import { WebhookReplaysPostgres } from "../../src/Layers/Events/WebhookReplaysPostgres.ts"
import { JobsPostgres } from "../../src/Layers/Jobs/JobsPostgres.ts"
import { TaskQueuePostgres } from "../../src/Layers/Platform/Jobs/TaskQueue.ts"
import { Caller } from "../../src/Services/Core/Calls/Caller.ts"
import { AccountEvents } from "../../src/Services/Events/AccountEvents.ts"
import { LoggedAttemptView } from "../../src/Services/Events/WebhookOperations.ts"
import { webhookReplayJob } from "../../src/Services/Events/WebhookReplays.ts"
import { JobId } from "../../src/Services/Jobs/Ids.ts"
import { JobCancelled } from "../../src/Services/Jobs/JobHandler.ts"
import * as Catalog from "../../src/Tools/Core/Catalog.ts"
import * as Tool from "../../src/Tools/Core/Tool.ts"
import { platformWebhooks } from "../../src/Tools/Events/PlatformWebhooks.ts"
import { insertCampaign, insertLead } from "../support/leads/LeadServices.ts"
import { type Answer, accept, numberOf, reject, webhookReceiver } from "../support/providers/WebhookReceiver.ts"
import { as, callTool, makeAccount } from "../support/TestAccount.ts"
import { answerOf } from "../support/ToolAnswer.ts"
import {
  deliveriesOf,
  eventually,
  happened,
  makeDue,
  settled,
  startDispatcher,
  subscribe,
  subscription,
  WebhookServices
} from "./Webhooks/support.ts"

const catalog = Catalog.make([Tool.group("Platform", "Webhooks of the account.", [...platformWebhooks])])

const Services = Layer.mergeAll(WebhookOperationsPostgres, WebhookReplaysPostgres).pipe(
  Layer.provideMerge(JobsPostgres),
  Layer.provideMerge(TaskQueuePostgres),
  Layer.provideMerge(WebhookServices)
)

const Replayed = Schema.Struct({
  events: Schema.Int,
  job_id: Schema.NullOr(JobId),
  replay_id: Schema.NullOr(Schema.Int),
  status: Schema.NullOr(Schema.String),
  subscription_id: Schema.Int
})

const replay = (args: object) =>
  Effect.flatMap(
    answerOf(catalog, "replay_webhook_events", { since: "2020-01-01", ...args }),
    Schema.decodeUnknown(Replayed)
  )

/** Runs the job of a replay. `mayContinue` is asked before each step. */
const runReplay = (jobId: JobId | null, mayContinue: () => boolean = () => true) =>
  Effect.gen(function* () {
    const caller = yield* Caller
    if (jobId === null) return assert.fail("The replay has no job.")
    yield* webhookReplayJob.run(
      {
        accountId: caller.accountId,
        jobId,
        subjectId: undefined,
        attempt: 1,
        setProgress: () => Effect.void,
        checkpoint: Effect.suspend(() => (mayContinue() ? Effect.void : Effect.fail(new JobCancelled())))
      },
      caller
    )
  })

const Attempts = Schema.Struct({
  attempts: Schema.Array(LoggedAttemptView),
  next_cursor: Schema.NullOr(Schema.String),
  limit: Schema.Int
})
const attempts = (args: object = {}) =>
  Effect.flatMap(answerOf(catalog, "list_webhook_attempts", args), Schema.decodeUnknown(Attempts))

const Rotated = Schema.Struct({
  subscription_id: Schema.Int,
  signing_secret: Schema.String,
  previous_secret_valid_until: Schema.String
})
const rotate = (subscription_id: number) =>
  Effect.flatMap(answerOf(catalog, "rotate_webhook_secret", { subscription_id }), Schema.decodeUnknown(Rotated))

layer(Services, { excludeTestServices: true })("replays of webhooks", (it) => {
  it.scoped("send the events of a range again under their ids, and leave the health of the subscription alone", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      let answer: Answer = accept
      const receiver = yield* webhookReceiver((received, response) => answer(received, response))
      const { id } = yield* me(subscribe(receiver.url))
      yield* me(happened(1, 2, 3))
      yield* startDispatcher()
      yield* eventually(me(deliveriesOf(id)), (all) => all.length === 3 && settled(all))
      const healthy = yield* me(subscription(id))

      assert.deepInclude(yield* me(replay({ subscription_id: id, count_only: true })), { events: 3, job_id: null })
      assert.lengthOf(yield* me(deliveriesOf(id)), 3)
      assert.deepInclude(yield* me(replay({ subscription_id: id, until: "2020-01-02", count_only: true })), {
        events: 0
      })
      assert.deepInclude(yield* me(replay({ subscription_id: id, event_types: "meeting_booked", count_only: true })), {
        events: 0
      })

      // 410 would end the subscription if it were no replay.
      answer = reject(410)
      const started = yield* me(replay({ subscription_id: id }))
      assert.deepInclude(started, { events: 3, status: "queued" })
      yield* me(runReplay(started.job_id))
      yield* eventually(me(deliveriesOf(id)), (all) => all.length === 6 && settled(all))
      assert.deepStrictEqual(yield* me(subscription(id)), healthy)
      const ids = receiver.received.map(({ headers }) => headers["webhook-id"])
      assert.deepStrictEqual(ids.slice(3), ids.slice(0, 3))

      // These failed, but each event has arrived before.
      assert.deepInclude(yield* me(replay({ subscription_id: id, only_failed: true, count_only: true })), { events: 0 })
    })
  )

  it.scoped("send only what failed, once, and are resumed where they stopped", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      const sql = yield* SqlClient
      let answer: Answer = reject(500)
      const receiver = yield* webhookReceiver((received, response) => answer(received, response))
      const { id } = yield* me(subscribe(receiver.url))
      yield* me(happened(...Array.from({ length: 600 }, (_, index) => index)))
      yield* sql`update webhook_delivery set status = 'failed', finished_at = now() where webhook_subscription_id = ${id}`
      yield* me(happened(1000))
      const started = yield* me(replay({ subscription_id: id, only_failed: true }))
      assert.deepInclude(started, { events: 600 })
      let steps = 0
      const cancelled = yield* Effect.flip(me(runReplay(started.job_id, () => ++steps < 2)))
      assert.strictEqual(cancelled._tag, "JobCancelled")
      const replays = Effect.map(me(deliveriesOfReplay(id)), (rows) => rows.length)
      assert.strictEqual(yield* replays, 500)
      yield* me(runReplay(started.job_id))
      assert.strictEqual(yield* replays, 600)
      // What is on its way is not sent twice.
      assert.deepInclude(yield* me(replay({ subscription_id: id, only_failed: true, count_only: true })), { events: 0 })

      // A new event does not wait for 600 old ones.
      answer = accept
      yield* startDispatcher()
      yield* eventually(
        Effect.sync(() => receiver.received.length),
        (count) => count >= 601
      )
      const place = receiver.received.findIndex((received) => numberOf(received) === 1000)
      assert.isBelow(place, 60)
      assert.strictEqual(new Set(receiver.received.map(numberOf)).size, 601)
    })
  )

  it.effect("are refused without an active subscription or a range", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      const sql = yield* SqlClient
      const stranger = as(yield* makeAccount())
      const { id } = yield* me(subscribe("https://hooks.example/hook"))
      const flipped = (who: typeof me, args: object) =>
        Effect.flip(
          who(callTool(catalog, "replay_webhook_events", { subscription_id: id, since: "2020-01-01", ...args }))
        )
      assert.deepInclude(yield* flipped(stranger, {}), { _tag: "NotFound", reason: "webhook_subscription_not_found" })
      assert.deepInclude(yield* flipped(me, { until: "2019-01-01" }), { _tag: "Refused", reason: "range_empty" })
      yield* sql`update webhook_subscription set is_active = false, disabled_at = now(), disabled_reason = 'owner'
        where webhook_subscription_id = ${id}`
      assert.deepInclude(yield* flipped(me, {}), { _tag: "Refused", reason: "webhook_subscription_not_active" })
    })
  )
})

const deliveriesOfReplay = (id: number) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const { accountId } = yield* Caller
    return yield* sql`select from webhook_delivery
      where account_id = ${accountId} and webhook_subscription_id = ${id} and is_replay`
  })

layer(Services, { excludeTestServices: true })("attempts of webhooks", (it) => {
  it.scoped("are listed over all subscriptions, newest first, with what a failed answer said", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      const stranger = as(yield* makeAccount())
      const good = yield* webhookReceiver()
      const bad = yield* webhookReceiver(reject(500))
      const one = yield* me(subscribe(good.url))
      const other = yield* me(subscribe(bad.url))
      yield* me(happened(1))
      yield* startDispatcher()
      yield* eventually(me(deliveriesOf(one.id)), settled)
      yield* eventually(me(deliveriesOf(other.id)), settled)
      yield* makeDue(other.id)
      yield* eventually(me(deliveriesOf(other.id)), (all) => all.every(({ attempt_count }) => attempt_count === 2))

      const { attempts: all } = yield* me(attempts())
      assert.lengthOf(all, 3)
      const times = all.map(({ attempted_at }) => attempted_at)
      assert.deepStrictEqual(times, times.toSorted().reverse())
      const failed = yield* me(attempts({ only_failed: true }))
      assert.deepStrictEqual(
        failed.attempts.map((attempt) => [attempt.subscription_id, attempt.response_status, attempt.response_excerpt]),
        [
          [other.id, 500, "what the receiver says of it"],
          [other.id, 500, "what the receiver says of it"]
        ]
      )
      const ofGood = yield* me(attempts({ subscription_id: one.id }))
      assert.deepInclude(ofGood.attempts[0], { response_status: 204, response_excerpt: null, is_replay: false })

      const pages: Array<string> = []
      let cursor: string | null = ""
      while (cursor !== null) {
        const page: typeof Attempts.Type = yield* me(attempts({ limit: 1, ...(cursor === "" ? {} : { cursor }) }))
        pages.push(...page.attempts.map((attempt) => `${attempt.delivery_id}.${attempt.attempt_number}`))
        cursor = page.next_cursor
      }
      assert.deepStrictEqual(
        pages,
        all.map((attempt) => `${attempt.delivery_id}.${attempt.attempt_number}`)
      )
      assert.lengthOf((yield* stranger(attempts())).attempts, 0)
      const foreign = yield* Effect.flip(
        stranger(callTool(catalog, "list_webhook_attempts", { subscription_id: one.id }))
      )
      assert.deepInclude(foreign, { _tag: "NotFound" })
      const nonsense = yield* Effect.flip(me(callTool(catalog, "list_webhook_attempts", { cursor: "yesterday" })))
      assert.deepInclude(nonsense, { _tag: "Refused", reason: "cursor_invalid" })
    })
  )
})

layer(Services, { excludeTestServices: true })("a rotated secret", (it) => {
  it.scoped("signs next to the one before for a day, and then alone", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      const sql = yield* SqlClient
      const receiver = yield* webhookReceiver()
      const { id, signingSecret: first } = yield* me(subscribe(receiver.url))
      const { signing_secret: second } = yield* me(rotate(id))
      yield* startDispatcher()
      const sent = (number: number) =>
        Effect.gen(function* () {
          yield* me(happened(number))
          yield* eventually(
            Effect.sync(() => receiver.received.some((received) => numberOf(received) === number)),
            (isThere) => isThere
          )
          return (
            receiver.received.find((received) => numberOf(received) === number) ?? assert.fail("It did not arrive.")
          )
        })
      const accepts = (secret: string, { headers, text }: (typeof receiver.received)[number]) => {
        try {
          new Svix(secret).verify(text, headers)
          return true
        } catch {
          return false
        }
      }
      const early = yield* sent(1)
      assert.strictEqual(early.headers["webhook-signature"]?.split(" ").length, 2)
      assert.deepStrictEqual([accepts(first, early), accepts(second, early)], [true, true])

      const { signing_secret: third } = yield* me(rotate(id))
      const later = yield* sent(2)
      assert.deepStrictEqual(
        [accepts(first, later), accepts(second, later), accepts(third, later)],
        [false, true, true]
      )

      yield* sql`update webhook_subscription set previous_secret_until = now() - interval '1 second'
        where webhook_subscription_id = ${id}`
      const late = yield* sent(3)
      assert.deepStrictEqual([accepts(second, late), accepts(third, late)], [false, true])
    })
  )
})

layer(Services, { excludeTestServices: true })("a filter by campaign", (it) => {
  it.scoped("sends only events of leads in those campaigns, and is undone by an empty one", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      const events = yield* AccountEvents
      const clinics = yield* me(insertCampaign("Wanted"))
      const other = yield* me(insertCampaign("Other"))
      const receiver = yield* webhookReceiver()
      const { id } = yield* me(subscribe(receiver.url))
      const set = (campaign_ids: string) =>
        me(answerOf(catalog, "set_webhook_filter", { subscription_id: id, campaign_ids }))
      assert.deepStrictEqual(yield* set(`${clinics}`), { subscription_id: id, campaign_ids: [clinics] })
      const confirm = (campaign_id: number | null) =>
        Effect.flatMap(insertLead({ campaign_id }), (lead_id) =>
          events.append({ type: "lead_confirmed", data: { lead_id, channel: null } })
        )
      yield* me(confirm(clinics))
      yield* me(confirm(other))
      yield* me(confirm(null))
      yield* me(happened(1))
      assert.lengthOf(yield* me(deliveriesOf(id)), 1)
      assert.deepInclude(yield* me(replay({ subscription_id: id, count_only: true })), { events: 0 })
      assert.deepStrictEqual(yield* set(""), { subscription_id: id, campaign_ids: null })
      yield* me(happened(2))
      assert.lengthOf(yield* me(deliveriesOf(id)), 2)
      assert.deepInclude(yield* me(replay({ subscription_id: id, count_only: true })), { events: 3 })

      const foreign = yield* as(yield* makeAccount())(insertCampaign("Foreign"))
      const refusal = yield* Effect.flip(
        me(callTool(catalog, "set_webhook_filter", { subscription_id: id, campaign_ids: `${clinics},${foreign}` }))
      )
      assert.deepInclude(refusal, { _tag: "NotFound", reason: "campaign_not_found" })
    })
  )
})
