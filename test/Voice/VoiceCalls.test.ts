import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Caller } from "../../src/Services/Core/Calls/Caller.ts"
import { maximumOpenCalls, VoiceCallRequestId } from "../../src/Services/Voice/VoiceCalls.ts"
import * as Catalog from "../../src/Tools/Core/Catalog.ts"
import { VoiceCallsGroup } from "../../src/Tools/Voice/VoiceCalls.ts"
import { insertCampaign, insertLead } from "../support/leads/LeadServices.ts"
import { as, callTool, makeAccount } from "../support/TestAccount.ts"
import { answerOf } from "../support/ToolAnswer.ts"
import { newNumber, tasksOf, VoiceServices } from "./support.ts"

const catalog = Catalog.make([VoiceCallsGroup])
const tool = (name: string, args: object = {}) => answerOf(catalog, name, args)
const refusalOf = (name: string, args: object) => Effect.flip(callTool(catalog, name, args))

const goal = "Confirm the meeting of Thursday"
const place = (phone_number: string, more: object = {}) =>
  Effect.map(
    tool("place_goal_driven_call", { phone_number, goal, ...more }),
    (answer) => (answer as { readonly voice_call_request_id: number }).voice_call_request_id
  )

/** A test with an account of its own. */
const own = <A, E, R>(test: Effect.Effect<A, E, R>) => Effect.flatMap(makeAccount(), (caller) => as(caller)(test))

