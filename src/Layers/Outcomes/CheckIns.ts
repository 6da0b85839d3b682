import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Option, Schema } from "effect"
import { Accounts } from "../../Services/Accounts/Accounts.ts"
import { Caller } from "../../Services/Core/Calls/Caller.ts"
import { UnitOfWork } from "../../Services/Core/Calls/UnitOfWork.ts"
import { Notifications } from "../../Services/Events/Notifications.ts"
import * as Task from "../../Services/Jobs/Task.ts"
import { checkInQuestion } from "../../Services/Outcomes/CheckIns.ts"
import { languageOf } from "../../Services/Text/Language.ts"
import { type CheckInRules, postponeCheckIns, scheduleCheckIns, takeCheckIns } from "../Leads/Sql/CheckIns.ts"
import { recurring } from "../Platform/Jobs/Recurring.ts"
import { handle } from "../Platform/Jobs/TaskHandler.ts"
import { fromSql } from "../Platform/Postgres/Sql.ts"

const askAboutQuietLeads = Task.make("ask_about_quiet_leads", {
  payload: Schema.Struct({}),
  maxAttempts: 3,
  timeout: "10 minutes"
})

const rules: CheckInRules = {
  quietDays: 14,
  daysToNextQuestion: 30,
  // The most questions per account and day. No owner answers more.
  perAccount: 20,
  batch: 500
}

/** Sends the questions about leads that are due. */
const ask = Effect.gen(function* () {
  const sql = yield* SqlClient
  const unit = yield* UnitOfWork
  const accounts = yield* Accounts
  const notifications = yield* Notifications
  const quietLeads = yield* takeCheckIns(sql, unit, rules)
  for (const { accountId, language, leadId, name } of quietLeads) {
    const plan = yield* accounts.planOf(accountId)
    if (Option.isNone(plan)) continue
    const question = checkInQuestion(languageOf(language), name)
    yield* sql`
      insert into agent_message (account_id, role, channel, body, language)
      values (${accountId}, 'agent', 'check_in', ${question}, ${languageOf(language)})`.pipe(fromSql())
    yield* notifications
      .tellOfLead({ kind: "lead_check_in", leadId })
      .pipe(Effect.provideService(Caller, Caller.forTask(accountId, plan.value, `check-in-${leadId}`)))
  }
})

/** Asks accounts about leads that they took over and that have been quiet since. */
export const checkIn = Effect.gen(function* () {
  const unit = yield* UnitOfWork
  const sql = yield* SqlClient
  const isFull = (count: number) => count === rules.batch
  yield* Effect.repeat(unit.write(scheduleCheckIns(sql, unit, rules)), { while: isFull })
  yield* Effect.repeat(unit.write(postponeCheckIns(sql, unit, rules)), { while: isFull })
  yield* unit.write(ask)
}).pipe(Effect.withSpan("CheckIns.ask"))

const expireLeadAnswers = Task.make("expire_lead_answers", { payload: Schema.Struct({}), maxAttempts: 3 })

/** Cancels the deliveries of expired answers. */
export const expireAnswers = Effect.flatMap(Effect.all([SqlClient, UnitOfWork]), ([sql, unit]) =>
  unit
    .acrossAccounts(sql`
    update lead_answer_delivery d set status = 'expired' from lead_answer a
    where d.status = 'queued' and a.account_id = d.account_id and a.answer_id = d.answer_id
      and a.valid_until <= instant() and uses_test_clock(d.account_id)`)
    .pipe(fromSql(), Effect.asVoid)
).pipe(Effect.withSpan("LeadQuestions.expireAnswers"))

export const outcomeTasks = [handle(askAboutQuietLeads, () => checkIn), handle(expireLeadAnswers, () => expireAnswers)]
export const outcomeRecurring = [
  recurring("ask_about_quiet_leads", "10 12 * * *", askAboutQuietLeads, {}),
  recurring("expire_lead_answers", "25 * * * *", expireLeadAnswers, {})
]
