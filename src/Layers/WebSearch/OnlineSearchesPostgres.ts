import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Either, Layer } from "effect"
import { notFound, refused, transient } from "../../Errors.ts"
import type { AccountId } from "../../Services/Accounts/Ids.ts"
import { Caller } from "../../Services/Core/Calls/Caller.ts"
import { UnitOfWork } from "../../Services/Core/Calls/UnitOfWork.ts"
import { JobFailed, type RunningJob } from "../../Services/Jobs/JobHandler.ts"
import { Jobs } from "../../Services/Jobs/Jobs.ts"
import { AccountNotices } from "../../Services/Mail/AccountNotices.ts"
import { namedRecipients } from "../../Services/Mail/NamedRecipients.ts"
import { StrangerMails } from "../../Services/Mail/StrangerMails.ts"
import { languageOf, writtenLanguage } from "../../Services/Text/Language.ts"
import { tidyText } from "../../Services/Text/PlainText.ts"
import { searchFailures } from "../../Services/WebSearch/FailureWords.ts"
import type { OnlineSearchId, SearchType } from "../../Services/WebSearch/Ids.ts"
import {
  type ListedSearch,
  type OnlineSearch,
  OnlineSearches,
  onlineSearchKind
} from "../../Services/WebSearch/OnlineSearches.ts"
import { writtenAnswer } from "../../Services/WebSearch/SearchAnswer.ts"
import { searchMail } from "../../Services/WebSearch/SearchMail.ts"
import { isPassing, WebSearch, type WebSearchFailed } from "../../Services/WebSearch/WebSearch.ts"
import { lockAccount } from "../Platform/Postgres/AccountLock.ts"
import { fromSql, single } from "../Platform/Postgres/Sql.ts"
import { makeSearch } from "./SearchRun.ts"
import { loadWebSearchSettings } from "./WebSearchSettings.ts"

const newest = 10

interface StartedRow {
  readonly query: string
  readonly type: SearchType
  readonly language: string
}

