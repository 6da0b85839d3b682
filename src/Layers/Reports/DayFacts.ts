import type { SqlClient } from "@effect/sql/SqlClient"
import type { Fragment } from "@effect/sql/Statement"
import type { AccountId } from "../../Services/Accounts/Ids.ts"
import { fromMillis } from "../../Services/Core/Timestamp.ts"
import { answeredMailId } from "../Mail/Sql.ts"
import {
  byTime,
  chatWasSent,
  isFirstOfStage,
  mailIsReply,
  mailWasSent,
  stageEvents,
  withStages
} from "./ReportFacts.ts"

/**
 * What reports count: numbers of leads or messages per day of the account's calendar. A finished day's numbers no longer
 * change.
 *
 * - `emails_answered`: counted on the day of the first reply to a mail; `to_day` is the day on which the mail was sent.
 * - `emails_sent_by_date`, `emails_answered_by_date`: the same mail; `to_day` is the UTC date on which it was sent.
 * - `chatapp_messaged`: leads that got a message; `from_day` is the day of their previous message.
 * - `chatapp_replied`: leads that wrote after a message of `to_day`; `from_day` is the day of the message before their
 *   replies of earlier days.
 * - `chatapp_talked_to`: leads that wrote for the first time.
 * - `reached`: leads that entered a stage after the first contact; `from_day` is the day on which they entered another
 *   one before.
 *
 * To count distinct leads in a window, take the facts whose `to_day` is within it and whose `from_day` is before it. Each
 * lead then counts on one day. Each fact belongs to one instant (of leads, the first one), so parts of a day add up.
 */
export const figureNames = [
  "leads_generated",
  "leads_added",
  "emails_sent",
  "emails_sent_by_date",
  "emails_answered",
  "emails_answered_by_date",
  "replies_received",
  "chatapp_sent",
  "chatapp_messaged",
  "chatapp_replied",
  "chatapp_replies_received",
  "chatapp_talked_to",
  "stage",
  "reached"
] as const
export type FigureName = (typeof figureNames)[number]

/** The `key` of a figure that counts leads over all kinds of messages. */
export const everyKind = "*"

/** Unix milliseconds. `from` is included, `to` is not. */
export interface TimeRange {
  readonly from: number
  readonly to: number
}

export interface Calendar {
  readonly accountId: AccountId
  readonly zone: string
}

const reached = "'confirmed', 'aware', 'interested', 'taken_over'"

/** Merges adjacent ranges of time. */
const merged = (ranges: ReadonlyArray<TimeRange>): ReadonlyArray<TimeRange> =>
  ranges
    .toSorted((a, b) => a.from - b.from)
    .reduce<ReadonlyArray<TimeRange>>((all, range) => {
      const last = all.at(-1)
      return last !== undefined && range.from <= last.to
        ? [...all.slice(0, -1), { from: last.from, to: Math.max(last.to, range.to) }]
        : [...all, range]
    }, [])

/**
 * SQL condition: a time is in one of the ranges. The ranges are written into the statement, because for a join with
 * them the planner expects a ninth of all rows.
 */
const withinRanges = (sql: SqlClient, ranges: ReadonlyArray<TimeRange>) => {
  const each = merged(ranges)
  return (column: string): Fragment =>
    each.length === 0
      ? sql`false`
      : sql`(${sql.or(
          each.map(
            ({ from, to }) => sql`(${sql.literal(column)} >= ${fromMillis(from)}::timestamptz
              and ${sql.literal(column)} < ${fromMillis(to)}::timestamptz)`
          )
        )} and ${sql.literal(byTime(column))})`
}

/** The parts of statements that several figures share. */
const makeFragments = (sql: SqlClient, { accountId, zone }: Calendar, ranges: ReadonlyArray<TimeRange>) => ({
  sql,
  accountId,
  within: withinRanges(sql, ranges),
  day: (column: string) => sql`(${sql.literal(column)} at time zone ${zone})::date`,
  utcDate: (column: string) => sql`(${sql.literal(column)} at time zone 'UTC')::date`,
  one: sql.literal("1::bigint"),
  noDays: sql.literal("null::date, null::date")
})
type Fragments = ReturnType<typeof makeFragments>

/** The leads themselves. If no figure of leads is requested, this part only names the columns. */
const leadFacts = ({ accountId, day, one, sql, within }: Fragments, isRequested: boolean): Fragment => sql`
  select l.lead_id, ${day("l.created_at")} as day,
    case l.origin when 'acquired' then 'leads_generated' else 'leads_added' end as figure,
    case when l.referred_by_lead_id is null then '' else 'referred' end as key, null::date as to_day,
    null::date as from_day, ${one} as count
  from lead l where l.account_id = ${accountId} and ${within("l.created_at")}${sql.literal(isRequested ? "" : " and false")}`

