import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as fc from "fast-check"
import { leadCounterFolding } from "../../src/Layers/Leads/LeadCounters.ts"
import { UnitOfWork } from "../../src/Services/Core/Calls/UnitOfWork.ts"
import { Timestamp } from "../../src/Services/Core/Timestamp.ts"
import { LeadStatus } from "../../src/Services/Leads/Ids.ts"
import { type LeadSummary } from "../../src/Services/Leads/LeadModel.ts"
import { type LeadFilter, LeadSearch, type LeadSort } from "../../src/Services/Leads/LeadSearch.ts"
import { changeLeads, createLeads, removeLeads } from "../support/checks/CountedLeads.ts"
import { insertCampaign, insertLead, LeadServices } from "../support/leads/LeadServices.ts"
import { as, makeAccount } from "../support/TestAccount.ts"

const search = (
  filter: LeadFilter = {},
  page: { readonly sort?: LeadSort; readonly page?: number; readonly pageSize?: number } = {}
) =>
  Effect.gen(function* () {
    const leads = yield* LeadSearch
    const unit = yield* UnitOfWork
    return yield* unit.read(leads.search(filter, { sort: "date_created", page: 0, pageSize: 20, ...page }))
  })
const names = ({ leads }: { readonly leads: ReadonlyArray<LeadSummary> }) => leads.map(({ name }) => name)
const namesFound = (query: string) => Effect.map(search({ query }), (page) => names(page).toSorted())

layer(LeadServices, { excludeTestServices: true })("searching leads by text", (it) => {
  it.effect("finds it inside name, company and e-mail address, whatever the case and accents", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      yield* me(insertLead({ name: "João Araújo", company: "Padaria Pão Quente", email: "jo@pao.example" }))
      yield* me(insertLead({ name: "Maria", company: null, email: "maria.conceicao@example.com" }))
      yield* me(insertLead({ name: "Straße", company: "Łódź Ltda", email: null }))
      for (const query of ["joao", "JOÃO ARAÚJO", "ão ara", "padaria pao", "PÃO.EXAMPLE", "ujo", "ã"]) {
        assert.include(yield* me(namesFound(query)), "João Araújo", query)
      }
      assert.deepStrictEqual(yield* me(namesFound("conceição@")), ["Maria"])
      assert.deepStrictEqual(yield* me(namesFound("strasse")), ["Straße"])
      assert.deepStrictEqual(yield* me(namesFound("lodz")), ["Straße"])
      assert.deepStrictEqual(yield* me(namesFound("joao maria")), [])
    })
  )

  it.effect("does not find a text that runs from one field into the next", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      yield* me(insertLead({ name: "Ana", company: "Beta", email: "c@example.com" }))
      assert.deepStrictEqual(yield* me(namesFound("anabeta")), [])
      assert.deepStrictEqual(yield* me(namesFound("ana beta")), [])
    })
  )

  it.effect("takes wildcards, backslashes and quotes for themselves", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      for (const name of ["100% Sol", "100 Sol", "a_b", "axb", "back\\slash", "O'Brien & Sons:*", "fullwidth ％"]) {
        yield* me(insertLead({ name, email: null }))
      }
      assert.deepStrictEqual(yield* me(namesFound("100%")), ["100% Sol"])
      assert.deepStrictEqual(yield* me(namesFound("%")), ["100% Sol", "fullwidth ％"])
      assert.deepStrictEqual(yield* me(namesFound("a_b")), ["a_b"])
      assert.deepStrictEqual(yield* me(namesFound("_")), ["a_b"])
      assert.deepStrictEqual(yield* me(namesFound("\\")), ["back\\slash"])
      assert.deepStrictEqual(yield* me(namesFound("k\\slash")), ["back\\slash"])
      assert.deepStrictEqual(yield* me(namesFound("'")), ["O'Brien & Sons:*"])
      assert.deepStrictEqual(yield* me(namesFound("'brien & sons:*")), ["O'Brien & Sons:*"])
      assert.deepStrictEqual(yield* me(namesFound("s:*")), ["O'Brien & Sons:*"])
      assert.deepStrictEqual(yield* me(namesFound("100_sol")), [])
    })
  )

  it.effect("finds what a plain look at every lead finds, for texts of every length", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const caller = yield* makeAccount()
      const stranger = yield* makeAccount()
      const word = fc.string({ unit: fc.constantFrom("a", "b", "c", " ", "%", "'", "\\", "1"), maxLength: 12 })
      const texts = fc.sample(word, { numRuns: 400, seed: 7 })
      for (const account of [caller.accountId, stranger.accountId]) {
        yield* createLeads(sql`
          insert into lead (account_id, name, company, status, pipeline_state)
          select ${account}, t.name, t.company, 'Cold', 'not_started'
          from unnest(${texts}::text[], ${texts.toReversed()}::text[]) t (name, company)`)
      }
      const queries = fc.sample(word, { numRuns: 60, seed: 8 }).filter((query) => query !== "")
      for (const query of [...queries, ...texts.slice(0, 60).filter((text) => text !== "")]) {
        const { leads, total } = yield* as(caller)(search({ query }, { pageSize: 100 }))
        const expected = texts.filter(
          (text, index) => text.includes(query) || (texts[texts.length - 1 - index] ?? "").includes(query)
        )
        assert.strictEqual(total, expected.length, JSON.stringify(query))
        assert.lengthOf(leads, Math.min(100, expected.length))
      }
    })
  )

  it.effect("finds a phone number of at least eight digits in any notation, and no part of one with fewer", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      yield* me(insertLead({ name: "Ana", phone: "+5511987654321" }))
      yield* me(insertLead({ name: "Bia", phone: "+5511987654322" }))
      yield* me(insertLead({ name: "12345678 Ltda", phone: "+551155555555" }))
      const ofAna = ["(11) 98765-4321", "+55 11 98765 4321", "011.98765.4321", "87654321", "987654321"]
      for (const query of ofAna) assert.deepStrictEqual(yield* me(namesFound(query)), ["Ana"], query)
      for (const query of ["7654321", "98765-4323", "21 98765-4321", "ana 987654321"]) {
        assert.deepStrictEqual(yield* me(namesFound(query)), [], query)
      }
      // Other fields are searched for the same text too.
      assert.deepStrictEqual(yield* me(namesFound("12345678")), ["12345678 Ltda"])
    })
  )

  it.effect("finds only the caller's leads", () =>
    Effect.gen(function* () {
      yield* as(yield* makeAccount())(insertLead({ name: "Quincas Borba" }))
      const page = yield* as(yield* makeAccount())(search({ query: "quincas" }))
      assert.deepStrictEqual(page, { leads: [], total: 0 })
    })
  )
})

