import { SqlClient } from "@effect/sql/SqlClient"
import { Clock, Effect, Schema } from "effect"
import type { AccountId } from "../../Services/Accounts/Ids.ts"
import { Caller } from "../../Services/Core/Calls/Caller.ts"
import { fromMillis, type Timestamp } from "../../Services/Core/Timestamp.ts"
import * as Task from "../../Services/Jobs/Task.ts"
import {
  type AccountVolume,
  benchmarkOf,
  estimateOf,
  publication,
  VolumeFigures
} from "../../Services/Reports/VolumeBenchmark.ts"
import { languageOf } from "../../Services/Text/Language.ts"
import { isOwnersStart, passes } from "../Leads/Sql/Progress.ts"
import { recurring } from "../Platform/Jobs/Recurring.ts"
import { handle } from "../Platform/Jobs/TaskHandler.ts"
import { fromSql, single } from "../Platform/Postgres/Sql.ts"

interface VolumeRow extends AccountVolume {
  readonly divisions: ReadonlyArray<string>
}

const decodeFigures = Schema.decodeUnknownSync(VolumeFigures)

const comparedMillis = 30 * 86_400_000

/** The results of each paying account in the last 30 days. */
export const accountVolumes = Effect.gen(function* () {
  const sql = yield* SqlClient
  const since = fromMillis((yield* Clock.currentTimeMillis) - comparedMillis)
  const isFirst = (status: "Confirmed" | "Interested") => sql`not exists (select from lead_lifecycle_event b
    where b.account_id = c.account_id and b.lead_id = e.lead_id
      and b.lead_lifecycle_event_id < e.lead_lifecycle_event_id and ${sql.literal(passes("b", status))})`
  return yield* sql<VolumeRow>`
    select c.account_id as "accountId", array(select distinct left(code, 2) from unnest(c.cnae_filter) code) as divisions,
      (select count(*) from lead l where l.account_id = c.account_id
        and l.created_at >= ${since}::timestamptz) as "newLeads",
      (select count(distinct e.lead_id) from lead_lifecycle_event e where e.account_id = c.account_id
        and ${sql.literal(`${passes("e", "Confirmed")} and not ${isOwnersStart("e")}`)} and ${isFirst("Confirmed")}
        and e.created_at >= ${since}::timestamptz) as "confirmedReplies",
      (select count(distinct e.lead_id) from lead_lifecycle_event e where e.account_id = c.account_id
        and ${sql.literal(`${passes("e", "Interested")} and not ${isOwnersStart("e")}`)} and ${isFirst("Interested")}
        and e.created_at >= ${since}::timestamptz) as "interestedLeads",
      (select count(*) from email_message m where m.account_id = c.account_id and m.direction = 'outbound'
        and m.status = 'sent' and m.lead_id is not null and m.occurred_at >= ${since}::timestamptz)
      + (select count(*) from chatapp_message m where m.account_id = c.account_id and m.direction = 'outbound'
        and m.status in ('sent', 'delivered', 'read') and m.lead_id is not null
        and m.occurred_at >= ${since}::timestamptz) as "messagesSent"
    from account a join prospecting_config c on c.account_id = a.account_id
    where a.plan = 'paid' and uses_test_clock(a.account_id)`
})

/** Compares all paying accounts: all together, and by the divisions that they target. */
export const compareVolumes = Effect.gen(function* () {
  const sql = yield* SqlClient
  const accounts = yield* accountVolumes
  const groups = new Map<string, Array<AccountVolume>>([["", [...accounts]]])
  for (const account of accounts) {
    for (const division of account.divisions) {
      const group = groups.get(division)
      if (group === undefined) groups.set(division, [account])
      else group.push(account)
    }
  }
  const publishedMembers = new Map(
    (yield* sql<{ readonly division: string; readonly members: ReadonlyArray<AccountId> }>`
      select division, to_jsonb(members) as members from volume_benchmark`).map(({ division, members }) => [
      division,
      members
    ])
  )
  const noVolumes: ReadonlyArray<AccountVolume> = []
  for (const division of new Set([...publishedMembers.keys(), ...groups.keys()])) {
    const group = groups.get(division) ?? noVolumes
    const members = group.map(({ accountId }) => accountId)
    const next = publication(publishedMembers.get(division), members)
    const figures = benchmarkOf(group)
    if (next === "publish" && figures !== undefined) {
      yield* sql`
        insert into volume_benchmark as v (division, members, figures, is_shown, made_at)
        values (${division}, ${[...members]}::bigint[], ${JSON.stringify(figures)}::jsonb, true, instant())
        on conflict (division) do update set members = excluded.members, figures = excluded.figures, is_shown = true,
          made_at = excluded.made_at`
    } else if (publishedMembers.has(division)) {
      yield* sql`update volume_benchmark set is_shown = ${next !== "hide"} where division = ${division}`
    }
  }
}).pipe(fromSql(), Effect.withSpan("Reports.compareVolumes"))

const compareVolumesTask = Task.make("compare_volumes", {
  payload: Schema.Struct({}),
  maxAttempts: 3,
  pool: "long"
})
export const volumeTasks = [handle(compareVolumesTask, () => compareVolumes)]
export const volumeRecurring = [recurring("compare_volumes", "20 5 * * 1", compareVolumesTask, {})]

/** The results of paying accounts in the same sectors, or of all of them if there are none. */
export const volumeEstimate = Effect.gen(function* () {
  const sql = yield* SqlClient
  const { accountId } = yield* Caller
  const rows = yield* sql<{ readonly division: string; readonly figures: unknown; readonly made_at: Timestamp }>`
    select v.division, v.figures, v.made_at from volume_benchmark v
    where v.is_shown and (v.division = '' or v.division = any (
      select left(code, 2) from prospecting_config c, unnest(c.cnae_filter) code where c.account_id = ${accountId}))
    order by v.division <> '' desc, cardinality(v.members) desc limit 1`.pipe(fromSql())
  const accounts = yield* sql<{ readonly languageKey: string }>`
    select language_key as "languageKey" from account where account_id = ${accountId}`.pipe(fromSql())
  const row = rows[0]
  return estimateOf(
    row === undefined
      ? undefined
      : { isSimilar: row.division !== "", figures: decodeFigures(row.figures), madeAt: row.made_at },
    languageOf(single(accounts).languageKey)
  )
})
