import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { dayOf } from "../../src/Layers/Reports/RolledDays.ts"
import { cnaeEntries } from "../../src/Services/Reference/Cnae.ts"
import { metricNames } from "../../src/Services/Reports/ReportModel.ts"
import { Reports } from "../../src/Services/Reports/Reports.ts"
import { percent } from "../../src/Services/Reports/ReportWindow.ts"
import { regionName } from "../../src/Services/Text/Places/RegionName.ts"
import { type ReportRecords, recordsOf } from "./ReportRecords.ts"

type Lead = ReportRecords["leads"][number]
type Message = ReportRecords["messages"][number]

const longestWindow = 365
const unspecified = "Não informado"
const groupings = ["campaign", "type", "both"] as const

const isSent = (channel: Message["channel"]) => (message: Message) => message.channel === channel && !message.isInbound
const isReply = (channel: Message["channel"]) => (message: Message) => message.channel === channel && message.isInbound

export const countBy = <A>(items: ReadonlyArray<A>, keyOf: (item: A) => string): { readonly [key: string]: number } => {
  const counts: { [key: string]: number } = {}
  for (const item of items) counts[keyOf(item)] = (counts[keyOf(item)] ?? 0) + 1
  return counts
}

/** The mail that each reply answers: by its reference, else the last one before it. */
export const answeredMails = ({ messages }: ReportRecords): ReadonlySet<number> => {
  const sent = messages.filter(isSent("email"))
  return new Set(
    messages.filter(isReply("email")).flatMap((reply) => {
      const ofLead = sent.filter(({ lead }) => lead === reply.lead)
      const answered =
        ofLead.find(({ messageId }) => messageId !== null && messageId === reply.inReplyTo) ??
        ofLead.filter(({ at }) => at <= reply.at).at(-1)
      return answered === undefined ? [] : [answered.id]
    })
  )
}

export const feedOf = ({ events }: ReportRecords, type: string) => events.filter((event) => event.type === type)

/** When each lead was first closed: by an outcome or by its status. */
const closings = ({ entries }: ReportRecords): ReadonlyMap<number, number> => {
  const firsts = new Map<number, number>()
  for (const { at, lead, status, type } of entries) {
    const isClosing =
      ["outcome_won", "outcome_lost", "outcome_gave_up"].includes(type) ||
      (status === "Closed" && ["status_changed", "registered"].includes(type))
    if (isClosing && !firsts.has(lead)) firsts.set(lead, at)
  }
  return firsts
}

/** Leads whose first entry with one of the statuses was not the owner's registration. */
const leadsThatPassed = ({ entries }: ReportRecords, statuses: ReadonlyArray<string>): ReadonlySet<number> => {
  const firsts = new Map<number, boolean>()
  for (const { isOwners, lead, status, type } of entries) {
    if (!["status_changed", "registered"].includes(type) || status === null || !statuses.includes(status)) continue
    if (!firsts.has(lead)) firsts.set(lead, !(type === "registered" && isOwners))
  }
  return new Set([...firsts].flatMap(([lead, isProgress]) => (isProgress ? [lead] : [])))
}

const assertTrends = (records: ReportRecords, campaign: string | undefined) =>
  Effect.gen(function* () {
    const reports = yield* Reports
    const { leads, messages, zone } = records
    const perDay = (items: ReadonlyArray<{ readonly at: number }>) => countBy(items, ({ at }) => dayOf(at, zone))
    const expected = {
      leads_generated: perDay(leads.filter(({ origin }) => origin === "acquired").map(({ createdAt: at }) => ({ at }))),
      emails_sent: perDay(messages.filter(isSent("email"))),
      replies_received: perDay(messages.filter(isReply("email"))),
      confirmed: perDay(feedOf(records, "lead_confirmed")),
      interested: perDay(feedOf(records, "lead_became_interested")),
      chatapp_sent: perDay(messages.filter(isSent("chatapp"))),
      chatapp_replies_received: perDay(messages.filter(isReply("chatapp")))
    }
    const { trends } = yield* reports.trends({ campaign, days: longestWindow })
    assert.lengthOf(trends, longestWindow)
    for (const day of trends) {
      const { date } = day
      const counts = Object.fromEntries(Object.entries(expected).map(([name, days]) => [name, days[date] ?? 0]))
      assert.deepStrictEqual<unknown>(day, { date, ...counts }, `${campaign} on ${date}`)
    }
    const stages = {
      cold: perDay(leads.map(({ createdAt: at }) => ({ at }))),
      confirmed: expected.confirmed,
      interested: expected.interested,
      closed: perDay([...closings(records).values()].map((at) => ({ at })))
    }
    const { buckets } = yield* reports.timeline({ campaign, days: longestWindow, bucket: "day" })
    for (const { bucket_start: date, ...counts } of buckets) {
      const days = Object.fromEntries(Object.entries(stages).map(([name, perDate]) => [name, perDate[date] ?? 0]))
      assert.deepStrictEqual<unknown>(counts, days, `${campaign}: stages on ${date}`)
    }
    const { buckets: weeks } = yield* reports.timeline({ campaign, days: longestWindow, bucket: "week" })
    for (const name of ["cold", "confirmed", "interested", "closed"] as const) {
      const total = Object.values(stages[name]).reduce((sum, count) => sum + count, 0)
      assert.strictEqual(
        weeks.reduce((sum, week) => sum + week[name], 0),
        total,
        `${campaign}: ${name} by week`
      )
    }
  })