layer(LeadServices, { excludeTestServices: true })("filtering and sorting leads", (it) => {
  it.effect("answers a lead as lists show it", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      const campaign = yield* me(insertCampaign("Clinics"))
      const lead = yield* me(
        insertLead({
          name: "Ana",
          email: "ana@example.com",
          campaign_id: campaign,
          paused_at: "2026-01-05T00:00:00Z",
          last_outbound_at: "2026-01-03T10:00:00.9Z",
          last_inbound_at: "2026-01-04T10:00:00Z",
          last_reply_at: "2026-01-04T10:00:00Z",
          last_reply_class: "question",
          last_message_direction: "inbound",
          last_message_channel: "email",
          last_message_kind: "question",
          created_at: "2026-01-02T00:00:00Z"
        })
      )
      const answer: unknown = yield* me(search())
      assert.deepStrictEqual(answer, {
        leads: [
          {
            lead_id: lead,
            name: "Ana",
            email: "ana@example.com",
            phone: null,
            company: null,
            status: "Cold",
            pipeline_state: "in_pipeline",
            is_paused: true,
            campaign_id: campaign,
            campaign: "Clinics",
            linkedin_url: null,
            last_outbound_at: "2026-01-03T10:00:00Z",
            last_inbound_at: "2026-01-04T10:00:00Z",
            final_outcome: null,
            last_reply_at: "2026-01-04T10:00:00Z",
            last_reply_class: "question",
            last_message_direction: "inbound",
            last_message_channel: "email",
            last_message_kind: "question",
            next_touch_at: null,
            created_at: "2026-01-02T00:00:00Z"
          }
        ],
        total: 1
      })
    })
  )

  it.effect("sorts by creation, by the last message of either direction, or by status", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      const add = (name: string, day: number, columns: { readonly [column: string]: string }) =>
        me(insertLead({ name, created_at: `2026-01-0${day}T00:00:00Z`, ...columns }))
      yield* add("first", 1, { status: "Interested", last_inbound_at: "2026-02-03T00:00:00Z" })
      yield* add("second", 2, { status: "Aware", last_outbound_at: "2026-02-02T00:00:00Z" })
      yield* add("third", 3, { status: "Interested" })
      assert.deepStrictEqual(names(yield* me(search({}))), ["third", "second", "first"])
      const byMessage = yield* me(search({}, { sort: "last_prospecting_message" }))
      assert.deepStrictEqual(names(byMessage), ["first", "second", "third"])
      assert.deepStrictEqual(names(yield* me(search({}, { sort: "status" }))), ["second", "third", "first"])
      const byText = yield* me(search({ query: "example" }, { sort: "last_prospecting_message", pageSize: 2 }))
      assert.deepStrictEqual(names(byText), ["first", "second"])
      assert.strictEqual(byText.total, 3)
    })
  )

  it.effect("returns each lead on one page, and the total with an empty page too", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const caller = yield* makeAccount()
      yield* createLeads(sql`
        insert into lead (account_id, name, status, pipeline_state, created_at)
        select ${caller.accountId}, 'Lead ' || n, 'Cold', 'not_started', timestamptz '2026-01-01' from generate_series(1, 45) n`)
      const pages = yield* Effect.forEach([0, 1, 2], (page) => as(caller)(search({}, { page })))
      assert.deepStrictEqual(
        pages.map(({ leads }) => leads.length),
        [20, 20, 5]
      )
      assert.strictEqual(new Set(pages.flatMap(names)).size, 45)
      assert.deepStrictEqual(yield* as(caller)(search({}, { page: 3 })), { leads: [], total: 45 })
      assert.deepStrictEqual(yield* as(caller)(search({ query: "lead" }, { page: 2_147_483_647 })), {
        leads: [],
        total: 45
      })
    })
  )

  it.effect("finds no campaign that is archived or another account's", () =>
    Effect.gen(function* () {
      const theirs = yield* as(yield* makeAccount())(insertCampaign("Theirs"))
      const me = as(yield* makeAccount())
      yield* me(insertCampaign("Gone", { archived_at: "2026-01-01T00:00:00Z" }))
      for (const campaign of ["Theirs", `${theirs}`, "Gone"]) {
        const error = yield* Effect.flip(me(search({ campaign })))
        assert.deepInclude(error, { _tag: "NotFound", reason: "campaign_not_found", fields: { campaign } })
      }
    })
  )

  it.effect("sums up few changes, however many there were", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { accountId } = yield* makeAccount()
      yield* sql`
        insert into lead_counter (account_id, status, has_linkedin, change)
        select ${accountId}, 'Cold', false, 1 from generate_series(1, 3000)`
      yield* leadCounterFolding.fold
      const [counter] = yield* sql<{ readonly changes: number; readonly total: number }>`
        select count(*) as changes, sum(change) as total from lead_counter where account_id = ${accountId}`
      assert.strictEqual(counter?.changes, 1)
      assert.strictEqual(counter?.total, 3000)
    })
  )

  it.effect("agrees with a plain count for every combination of filters, after any changes", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const caller = yield* makeAccount()
      const me = as(caller)
      const campaigns = [yield* me(insertCampaign("North")), yield* me(insertCampaign("South"))]
      const day = (number: number) => Timestamp.make(`2026-01-${String(number).padStart(2, "0")}T00:00:00Z`)

      const change = fc.record({
        kind: fc.constantFrom("insert", "insert", "insert", "status", "campaign", "linkedin", "delete", "fold"),
        pick: fc.nat(),
        day: fc.integer({ min: 1, max: 28 })
      })
      const owned = sql`account_id = ${caller.accountId}`
      for (const { day: on, kind, pick } of fc.sample(change, { numRuns: 300, seed: 3 })) {
        const status = LeadStatus.literals[pick % 3]
        const campaign = [null, ...campaigns][pick % 3]
        const link = pick % 2 === 0 ? null : "https://www.linkedin.com/in/x"
        const some = sql`${owned} and lead_id % 7 = ${pick % 7}`
        switch (kind) {
          case "insert":
            yield* me(
              insertLead({
                status,
                campaign_id: campaign,
                linkedin_url: link,
                created_at: day(on),
                last_outbound_at: pick % 5 === 0 ? null : day(on)
              })
            )
            break
          case "status":
            yield* changeLeads(some, sql`status = ${status ?? "Cold"}`)
            break
          case "campaign":
            yield* changeLeads(some, sql`campaign_id = ${campaign ?? null}`)
            break
          case "linkedin":
            yield* changeLeads(some, sql`linkedin_url = ${link}`)
            break
          case "delete":
            yield* removeLeads(some)
            break
          case "fold":
            yield* sql`select fold_lead_counter(${caller.accountId})`
        }
      }

      for (const status of [undefined, ...LeadStatus.literals.slice(0, 3)]) {
        for (const campaign of [undefined, "north", `${campaigns[1]}`]) {
          for (const hasLinkedIn of [undefined, true, false]) {
            for (const dates of [
              {},
              { createdFrom: day(10) },
              { createdFrom: day(5), createdBefore: day(20) },
              { lastMessageFrom: day(12) }
            ] satisfies ReadonlyArray<LeadFilter>) {
              const [expectedTotal] = yield* sql<{ readonly total: number }>`
                select count(*) as total from lead where ${sql.and([
                  owned,
                  ...(status === undefined ? [] : [sql`status = ${status}`]),
                  ...(campaign === undefined
                    ? []
                    : [sql`campaign_id = ${campaign === "north" ? (campaigns[0] ?? 0) : (campaigns[1] ?? 0)}`]),
                  ...(hasLinkedIn === undefined ? [] : [sql`(linkedin_url is not null) = ${hasLinkedIn}`]),
                  ...(dates.createdFrom === undefined ? [] : [sql`created_at >= ${dates.createdFrom}`]),
                  ...(dates.createdBefore === undefined ? [] : [sql`created_at < ${dates.createdBefore}`]),
                  ...(dates.lastMessageFrom === undefined
                    ? []
                    : [sql`greatest(last_outbound_at, last_inbound_at) >= ${dates.lastMessageFrom}`])
                ])}`
              for (const query of [undefined, "example.com"]) {
                const filter = { status, campaign, hasLinkedIn, query, ...dates }
                const { leads, total } = yield* me(search(filter, { pageSize: 100, sort: "status" }))
                assert.strictEqual(total, expectedTotal?.total, JSON.stringify(filter))
                assert.lengthOf(leads, Math.min(100, total))
              }
            }
          }
        }
      }
    })
  )
})