const mailFacts = ({ accountId, day, noDays, sql, utcDate, within }: Fragments, names: ReadonlyArray<FigureName>) => {
  const mailSent = (figure: FigureName, toDay: Fragment) => sql`
    select s.lead_id, ${day("s.occurred_at")}, ${figure}::text,
      ${sql.literal(figure === "emails_sent" ? "coalesce(s.message_type, '')" : "''::text")}, ${toDay}, null::date, count(*)
    from email_message s where s.account_id = ${accountId} and ${sql.literal(mailWasSent("s"))}
      and ${within("s.occurred_at")} group by 1, 2, 4, 5`
  const answers = names.filter((name) => name === "emails_answered" || name === "emails_answered_by_date")
  // The `offset` clauses keep the planner from joining whole tables. It then looks up each lead, and each reply once.
  const mailAnswered = sql`
    select a.lead_id, ${day("a.at")}, v.figure, v.key, v.to_day, null::date, count(*)
    from (
      select r.lead_id, answer.sent_id, min(r.occurred_at) as at
      from (select distinct r.lead_id from email_message r where r.account_id = ${accountId}
          and ${sql.literal(mailIsReply("r"))} and ${within("r.occurred_at")}) replier
        cross join lateral (select w.lead_id, w.in_reply_to, w.occurred_at from email_message w
          where w.account_id = ${accountId} and w.lead_id = replier.lead_id
            and ${sql.literal(mailIsReply("w"))} and w.occurred_at is not null offset 0) r
        cross join lateral (select ${answeredMailId(sql, accountId)} as sent_id offset 0) answer
      where answer.sent_id is not null group by 1, 2
    ) a
    join email_message s on s.account_id = ${accountId} and s.email_message_id = a.sent_id
    cross join lateral (values ('emails_answered', coalesce(s.message_type, ''), ${day("s.occurred_at")}),
      ('emails_answered_by_date', '', ${utcDate("s.occurred_at")})) v (figure, key, to_day)
    where ${within("a.at")} and v.figure = any (${answers}::text[]) group by 1, 2, 3, 4, 5`
  return {
    emails_sent: mailSent("emails_sent", sql`null::date`),
    emails_sent_by_date: mailSent("emails_sent_by_date", utcDate("s.occurred_at")),
    emails_answered: mailAnswered,
    replies_received: sql`
      select r.lead_id, ${day("r.occurred_at")}, 'replies_received', '', ${noDays}, count(*)
      from email_message r where r.account_id = ${accountId} and ${sql.literal(mailIsReply("r"))}
        and ${within("r.occurred_at")} group by 1, 2`
  }
}

const chatAppFacts = ({ accountId, day, noDays, one, sql, within }: Fragments) => {
  const kinds = sql.literal(
    `case when grouping(p.message_type) = 1 then '${everyKind}' else coalesce(p.message_type, '') end as key`
  )
  const chatSent = (alias: string) =>
    sql`${sql.literal(alias)}.account_id = ${accountId} and ${sql.literal(chatWasSent(alias))}`
  const chatReply = (alias: string) =>
    sql`${sql.literal(alias)}.account_id = ${accountId} and ${sql.literal(alias)}.direction = 'inbound'
      and ${sql.literal(alias)}.lead_id is not null`
  const repliers = sql`
    select r.lead_id, ${day("r.occurred_at")} as day, min(r.occurred_at) as first_at, max(r.occurred_at) as last_at
    from chatapp_message r where ${chatReply("r")} and ${within("r.occurred_at")} group by 1, 2`
  return {
    chatapp_sent: sql`
      select s.lead_id, ${day("s.occurred_at")}, 'chatapp_sent', coalesce(s.message_type, ''), ${noDays}, count(*)
      from chatapp_message s where ${chatSent("s")} and ${within("s.occurred_at")} group by 1, 2, 4`,
    chatapp_messaged: sql`
      select m.lead_id, m.day, 'chatapp_messaged', k.key, m.day, k.before, ${one}
      from (select distinct s.lead_id, ${day("s.occurred_at")} as day
          from chatapp_message s where ${chatSent("s")} and ${within("s.occurred_at")}) m
        cross join lateral (
          select ${kinds}, max(p.day) filter (where p.day < m.day) as before,
            min(p.occurred_at) filter (where p.day = m.day) as first_at
          from (select p.message_type, p.occurred_at, ${day("p.occurred_at")} as day from chatapp_message p
            where ${chatSent("p")} and p.lead_id = m.lead_id) p
          group by grouping sets ((p.message_type), ())
        ) k
      where ${within("k.first_at")}`,
    chatapp_replied: sql`
      select m.lead_id, m.day, 'chatapp_replied', k.key, k.to_day, k.from_day, ${one}
      from (${repliers}) m
        cross join lateral (
          select max(q.occurred_at) as last_at from chatapp_message q
          where ${chatReply("q")} and q.lead_id = m.lead_id and q.occurred_at < m.first_at
        ) before
        cross join lateral (
          select ${kinds}, max(p.day) as to_day, max(p.day) filter (where p.occurred_at <= before.last_at) as from_day
          from (select p.message_type, p.occurred_at, ${day("p.occurred_at")} as day from chatapp_message p
            where ${chatSent("p")} and p.lead_id = m.lead_id and p.occurred_at <= m.last_at) p
          group by grouping sets ((p.message_type), ())
        ) k
      where k.to_day is not null and k.to_day is distinct from k.from_day`,
    chatapp_replies_received: sql`
      select r.lead_id, ${day("r.occurred_at")}, 'chatapp_replies_received', '', ${noDays}, count(*)
      from chatapp_message r where ${chatReply("r")} and ${within("r.occurred_at")} group by 1, 2`,
    chatapp_talked_to: sql`
      select m.lead_id, m.day, 'chatapp_talked_to', '', ${noDays}, ${one} from (${repliers}) m
      where not exists (select from chatapp_message q
        where ${chatReply("q")} and q.lead_id = m.lead_id and q.occurred_at < m.first_at)`
  }
}

