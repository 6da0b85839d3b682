import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Deferred, Effect } from "effect"
import { VoiceCallCompletion } from "../../src/Layers/Voice/Calls/CallCompletion.ts"
import { followCall, voiceCallTending } from "../../src/Layers/Voice/Calls/CallPolling.ts"
import { dial } from "../../src/Layers/Voice/Calls/Dialing.ts"
import { Blacklist } from "../../src/Services/Blacklist/Blacklist.ts"
import { Caller } from "../../src/Services/Core/Calls/Caller.ts"
import { UnitOfWork } from "../../src/Services/Core/Calls/UnitOfWork.ts"
import { TouchId } from "../../src/Services/Outreach/TouchLedger.ts"
import { ProspectingConfig } from "../../src/Services/Prospecting/ProspectingConfig.ts"
import { CallMaybePlaced, CallNotPlaced } from "../../src/Services/Voice/Voice.ts"
import { VoiceCalls } from "../../src/Services/Voice/VoiceCalls.ts"
import { at } from "../Reports/at.ts"
import { insertLead } from "../support/leads/LeadServices.ts"
import { as, makeAccount } from "../support/TestAccount.ts"
import { type ScriptedVoice, scriptedVoice, voiceLayer } from "./fakes/ScriptedVoice.ts"
import {
  age,
  answeredResult,
  callOf,
  internalsOf,
  inWindow,
  newNumber,
  placeCall,
  tasksOf,
  told,
  VoiceServices
} from "./support.ts"

const tend = voiceCallTending.handler.run({}, { id: "1", attempt: 1, maxAttempts: 3 })

/** A test with a telephone and an account of its own. */
const withPhone = <A, E, R>(body: (script: ScriptedVoice) => Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const script = scriptedVoice()
    return yield* body(script).pipe(Effect.provide(voiceLayer(script)), as(yield* makeAccount()))
  })