const keyOfGroup = (groupBy: (typeof groupings)[number], campaign: number | null, type: string | null): string =>
  `${groupBy === "type" ? "" : (campaign ?? "none")} ${groupBy === "campaign" ? "" : (type ?? "none")}`

const assertMessages = (records: ReportRecords, campaign: string | undefined) =>
  Effect.gen(function* () {
    const reports = yield* Reports
    const campaignOf = new Map(records.leads.map((lead) => [lead.id, lead.campaign]))
    const keyOf = (groupBy: (typeof groupings)[number]) => (message: Message) =>
      keyOfGroup(groupBy, campaignOf.get(message.lead) ?? null, message.type)
    const sent = records.messages.filter(isSent("email"))
    const answeredIds = answeredMails(records)
    const answered = sent.filter(({ id }) => answeredIds.has(id))
    const chats = records.messages.filter(isSent("chatapp"))
    const lastReplies = new Map(records.messages.filter(isReply("chatapp")).map(({ at, lead }) => [lead, at]))
    const repliedTo = chats.filter(({ at, lead }) => at <= (lastReplies.get(lead) ?? 0))
    const leadsBy = (messages: ReadonlyArray<Message>, keyOfMessage: (message: Message) => string) =>
      countBy(
        [...new Set(messages.map((message) => `${keyOfMessage(message)}|${message.lead}`))],
        (key) => key.split("|")[0] ?? ""
      )
    for (const groupBy of groupings) {
      const about = `${campaign} by ${groupBy}`
      const mail = yield* reports.messages({ campaign, days: longestWindow, groupBy })
      assert.deepInclude(
        mail,
        { total_sent: sent.length, replied: answered.length, reply_rate_pct: percent(answered.length, sent.length) },
        about
      )
      const rows = new Map(mail.breakdown.map((row) => [keyOfGroup(groupBy, row.campaign_id, row.message_type), row]))
      assert.deepStrictEqual([...rows.keys()].sort(), Object.keys(countBy(sent, keyOf(groupBy))).sort(), about)
      for (const [key, row] of rows) {
        const counts = {
          sent: countBy(sent, keyOf(groupBy))[key] ?? 0,
          replied: countBy(answered, keyOf(groupBy))[key] ?? 0
        }
        assert.deepInclude(row, { ...counts, reply_rate_pct: percent(counts.replied, counts.sent) }, about)
      }
      const chat = yield* reports.chats({ campaign, days: longestWindow, groupBy })
      const everyone = () => "all"
      const totals = {
        leads_messaged: leadsBy(chats, everyone)["all"] ?? 0,
        leads_replied: leadsBy(repliedTo, everyone)["all"] ?? 0
      }
      assert.deepInclude(
        chat,
        {
          sent: chats.length,
          ...totals,
          lead_reply_rate_pct: percent(totals.leads_replied, totals.leads_messaged)
        },
        about
      )
      for (const row of chat.breakdown) {
        const key = keyOfGroup(groupBy, row.campaign_id, row.message_type)
        const counts = {
          leads_messaged: leadsBy(chats, keyOf(groupBy))[key] ?? 0,
          leads_replied: leadsBy(repliedTo, keyOf(groupBy))[key] ?? 0
        }
        assert.deepInclude(
          row,
          {
            sent: countBy(chats, keyOf(groupBy))[key] ?? 0,
            ...counts,
            lead_reply_rate_pct: percent(counts.leads_replied, counts.leads_messaged)
          },
          about
        )
      }
    }
  })

