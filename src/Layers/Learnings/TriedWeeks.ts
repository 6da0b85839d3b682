import type { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"
import type { AccountId } from "../../Services/Accounts/Ids.ts"
import type { Timestamp } from "../../Services/Core/Timestamp.ts"
import type { TriedWeek } from "../../Services/Learnings/Optimizer.ts"
import { fromSql } from "../Platform/Postgres/Sql.ts"

/**
 * Reads the results of the leads that a campaign compares, by setting and by the week of their first contact. A reply
 * counts only within the days that a setting needs to show an effect. Replies before the second touch are ignored for
 * hours and pauses. A week counts once these days have passed for all its leads. Opt-outs do not count as replies.
 */
export const triedWeeks = (
  sql: SqlClient,
  {
    accountId,
    at,
    campaign,
    since
  }: {
    readonly accountId: AccountId
    /** 0 for leads without a campaign. */
    readonly campaign: number
    readonly since: Timestamp
    readonly at: Timestamp
  }
) =>
  sql<TriedWeek>`
    with first as (
      select distinct on (t.lead_id) t.lead_id, t.created_at as at, t.trial,
        date_trunc('week', t.created_at at time zone 'UTC') at time zone 'UTC' as week
      from touch t join lead l on l.account_id = ${accountId} and l.lead_id = t.lead_id
      where t.account_id = ${accountId} and t.message_type = 'first_contact' and t.status in ('done', 'unknown')
        and t.trial is not null and t.created_at >= ${since}::timestamptz and coalesce(l.campaign_id, 0) = ${campaign}
      order by t.lead_id, t.touch_id
    ), answered as (
      select first.*, least(
        (select min(coalesce(r.occurred_at, r.created_at)) from email_message r where r.account_id = ${accountId}
          and r.lead_id = first.lead_id and r.direction = 'inbound' and not r.is_auto_reply
          and coalesce(r.occurred_at, r.created_at) > first.at
          and r.classification ->> 'class' is distinct from 'unsubscribe'),
        (select min(r.occurred_at) from chatapp_message r where r.account_id = ${accountId}
          and r.lead_id = first.lead_id and r.direction = 'inbound' and r.occurred_at > first.at
          and r.classification ->> 'class' is distinct from 'unsubscribe')) as reply_at
      from first
    )
    select s.key, s.setting, s.choice, extract(epoch from a.week)::float8 * 1000 as week, count(*) as tries,
      count(*) filter (where a.reply_at < a.at + s.days) as hits
    from answered a cross join lateral (values
      ('opening', 'opening', a.trial ->> 'opening', interval '10 days', interval '0'),
      ('send_hours', 'send_hours', a.trial ->> 'send_hours', interval '21 days', interval '2 days'),
      ('pauses', 'pauses', a.trial ->> 'pauses', interval '42 days', interval '2 days'),
      ('channel_order', 'channel_order', a.trial ->> 'channel_order', interval '10 days', interval '0'),
      ('channel_order', 'channel_order:' || (a.trial ->> 'sector'), a.trial ->> 'channel_order', interval '10 days',
        interval '0')
    ) s (setting, key, choice, days, blind)
    where s.key is not null and s.choice is not null and a.week + interval '7 days' + s.days <= ${at}::timestamptz
      and (a.reply_at is null or a.reply_at >= a.at + s.blind)
    group by 1, 2, 3, 4`.pipe(
    fromSql(),
    Effect.map((rows) => rows.toSorted((a, b) => a.week - b.week || (a.key < b.key ? -1 : 1)))
  )