layer(VoiceServices, { excludeTestServices: true })("dialing", (it) => {
  it.effect("a call goes from its queue to its end, and the result is told once", () =>
    withPhone((script) =>
      Effect.gen(function* () {
        const phone = newNumber()
        const key = yield* placeCall(phone)
        assert.deepInclude(yield* callOf(key), { status: "queued", kind: "goal_driven", mode: null, dialed_at: null })
        yield* dial(key)
        assert.deepInclude(yield* callOf(key), { status: "dialing", mode: "live", was_picked_up: null })
        assert.deepInclude(script.made[0], { goal: "Confirmar a reunião de quinta às 10h", language: "pt-BR" })
        assert.include(yield* tasksOf(key), "follow_voice_call")
        yield* followCall(key)
        assert.strictEqual((yield* callOf(key)).status, "dialing")
        script.progress = { _tag: "InProgress" }
        yield* followCall(key)
        assert.strictEqual((yield* callOf(key)).status, "in_progress")
        script.progress = { _tag: "Dialing" }
        yield* followCall(key)
        assert.strictEqual((yield* callOf(key)).status, "in_progress")
        script.progress = { _tag: "Ended", result: answeredResult }
        yield* followCall(key)
        const call = yield* callOf(key)
        assert.deepInclude(call, {
          status: "completed",
          was_picked_up: true,
          goal_achieved: true,
          summary: "Ela confirmou.",
          duration_seconds: 61,
          failure_reason: null
        })
        assert.deepStrictEqual(call.transcript, answeredResult.transcript)
        assert.isNotNull(call.finished_at)
        yield* Effect.all([followCall(key), followCall(key), dial(key)], { concurrency: 3 })
        const outcome = {
          voice_call_request_id: key.voiceCallRequestId,
          status: "completed",
          was_picked_up: true,
          goal_achieved: true
        }
        const { events, notifications } = yield* told
        assert.deepStrictEqual(events, [
          { type: "voice_call_finished", ...outcome, lead_id: null, lead_name: null, campaign_id: null }
        ])
        assert.deepStrictEqual(notifications, [
          {
            kind: "voice_call_finished",
            ...outcome,
            phone_number: phone,
            goal: "Confirmar a reunião de quinta às 10h",
            agreed: [],
            questions: [],
            promised: [],
            summary: "Ela confirmou.",
            reason: null,
            asked_not_to_be_called: false
          }
        ])
        assert.lengthOf(script.made, 1)
      })
    )
  )

  it.effect("of fifty calls to one number, from two accounts and at once, one rings at a time", () =>
    withPhone((script) =>
      Effect.gen(function* () {
        const other = yield* makeAccount()
        const phone = newNumber()
        const own = yield* Effect.forEach(Array.from({ length: 25 }), () => placeCall(phone))
        const others = yield* Effect.forEach(Array.from({ length: 25 }), () => placeCall(phone)).pipe(as(other))
        const keys = [...own, ...others]
        const completion = yield* VoiceCallCompletion
        const unit = yield* UnitOfWork
        for (let round = 0; round < 4; round++) {
          // Twice each, as after a worker that was taken for dead.
          yield* Effect.forEach([...keys, ...keys], dial, { concurrency: 8, discard: true })
          assert.lengthOf(script.made, round + 1)
          const ringing = yield* Effect.forEach(keys, (key) =>
            Effect.map(completion.rows.read(key), (row) => (row?.status === "dialing" ? [key] : []))
          )
          const [current, ...more] = ringing.flat()
          assert.lengthOf(more, 0)
          assert.isDefined(current)
          if (current === undefined) return
          yield* unit.write(
            Effect.flatMap(completion.rows.lock(current), (row) =>
              row === undefined ? Effect.void : completion.end([{ row, result: answeredResult }])
            )
          )
        }
        const references = script.made.map(({ reference }) => reference)
        assert.strictEqual(new Set(references).size, 4)
        for (const key of keys) assert.include(["queued", "completed"], (yield* completion.rows.read(key))?.status)
      })
    )
  )

  it.effect("the end of a call wakes the one that waits for its number", () =>
    withPhone((script) =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const phone = newNumber()
        const first = yield* placeCall(phone)
        const second = yield* placeCall(phone)
        yield* dial(first)
        yield* dial(second)
        assert.strictEqual((yield* callOf(second)).status, "queued")
        const waiting = sql<{ readonly is_due: boolean }>`
          select run_at <= now() as is_due from graphile_worker._private_jobs
          where key = ${`voice_dial:${second.accountId}:${second.voiceCallRequestId}`}`
        assert.deepStrictEqual(yield* waiting, [{ is_due: false }])
        script.progress = { _tag: "Ended", result: { ...answeredResult, status: "busy", wasPickedUp: false } }
        yield* followCall(first)
        assert.deepStrictEqual(yield* waiting, [{ is_due: true }])
        yield* dial(second)
        assert.lengthOf(script.made, 2)
      })
    )
  )

  it.effect("a number that was blacklisted after the call was queued is not dialed, and that is counted and told", () =>
    withPhone((script) =>
      Effect.gen(function* () {
        const blacklist = yield* Blacklist
        const phone = newNumber()
        const key = yield* placeCall(phone)
        yield* blacklist.add("phone", phone, "Client")
        yield* dial(key)
        assert.lengthOf(script.made, 0)
        assert.deepInclude(yield* callOf(key), {
          status: "cancelled",
          failure_reason: "blacklisted",
          was_picked_up: false
        })
        const { entries } = yield* blacklist.list({ page: 0, pageSize: 10 })
        assert.deepInclude(entries[0], { times_blocked: 1 })
        const { events, notifications } = yield* told
        assert.deepInclude(events[0], { type: "voice_call_finished", status: "cancelled" })
        assert.deepInclude(notifications[0], { status: "cancelled", reason: "blacklisted" })
      })
    )
  )

  it.effect("a call to the owner that was queued before the permission was taken back is not dialed", () =>
    withPhone((script) =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const { accountId } = yield* Caller
        const phone = newNumber()
        yield* sql`update account set phone = ${phone} where account_id = ${accountId}`
        const key = yield* placeCall(phone)
        const other = yield* placeCall(newNumber())
        yield* sql`update account set agent_may_call_owner = false where account_id = ${accountId}`
        yield* dial(key)
        assert.lengthOf(script.made, 0)
        assert.deepInclude(yield* callOf(key), { status: "cancelled", failure_reason: "calls_to_account_off" })
        yield* dial(other)
        assert.lengthOf(script.made, 1)
      })
    )
  )

  it.effect("whoever is blacklisted while many calls are dialed is not called from then on", () =>
    withPhone((script) =>
      Effect.gen(function* () {
        const blacklist = yield* Blacklist
        const phones = Array.from({ length: 20 }, newNumber)
        const keys = yield* Effect.forEach(phones, (phone) => placeCall(phone))
        const blocked = new Set<string>()
        const blockedBefore = new Set<string>()
        // The first call comes before every entry and the last one after an entry, so that each run has both.
        const firstDialed = yield* Deferred.make<void>()
        const firstBlocked = yield* Deferred.make<void>()
        const dialing = Effect.forEach(
          keys,
          (key, index) =>
            Effect.gen(function* () {
              if (index === keys.length - 1) yield* Deferred.await(firstBlocked)
              const phone = phones[index] ?? ""
              if (blocked.has(phone)) blockedBefore.add(phone)
              yield* dial(key)
              if (index === 0) yield* Deferred.succeed(firstDialed, undefined)
            }),
          { concurrency: 4, discard: true }
        )
        const block = (phone: string) =>
          blacklist.add("phone", phone, "Other").pipe(
            Effect.tap(() => Effect.sync(() => blocked.add(phone))),
            Effect.zipRight(Deferred.succeed(firstBlocked, undefined))
          )
        const lastFirst = [...phones].reverse()
        const blocking = Effect.gen(function* () {
          yield* Deferred.await(firstDialed)
          yield* Effect.forEach(lastFirst.slice(0, 1), block, { discard: true })
          yield* Effect.forEach(lastFirst.slice(1), block, { concurrency: 4, discard: true })
        })
        yield* Effect.all([dialing, blocking], { concurrency: 2, discard: true })
        assert.isAbove(blockedBefore.size, 0)
        assert.deepStrictEqual(
          script.made.filter(({ phone }) => blockedBefore.has(phone)),
          []
        )
        for (const [index, key] of keys.entries()) {
          const { failure_reason, status } = yield* callOf(key)
          const isMade = script.made.some(({ phone }) => phone === phones[index])
          assert.strictEqual(status, isMade ? "dialing" : "cancelled")
          assert.strictEqual(failure_reason, isMade ? null : "blacklisted")
        }
        assert.isAbove(script.made.length, 0)
        assert.isBelow(script.made.length, 20)
      })
    )
  )

  it.effect("after a crash between the call and its record it is looked up, and not made again", () =>
    withPhone((script) =>
      Effect.gen(function* () {
        const key = yield* placeCall()
        const isRinging = yield* Deferred.make<void>()
        script.afterwards = Effect.zipRight(Deferred.succeed(isRinging, undefined), Effect.never)
        // A process that died leaves an attempt behind that never continues.
        yield* Effect.forkDaemon(dial(key))
        yield* Deferred.await(isRinging)
        assert.deepInclude(yield* internalsOf(key), { dial_request: "begun", provider_call_id: null })
        script.afterwards = Effect.void
        yield* dial(key)
        assert.deepInclude(yield* internalsOf(key), {
          dial_request: "placed",
          provider_call_id: `call_${script.made[0]?.reference ?? ""}`
        })
        assert.lengthOf(script.made, 1)
        assert.strictEqual(script.finding, 1)
      })
    )
  )

  it.effect("after a crash before the call it is never made, and its outcome is unknown", () =>
    withPhone((script) =>
      Effect.gen(function* () {
        const key = yield* placeCall()
        const isAsked = yield* Deferred.make<void>()
        script.place = () => Effect.zipRight(Deferred.succeed(isAsked, undefined), Effect.never)
        // A process that died leaves an attempt behind that never continues.
        yield* Effect.forkDaemon(dial(key))
        yield* Deferred.await(isAsked)
        script.place = () => Effect.void
        yield* dial(key)
        assert.deepInclude(yield* callOf(key), { status: "dialing", failure_reason: null })
        assert.include(yield* tasksOf(key), "follow_voice_call")
        yield* age(key, 11 * 60)
        yield* dial(key)
        assert.deepInclude(yield* callOf(key), {
          status: "failed",
          failure_reason: "outcome_unknown",
          was_picked_up: null,
          goal_achieved: null
        })
        assert.lengthOf(script.made, 0)
      })
    )
  )

  it.effect("a report that is faster than the answer to the order is kept", () =>
    withPhone((script) =>
      Effect.gen(function* () {
        const completion = yield* VoiceCallCompletion
        const unit = yield* UnitOfWork
        const key = yield* placeCall()
        script.afterwards = unit
          .write(
            Effect.flatMap(completion.rows.lock(key), (row) =>
              row === undefined
                ? Effect.void
                : completion.heard([
                    {
                      row,
                      call: {
                        providerCallId: `call_${row.reference}`,
                        progress: { _tag: "Ended", result: answeredResult }
                      }
                    }
                  ])
            )
          )
          .pipe(Effect.orDie)
        yield* dial(key)
        assert.deepInclude(yield* callOf(key), { status: "completed", summary: "Ela confirmou." })
        assert.deepInclude(yield* internalsOf(key), { dial_request: "placed" })
        assert.lengthOf((yield* told).events, 1)
      })
    )
  )

  it.effect("an ambiguous time-out is looked up until the call shows", () =>
    withPhone((script) =>
      Effect.gen(function* () {
        const key = yield* placeCall()
        script.afterwards = new CallMaybePlaced({ reason: "timed_out" })
        script.finds = false
        yield* dial(key)
        yield* followCall(key)
        assert.deepInclude(yield* internalsOf(key), { dial_request: "begun", provider_call_id: null })
        script.finds = true
        script.progress = { _tag: "InProgress" }
        yield* followCall(key)
        assert.strictEqual((yield* callOf(key)).status, "in_progress")
        assert.lengthOf(script.made, 1)
      })
    )
  )

  it.effect("what is heard of a call whose outcome was given up as unknown still holds", () =>
    withPhone((script) =>
      Effect.gen(function* () {
        const completion = yield* VoiceCallCompletion
        const unit = yield* UnitOfWork
        const key = yield* placeCall()
        script.afterwards = new CallMaybePlaced({ reason: "timed_out" })
        script.finds = false
        yield* dial(key)
        yield* age(key, 11 * 60)
        yield* followCall(key)
        assert.strictEqual((yield* callOf(key)).status, "failed")
        const hear = (status: "completed" | "busy") =>
          unit.write(
            Effect.flatMap(completion.rows.lock(key), (row) =>
              row === undefined
                ? Effect.void
                : completion.heard([
                    {
                      row,
                      call: {
                        providerCallId: "late",
                        progress: { _tag: "Ended", result: { ...answeredResult, status } }
                      }
                    }
                  ])
            )
          )
        yield* hear("completed")
        yield* hear("busy")
        assert.deepInclude(yield* callOf(key), { status: "completed", failure_reason: null, was_picked_up: true })
        const { events } = yield* told
        assert.deepStrictEqual(
          events.map((event) => event["status"]),
          ["failed", "completed"]
        )
      })
    )
  )

  it.effect("an order that the provider did not take is sent again after the time that it asks for", () =>
    withPhone((script) =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const key = yield* placeCall()
        script.place = () => new CallNotPlaced({ reason: "provider_rate_limited", retryAfterSeconds: 600 })
        yield* dial(key)
        assert.deepInclude(yield* callOf(key), { status: "dialing", failure_reason: "provider_rate_limited" })
        const [task] = yield* sql<{ readonly seconds: number }>`
          select extract(epoch from run_at - now())::float8 as seconds from graphile_worker._private_jobs
          where key = ${`voice_dial:${key.accountId}:${key.voiceCallRequestId}`}`
        assert.isAbove(task?.seconds ?? 0, 500)
        script.place = () => Effect.void
        yield* followCall(key)
        assert.strictEqual(script.finding, 0)
        yield* dial(key)
        assert.lengthOf(script.made, 1)
        assert.deepInclude(yield* callOf(key), { status: "dialing", failure_reason: null })
      })
    )
  )

  it.effect("a provider that takes no orders is given up after half an hour, a refusal for good at once", () =>
    withPhone((script) =>
      Effect.gen(function* () {
        const key = yield* placeCall()
        script.place = () => new CallNotPlaced({ reason: "provider_connection_failed", retryAfterSeconds: 30 })
        yield* dial(key)
        yield* age(key, 31 * 60)
        yield* dial(key)
        assert.deepInclude(yield* callOf(key), { status: "failed", failure_reason: "provider_connection_failed" })
        const refusedCall = yield* placeCall()
        script.place = () => new CallNotPlaced({ reason: "provider_unauthorized" })
        yield* dial(refusedCall)
        assert.deepInclude(yield* callOf(refusedCall), {
          status: "failed",
          failure_reason: "provider_unauthorized",
          was_picked_up: false
        })
        assert.lengthOf(script.made, 0)
      })
    )
  )

  it.effect("a call that waited for more than two hours is not made", () =>
    withPhone((script) =>
      Effect.gen(function* () {
        const key = yield* placeCall()
        yield* age(key, 2 * 60 * 60 + 1)
        yield* dial(key)
        assert.deepInclude(yield* callOf(key), { status: "cancelled", failure_reason: "waited_too_long" })
        assert.lengthOf(script.made, 0)
      })
    )
  )

  it.effect("tending ends what is silent for two hours, and queues lost tasks again", () =>
    withPhone((script) =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const silent = yield* placeCall()
        const lost = yield* placeCall()
        const waiting = yield* placeCall()
        const fresh = yield* placeCall()
        for (const key of [silent, lost, fresh]) yield* dial(key)
        yield* age(silent, 2 * 60 * 60 + 1)
        yield* age(lost, 180)
        yield* age(waiting, 180)
        const { accountId } = yield* Caller
        yield* sql`delete from graphile_worker._private_jobs where (payload->>'accountId')::bigint = ${accountId}`
        yield* tend
        assert.deepInclude(yield* callOf(silent), { status: "failed", failure_reason: "outcome_unknown" })
        assert.deepStrictEqual(yield* tasksOf(lost), ["follow_voice_call"])
        assert.deepStrictEqual(yield* tasksOf(waiting), ["place_voice_call"])
        assert.deepStrictEqual(yield* tasksOf(fresh), [])
        assert.lengthOf(script.made, 3)
      })
    )
  )
})

