import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { Timestamp } from "../../src/Services/Core/Timestamp.ts"
import type { ChangesSince } from "../../src/Services/Reports/ReportModel.ts"
import { Reports } from "../../src/Services/Reports/Reports.ts"
import type { Ledger } from "./HistoryLedger.ts"

const longestWindow = 365
const whole = { campaign: undefined, days: longestWindow }

type Numbers = { readonly [name: string]: unknown }

/** The sum of each number in a list. */
const sumsOf = (rows: ReadonlyArray<Numbers>, names: ReadonlyArray<string>) =>
  Object.fromEntries(names.map((name) => [name, rows.reduce((sum, row) => sum + Number(row[name] ?? 0), 0)]))

/** What the ledger's lists and events say, under the names of the reports. */
const factsOf = ({ events, leads, meetings, messages }: Ledger) => {
  const ofType = (type: string) => events.filter((event) => event.type === type)
  const sent = (channel: string) =>
    messages.filter(
      (message) =>
        message.channel === channel &&
        message.direction === "outbound" &&
        ["sent", "delivered", "read"].includes(message.status)
    ).length
  const received = (channel: string) =>
    messages.filter((message) => message.channel === channel && message.direction === "inbound" && !message.isMachine)
      .length
  return {
    leads: leads.length,
    leads_generated: leads.filter(({ origin }) => origin === "acquired").length,
    emails_sent: sent("email"),
    replies_received: received("email"),
    chatapp_sent: sent("chatapp"),
    chatapp_replies_received: received("chatapp"),
    confirmed: ofType("lead_confirmed").length,
    interested: ofType("lead_became_interested").length,
    booked: ofType("meeting_booked").filter(({ moved }) => moved !== true).length,
    cancelled: ofType("meeting_cancelled").length,
    meetings: meetings.length,
    statuses: Object.fromEntries(
      [...new Set(leads.map(({ status }) => status))].map((status) => [
        status,
        leads.filter((lead) => lead.status === status).length
      ])
    )
  }
}
type Facts = ReturnType<typeof factsOf>

const daily = ["emails_sent", "replies_received", "chatapp_sent", "chatapp_replies_received", "confirmed", "interested"]
const pick = (facts: Facts, names: ReadonlyArray<keyof Facts>) =>
  Object.fromEntries(names.map((name) => [name, facts[name]]))

const assertRates = (value: unknown): void => {
  if (Array.isArray(value)) for (const item of value) assertRates(item)
  else if (typeof value === "object" && value !== null) {
    for (const [name, inner] of Object.entries(value)) {
      if (name.endsWith("rate_pct") && typeof inner === "number") assert.isAtMost(inner, 100, name)
      else assertRates(inner)
    }
  }
}

const assertDigest = (facts: Facts, digest: ChangesSince): void => {
  assert.deepStrictEqual(digest.activity_summary, {
    new_leads: facts.leads,
    emails_sent: facts.emails_sent,
    email_replies: facts.replies_received,
    chatapp_sent: facts.chatapp_sent,
    chatapp_replies: facts.chatapp_replies_received
  })
  assert.deepStrictEqual(digest.funnel_progress, {
    reached_confirmed: facts.confirmed,
    became_interested: facts.interested
  })
  assert.strictEqual(digest.new_interested_leads.total_count, facts.interested)
  assert.deepInclude(digest.meetings, { booked: facts.booked, cancelled: facts.cancelled })
  assert.strictEqual(facts.booked, facts.meetings)
}

/** Each report agrees with what the lists and events of the account say. `since` is the day before its first. */
export const assertReportsAgree = (ledger: Ledger, since: string) =>
  Effect.gen(function* () {
    const reports = yield* Reports
    const facts = factsOf(ledger)
    const { trends } = yield* reports.trends(whole)
    assert.deepStrictEqual(
      sumsOf(trends, [...daily, "leads_generated"]),
      pick(facts, [
        "emails_sent",
        "replies_received",
        "chatapp_sent",
        "chatapp_replies_received",
        "confirmed",
        "interested",
        "leads_generated"
      ])
    )
    for (const bucket of ["day", "week"] as const) {
      const { buckets } = yield* reports.timeline({ ...whole, bucket })
      assert.deepStrictEqual(sumsOf(buckets, ["cold", "confirmed", "interested"]), {
        cold: facts.leads,
        ...pick(facts, ["confirmed", "interested"])
      })
    }
    assertDigest(facts, yield* reports.changesSince(Timestamp.make(`${since}T00:00:00Z`)))
    const summary = yield* reports.summary({ campaign: undefined })
    assert.deepInclude(summary, {
      total_leads: facts.leads,
      emails_sent: facts.emails_sent,
      chatapp_sent: facts.chatapp_sent,
      chatapp_responses: facts.chatapp_replies_received
    })
    assert.deepStrictEqual(
      Object.fromEntries(summary.leads_by_status.map(({ count, status }) => [status, count])),
      facts.statuses
    )
    const industries = yield* reports.industries({ campaign: undefined })
    assert.deepStrictEqual(sumsOf(industries.industries, ["total_leads", "interested"]), {
      total_leads: facts.leads,
      interested: facts.interested
    })
    const metrics = yield* reports.metrics(whole)
    for (const groups of [metrics.by_state, metrics.by_industry]) {
      assert.deepStrictEqual(
        sumsOf(groups, [
          "new_leads",
          "emails_sent",
          "responses",
          "interested",
          "meetings_booked",
          "meetings_cancelled"
        ]),
        {
          new_leads: facts.leads,
          emails_sent: facts.emails_sent,
          responses: facts.replies_received,
          interested: facts.interested,
          meetings_booked: facts.booked,
          meetings_cancelled: facts.cancelled
        }
      )
    }
    const mail = yield* reports.messages({ ...whole, groupBy: "both" })
    assert.strictEqual(mail.total_sent, facts.emails_sent)
    assert.deepStrictEqual(sumsOf(mail.breakdown, ["sent", "replied"]), {
      sent: mail.total_sent,
      replied: mail.replied
    })
    const chat = yield* reports.chats({ ...whole, groupBy: "both" })
    assert.strictEqual(chat.sent, facts.chatapp_sent)
    assertRates([industries, mail, chat, summary])
  })
