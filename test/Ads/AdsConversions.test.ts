import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { hashedMember, hashedPhone } from "../../src/Services/Ads/AudienceMembers.ts"
import { Caller } from "../../src/Services/Core/Calls/Caller.ts"
import { UnitOfWork } from "../../src/Services/Core/Calls/UnitOfWork.ts"
import { Leads } from "../../src/Services/Leads/Leads.ts"
import { as, makeAccount } from "../support/TestAccount.ts"
import { answerOf } from "../support/ToolAnswer.ts"
import { assertNoFaults, vendorJudge } from "../support/VendorJudge.ts"
import { AdsRoad, AdsWorld, answered, catalog, liveCampaign, Tending, timedOutAfter } from "./AdsWorld.ts"

const judge = vendorJudge("google_datamanager")

const lead = (email: string | undefined, phone: string | undefined, name: string) =>
  Effect.flatMap(Leads, (leads) =>
    leads.register({ name, email, phone, company: "X", status: "Cold", campaign: undefined })
  )

const phoneHash = (phone: string): string => hashedPhone(phone) ?? assert.fail("no number")

/** Agrees on a meeting with a lead, or wins it, as the rooms of meetings and outcomes store it. */
const meet = (leadId: number) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const { accountId } = yield* Caller
    yield* sql`
      insert into meeting (account_id, lead_id, title, starts_at, ends_at, booked_through)
      values (${accountId}, ${leadId}, 'Demo', instant() + interval '1 day', instant() + interval '25 hours',
        'conversation')`
  })
const win = (leadId: number, value: number | null) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const { accountId } = yield* Caller
    yield* sql`
      insert into lead_lifecycle_event (account_id, lead_id, event_type, actor, data)
      values (${accountId}, ${leadId}, 'outcome_won', 'owner', ${JSON.stringify({ deal_value_brl: value })}::jsonb)`
    yield* sql`
      update lead set final_outcome = 'won', pipeline_state = 'finished'
      where account_id = ${accountId} and lead_id = ${leadId}`
  })

interface CountedEvent {
  readonly transactionId: string
  readonly hashes: ReadonlyArray<string>
  readonly value: number | null
}

/** What the simulated platform counted, by the name of the conversion action. */
const counted = Effect.gen(function* () {
  const sql = yield* SqlClient
  const { accountId } = yield* Caller
  const rows = yield* sql<{ readonly name: string; readonly events: ReadonlyArray<CountedEvent> }>`
    select body ->> 'name' as name, body -> 'events' as events from sandbox_ads_record
    where account_id = ${accountId} and kind = 'conversionAction' order by record_id`
  return Object.fromEntries(rows.map(({ events, name }) => [name, events]))
})

const report = Effect.flatMap(Tending, ({ conversions }) => conversions)

const reportsOf = Effect.map(AdsRoad, ({ requests }) =>
  requests.filter(({ line }) => line.endsWith("/v1/events:ingest"))
)

const clear = Effect.flatMap(AdsRoad, (road) => Effect.sync(() => road.clear()))

const findingsOf = Effect.map(answerOf(catalog, "diagnose_adsplatform_campaign", { campaign: "Clínicas" }), (answer) =>
  JSON.stringify(answer)
)