const assertSummary = (records: ReportRecords, campaign: string | undefined) =>
  Effect.gen(function* () {
    const { leads, messages } = records
    const { leads_by_status, pipeline, ...summary } = yield* (yield* Reports).summary({ campaign })
    const sent = messages.filter(isSent("email")).length
    const answered = answeredMails(records).size
    const replies = messages.filter(isReply("chatapp"))
    assert.deepStrictEqual<unknown>(
      summary,
      {
        total_leads: leads.length,
        emails_sent: sent,
        emails_replied: answered,
        reply_rate_pct: percent(answered, sent),
        reply_rate_base: "emails_sent",
        chatapp_sent: messages.filter(isSent("chatapp")).length,
        chatapp_responses: replies.length,
        leads_talked_to_on_chatapp: new Set(replies.map(({ lead }) => lead)).size
      },
      campaign
    )
    assert.deepStrictEqual<unknown>(
      Object.fromEntries(leads_by_status.map(({ count, status }) => [status, count])),
      countBy(leads, ({ status }) => status)
    )
    const { states, ...counts } = pipeline
    assert.deepStrictEqual<unknown>(
      Object.fromEntries(states.map(({ count, state }) => [state, count])),
      countBy(leads, ({ pipelineState }) => pipelineState)
    )
    const withOutcome = (outcome: string) => leads.filter((lead) => lead.outcome === outcome).length
    assert.deepStrictEqual(
      counts,
      {
        contacted: leads.filter(({ isContacted }) => isContacted).length,
        replied: leads.filter(({ hasReplied }) => hasReplied).length,
        won: withOutcome("won"),
        lost: withOutcome("lost"),
        gave_up: withOutcome("gave_up")
      },
      campaign
    )
  })

const divisionOf = ({ cnae }: Lead): string =>
  cnaeEntries.get((cnae ?? "").replace(/\D/g, "").slice(0, 2))?.name ?? unspecified

const assertIndustries = (records: ReportRecords, campaign: string | undefined) =>
  Effect.gen(function* () {
    const { leads } = records
    const interested = leadsThatPassed(records, ["Interested"])
    const { industries } = yield* (yield* Reports).industries({ campaign })
    assert.deepStrictEqual(industries.map(({ name }) => name).sort(), [...new Set(leads.map(divisionOf))].sort())
    for (const { code: _, ...row } of industries) {
      const members = leads.filter((lead) => divisionOf(lead) === row.name)
      const contacted = members.filter(({ isContacted }) => isContacted)
      const count = (passes: (lead: Lead) => boolean) => members.filter(passes).length
      assert.deepStrictEqual<unknown>(
        row,
        {
          name: row.name,
          total_leads: members.length,
          contacted: contacted.length,
          replied: count(({ hasReplied }) => hasReplied),
          interested: count(({ id }) => interested.has(id)),
          closed: count(({ outcome, status }) => outcome !== null || status === "Closed"),
          won: count(({ outcome }) => outcome === "won"),
          reply_rate_pct: percent(contacted.filter(({ hasReplied }) => hasReplied).length, contacted.length),
          interest_rate_pct: percent(contacted.filter(({ id }) => interested.has(id)).length, contacted.length)
        },
        `${campaign}: ${row.name}`
      )
    }
  })

const stateOf = ({ state }: Lead): string => {
  const capitals = (state ?? "").trim().toUpperCase()
  return capitals === "" ? unspecified : regionName(capitals)
}
const sectorOf = ({ cnae, industry }: Lead): string =>
  cnaeEntries.get((cnae ?? "").replace(/\D/g, ""))?.name ?? industry ?? unspecified