layer(VoiceServices, { excludeTestServices: true })("calls to leads", (it) => {
  const queueFor = (columns: { readonly [column: string]: string | null } = {}) =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { accountId } = yield* Caller
      const calls = yield* VoiceCalls
      const unit = yield* UnitOfWork
      const leadId = yield* insertLead({ name: "Ana Souza", phone: newNumber(), language: "es", ...columns })
      const [touch] = yield* sql<{ readonly touch_id: number }>`
        insert into touch (account_id, lead_id, touch_number, channel, message_type, status)
        values (${accountId}, ${leadId}, 1, 'voice', 'first_contact', 'queued') returning touch_id`
      const touchId = TouchId.make(touch?.touch_id ?? 0)
      const voiceCallRequestId = yield* unit.write(
        calls.queueForLead({
          leadId,
          touchId,
          goal: "Agendar una llamada",
          context: null,
          openingLine: "Hola, soy de Ondas."
        })
      )
      const state = Effect.map(
        sql`
        select t.status, t.reason, l.last_outbound_at is not null as is_sent, l.last_inbound_at is not null as is_heard
        from touch t join lead l using (account_id, lead_id) where t.account_id = ${accountId} and t.touch_id = ${touchId}`,
        (rows) => rows[0]
      )
      return { key: { accountId, voiceCallRequestId }, leadId, state }
    })

  const allowCalls = Effect.flatMap(ProspectingConfig, (config) =>
    config.setVoice({ voice_calling_active: true, prospecting_voice: "Male" })
  )

  it.effect("settle the touch, move the lead's times and have the answer read", () =>
    withPhone((script) =>
      Effect.gen(function* () {
        yield* allowCalls
        const { key, leadId, state } = yield* queueFor()
        yield* inWindow(dial(key))
        assert.deepInclude(script.made[0], {
          voice: "Male",
          language: "es",
          personName: "Ana Souza",
          openingLine: "Hola, soy de Ondas."
        })
        assert.deepStrictEqual(yield* state, { status: "queued", reason: null, is_sent: true, is_heard: false })
        script.progress = { _tag: "Ended", result: answeredResult }
        yield* followCall(key)
        assert.deepStrictEqual(yield* state, { status: "done", reason: null, is_sent: true, is_heard: true })
        assert.include(yield* tasksOf(key), "read_reply")
        const { events, notifications } = yield* told
        assert.deepInclude(events[0], { type: "voice_call_finished", lead_id: leadId, lead_name: "Ana Souza" })
        assert.lengthOf(notifications, 0)
      })
    )
  )

  it.effect("nobody who said nothing is read, and nothing is heard of them", () =>
    withPhone((script) =>
      Effect.gen(function* () {
        yield* allowCalls
        const { key, state } = yield* queueFor()
        yield* inWindow(dial(key))
        const result = { ...answeredResult, status: "no_answer" as const, wasPickedUp: false, transcript: [] }
        script.progress = { _tag: "Ended", result }
        yield* followCall(key)
        assert.deepStrictEqual(yield* state, { status: "done", reason: null, is_sent: true, is_heard: false })
        assert.notInclude(yield* tasksOf(key), "read_reply")
      })
    )
  )

  it.effect("are not made once calling is off, the lead unsubscribed, or its number is not one to be called", () =>
    withPhone((script) =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const off = yield* queueFor()
        yield* inWindow(dial(off.key))
        assert.deepStrictEqual(yield* off.state, {
          status: "skipped",
          reason: "voice_calling_off",
          is_sent: false,
          is_heard: false
        })
        yield* allowCalls
        const gone = yield* queueFor()
        yield* sql`update lead set unsubscribed_at = instant() where lead_id = ${gone.leadId}`
        yield* inWindow(dial(gone.key))
        assert.deepInclude(yield* callOf(gone.key), { status: "cancelled", failure_reason: "unsubscribed" })
        const premium = yield* queueFor({ phone: "+559001234567" })
        yield* inWindow(dial(premium.key))
        assert.deepInclude(yield* callOf(premium.key), { status: "cancelled", failure_reason: "phone_not_callable" })
        assert.lengthOf(script.made, 0)
      })
    )
  )

  it.effect("ring only in the send window on the lead's clocks, and are planned again otherwise", () =>
    withPhone((script) =>
      Effect.gen(function* () {
        yield* allowCalls
        const closed = {
          // Eight in São Paulo, six in Acre.
          "an hour before the lead's morning": ["2026-03-03T11:00:00Z", { country: "BR", state: "AC" }],
          "a Sunday": ["2026-03-08T13:00:00Z", {}],
          Christmas: ["2026-12-25T13:00:00Z", {}]
        } as const
        for (const [when, [time, columns]] of Object.entries(closed)) {
          const { key, state } = yield* queueFor({ language: "pt-BR", ...columns })
          yield* at(Date.parse(time))(dial(key))
          assert.deepInclude(yield* state, { status: "skipped", reason: "outside_send_window" }, when)
          assert.deepInclude(yield* callOf(key), { status: "cancelled", failure_reason: "outside_send_window" }, when)
        }
        assert.lengthOf(script.made, 0)
        // A call that the owner asks for rings at once.
        yield* at(Date.parse("2026-03-08T03:00:00Z"))(dial(yield* placeCall()))
        assert.lengthOf(script.made, 1)
      })
    )
  )

  it.effect("unknown outcomes and failures end the touch as such", () =>
    withPhone((script) =>
      Effect.gen(function* () {
        yield* allowCalls
        const unknown = yield* queueFor()
        script.afterwards = new CallMaybePlaced({ reason: "timed_out" })
        script.finds = false
        yield* inWindow(dial(unknown.key))
        yield* age(unknown.key, 700)
        yield* followCall(unknown.key)
        assert.deepInclude(yield* unknown.state, { status: "unknown", reason: "outcome_unknown" })
        const failed = yield* queueFor()
        script.place = () => new CallNotPlaced({ reason: "provider_refused" })
        yield* inWindow(dial(failed.key))
        assert.deepInclude(yield* failed.state, { status: "failed", reason: "provider_refused", is_sent: false })
      })
    )
  )

  it.effect("that the owner asks for go to the lead with the number, unless it unsubscribed meanwhile", () =>
    withPhone((script) =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const phone = newNumber()
        const older = phone.replace("+55119", "+5511")
        const leadId = yield* insertLead({ phone: older, pipeline_state: "user_controlled" })
        const key = yield* placeCall(phone)
        assert.strictEqual((yield* callOf(key)).lead_id, leadId)
        yield* inWindow(dial(key))
        assert.lengthOf(script.made, 1)
        script.progress = { _tag: "Ended", result: answeredResult }
        yield* followCall(key)
        assert.include(yield* tasksOf(key), "read_reply")
        const second = yield* placeCall(phone)
        yield* sql`update lead set unsubscribed_at = instant() where lead_id = ${leadId}`
        yield* inWindow(dial(second))
        assert.deepInclude(yield* callOf(second), { status: "cancelled", failure_reason: "unsubscribed" })
        assert.deepInclude(yield* Effect.flip(placeCall(phone)), { _tag: "Refused", reason: "lead_unsubscribed" })
      })
    )
  )
})
