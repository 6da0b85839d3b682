import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Option, Schema } from "effect"
import { Accounts } from "../../Services/Accounts/Accounts.ts"
import type { AccountId } from "../../Services/Accounts/Ids.ts"
import { Caller } from "../../Services/Core/Caller.ts"
import { UnitOfWork } from "../../Services/Core/UnitOfWork.ts"
import { Notifications } from "../../Services/Events/Notifications.ts"
import * as Task from "../../Services/Jobs/Task.ts"
import type { LeadId } from "../../Services/Leads/Ids.ts"
import { checkInQuestion } from "../../Services/Outcomes/CheckIns.ts"
import { languageOf } from "../../Services/Text/Language.ts"
import { recurring } from "../Platform/Jobs/Recurring.ts"
import { handle } from "../Platform/Jobs/TaskHandler.ts"
import { fromSql } from "../Platform/Postgres/Sql.ts"

const askAboutQuietLeads = Task.make("ask_about_quiet_leads", {
  payload: Schema.Struct({}),
  maxAttempts: 3,
  timeout: "10 minutes"
})

const quietDays = 14
const daysToNextQuestion = 30
/** Nobody answers more of them in a day. */
const perAccount = 20
const batch = 500

interface Quiet {
  readonly accountId: AccountId
  readonly leadId: LeadId
  readonly name: string
  readonly language: string
}

/**
 * Since when a lead `l` has been quiet: its last message or the last thing that was done about it. A mute or a snooze
 * says nothing about the lead itself.
 */
const quietSince = `greatest(l.last_message_at, l.created_at, (
  select max(e.created_at) from lead_lifecycle_event e where e.account_id = l.account_id and e.lead_id = l.lead_id
    and e.event_type not in ('check_ins_muted', 'check_ins_snoozed')))`

const isAskedAbout = `l.pipeline_state = 'user_controlled' and l.check_ins_muted_at is null`

/** Gives leads that were taken over the time of their first question. Answers how many. */
const schedule = Effect.flatMap(SqlClient, (sql) =>
  sql`
    update lead l set next_check_in_at = greatest(l.check_ins_snoozed_until,
      ${sql.literal(quietSince)} + make_interval(days => ${quietDays}))
    where (l.account_id, l.lead_id) in (
      select l.account_id, l.lead_id from lead l where ${sql.literal(isAskedAbout)} and l.next_check_in_at is null
        and is_on_clock(l.account_id)
      limit ${batch} for update skip locked)
    returning l.lead_id`.pipe(
    Effect.map((rows) => rows.length),
    fromSql()
  )
)

/** Puts off questions that are due of leads that are no longer to be asked about, or were not quiet. Answers how many. */
const putOff = Effect.flatMap(SqlClient, (sql) =>
  sql`
    update lead l set next_check_in_at = case when ${sql.literal(isAskedAbout)}
      then greatest(l.check_ins_snoozed_until, ${sql.literal(quietSince)} + make_interval(days => ${quietDays})) end
    where (l.account_id, l.lead_id) in (
      select l.account_id, l.lead_id from lead l where l.next_check_in_at <= instant() and is_on_clock(l.account_id)
        and (not (${sql.literal(isAskedAbout)}) or l.check_ins_snoozed_until > instant()
          or ${sql.literal(quietSince)} > instant() - make_interval(days => ${quietDays}))
      limit ${batch} for update skip locked)
    returning l.lead_id`.pipe(
    Effect.map((rows) => rows.length),
    fromSql()
  )
)

/** Asks about the leads that are due, longest first, `perAccount` of each account; the others are due tomorrow. */
const ask = Effect.gen(function* () {
  const sql = yield* SqlClient
  const accounts = yield* Accounts
  const notifications = yield* Notifications
  const quiet = yield* sql<Quiet>`
    with ranked as (
      select l.account_id, l.lead_id, row_number() over (partition by l.account_id order by l.next_check_in_at, l.lead_id)
        as place
      from lead l
      where l.next_check_in_at <= instant() and ${sql.literal(isAskedAbout)} and is_on_clock(l.account_id)
    ), chosen as (
      select l.account_id, l.lead_id, r.place from ranked r join lead l using (account_id, lead_id)
      where r.place <= ${perAccount} and l.next_check_in_at <= instant()
      order by l.account_id, l.lead_id limit ${batch} for update of l skip locked
    )
    update lead l set next_check_in_at = instant() + make_interval(days => ${daysToNextQuestion})
    from chosen join account a using (account_id)
    where l.account_id = chosen.account_id and l.lead_id = chosen.lead_id
    returning l.account_id as "accountId", l.lead_id as "leadId", l.name, a.language_key as language`.pipe(fromSql())
  for (const { accountId, language, leadId, name } of quiet) {
    const plan = yield* accounts.planOf(accountId)
    if (Option.isNone(plan)) continue
    const question = checkInQuestion(languageOf(language), name)
    yield* sql`
      insert into agent_message (account_id, role, body) values (${accountId}, 'agent', ${question})`.pipe(fromSql())
    yield* notifications.tellOfLead({ kind: "lead_check_in", leadId }).pipe(
      Effect.provideService(Caller, {
        accountId,
        plan: plan.value,
        tokenId: undefined,
        requestId: `check-in-${leadId}`
      })
    )
  }
})

/** Asks accounts about the leads that they took over and that went quiet. */
export const checkIn = Effect.gen(function* () {
  const unit = yield* UnitOfWork
  yield* Effect.repeat(unit.write(schedule), { while: (count) => count === batch })
  yield* Effect.repeat(unit.write(putOff), { while: (count) => count === batch })
  yield* unit.write(ask)
}).pipe(Effect.withSpan("CheckIns.ask"))

const expireLeadAnswers = Task.make("expire_lead_answers", { payload: Schema.Struct({}), maxAttempts: 3 })

/** Answers that hold no longer are relayed to nobody. */
export const expireAnswers = Effect.flatMap(SqlClient, (sql) =>
  sql`
    update lead_answer_delivery d set status = 'expired' from lead_answer a
    where d.status = 'queued' and a.account_id = d.account_id and a.answer_id = d.answer_id
      and a.valid_until <= instant() and is_on_clock(d.account_id)`.pipe(fromSql(), Effect.asVoid)
).pipe(Effect.withSpan("LeadQuestions.expireAnswers"))

export const outcomeTasks = [handle(askAboutQuietLeads, () => checkIn), handle(expireLeadAnswers, () => expireAnswers)]
export const outcomeRecurring = [
  recurring("ask_about_quiet_leads", "10 12 * * *", askAboutQuietLeads, {}),
  recurring("expire_lead_answers", "25 * * * *", expireLeadAnswers, {})
]