const metricsOf = (records: ReportRecords, leads: ReadonlyArray<Lead>, end: number) => {
  const ids = new Set(leads.map(({ id }) => id))
  const among = <A extends { readonly lead: number }>(rows: ReadonlyArray<A>) =>
    rows.filter(({ lead }) => ids.has(lead))
  const messages = (passes: (message: Message) => boolean) => among(records.messages).filter(passes).length
  const leadsIn = (passed: Iterable<number>) => [...passed].filter((lead) => ids.has(lead)).length
  const meetings = among(records.meetings)
  const hasBegun = (startsAt: number) => startsAt < end + 1000
  const takenOver = records.entries.filter(({ type }) => type === "taken_over").map(({ lead }) => lead)
  return {
    new_leads: leads.length,
    emails_sent: messages(isSent("email")),
    responses: messages(isReply("email")),
    chatapp_sent: messages(isSent("chatapp")),
    chatapp_responses: messages(isReply("chatapp")),
    aware: leadsIn(leadsThatPassed(records, ["Aware", "Interested"])),
    interested: leadsIn(feedOf(records, "lead_became_interested").map(({ lead }) => lead)),
    confirmed_aware_interested_or_taken_over: leadsIn(
      new Set([...feedOf(records, "lead_confirmed").map(({ lead }) => lead), ...takenOver])
    ),
    referrals: leads.filter(({ isReferred }) => isReferred).length,
    meetings_booked: meetings.length,
    meetings_cancelled: meetings.filter(({ cancelledAt }) => cancelledAt !== null).length,
    meetings_held: meetings.filter(({ startsAt, status }) => status === "held" && hasBegun(startsAt)).length,
    meetings_no_show: meetings.filter(({ startsAt, status }) => status === "no_show" && hasBegun(startsAt)).length
  }
}

const assertMetrics = (records: ReportRecords, campaign: string | undefined, end: number) =>
  Effect.gen(function* () {
    const metrics = yield* (yield* Reports).metrics({ campaign, days: longestWindow })
    const dimensions = [
      [metrics.by_state, metrics.best_state, stateOf],
      [metrics.by_industry, metrics.best_industry, sectorOf]
    ] as const
    for (const [groups, best, groupOf] of dimensions) {
      const names = new Set(records.leads.map(groupOf))
      assert.deepStrictEqual(groups.map(({ name }) => name).sort(), [...names].sort(), campaign)
      for (const { is_unspecified, name, ...counts } of groups) {
        const members = records.leads.filter((lead) => groupOf(lead) === name)
        assert.deepStrictEqual(counts, metricsOf(records, members, end), `${campaign}: ${name}`)
        assert.strictEqual(is_unspecified, name === unspecified)
      }
      const named = groups.filter(({ is_unspecified }) => !is_unspecified)
      for (const metric of metricNames) {
        if (metric === "meetings_cancelled" || metric === "meetings_no_show") continue
        const most = Math.max(0, ...named.map((group) => group[metric]))
        const values = best.filter((one) => one.metric === metric).map(({ value }) => value)
        assert.deepStrictEqual(values, most === 0 ? [] : [most], `${campaign}: best ${metric}`)
      }
    }
  })

const assertOptimizations = (records: ReportRecords, campaign: string | undefined) =>
  Effect.gen(function* () {
    const reports = yield* Reports
    const pageSize = 2
    const { total } = yield* reports.optimizations({ campaign, page: 0, pageSize })
    assert.strictEqual(total, records.runs.length, campaign)
    const names = new Map<number | null, string>(records.campaigns.map(({ id, name }) => [id, name]))
    for (let page = 0; page * pageSize < total; page++) {
      const { runs } = yield* reports.optimizations({ campaign, page, pageSize })
      assert.deepStrictEqual<unknown>(
        runs.map((run) => [run.optimization_id, run.campaign_name, run.outcome, Date.parse(run.ran_at)]),
        records.runs
          .slice(page * pageSize, (page + 1) * pageSize)
          .map((run) => [run.id, names.get(run.campaign) ?? null, run.outcome, Math.floor(run.ranAt)])
      )
    }
  })

/**
 * Each report on the whole account and on each campaign agrees with the account's leads, messages, histories, events and
 * meetings. All of these lie within the longest window before `end`.
 */
export const assertReportsAgree = (all: ReportRecords, end: number) =>
  Effect.forEach(
    [undefined, ...all.campaigns],
    (campaign) => {
      const records = recordsOf(all, campaign?.id)
      const name = campaign?.name
      return Effect.all([
        assertTrends(records, name),
        assertMessages(records, name),
        assertSummary(records, name),
        assertIndustries(records, name),
        assertMetrics(records, name, end),
        assertOptimizations(records, name === undefined ? undefined : `${campaign?.id}`)
      ])
    },
    { discard: true }
  )
