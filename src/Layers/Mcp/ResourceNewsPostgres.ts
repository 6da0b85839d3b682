import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Layer } from "effect"
import type { AccountId } from "../../Services/Accounts/Ids.ts"
import { Caller } from "../../Services/Core/Calls/Caller.ts"
import { UnitOfWork } from "../../Services/Core/Calls/UnitOfWork.ts"
import { AccountEvents } from "../../Services/Events/AccountEvents.ts"
import { mostFollowed, ResourceNews } from "../../Services/Mcp/ResourceNews.ts"
import { rowsOfAccounts } from "../Platform/Postgres/RowsOfAccounts.ts"
import { fromSql } from "../Platform/Postgres/Sql.ts"

/** Events of an account that one query reads. The next query continues after them. */
const mostEvents = 500

const make = Effect.gen(function* () {
  const sql = yield* SqlClient
  const unit = yield* UnitOfWork
  const { latest } = yield* AccountEvents
  return ResourceNews.of({
    latest,

    since: Effect.fnUntraced(function* (watches) {
      const events = yield* rowsOfAccounts(unit, watches, (batch) =>
        sql<{
          readonly accountId: AccountId
          readonly cursor: number
          readonly type: string
          readonly leadId: number | null
        }>`
          select w.account_id as "accountId", e.account_event_id as cursor, e.event_type as type, e.lead_id as "leadId"
          from unnest(${batch.map(({ accountId }) => accountId)}::bigint[], ${batch.map(({ since }) => since)}::bigint[])
            w (account_id, since)
          cross join lateral (
            select e.account_event_id, e.event_type, e.lead_id from account_event e
            where e.account_id = w.account_id and e.account_event_id > w.since
            order by e.account_event_id limit ${mostEvents}
          ) e order by e.account_event_id`.pipe(fromSql())
      )
      const jobs = watches.flatMap(({ accountId, jobs: ids }) => ids.map((jobId) => ({ accountId, jobId })))
      const states = yield* rowsOfAccounts(unit, jobs, (batch) =>
        sql<{ readonly accountId: AccountId; readonly jobId: string; readonly state: string }>`
          select j.account_id as "accountId", j.job_id::text as "jobId", j.status || ' ' || j.progress as state
          from unnest(${batch.map(({ accountId }) => accountId)}::bigint[], ${batch.map(({ jobId }) => jobId)}::uuid[])
            w (account_id, job_id)
          join background_job j on j.account_id = w.account_id and j.job_id = w.job_id`.pipe(fromSql())
      )
      return watches.map(({ accountId, since }) => {
        const ownEvents = events.filter((event) => event.accountId === accountId)
        return {
          accountId,
          cursor: ownEvents.at(-1)?.cursor ?? since,
          events: ownEvents.flatMap(({ leadId, type }) => (leadId === null ? [] : [{ type, leadId }])),
          jobs: states.filter((job) => job.accountId === accountId)
        }
      })
    }),

    follow: Effect.fn("ResourceNews.follow")(function* (session, uri) {
      const { accountId } = yield* Caller
      // Each new subscription also deletes those of clients that left without unsubscribing.
      yield* sql`delete from followed_resource
        where account_id = ${accountId} and followed_at < instant() - interval '1 day'`.pipe(fromSql())
      const rows = yield* sql`
        insert into followed_resource (account_id, session_id, uri, followed_at)
        select ${accountId}, ${session}, ${uri}, instant()
        where (select count(*) from followed_resource where account_id = ${accountId} and session_id = ${session})
          < ${mostFollowed}
        on conflict (account_id, session_id, uri) do update set followed_at = excluded.followed_at
        returning uri`.pipe(fromSql())
      return rows.length > 0
    }),

    leave: Effect.fn("ResourceNews.leave")(function* (session, uri) {
      const { accountId } = yield* Caller
      yield* sql`delete from followed_resource
        where account_id = ${accountId} and session_id = ${session} and uri = ${uri}`.pipe(fromSql())
    }),

    followed: (sessions) =>
      rowsOfAccounts(unit, sessions, (batch) =>
        sql<{ readonly session: string; readonly uri: string }>`
          select f.session_id as session, f.uri
          from unnest(${batch.map(({ accountId }) => accountId)}::bigint[],
            ${batch.map(({ session }) => session)}::text[]) w (account_id, session_id)
          join followed_resource f on f.account_id = w.account_id and f.session_id = w.session_id`.pipe(fromSql())
      )
  })
})

/** Changes of resources that clients follow, from the feed of events and the rows of jobs. */
export const ResourceNewsPostgres = Layer.effect(ResourceNews, make)