layer(VoiceServices, { excludeTestServices: true })("the Voice calls tools", (it) => {
  it.effect("a call is queued with a task, shown and listed", () =>
    own(
      Effect.gen(function* () {
        const { accountId } = yield* Caller
        const phone = newNumber()
        const id = yield* place(` ${phone.slice(0, 5)} ${phone.slice(5)} `, { context: "  " })
        assert.deepStrictEqual(yield* tasksOf({ accountId, voiceCallRequestId: VoiceCallRequestId.make(id) }), [
          "place_voice_call"
        ])
        const call = yield* tool("get_voice_call", { voice_call_request_id: id })
        assert.deepInclude(call, {
          voice_call_request_id: id,
          kind: "goal_driven",
          phone_number: phone,
          goal,
          context: null,
          status: "queued",
          was_picked_up: null,
          goal_achieved: null,
          transcript: [],
          lead_id: null
        })
        const listed = yield* tool("list_voice_calls")
        assert.deepInclude(listed, { page: 0, page_size: 20, total: 1 })
      })
    )
  )

  it.effect("lists goal-driven calls alone, newest first, page by page", () =>
    own(
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const { accountId } = yield* Caller
        const ids = yield* Effect.forEach([1, 2, 3], () => place(newNumber()))
        const leadId = yield* insertLead({ phone: newNumber() })
        const [prospecting] = yield* sql<{ readonly id: number }>`
          insert into voice_call (account_id, lead_id, kind, phone, goal)
          values (${accountId}, ${leadId}, 'prospecting', '+5511980000000', 'x') returning voice_call_request_id as id`
        const idsOn = (page: number) =>
          Effect.map(tool("list_voice_calls", { page, page_size: 2 }), (answer) => {
            const { total, voice_calls } = answer as {
              readonly total: number
              readonly voice_calls: ReadonlyArray<{ readonly voice_call_request_id: number }>
            }
            return [total, ...voice_calls.map(({ voice_call_request_id }) => voice_call_request_id)]
          })
        assert.deepStrictEqual(yield* idsOn(0), [3, ids[2], ids[1]])
        assert.deepStrictEqual(yield* idsOn(1), [3, ids[0]])
        const shown = yield* tool("get_voice_call", { voice_call_request_id: prospecting?.id })
        assert.deepInclude(shown, { kind: "prospecting", lead_id: leadId })
      })
    )
  )

  it.effect("refuses numbers that are never called, and blank or endless goals", () =>
    own(
      Effect.gen(function* () {
        const reasonOf = (args: object) =>
          Effect.map(refusalOf("place_goal_driven_call", { goal, ...args }), (failure) =>
            "reason" in failure ? failure.reason : failure._tag
          )
        assert.strictEqual(yield* reasonOf({ phone_number: "11980000000" }), "phone_not_international")
        assert.strictEqual(yield* reasonOf({ phone_number: 5511980000000 }), "phone_not_international")
        assert.strictEqual(yield* reasonOf({ phone_number: "+55 190" }), "phone_short_or_emergency")
        assert.strictEqual(yield* reasonOf({ phone_number: "+1 900 555 1234" }), "phone_not_callable")
        assert.strictEqual(yield* reasonOf({ phone_number: newNumber(), goal: "   " }), "text_too_short")
        assert.strictEqual(yield* reasonOf({ phone_number: newNumber(), goal: "x".repeat(2001) }), "text_too_long")
        assert.strictEqual(yield* reasonOf({ phone_number: newNumber(), context: "x".repeat(10_001) }), "text_too_long")
        assert.deepInclude(yield* tool("list_voice_calls"), { total: 0 })
      })
    )
  )

  it.effect("refuses a blacklisted number, in whatever form it was blocked", () =>
    own(
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const { accountId } = yield* Caller
        const phone = newNumber()
        // Blocked without the ninth digit of Brazilian mobile numbers.
        yield* sql`insert into blacklist_entry (account_id, kind, value, reason)
          values (${accountId}, 'phone', phone_key(${phone.replace("+55119", "+5511")}), 'Client')`
        assert.deepInclude(yield* refusalOf("place_goal_driven_call", { phone_number: phone, goal }), {
          _tag: "Refused",
          reason: "phone_blacklisted"
        })
      })
    )
  )

  it.effect(`lets ${maximumOpenCalls} calls be open at a time, also when they are asked for at once`, () =>
    own(
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const { accountId } = yield* Caller
        yield* sql`insert into voice_call (account_id, kind, phone, goal)
          select ${accountId}, 'goal_driven', '+5511' || (980000000 + n), 'x'
          from generate_series(1, ${maximumOpenCalls - 3}) n`
        const results = yield* Effect.forEach(
          Array.from({ length: 8 }),
          () => Effect.either(callTool(catalog, "place_goal_driven_call", { phone_number: newNumber(), goal })),
          { concurrency: 8 }
        )
        assert.lengthOf(
          results.filter(({ _tag }) => _tag === "Right"),
          3
        )
        const refused = results.flatMap((result) => (result._tag === "Left" ? [result.left] : []))
        for (const failure of refused) assert.deepInclude(failure, { _tag: "Refused", reason: "too_many_open_calls" })
        yield* sql`update voice_call set status = 'completed' where account_id = ${accountId}`
        yield* place(newNumber())
      })
    )
  )

  it.effect("calls of another account do not exist", () =>
    Effect.gen(function* () {
      const id = yield* own(place(newNumber()))
      const failure = yield* own(refusalOf("get_voice_call", { voice_call_request_id: id }))
      assert.deepInclude(failure, { _tag: "NotFound", reason: "voice_call_not_found" })
    })
  )

  it.effect("the account's switch is off at first, and turned on and off", () =>
    own(
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* tool("get_voice_calling_active"), { voice_calling_active: false })
        assert.deepStrictEqual(yield* tool("set_voice_calling_active", { active: true }), {
          voice_calling_active: true
        })
        assert.deepStrictEqual(yield* tool("get_voice_calling_active"), { voice_calling_active: true })
        assert.deepStrictEqual(yield* tool("set_voice_calling_active", { active: "false" }), {
          voice_calling_active: false
        })
      })
    )
  )

  it.effect("a campaign inherits the switch until it has its own", () =>
    own(
      Effect.gen(function* () {
        const campaign_id = yield* insertCampaign("Clínicas")
        const state = (voice_calling_active: boolean | null) => ({
          campaign_id,
          campaign: "Clínicas",
          voice_calling_active
        })
        assert.deepStrictEqual(yield* tool("get_campaign_voice_calling_active", { campaign: "CLINICAS" }), state(null))
        for (const active of [true, false]) {
          const set = yield* tool("set_campaign_voice_calling_active", { campaign: `${campaign_id}`, active })
          assert.deepStrictEqual(set, state(active))
          assert.deepStrictEqual(
            yield* tool("get_campaign_voice_calling_active", { campaign: "Clínicas" }),
            state(active)
          )
        }
        assert.deepStrictEqual(yield* tool("get_voice_calling_active"), { voice_calling_active: false })
        const missing = yield* refusalOf("set_campaign_voice_calling_active", { campaign: "Nobody", active: true })
        assert.strictEqual(missing._tag, "NotFound")
      })
    )
  )

  it.effect("the voice is one of two", () =>
    own(
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* tool("get_voice_prospecting_voice"), { voice: "Female" })
        assert.deepStrictEqual(yield* tool("set_voice_prospecting_voice", { voice: "Male" }), { voice: "Male" })
        assert.deepStrictEqual(yield* tool("get_voice_prospecting_voice"), { voice: "Male" })
        assert.deepInclude(yield* refusalOf("set_voice_prospecting_voice", { voice: "male" }), {
          _tag: "Refused",
          reason: "value_not_accepted"
        })
      })
    )
  )
})