const stageFacts = ({ accountId, day, noDays, one, sql, within }: Fragments) => {
  const stages = (which: string) => sql`
    select e.lead_id, e.created_at as at, s.stage
    from lead_lifecycle_event e ${sql.literal(withStages("e"))} where e.account_id = ${accountId}
      and e.event_type in (${sql.literal(stageEvents)}) and ${within("e.created_at")}
      and s.stage ${sql.literal(which)} and ${isFirstOfStage(sql, accountId, "e", "s.stage")}`
  return {
    stage: sql`
      select e.lead_id, ${day("e.at")}, 'stage', e.stage, ${noDays}, ${one} from (${stages("is not null")}) e`,
    reached: sql`
      select m.lead_id, m.day, 'reached', '', m.day, before.day, ${one}
      from (select e.lead_id, ${day("e.at")} as day, min(e.at) as first_at
          from (${stages(`in (${reached})`)}) e group by 1, 2) m
        cross join lateral (
          select max(e.day) filter (where e.day < m.day) as day, bool_or(e.day = m.day) as is_of_day
          from (
            select ${day("e.created_at")} as day from lead_lifecycle_event e ${sql.literal(withStages("e"))}
            where e.account_id = ${accountId} and e.lead_id = m.lead_id and e.created_at < m.first_at
              and e.event_type in (${sql.literal(stageEvents)}) and s.stage in (${sql.literal(reached)})
              and ${isFirstOfStage(sql, accountId, "e", "s.stage")}
          ) e
        ) before
      where before.is_of_day is not true`
  }
}

const isOfLeads = (name: FigureName): name is "leads_added" | "leads_generated" =>
  name === "leads_added" || name === "leads_generated"

/**
 * Rows of lead_id, day, figure, key, to_day, from_day, count: the facts between two instants. For figures with two
 * days, the ranges must begin with a day.
 */
export const dayFacts = (
  sql: SqlClient,
  calendar: Calendar,
  ranges: ReadonlyArray<TimeRange>,
  names: ReadonlyArray<FigureName>
): Fragment => {
  const fragments = makeFragments(sql, calendar, ranges)
  const parts = { ...mailFacts(fragments, names), ...chatAppFacts(fragments), ...stageFacts(fragments) }
  const partNames = names.flatMap((name) =>
    isOfLeads(name) ? [] : [name === "emails_answered_by_date" ? "emails_answered" : name]
  )
  return [...new Set(partNames)].reduce(
    (union, name) => sql`${union} union all ${parts[name]}`,
    leadFacts(fragments, names.some(isOfLeads))
  )
}

/** The days on which anything about these leads was counted. */
export const daysOfLeads = (sql: SqlClient, { accountId, zone }: Calendar, leads: Fragment): Fragment => {
  const day = (column: string) => sql`(${sql.literal(column)} at time zone ${zone})::date as day`
  return sql`
    select ${day("l.created_at")} from lead l where l.account_id = ${accountId} and l.lead_id in (${leads})
    union
    select ${day("m.occurred_at")} from email_message m where m.account_id = ${accountId} and m.lead_id in (${leads})
      and m.occurred_at is not null
    union
    select ${day("m.occurred_at")} from chatapp_message m where m.account_id = ${accountId} and m.lead_id in (${leads})
      and m.occurred_at is not null
    union
    select ${day("e.created_at")} from lead_lifecycle_event e where e.account_id = ${accountId} and e.lead_id in (${leads})`
}
