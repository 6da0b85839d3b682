import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { followCall } from "../../src/Layers/Voice/Calls/CallPolling.ts"
import { dial } from "../../src/Layers/Voice/Calls/Dialing.ts"
import type { VoiceCallKey } from "../../src/Layers/Voice/Calls/VoiceCallRows.ts"
import { Blacklist } from "../../src/Services/Blacklist/Blacklist.ts"
import { Caller } from "../../src/Services/Core/Calls/Caller.ts"
import { UnitOfWork } from "../../src/Services/Core/Calls/UnitOfWork.ts"
import { TouchId } from "../../src/Services/Outreach/TouchLedger.ts"
import { ProspectingConfig } from "../../src/Services/Prospecting/ProspectingConfig.ts"
import { CallNotPlaced } from "../../src/Services/Voice/Voice.ts"
import { VoiceCalls } from "../../src/Services/Voice/VoiceCalls.ts"
import { withoutFallbacks } from "../support/checks/Fallbacks.ts"
import { insertLead } from "../support/leads/LeadServices.ts"
import { as, makeAccount } from "../support/TestAccount.ts"
import { scriptedVoice, voiceLayer } from "./fakes/ScriptedVoice.ts"
import { answeredResult, inWindow, newNumber, VoiceServices } from "./support.ts"

/** An account with a call of every kind to its leads; one is to a number that the others call too. */
const accountWith = (shared: string, refused: Set<string>) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const { accountId } = yield* Caller
    const unit = yield* UnitOfWork
    const calls = yield* VoiceCalls
    const blacklist = yield* Blacklist
    const config = yield* ProspectingConfig
    yield* unit.write(config.setVoice({ voice_calling_active: true, prospecting_voice: "Male" }))
    let touches = 0
    const queueFor = (phone: string) =>
      Effect.gen(function* () {
        const leadId = yield* insertLead({ name: "Ana Souza", phone })
        const [touch] = yield* sql<{ readonly touch_id: number }>`
          insert into touch (account_id, lead_id, touch_number, channel, message_type, status)
          values (${accountId}, ${leadId}, ${++touches}, 'voice', 'first_contact', 'queued') returning touch_id`
        const touchId = TouchId.make(touch?.touch_id ?? 0)
        const voiceCallRequestId = yield* unit.write(
          calls.queueForLead({ leadId, touchId, goal: "Marcar", context: null, openingLine: "Olá." })
        )
        return { accountId, voiceCallRequestId, leadId }
      })
    const keys: Array<VoiceCallKey> = []
    for (let usual = 0; usual < 5; usual++) keys.push(yield* queueFor(newNumber()))
    keys.push(yield* queueFor(shared))
    const blocked = newNumber()
    keys.push(yield* queueFor(blocked))
    yield* blacklist.add("phone", blocked, "Other")
    const stopped = yield* queueFor(newNumber())
    yield* sql`
      update lead set pipeline_state = 'finished' where account_id = ${accountId} and lead_id = ${stopped.leadId}`
    keys.push(stopped)
    const outdated = yield* queueFor(newNumber())
    yield* sql`
      update touch set rests_on = '[{"kind":"faq","answer_id":0}]'
      where account_id = ${accountId} and lead_id = ${outdated.leadId}`
    keys.push(outdated)
    const notTaken = newNumber()
    refused.add(notTaken)
    keys.push(yield* queueFor(notTaken))
    return keys.map(({ voiceCallRequestId }) => ({ accountId, voiceCallRequestId }))
  })

layer(VoiceServices, { excludeTestServices: true })("calls of several accounts", (it) => {
  /** What becomes of all of them, made and followed so many at a time. */
  const madeBy = (concurrency: number) =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const script = scriptedVoice()
      const refused = new Set<string>()
      script.place = ({ phone }) =>
        refused.has(phone) ? Effect.fail(new CallNotPlaced({ reason: "invalid_number" })) : Effect.void
      const shared = newNumber()
      const accounts = yield* Effect.forEach([1, 2, 3], () =>
        Effect.gen(function* () {
          const caller = yield* makeAccount()
          return { caller, keys: yield* as(caller)(accountWith(shared, refused)) }
        })
      )
      const all = accounts.flatMap(({ keys }) => keys)
      const each = <E, R>(step: (key: VoiceCallKey) => Effect.Effect<unknown, E, R>) =>
        // Twice each, as after a worker that was taken for dead.
        Effect.forEach([...all, ...all], step, { concurrency, discard: true })
      yield* Effect.gen(function* () {
        for (let round = 0; round < 3; round++) {
          script.progress = { _tag: "Dialing" }
          yield* each((key) => inWindow(dial(key)))
          assert.lengthOf(
            script.made.filter(({ phone }) => phone === shared),
            round + 1
          )
          script.progress = { _tag: "Ended", result: answeredResult }
          yield* each(followCall)
        }
      }).pipe(Effect.provide(voiceLayer(script)))
      assert.strictEqual(new Set(script.made.map(({ reference }) => reference)).size, script.made.length)
      return yield* Effect.forEach(accounts, ({ caller: { accountId } }) =>
        Effect.gen(function* () {
          const calls = yield* sql`
            select v.status, v.failure_reason, v.dial_request, v.was_picked_up, v.goal_achieved, v.summary, v.duration_seconds,
              v.provider_call_id = 'call_' || v.client_reference as has_own_id, v.finished_at is not null as is_over, t.status as touch,
              t.reason as touch_reason, l.last_outbound_at is not null as is_sent, l.last_inbound_at is not null as is_heard
            from voice_call v
              join touch t on t.account_id = v.account_id and t.touch_id = v.touch_id
              join lead l on l.account_id = v.account_id and l.lead_id = v.lead_id
            where v.account_id = ${accountId} order by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13`
          const events = yield* sql`
            select event_type, data ->> 'status' as status, count(*) as times from account_event
            where account_id = ${accountId} group by 1, 2 order by 1, 2`
          const taken = yield* sql`select from dialed_number where account_id = ${accountId}`
          return { calls, events, taken: taken.length }
        })
      )
    })

  it.effect("become the same whether they are made one by one or in groups, each of them once", () =>
    Effect.gen(function* () {
      const alone = yield* madeBy(1)
      assert.deepStrictEqual(
        alone.map(({ calls, taken }) => [calls.filter(({ status }) => status === "completed").length, taken]),
        [
          [6, 0],
          [6, 0],
          [6, 0]
        ]
      )
      for (const { calls } of alone) {
        const outdated = calls.filter((call) => call["touch_reason"] === "knowledge_changed")
        assert.lengthOf(outdated, 1)
        assert.deepInclude(outdated[0], { dial_request: null, touch: "skipped" })
      }
      assert.deepStrictEqual(yield* withoutFallbacks(madeBy(64)), alone)
    })
  )
})
