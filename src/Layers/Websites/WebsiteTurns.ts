import { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"
import type { AccountId } from "../../Services/Accounts/Ids.ts"
import { Caller } from "../../Services/Core/Calls/Caller.ts"
import { Jobs } from "../../Services/Jobs/Jobs.ts"
import type { CodeRequest } from "../../Services/Websites/CodeRequest.ts"
import type { ApplicationType, WebsiteId } from "../../Services/Websites/Ids.ts"
import { changeInProgress, mostInWriting, tooManyInWriting } from "../../Services/Websites/WebsiteRules.ts"
import { websiteKind } from "../../Services/Websites/Websites.ts"
import { lockAccount } from "../Platform/Postgres/AccountLock.ts"
import { fromSql, single } from "../Platform/Postgres/Sql.ts"
import { makeCodeRows } from "./WebsiteCodeRows.ts"
import { makeWebsiteRows } from "./WebsiteRows.ts"

/** Makes the functions with which changes of sites begin, one after another. */
export const makeWebsiteTurns = Effect.gen(function* () {
  const sql = yield* SqlClient
  const jobs = yield* Jobs
  const rows = yield* makeWebsiteRows
  const codes = yield* makeCodeRows

  const turn = (accountId: AccountId) => lockAccount(sql, accountId, "websites")

  /** Queues the job that makes an entry, and adds the entry. The account's turn is held. */
  const begin = (websiteId: WebsiteId, kind: "generation" | "change" | "edit", prompt: string, request: CodeRequest) =>
    Effect.gen(function* () {
      const { accountId } = yield* Caller
      const { count } = single(
        yield* sql<{ readonly count: number }>`
          select count(*) as count from website_code c
          join background_job j on j.account_id = ${accountId} and j.job_id = c.job_id
          where c.account_id = ${accountId} and c.site is null and j.status in ('queued', 'running')`.pipe(fromSql())
      )
      if (count >= mostInWriting) return yield* tooManyInWriting
      const jobId = yield* jobs.enqueue({ kind: websiteKind, subjectId: websiteId, lane: "render" })
      const codeId = yield* codes.add(accountId, websiteId, { kind, jobId, prompt, request })
      return { websiteId, codeId, jobId }
    })

  /** Locks a site, and fails if a job is running for it. */
  const holdIdle = (id: WebsiteId, type?: ApplicationType) =>
    Effect.gen(function* () {
      const { accountId } = yield* Caller
      yield* turn(accountId)
      const held = yield* rows.hold(id, type)
      const unfinished = yield* rows.unfinished(accountId, id)
      if (unfinished !== undefined) return yield* changeInProgress(unfinished)
      return held
    })

  return { turn, begin, holdIdle }
})
