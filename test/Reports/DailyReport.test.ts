import { SqlClient } from "@effect/sql/SqlClient"
import { assert, describe, layer, it as plainIt } from "@effect/vitest"
import { Clock, Effect } from "effect"
import { mailReport, queueReports } from "../../src/Layers/Reports/DailyReportMails.ts"
import { fromMillis } from "../../src/Services/Core/Timestamp.ts"
import { LeadId } from "../../src/Services/Leads/Ids.ts"
import { dailyReport } from "../../src/Services/Reports/DailyReport.ts"
import type { Language } from "../../src/Services/Text/Language.ts"
import { insertLead } from "../support/leads/LeadServices.ts"
import { makeTokenHolder, testGateway } from "../support/servers/TestServer.ts"
import { as } from "../support/TestAccount.ts"

const quiet = {
  activity_summary: { new_leads: 0, emails_sent: 0, email_replies: 0, chatapp_sent: 0, chatapp_replies: 0 },
  funnel_progress: { reached_confirmed: 0, became_interested: 0 },
  new_interested_leads: { total_count: 0, items: [] },
  outcomes: { won_count: 0, lost_count: 0, gave_up_count: 0, total_deal_value_brl: 0, won_items: [] },
  meetings: { booked: 0, cancelled: 0, held: 0, no_show: 0, items: [] },
  pending_human_review: { total_count: 3, items: [] }
}

describe("the text of a daily report", () => {
  plainIt("is in the owner's language, names who became interested, and is none for a day without news", () => {
    const reader = (language: Language) => ({
      language,
      timeZone: "America/Sao_Paulo",
      linkTo: (leadId: LeadId) => `https://gateway.example/lead/${leadId}`
    })
    assert.isUndefined(dailyReport("2026-03-02", quiet, reader("en")))
    const busy = {
      ...quiet,
      pending_human_review: {
        total_count: 3,
        items: [
          {
            lead_id: LeadId.make(2),
            name: "Rui",
            company: null,
            campaign_name: null,
            reason: null,
            review_requested_at: null
          }
        ]
      },
      activity_summary: { ...quiet.activity_summary, emails_sent: 12, email_replies: 2 },
      outcomes: { ...quiet.outcomes, won_count: 1, total_deal_value_brl: 1234.5 },
      new_interested_leads: {
        total_count: 12,
        items: [
          {
            lead_id: LeadId.make(1),
            name: "Bia\nBcc: x",
            company: "Acme",
            campaign_name: null,
            became_interested_at: fromMillis(Date.parse("2026-03-02T17:05:00Z"))
          }
        ]
      }
    }
    const texts = (["pt-BR", "en", "es"] as const).map((language) => dailyReport("2026-03-02", busy, reader(language)))
    assert.deepStrictEqual(
      texts.map((report) => report?.subject),
      ["Relatório de 2 de março de 2026", "Report of March 2, 2026", "Informe del 2 de marzo de 2026"]
    )
    assert.include(texts[0]?.text, "Negócios ganhos: 1 (R$ 1.234,50)")
    assert.include(texts[0]?.text, "- Bia Bcc: x (Acme), 14:05: https://gateway.example/lead/1\n… e mais 11")
    assert.match(
      texts[1]?.text ?? "",
      /- Bia Bcc: x \(Acme\), 2:05\sPM: https:\/\/gateway\.example\/lead\/1\n… and 11 more/
    )
    assert.include(texts[1]?.text, "Waiting for your decision: 3")
    assert.include(texts[2]?.text, "Quién espera una decisión suya:\n- Rui: https://gateway.example/lead/2\n… y 2 más")
    for (const report of texts) assert.notMatch(report?.text ?? "", /[a-z]+_[a-z]+/, "no tool names")
  })
})

layer(testGateway(), { excludeTestServices: true })("daily reports", (it) => {
  const mailsOf = (accountId: number) =>
    Effect.flatMap(
      SqlClient,
      (sql) => sql<{ readonly to: string; readonly subject: string; readonly body: string }>`
        select to_address as "to", subject, body_text as body from email_message
        where account_id = ${accountId} and direction = 'outbound' and lead_id is null order by email_message_id`
    )

  it.effect("count the day of the account's own calendar, and go out once to each confirmed address", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { caller } = yield* makeTokenHolder()
      const { accountId } = caller
      yield* sql`update account set time_zone = 'Pacific/Auckland', language_key = 'en-NZ' where account_id = ${accountId}`
      yield* sql`
        insert into notification_address (account_id, email, position, confirmed_at, created_at)
        values (${accountId}, 'a@team.example', 1, instant(), instant()),
          (${accountId}, 'b@team.example', 2, instant(), instant()),
          (${accountId}, 'unconfirmed@team.example', 3, null, instant())`
      const [first, second, third] = yield* Effect.forEach([1, 2, 3], () => as(caller)(insertLead()))
      // 2026-03-02 in Auckland begins at 11:00 UTC of the day before.
      const at = (lead: number | undefined, time: string) =>
        sql`update lead set created_at = ${time}::timestamptz where account_id = ${accountId} and lead_id = ${lead ?? 0}`
      yield* at(first, "2026-03-01T11:00:00Z")
      yield* at(second, "2026-03-02T10:59:59Z")
      yield* at(third, "2026-03-02T11:00:00Z")
      yield* Effect.forEach(Array.from({ length: 5 }), () => mailReport(accountId, "2026-03-02"), {
        concurrency: "unbounded"
      })
      const mails = yield* mailsOf(accountId)
      assert.sameMembers(
        mails.map(({ to }) => to),
        ["a@team.example", "b@team.example"]
      )
      assert.strictEqual(mails[0]?.subject, "Report of March 2, 2026")
      assert.include(mails[0]?.body, "New leads: 2\n")
    })
  )

  it.effect("are queued in the account's morning, for the day before, until one was made", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { caller } = yield* makeTokenHolder()
      const { accountId } = caller
      const now = yield* Clock.currentTimeMillis
      const hour = new Date(now).getUTCHours()
      // A zone in which it is this hour now. The sign of Etc zones is reversed.
      const zoneAt = (localHour: number) => {
        const offset = ((((localHour - hour) % 24) + 36) % 24) - 12
        return `Etc/GMT${offset > 0 ? "-" : "+"}${Math.abs(offset)}`
      }
      const queued = Effect.gen(function* () {
        yield* sql`delete from graphile_worker._private_jobs where key like 'daily_report:%'`
        yield* queueReports
        const rows = yield* sql`
          select from graphile_worker._private_jobs where key like ${`daily_report:${accountId}:%`}`
        return rows.length
      })
      const setZone = (localHour: number) =>
        sql`update account set time_zone = ${zoneAt(localHour)} where account_id = ${accountId}`
      yield* setZone(7)
      assert.strictEqual(yield* queued, 0)
      yield* setZone(8)
      assert.strictEqual(yield* queued, 1)
      yield* sql`
        insert into daily_report (account_id, day)
        select account_id, (instant() at time zone time_zone)::date - 1 from account where account_id = ${accountId}`
      assert.strictEqual(yield* queued, 0)
    })
  )
})
