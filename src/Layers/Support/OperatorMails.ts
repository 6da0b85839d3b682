import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Option } from "effect"
import type { AccountId } from "../../Services/Accounts/Ids.ts"
import { UnitOfWork } from "../../Services/Core/Calls/UnitOfWork.ts"
import type { SupportRequestId } from "../../Services/Support/Ids.ts"
import { type LetterLedger, sendToOperators } from "../../Services/Support/OperatorLetter.ts"
import {
  mailOperators,
  type OperatorMailSubject,
  operatorLetterId,
  operatorMail
} from "../../Services/Support/OperatorMail.ts"
import { SupportDesk } from "../../Services/Support/SupportRequests.ts"
import { handle } from "../Platform/Jobs/TaskHandler.ts"
import { supportEmail } from "../Platform/Operators/OperatorAddress.ts"
import { fromSql } from "../Platform/Postgres/Sql.ts"

/** Makes one attempt to mail the operators about a request. Parallel or repeated attempts send one mail. */
export const writeToOperators = (
  accountId: AccountId,
  id: SupportRequestId,
  about: OperatorMailSubject,
  options: { readonly to: string; readonly isLast: boolean }
) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const unit = yield* UnitOfWork
    const desk = yield* SupportDesk
    const supportRequest = yield* Effect.option(desk.show(accountId, id))
    if (Option.isNone(supportRequest)) return
    const request = supportRequest.value
    const isMail = sql`account_id = ${accountId} and support_request_id = ${id} and about = ${about}`
    const ledger: LetterLedger = {
      begin: unit.write(
        Effect.zipRight(
          sql`
            insert into operator_mail (account_id, support_request_id, about, created_at)
            values (${accountId}, ${id}, ${about}, instant()) on conflict do nothing`,
          sql<{ readonly wasHandedOver: boolean }>`
            select handed_over_at is not null as "wasHandedOver" from operator_mail
            where ${isMail} and status = 'queued'`
        ).pipe(
          fromSql(),
          Effect.map(([row]) => row)
        )
      ),
      handOver: sql`
        update operator_mail set handed_over_at = instant() where ${isMail} and handed_over_at is null
        returning account_id`.pipe(
        fromSql(),
        Effect.map((rows) => rows.length > 0)
      ),
      takeBack: sql`update operator_mail set handed_over_at = null where ${isMail} and status = 'queued'`.pipe(
        fromSql(),
        Effect.asVoid
      ),
      settle: (status, response) =>
        sql`
          update operator_mail set status = ${status}, response = ${response ?? null},
            sent_at = case when ${status} = 'sent' then instant() end
          where ${isMail} and status = 'queued'`.pipe(fromSql(), Effect.asVoid)
    }
    const letter = {
      id: operatorLetterId(request, about),
      thread: about === "asked" ? undefined : operatorLetterId(request, "asked"),
      ...operatorMail(request, about)
    }
    yield* sendToOperators(accountId, letter, ledger, options)
  })

/** The task's handler for the configured mail server. */
export const operatorMailTask = Effect.map(Effect.orDie(supportEmail), (to) =>
  handle(mailOperators, ({ about, accountId, supportRequestId }, info) =>
    Option.match(to, {
      onNone: () => Effect.void,
      onSome: (address) =>
        writeToOperators(accountId, supportRequestId, about, {
          to: address,
          isLast: info.attempt >= info.maxAttempts
        }).pipe(Effect.asVoid)
    })
  )
)
