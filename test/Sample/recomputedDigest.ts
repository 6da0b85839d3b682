import { SqlClient } from "@effect/sql/SqlClient"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { accountVolumes } from "../../src/Layers/Reports/VolumeBenchmarks.ts"
import { Caller } from "../../src/Services/Core/Calls/Caller.ts"
import { Timestamp } from "../../src/Services/Core/Timestamp.ts"
import { dailyReport } from "../../src/Services/Reports/DailyReport.ts"
import { Reports } from "../../src/Services/Reports/Reports.ts"
import { percent } from "../../src/Services/Reports/ReportWindow.ts"
import type { ReportRecords } from "./ReportRecords.ts"
import { answeredMails, countBy, feedOf } from "./recomputedReports.ts"

const dayMillis = 86_400_000
const comparedDays = 30
const fewestMessages = 50
const smallestChange = 3

const heldStatus = "held"
const outcomeTypes = ["outcome_won", "outcome_lost", "outcome_gave_up"]

/** The outcome that each lead still has: when it was first registered, and its last value. */
const lastingOutcomes = ({ entries, leads }: ReportRecords) =>
  leads.flatMap(({ id, outcome }) => {
    if (outcome === null) return []
    const type = `outcome_${outcome}`
    const changes = entries.filter(
      (entry) => entry.lead === id && (outcomeTypes.includes(entry.type) || entry.type === "recovered")
    )
    const from = changes.findLastIndex((entry) => entry.type !== type) + 1
    const first = changes[from]
    return first === undefined ? [] : [{ lead: id, outcome, at: first.at, value: changes.at(-1)?.value ?? null }]
  })

/** What the digest of a time says, from the account's records. */
const digestOf = (records: ReportRecords, from: number, to: number) => {
  const isWithin = (at: number | null) => at !== null && at >= from && at < to + 1000
  const messages = (channel: "email" | "chatapp", isInbound: boolean) =>
    records.messages.filter(
      (message) => message.channel === channel && message.isInbound === isInbound && isWithin(message.at)
    ).length
  const events = (type: string) => feedOf(records, type).filter(({ at }) => isWithin(at))
  const outcomes = lastingOutcomes(records).filter(({ at }) => isWithin(at))
  const won = outcomes.filter(({ outcome }) => outcome === "won")
  const booked = records.meetings.filter(({ createdAt }) => isWithin(createdAt))
  const cancelled = records.meetings.filter(({ cancelledAt }) => isWithin(cancelledAt))
  const meetingsThatBegan = (status: string) =>
    records.meetings.filter((meeting) => meeting.status === status && isWithin(meeting.startsAt))
  const heldMeetings = meetingsThatBegan(heldStatus)
  const missedMeetings = meetingsThatBegan("no_show")
  return {
    activity_summary: {
      new_leads: records.leads.filter(({ createdAt }) => isWithin(createdAt)).length,
      emails_sent: messages("email", false),
      email_replies: messages("email", true),
      chatapp_sent: messages("chatapp", false),
      chatapp_replies: messages("chatapp", true)
    },
    funnel_progress: {
      reached_confirmed: events("lead_confirmed").length,
      became_interested: events("lead_became_interested").length
    },
    interested: new Set(events("lead_became_interested").map(({ lead }) => lead)),
    outcomes: {
      won_count: won.length,
      lost_count: outcomes.filter(({ outcome }) => outcome === "lost").length,
      gave_up_count: outcomes.filter(({ outcome }) => outcome === "gave_up").length,
      total_deal_value_brl: won.reduce((sum, { value }) => sum + (value ?? 0), 0)
    },
    won: new Map(won.map(({ lead, value }) => [lead, value])),
    meetings: {
      booked: booked.length,
      cancelled: cancelled.length,
      [heldStatus]: heldMeetings.length,
      no_show: missedMeetings.length
    },
    listedMeetings: new Set([...booked, ...cancelled, ...heldMeetings, ...missedMeetings].map(({ id }) => id)),
    bookedByEvents: events("meeting_booked").filter(({ isMove }) => !isMove).length,
    cancelledByEvents: events("meeting_cancelled").length
  }
}

