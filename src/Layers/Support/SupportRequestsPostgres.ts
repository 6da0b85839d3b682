import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Layer, Option } from "effect"
import { notFound, refused } from "../../Errors.ts"
import { Accounts } from "../../Services/Accounts/Accounts.ts"
import type { AccountId } from "../../Services/Accounts/Ids.ts"
import { Caller } from "../../Services/Core/Calls/Caller.ts"
import { UnitOfWork } from "../../Services/Core/Calls/UnitOfWork.ts"
import { now, type Timestamp } from "../../Services/Core/Timestamp.ts"
import { AccountEvents } from "../../Services/Events/AccountEvents.ts"
import { Notifications } from "../../Services/Events/Notifications.ts"
import { TaskQueue } from "../../Services/Jobs/TaskQueue.ts"
import type { ChangesSince } from "../../Services/Reports/ReportModel.ts"
import { AnsweredSupport } from "../../Services/Reports/Reports.ts"
import type { SupportRequestId } from "../../Services/Support/Ids.ts"
import { mailOperators } from "../../Services/Support/OperatorMail.ts"
import {
  longestSupportMessage,
  maximumListedRequests,
  maximumPendingRequests,
  type OperatorSupportRequest,
  SupportDesk,
  SupportRequests,
  type SupportRequestView
} from "../../Services/Support/SupportRequests.ts"
import { tidyText } from "../../Services/Text/PlainText.ts"
import { fromSql, single } from "../Platform/Postgres/Sql.ts"

const columns = `r.support_request_id, r.message, r.type, r.severity, r.status, r.answer, r.answered_at, r.closed_at,
  r.created_at`

/** The most answers that a report lists, newest first. */
const maximumListedAnswers = 100

const tooManyPending = refused(
  "too_many_support_requests",
  `${maximumPendingRequests} requests of this account wait for an answer already.`,
  "Wait for the answers, or add what is new to a request once it is answered; see list_support_requests."
)

export const SupportRequestsPostgres = Layer.effect(
  SupportRequests,
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const tasks = yield* TaskQueue
    const viewColumns = sql.literal(columns)
    return SupportRequests.of({
      create: Effect.fn("SupportRequests.create")(function* ({ message, severity, type }) {
        const { accountId } = yield* Caller
        const text = tidyText(message).trim()
        // With this lock, two identical concurrent requests become one.
        yield* sql`select from account where account_id = ${accountId} for no key update`
        const pending = yield* sql<SupportRequestView & { readonly is_same: boolean }>`
          select ${viewColumns}, r.message = ${text} and r.type = ${type} and r.severity = ${severity} as is_same
          from support_request r where r.account_id = ${accountId} and r.status = 'pending'
          order by r.support_request_id`
        const same = pending.find(({ is_same }) => is_same)
        if (same !== undefined) {
          const { is_same: _, ...request } = same
          return { request, created: false }
        }
        if (pending.length >= maximumPendingRequests) return yield* tooManyPending
        const rows = yield* sql<SupportRequestView>`
          insert into support_request as r (account_id, message, type, severity, created_at)
          values (${accountId}, ${text}, ${type}, ${severity}, ${yield* now}) returning ${viewColumns}`
        const request = single(rows)
        yield* tasks.enqueue(mailOperators, {
          accountId,
          supportRequestId: request.support_request_id,
          about: "asked" as const
        })
        return { request, created: true }
      }, fromSql()),

      list: Effect.fn("SupportRequests.list")(function* (status) {
        const { accountId } = yield* Caller
        const rows = yield* sql<SupportRequestView & { readonly total: number }>`
          select ${viewColumns}, count(*) over () as total from support_request r
          where r.account_id = ${accountId} and (${status ?? null}::text is null or r.status = ${status ?? null})
          order by r.support_request_id desc limit ${maximumListedRequests}`
        return { requests: rows.map(({ total: _, ...request }) => request), total: rows[0]?.total ?? 0 }
      }, fromSql())
    })
  })
)

