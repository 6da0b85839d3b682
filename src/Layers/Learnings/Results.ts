import type { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"
import type { AccountId } from "../../Services/Accounts/Ids.ts"
import { fromMillis } from "../../Services/Core/Timestamp.ts"
import type { ComparedKind, Group, RefusalCount } from "../../Services/Learnings/Findings.ts"
import { cnaeEntries } from "../../Services/Reference/Cnae.ts"
import { answeredMail } from "../Mail/Sql.ts"
import { fromSql } from "../Platform/Postgres/Sql.ts"

interface MailRow {
  readonly weekday: number
  readonly hour: number
  readonly message_type: string
  readonly tries: number
  readonly hits: number
}

interface LeadRow {
  readonly region: string
  readonly division: string
  readonly industry: string
  readonly opening: string
  readonly tries: number
  readonly hits: number
}

/** A message counts only after this time, so that the lead had a chance to reply. */
const settledAfter = 5 * 86_400_000
/** The types of messages that begin a conversation. Later ones say nothing about how to begin one. */
const openingTypes = `('first_contact', 'follow_up', 'direct', 'user_written')`

const summed = (kind: ComparedKind, rows: ReadonlyArray<readonly [group: string, hits: number, tries: number]>) => {
  const groups = new Map<string, Group>()
  for (const [group, hits, tries] of rows) {
    const previous = groups.get(group)
    groups.set(group, {
      kind,
      group,
      hits: hits + (previous?.hits ?? 0),
      tries: tries + (previous?.tries ?? 0)
    })
  }
  return [...groups.values()]
}

/** Returns the official name of the lead's division, or else the text of its industry. Blank if neither is known. */
const sectorOf = ({ division, industry }: LeadRow): string => cnaeEntries.get(division)?.name ?? industry

/** Results of an account's messages between two instants (Unix milliseconds), by each dimension of comparison. */
export const resultsOf = (sql: SqlClient, accountId: AccountId, from: number, to: number) =>
  Effect.gen(function* () {
    const within = (column: string) => sql`${sql.literal(column)} >= ${fromMillis(from)}::timestamptz
      and ${sql.literal(column)} < ${fromMillis(to - settledAfter)}::timestamptz`
    const mails = yield* sql<MailRow>`
      with answered as materialized (${answeredMail(sql, accountId, from, sql`true`)}), sent as (
        select s.message_type, s.occurred_at at time zone a.time_zone as local,
          s.email_message_id in (select sent_id from answered) as is_answered
        from email_message s join account a on a.account_id = s.account_id
        where s.account_id = ${accountId} and s.direction = 'outbound' and s.status = 'sent' and s.lead_id is not null
          and s.message_type in ${sql.literal(openingTypes)} and ${within("s.occurred_at")}
      )
      select extract(dow from local)::int as weekday, extract(hour from local)::int as hour, message_type,
        count(*) as tries, count(*) filter (where is_answered) as hits
      from sent group by 1, 2, 3`
    const leads = yield* sql<LeadRow>`
      with first as (
        select distinct on (lead_id) lead_id, at, touch_id from (
          select s.lead_id, s.occurred_at as at, s.touch_id from email_message s
          where s.account_id = ${accountId} and s.direction = 'outbound' and s.status = 'sent' and s.lead_id is not null
            and s.message_type = 'first_contact' and ${within("s.occurred_at")}
          union all
          select s.lead_id, s.occurred_at, s.touch_id from chatapp_message s
          where s.account_id = ${accountId} and s.direction = 'outbound' and s.status in ('sent', 'delivered', 'read')
            and s.lead_id is not null and s.message_type = 'first_contact' and ${within("s.occurred_at")}
        ) message order by lead_id, at
      )
      select coalesce(nullif(upper(trim(l.state)), ''), nullif(upper(trim(l.country)), ''), '') as region,
        coalesce(left(regexp_replace(l.cnae, '[^0-9]', '', 'g'), 2), '') as division, coalesce(trim(l.industry), '') as industry,
        coalesce((select t.trial ->> 'opening' from touch t where t.account_id = ${accountId} and t.touch_id = first.touch_id), '')
          as opening,
        count(*) as tries,
        count(*) filter (where exists (select from email_message r where r.account_id = ${accountId}
            and r.lead_id = first.lead_id and r.direction = 'inbound' and not r.is_auto_reply
            and coalesce(r.occurred_at, r.created_at) > first.at)
          or exists (select from chatapp_message r where r.account_id = ${accountId} and r.lead_id = first.lead_id
            and r.direction = 'inbound' and r.occurred_at > first.at)) as hits
      from first join lead l on l.account_id = ${accountId} and l.lead_id = first.lead_id
      group by 1, 2, 3, 4`
    const refusals = yield* sql<RefusalCount>`
      select coalesce(classification ->> 'refusalReason', 'other') as reason, count(distinct lead_id) as leads from (
        select lead_id, classification from email_message where account_id = ${accountId} and direction = 'inbound'
          and not is_auto_reply and occurred_at >= ${fromMillis(from)}::timestamptz
          and classification ->> 'class' = 'not_interested'
        union all
        select lead_id, classification from chatapp_message where account_id = ${accountId} and direction = 'inbound'
          and occurred_at >= ${fromMillis(from)}::timestamptz and classification ->> 'class' = 'not_interested'
        union all
        select lead_id, classification from voice_call where account_id = ${accountId}
          and created_at >= ${fromMillis(from)}::timestamptz and classification ->> 'class' = 'not_interested'
      ) refusal where lead_id is not null group by 1`
    const outreach = mails.filter(
      ({ message_type }) => message_type === "first_contact" || message_type === "follow_up"
    )
    const groups: ReadonlyArray<Group> = [
      ...summed(
        "reply_day",
        outreach.map(({ hits, tries, weekday }) => [`${weekday}`, hits, tries])
      ),
      ...summed(
        "reply_hour",
        outreach.map(({ hits, hour, tries }) => [`${hour}`, hits, tries])
      ),
      ...summed(
        "message_type",
        mails.map(({ hits, message_type, tries }) => [message_type, hits, tries])
      ),
      ...summed(
        "opening",
        leads.map(({ hits, opening, tries }) => [opening, hits, tries])
      ),
      ...summed(
        "region",
        leads.map(({ hits, region, tries }) => [region, hits, tries])
      ),
      ...summed(
        "sector",
        leads.map((row) => [sectorOf(row), row.hits, row.tries])
      )
    ]
    return { groups, refusals }
  }).pipe(fromSql())