/** Campaigns whose reply rate of the thirty days before a UTC date differs from the rate since. */
const rateChanges = (records: ReportRecords, since: number) => {
  const answered = answeredMails(records)
  const campaignOf = new Map(records.leads.map(({ campaign, id }) => [id, campaign]))
  const sent = records.messages.filter(({ channel, isInbound }) => channel === "email" && !isInbound)
  return [...new Set(records.leads.map(({ campaign }) => campaign))].flatMap((campaign) => {
    const rateOf = (isOfTime: (at: number) => boolean) => {
      const mails = sent.filter(({ at, lead }) => campaignOf.get(lead) === campaign && isOfTime(at))
      return { sent: mails.length, replied: mails.filter(({ id }) => answered.has(id)).length }
    }
    const before = rateOf((at) => at >= since - comparedDays * dayMillis && at < since)
    const after = rateOf((at) => at >= since)
    if (before.sent < fewestMessages || after.sent < fewestMessages) return []
    const [rateBefore, rateAfter] = [percent(before.replied, before.sent), percent(after.replied, after.sent)]
    const change = Math.round(((rateAfter ?? 0) - (rateBefore ?? 0)) * 10) / 10
    return Math.abs(change) < smallestChange ? [] : [{ campaign, before, after, change }]
  })
}

const assertDigest = (records: ReportRecords, since: string, end: number) =>
  Effect.gen(function* () {
    const from = Date.parse(since)
    const digest = yield* (yield* Reports).changesSince(Timestamp.make(since))
    const expected = digestOf(records, from, end)
    assert.deepStrictEqual(digest.activity_summary, expected.activity_summary, since)
    assert.deepStrictEqual(digest.funnel_progress, expected.funnel_progress, since)
    assert.strictEqual(digest.new_interested_leads.total_count, expected.interested.size)
    assert.deepStrictEqual<unknown>(
      new Set(digest.new_interested_leads.items.map(({ lead_id }) => lead_id)),
      expected.interested,
      since
    )
    const { won_items, ...outcomes } = digest.outcomes
    assert.deepStrictEqual(outcomes, expected.outcomes, since)
    assert.deepStrictEqual<unknown>(
      new Map(won_items.map(({ deal_value_brl, lead_id }) => [lead_id, deal_value_brl])),
      expected.won
    )
    const { items, ...meetings } = digest.meetings
    assert.deepStrictEqual(meetings, expected.meetings, since)
    assert.deepStrictEqual<unknown>(new Set(items.map(({ meeting_id }) => meeting_id)), expected.listedMeetings, since)
    // The feed says the same as the meetings.
    assert.deepStrictEqual(
      [expected.bookedByEvents, expected.cancelledByEvents],
      [meetings.booked, meetings.cancelled],
      since
    )
    const waiting = records.leads.filter(({ pipelineState }) => pipelineState === "pending_review")
    assert.strictEqual(digest.pending_human_review.total_count, waiting.length)
    assert.deepStrictEqual<unknown>(
      new Set(digest.pending_human_review.items.map(({ lead_id }) => lead_id)),
      new Set(waiting.map(({ id }) => id))
    )
    assert.deepStrictEqual(
      digest.support_answered.map(({ message }) => message),
      records.answered.map(({ message }) => message)
    )
    assert.deepStrictEqual(
      new Map(
        digest.campaign_performance_changes.map(({ after, before, campaign_id, change_percentage_points }) => [
          campaign_id as number | null,
          [before.sent, before.replied, after.sent, after.replied, change_percentage_points]
        ])
      ),
      new Map(
        rateChanges(records, from).map(({ after, before, campaign, change }) => [
          campaign,
          [before.sent, before.replied, after.sent, after.replied, change]
        ])
      ),
      since
    )
    const adjustments = records.runs.filter(({ outcome, ranAt }) => outcome !== "kept" && ranAt >= from)
    assert.deepInclude(digest.optimizer_adjustments, {
      total_count: adjustments.length,
      returned_count: adjustments.length,
      truncated: false
    })
    assert.deepStrictEqual<unknown>(
      digest.optimizer_adjustments.items.map(({ optimization_id }) => optimization_id),
      adjustments.map(({ id }) => id)
    )
  })