/** The answers that reports list. */
export const AnsweredSupportPostgres = Layer.effect(
  AnsweredSupport,
  Effect.map(SqlClient, (sql) => ({
    since: Effect.fn("SupportRequests.answeredSince")(function* (from: Timestamp) {
      const { accountId } = yield* Caller
      return yield* sql<ChangesSince["support_answered"][number]>`
        select r.message, r.answer, r.answered_at from support_request r
        where r.account_id = ${accountId} and r.answer is not null and r.answered_at >= ${from}::timestamptz
        order by r.answered_at desc, r.support_request_id desc limit ${maximumListedAnswers}`
    }, fromSql())
  }))
)

const noAnswer = refused("answer_empty", "The answer is empty.", "Write the text that the account should read.")
const answerTooLong = refused(
  "answer_too_long",
  `The answer is longer than ${longestSupportMessage} characters.`,
  "Shorten it."
)

export const SupportDeskPostgres = Layer.effect(
  SupportDesk,
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const unit = yield* UnitOfWork
    const accounts = yield* Accounts
    const tasks = yield* TaskQueue
    const events = yield* AccountEvents
    const notifications = yield* Notifications
    const viewColumns = sql.literal(`${columns}, r.account_id, a.name as account_name`)

    const find = Effect.fnUntraced(function* (accountId: AccountId, id: SupportRequestId) {
      const rows = yield* sql<OperatorSupportRequest>`
        select ${viewColumns} from support_request r join account a on a.account_id = r.account_id
        where r.account_id = ${accountId} and r.support_request_id = ${id}`.pipe(fromSql())
      return rows[0] ?? (yield* notFound("support request", "support_request_id", id))
    })

    /** Runs an effect on behalf of the account that the operator answers. */
    const asAccount = <A, E, R>(accountId: AccountId, effect: Effect.Effect<A, E, R>) =>
      Effect.flatMap(accounts.planOf(accountId), (plan) =>
        Effect.provideService(
          effect,
          Caller,
          Caller.forTask(
            accountId,
            Option.getOrElse(plan, () => "free_trial" as const),
            "support-desk"
          )
        )
      )

    return SupportDesk.of({
      list: Effect.fn("SupportDesk.list")(function* (status) {
        return yield* sql<OperatorSupportRequest>`
          select ${viewColumns} from support_request r join account a on a.account_id = r.account_id
          where ${status ?? null}::text is null or r.status = ${status ?? null}
          order by array_position(array['critical', 'high', 'medium', 'low'], r.severity), r.created_at,
            r.support_request_id
          limit 500`
      }, fromSql()),

      show: find,

      answer: Effect.fn("SupportDesk.answer")(function* (accountId, id, text) {
        const answer = tidyText(text).trim()
        if (answer === "") return yield* noAnswer
        if (answer.length > longestSupportMessage) return yield* answerTooLong
        return yield* unit.write(
          Effect.gen(function* () {
            const request = yield* find(accountId, id)
            const rows = yield* sql`
              update support_request r set status = 'answered', answer = ${answer}, answered_at = ${yield* now}
              where r.account_id = ${accountId} and r.support_request_id = ${id} and r.status <> 'closed'
              returning r.support_request_id`.pipe(fromSql())
            if (rows.length === 0) {
              return yield* refused("support_request_closed", "This request is closed.", "Answer open requests only.", {
                support_request_id: id
              })
            }
            if (request.answer !== answer) {
              yield* tasks.enqueue(mailOperators, { accountId, supportRequestId: id, about: "answered" as const })
              yield* asAccount(
                accountId,
                Effect.gen(function* () {
                  yield* notifications.tell(
                    { kind: "support_request_answered", requestId: id, answer },
                    { support_request_id: id }
                  )
                  yield* events.append({ type: "support_request_answered", data: { support_request_id: id } })
                })
              )
            }
            return yield* find(accountId, id)
          })
        )
      }),

      close: Effect.fn("SupportDesk.close")(function* (accountId, id) {
        yield* unit.write(
          Effect.gen(function* () {
            const closed = yield* sql`
              update support_request r set status = 'closed', closed_at = ${yield* now}
              where r.account_id = ${accountId} and r.support_request_id = ${id} and r.status <> 'closed'
              returning r.support_request_id`.pipe(fromSql())
            if (closed.length > 0)
              yield* tasks.enqueue(mailOperators, { accountId, supportRequestId: id, about: "closed" as const })
          })
        )
        return yield* find(accountId, id)
      })
    })
  })
)