const make = Effect.gen(function* () {
  const sql = yield* SqlClient
  const unit = yield* UnitOfWork
  const jobs = yield* Jobs
  const strangers = yield* StrangerMails
  const notices = yield* AccountNotices
  const web = yield* WebSearch
  const { searchesInDay } = yield* Effect.orDie(loadWebSearchSettings)
  const search = yield* makeSearch

  const listed = sql.literal(`s.online_search_id, s.query, s.type, s.status,
    case s.status when 'finished' then 100 else coalesce((select j.progress from background_job j
      where j.account_id = s.account_id and j.job_id = s.job_id), 0) end as progress,
    s.failure_reason, s.job_id, s.created_at, s.finished_at`)

  const rowsOf = (accountId: AccountId, id: OnlineSearchId) =>
    sql<OnlineSearch>`
      select ${listed}, s.result, s.sources, s.queries, s.pages_read, s.answered_by, s.searched, s.send_to
      from online_search s where s.account_id = ${accountId} and s.online_search_id = ${id}`.pipe(fromSql())

  const giveUp = (failure: WebSearchFailed, { attempt }: RunningJob) =>
    isPassing(failure) && attempt < 3
      ? transient(`web_search_${failure.reason}`, searchFailures[failure.reason], 5)
      : new JobFailed({ reason: searchFailures[failure.reason] })

  return OnlineSearches.of({
    register: Effect.fn("OnlineSearches.register")(function* ({ query, sendTo, type }) {
      const { accountId } = yield* Caller
      const addresses = yield* namedRecipients("send_to_email", sendTo)
      yield* lockAccount(sql, accountId, "online_searches")
      const [{ startedToday } = { startedToday: 0 }] = yield* sql<{ readonly startedToday: number }>`
        select count(*)::int as "startedToday" from online_search
        where account_id = ${accountId} and created_at > instant() - interval '24 hours'`.pipe(fromSql())
      if (startedToday >= searchesInDay) {
        return yield* refused(
          "daily_search_limit",
          `This account has started ${searchesInDay} online searches in the last 24 hours.`,
          "Search again later, or ask for several things in one Deep search.",
          { maximum: searchesInDay }
        )
      }
      const mails = addresses.map((to) => ({ to }))
      yield* strangers.reserve(accountId, mails)
      const jobId = yield* jobs.enqueue({ kind: onlineSearchKind, subjectId: undefined })
      const rows = yield* sql<{ readonly id: OnlineSearchId }>`
        insert into online_search (account_id, query, type, send_to, job_id)
        values (${accountId}, ${tidyText(query).trim()}, ${type}, ${JSON.stringify(addresses)}::jsonb, ${jobId})
        returning online_search_id as id`.pipe(fromSql())
      const { id } = single(rows)
      yield* jobs.setSubject(jobId, id)
      return single(yield* rowsOf(accountId, id))
    }),

    get: Effect.fn("OnlineSearches.get")(function* (id) {
      const { accountId } = yield* Caller
      const rows = yield* rowsOf(accountId, id)
      return rows[0] ?? (yield* notFound("online search", "online_search_id", id))
    }),

    list: Effect.gen(function* () {
      const { accountId } = yield* Caller
      return yield* sql<ListedSearch>`
        select ${listed} from online_search s where s.account_id = ${accountId}
        order by s.online_search_id desc limit ${newest}`.pipe(fromSql())
    }).pipe(Effect.withSpan("OnlineSearches.list")),

    run: (job) =>
      Effect.gen(function* () {
        const { accountId } = job
        const id = job.subjectId ?? 0
        const rows = yield* sql<StartedRow>`
          update online_search s set status = 'running'
          from account a
          where s.account_id = ${accountId} and s.online_search_id = ${id} and s.status in ('queued', 'running')
            and a.account_id = ${accountId}
          returning s.query, s.type, a.language_key as language`.pipe(fromSql())
        const row = rows[0]
        if (row === undefined) return
        // The language of the question, if it can be detected.
        const language = writtenLanguage(row.query) ?? languageOf(row.language)
        const outcome = yield* Effect.either(
          search(row.query, row.type, language, (percent) => Effect.ignore(job.setProgress(percent)))
        )
        if (Either.isLeft(outcome)) {
          return outcome.left._tag === "WebSearchFailed" ? yield* giveUp(outcome.left, job) : yield* outcome.left
        }
        yield* job.checkpoint
        const { answeredBy, pages, queries, statements } = outcome.right
        const { result, sources } = writtenAnswer(statements, pages, { language, queries })
        yield* unit.write(
          Effect.gen(function* () {
            const stored = yield* sql<{ readonly addresses: ReadonlyArray<string>; readonly language: string }>`
              update online_search s set status = 'finished', result = ${result}, failure_reason = null,
                sources = ${JSON.stringify(sources)}::jsonb, queries = ${JSON.stringify(queries)}::jsonb,
                pages_read = ${pages.length}, answered_by = ${answeredBy},
                searched = ${web.mode === "live" ? "web" : "own_material"}, finished_at = instant()
              from account a
              where s.account_id = ${accountId} and s.online_search_id = ${id} and s.status = 'running'
                and a.account_id = ${accountId}
              returning s.send_to as addresses, a.language_key as language`.pipe(fromSql())
            const [finished] = stored
            for (const to of finished?.addresses ?? []) {
              const mail = searchMail(row.query, result, languageOf(finished?.language ?? ""))
              yield* notices.queue(accountId, { to, ...mail, isReserved: true })
            }
          })
        )
      }).pipe(Effect.withSpan("OnlineSearches.run")),

    ended: ({ accountId, jobId, status, subjectId }) =>
      status === "finished"
        ? Effect.void
        : sql`
            update online_search s set status = ${status}, finished_at = instant(),
              failure_reason = case when ${status} = 'failed' then (select coalesce(j.failure_reason, 'The search could not be finished.')
                from background_job j where j.account_id = ${accountId} and j.job_id = ${jobId}) end
            where s.account_id = ${accountId} and s.online_search_id = ${subjectId ?? 0} and s.job_id = ${jobId}
              and s.status in ('queued', 'running')`.pipe(fromSql(), Effect.asVoid)
  })
})

export const OnlineSearchesPostgres = Layer.effect(OnlineSearches, make)