/** The lines of the daily reports with figures of that day. Outcomes may be corrected and reviews decided later. */
const assertDailyReports = (records: ReportRecords) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const { accountId } = yield* Caller
    const days = yield* sql<{ readonly day: string; readonly from: number; readonly to: number }>`
      select day::text as day, (extract(epoch from day::timestamp at time zone ${records.zone}) * 1000)::float8 as "from",
        (extract(epoch from (day + 1)::timestamp at time zone ${records.zone}) * 1000)::float8 as "to"
      from daily_report where account_id = ${accountId} order by day`
    const mails = yield* sql<{ readonly subject: string; readonly text: string }>`
      select subject, body_text as text from email_message
      where account_id = ${accountId} and message_type = 'owner_notification'`
    let compared = 0
    for (const { day, from, to } of days) {
      const { outcomes, ...digest } = digestOf(records, from, to - 1000)
      const blocks = {
        ...digest,
        outcomes: { ...outcomes, won_items: [] },
        new_interested_leads: { total_count: 0, items: [] },
        meetings: { ...digest.meetings, items: [] },
        pending_human_review: { total_count: 0, items: [] }
      }
      const expected = dailyReport(day, blocks, { language: "pt-BR", timeZone: records.zone, linkTo: String })
      const mail = mails.find(({ subject }) => subject === expected?.subject)
      if (expected === undefined || mail === undefined) continue
      const figures = (text: string) => (text.split("\n\n")[1] ?? "").split("\n").slice(0, 6)
      assert.deepStrictEqual(figures(mail.text), figures(expected.text), day)
      compared += 1
    }
    return compared
  })

/** What the benchmark of all paying accounts takes from this account. */
const assertVolume = (records: ReportRecords, end: number) =>
  Effect.gen(function* () {
    const { accountId } = yield* Caller
    const ownVolume = (yield* accountVolumes).find((account) => account.accountId === accountId)
    const from = end - comparedDays * dayMillis
    const messages = records.messages.filter(({ at, isInbound }) => !isInbound && at >= from).length
    const { funnel_progress } = digestOf(records, from, end)
    assert.deepInclude(ownVolume, {
      newLeads: records.leads.filter(({ createdAt }) => createdAt >= from).length,
      confirmedReplies: funnel_progress.reached_confirmed,
      interestedLeads: funnel_progress.became_interested,
      messagesSent: messages
    })
    // One account alone gets no ranges, but a reason.
    const estimate = yield* (yield* Reports).volume
    assert.isNull(estimate.new_leads)
    assert.isNotNull(estimate.reason)
  })

/** The digests since several dates, the daily reports and the account's part of the benchmark agree with the records. */
export const assertDigestsAgree = (records: ReportRecords, end: number) =>
  Effect.gen(function* () {
    const first = Math.min(...records.leads.map(({ createdAt }) => createdAt))
    const dates = [first - dayMillis, end - 10 * dayMillis, end - 5 * dayMillis, end - dayMillis, end]
    const firstDays = Object.keys(countBy(dates, (date) => `${new Date(date).toISOString().slice(0, 10)}T00:00:00Z`))
    yield* Effect.forEach(firstDays, (since) => assertDigest(records, since, end), { discard: true })
    assert.isAtLeast(yield* assertDailyReports(records), 5)
    yield* assertVolume(records, end)
  })