layer(AdsWorld, { excludeTestServices: true, timeout: 120_000 })("conversions that are reported", (it) => {
  const inOwnAccount = <A, E, R>(test: Effect.Effect<A, E, R>) =>
    Effect.gen(function* () {
      yield* clear
      return yield* as(yield* makeAccount())(test)
    })

  it.effect("meetings and won deals reach the platform once, by hashes and with the value", () =>
    inOwnAccount(
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const { accountId } = yield* Caller
        const unit = yield* UnitOfWork
        const leads = yield* Leads
        const early = yield* lead("early@early.example", undefined, "Early")
        yield* meet(early.lead_id)
        yield* sql`update meeting set created_at = instant() - interval '2 days' where account_id = ${accountId}`
        yield* liveCampaign()

        const ana = yield* lead("Ana.Lima@gmail.com", "+5511912345678", "Ana")
        const rui = yield* lead(undefined, "+5511987654321", "Rui")
        const bia = yield* lead("bia@bia.example", undefined, "Bia")
        const leo = yield* lead("leo@leo.example", undefined, "Leo")
        yield* meet(ana.lead_id)
        yield* win(ana.lead_id, 1250.5)
        yield* win(rui.lead_id, null)
        yield* meet(bia.lead_id)
        yield* unit.write(leads.transition(bia.lead_id, "unsubscribe"))
        yield* meet(leo.lead_id)
        yield* sql`
          update meeting set status = 'cancelled', cancelled_at = instant()
          where account_id = ${accountId} and lead_id = ${leo.lead_id}`

        yield* report
        const first = yield* counted
        const both = [hashedMember("ana.lima@gmail.com"), phoneHash("+5511912345678")]
        assert.deepStrictEqual(
          first["Meeting booked"]?.map(({ hashes, value }) => ({ hashes, value })),
          [{ hashes: both, value: null }]
        )
        assert.deepStrictEqual(first["Deal won"], [
          { transactionId: `${accountId}-won-${ana.lead_id}`, hashes: both, value: 1250.5 },
          { transactionId: `${accountId}-won-${rui.lead_id}`, hashes: [phoneHash("+5511987654321")], value: null }
        ])

        const road = yield* AdsRoad
        const sent = yield* reportsOf
        assert.lengthOf(sent, 2)
        for (const { body, line } of road.requests.filter(({ line: one }) => one.includes("/v1/"))) {
          const [method = "", url = ""] = line.split(" ")
          const { pathname, search } = new URL(url)
          assertNoFaults(
            judge.faultsOfRequest({
              method,
              path: `${pathname}${search}`,
              headers: { authorization: "Bearer x" },
              body: body === "" ? undefined : (JSON.parse(body) as unknown)
            })
          )
          assert.notMatch(body, /gmail|5511/)
        }
        // Nothing new: nothing is reported again.
        yield* report
        assert.lengthOf(yield* reportsOf, 2)
        assert.deepStrictEqual(yield* counted, first)
      })
    )
  )

  it.effect("a report whose answer was lost is repeated, and the platform counts it once", () =>
    inOwnAccount(
      Effect.gen(function* () {
        yield* liveCampaign()
        const ana = yield* lead("ana@ana.example", undefined, "Ana")
        yield* meet(ana.lead_id)
        const road = yield* AdsRoad
        road.plan(({ url }) => url.endsWith("events:ingest"), timedOutAfter)
        yield* report
        yield* report
        const sent = yield* reportsOf
        assert.lengthOf(sent, 2)
        assert.strictEqual(sent[0]?.body, sent[1]?.body)
        assert.lengthOf((yield* counted)["Meeting booked"] ?? [], 1)
        yield* report
        assert.lengthOf(yield* reportsOf, 2)
      })
    )
  )

  it.effect("a refusal is shown by the diagnosis, and the report is sent again", () =>
    inOwnAccount(
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const { accountId } = yield* Caller
        yield* liveCampaign()
        const ana = yield* lead("ana@ana.example", undefined, "Ana")
        yield* meet(ana.lead_id)
        const road = yield* AdsRoad
        road.plan(
          ({ url }) => url.endsWith("events:ingest"),
          answered(400, JSON.stringify({ error: { code: 400, status: "INVALID_ARGUMENT", details: [] } }))
        )
        yield* report
        assert.include(yield* findingsOf, "conversions_refused")
        yield* report
        assert.lengthOf((yield* counted)["Meeting booked"] ?? [], 1)
        assert.notInclude(yield* findingsOf, "conversions_refused")

        // What the platform finds out later is polled.
        yield* sql`
          update sandbox_ads_record set created_at = created_at - interval '5 minutes'
          where account_id = ${accountId} and kind = 'upload'`
        const [pending] = yield* sql<{ readonly id: string }>`
          select request_id as id from ads_conversion where account_id = ${accountId} and status = 'processing'`
        road.plan(
          ({ url }) => url.endsWith(`requestStatus:retrieve?requestId=${pending?.id}`),
          answered(
            200,
            JSON.stringify({
              requestStatusPerDestination: [
                {
                  requestStatus: "FAILED",
                  errorInfo: {
                    errorCounts: [
                      {
                        recordCount: "1",
                        reason: "PROCESSING_ERROR_REASON_DESTINATION_ACCOUNT_ENHANCED_CONVERSIONS_TERMS_NOT_SIGNED"
                      }
                    ]
                  }
                }
              ]
            })
          )
        )
        yield* report
        assert.include(yield* findingsOf, "accept the customer data terms")
      })
    )
  )

  it("planted errors in a report are faults of the judge", () => {
    const event = {
      transactionId: "1-won-2",
      eventTimestamp: "2026-11-27T10:00:00Z",
      userData: { userIdentifiers: [{ emailAddress: "a".repeat(64) }] }
    }
    const account = { accountType: "GOOGLE_ADS", accountId: "1" }
    const body = { destinations: [{ operatingAccount: account, productDestinationId: "7" }], events: [event] }
    const faults = (changed: object) =>
      judge.faultsOfRequest({
        method: "POST",
        path: "/v1/events:ingest",
        headers: { authorization: "Bearer x" },
        body: { ...body, ...changed }
      })
    assertNoFaults(faults({}))
    for (const planted of [
      { events: [{ ...event, eventSource: "LEAD" }] },
      { events: [{ ...event, eventTimestamp: "yesterday" }] },
      { events: [{ ...event, userData: { userIdentifiers: [{ hashedEmail: "a".repeat(64) }] } }] },
      { events: [] },
      { destinations: [{ operatingAccount: account }] },
      { consent: { adUserData: "GRANTED" } }
    ]) {
      assert.isNotEmpty(faults(planted), JSON.stringify(planted))
    }
  })
})
