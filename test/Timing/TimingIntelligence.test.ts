import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { countPlatformReplies, TimingPostgres } from "../../src/Layers/Timing/TimingPostgres.ts"
import { Caller } from "../../src/Services/Core/Calls/Caller.ts"
import type { LeadId } from "../../src/Services/Leads/Ids.ts"
import * as Catalog from "../../src/Tools/Core/Catalog.ts"
import { TimingIntelligenceGroup } from "../../src/Tools/Timing/TimingIntelligence.ts"
import { insertLead, LeadServices } from "../support/leads/LeadServices.ts"
import { as, callTool, makeAccount } from "../support/TestAccount.ts"
import { answerOf } from "../support/ToolAnswer.ts"

const catalog = Catalog.make([TimingIntelligenceGroup])
const timing = (lead_id: LeadId) => answerOf(catalog, "get_lead_timing_intelligence", { lead_id })

const Services = TimingPostgres.pipe(Layer.provideMerge(LeadServices))

/** A test with a new account. */
const withAccount = <A, E, R>(test: Effect.Effect<A, E, R>) =>
  Effect.flatMap(makeAccount(), (caller) => as(caller)(test))

let messages = 0

/** A mail to or from the lead, some Mondays ago counted from the last one, at an hour of UTC. */
const mail = (leadId: LeadId, direction: "outbound" | "inbound", weeksAgo: number, time: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const { accountId } = yield* Caller
    yield* sql`
      insert into email_message (account_id, lead_id, direction, status, message_id, from_address, to_address, subject,
        body_text, occurred_at)
      values (${accountId}, ${leadId}, ${direction}, ${direction === "inbound" ? "received" : "sent"},
        ${`<timing-${++messages}@example.com>`}, 'a@example.com', 'b@example.com', 'Subject', 'Body',
        (date_trunc('week', now() at time zone 'UTC') - make_interval(weeks => ${weeksAgo})) at time zone 'UTC'
          + ${time}::interval)`
  })

/** A mail at 12:00 UTC and its answer at 14:30 UTC, on a Monday. */
const exchange = (leadId: LeadId, weeksAgo: number) =>
  Effect.zipRight(mail(leadId, "outbound", weeksAgo, "12:00"), mail(leadId, "inbound", weeksAgo, "14:30"))

layer(Services, { excludeTestServices: true })("get_lead_timing_intelligence", (it) => {
  it.effect("answers general experience where nothing is known", () =>
    withAccount(
      Effect.gen(function* () {
        const answer = yield* timing(yield* insertLead({ state: "SP" }))
        assert.deepInclude(answer, {
          source: "platform",
          is_default: true,
          reply_count: 0,
          reply_times: [],
          average_response_minutes: null,
          time_zone: "America/Sao_Paulo"
        })
        assert.nestedPropertyVal(answer, "best_times[0].weekday", "monday")
        assert.nestedPropertyVal(answer, "best_times.length", 5)
      })
    )
  )

  it.effect("is built from the lead's own replies, in its own time, once there are enough", () =>
    withAccount(
      Effect.gen(function* () {
        const lead = yield* insertLead({ state: "AM" })
        yield* Effect.forEach([1, 2, 3, 4], (week) => exchange(lead, week))
        assert.deepInclude(yield* timing(lead), { source: "platform" })
        yield* exchange(lead, 5)
        // A second mail right after the first is no separate response.
        yield* mail(lead, "inbound", 5, "15:30")
        assert.deepInclude(yield* timing(lead), {
          source: "lead",
          is_default: false,
          time_zone: "America/Manaus",
          reply_count: 6,
          best_times: [{ weekday: "monday", hours: [10, 11] }],
          reply_times: [
            { weekday: "monday", hour: 10, reply_count: 5 },
            { weekday: "monday", hour: 11, reply_count: 1 }
          ],
          average_response_minutes: 150
        })
      })
    )
  )

  it.effect("falls back to the sector, then to the account", () =>
    withAccount(
      Effect.gen(function* () {
        const sector = { industry: "Odontologia", state: "SP" }
        const colleagues = yield* Effect.forEach([1, 2, 3, 4, 5], () => insertLead(sector))
        for (const lead of colleagues) yield* Effect.forEach([1, 2, 3, 4], (week) => exchange(lead, week))
        const lead = yield* insertLead({ industry: "ODONTOLOGIA", state: "SP" })
        assert.deepInclude(yield* timing(lead), { source: "sector", reply_count: 20 })
        const stranger = yield* insertLead({ industry: "Mineração", state: "SP" })
        assert.deepInclude(yield* timing(stranger), { source: "platform" })
        const others = yield* Effect.forEach([1, 2, 3, 4, 5], () => insertLead())
        for (const other of others) yield* Effect.forEach([1, 2], (week) => exchange(other, week))
        assert.deepInclude(yield* timing(stranger), { source: "account", reply_count: 30 })
      })
    )
  )

  it.effect("other accounts' replies count only together, and only where they are many", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      yield* sql`delete from email_message`
      const busy = (replies: number) =>
        withAccount(
          Effect.gen(function* () {
            const { accountId } = yield* Caller
            const lead = yield* insertLead({ state: "SP" })
            yield* exchange(lead, 1)
            yield* sql`
              insert into email_message (account_id, lead_id, direction, status, message_id, from_address, to_address,
                subject, body_text, occurred_at)
              select account_id, lead_id, direction, status, message_id || n, from_address, to_address, subject,
                body_text, occurred_at
              from email_message, generate_series(1, ${replies}) n
              where account_id = ${accountId} and direction = 'inbound'`
          })
        )
      yield* Effect.forEach([400, 50, 50], busy)
      yield* countPlatformReplies
      yield* withAccount(
        Effect.gen(function* () {
          assert.deepInclude(yield* timing(yield* insertLead()), { source: "platform", is_default: true })
        })
      )
      yield* Effect.forEach([50, 50], busy)
      yield* countPlatformReplies
      yield* withAccount(
        Effect.gen(function* () {
          const answer = yield* timing(yield* insertLead())
          assert.deepInclude(answer, { source: "platform", is_default: false })
          assert.nestedPropertyVal(answer, "best_times[0].hours[0]", 11)
        })
      )
    })
  )

  it.effect("leads of another account do not exist", () =>
    Effect.gen(function* () {
      const foreign = yield* withAccount(insertLead())
      const failure = yield* withAccount(
        Effect.flip(callTool(catalog, "get_lead_timing_intelligence", { lead_id: foreign }))
      )
      assert.deepInclude(failure, { _tag: "NotFound", reason: "lead_not_found" })
    })
  )
})
