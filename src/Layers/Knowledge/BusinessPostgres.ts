import { createHash } from "node:crypto"
import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Layer, Schema } from "effect"
import type { AccountId } from "../../Services/Accounts/Ids.ts"
import { Caller } from "../../Services/Core/Calls/Caller.ts"
import { UnitOfWork } from "../../Services/Core/Calls/UnitOfWork.ts"
import type { Timestamp } from "../../Services/Core/Timestamp.ts"
import { TaskQueue } from "../../Services/Jobs/TaskQueue.ts"
import { type AssessmentInputs, judge } from "../../Services/Knowledge/Assessment.ts"
import { assessmentTexts } from "../../Services/Knowledge/AssessmentTexts.ts"
import { Business, BusinessProfile, type BusinessView, Judgement } from "../../Services/Knowledge/Business.ts"
import { exampleList } from "../../Services/Knowledge/ExampleList.ts"
import { assessBusiness } from "../../Services/Knowledge/KnowledgeTasks.ts"
import { languageOf } from "../../Services/Text/Language.ts"
import { recurring } from "../Platform/Jobs/Recurring.ts"
import { handle } from "../Platform/Jobs/TaskHandler.ts"
import { assign, columnsOf } from "../Platform/Postgres/ColumnChanges.ts"
import { fromSql, single } from "../Platform/Postgres/Sql.ts"
import { wakeDispatcher } from "../Prospecting/Sql.ts"

const columns = columnsOf(BusinessProfile)
const selected = columns.map((column) => `b.${column}`).join(", ")
const decodeJudgement = Schema.decodeUnknownSync(Judgement)

type InputsRow = Omit<AssessmentInputs, "exampleCount">

/** Everything that an assessment is based on, in one statement. */
const inputsOf = (sql: SqlClient, accountId: AccountId) =>
  sql<InputsRow>`
    select ${sql.literal(selected)}, c.goal,
      cardinality(c.cnae_filter) + cardinality(c.uf_filter) + cardinality(c.city_filter) + cardinality(c.country_filter)
        + cardinality(c.company_size_filter) + (c.min_employee_count is not null)::int
        + (c.max_employee_count is not null)::int as "targetingFilters",
      (select count(*) from business_passage p where p.account_id = a.account_id) as passages,
      (select count(*) from lead_answer n where n.account_id = a.account_id and n.is_reusable and n.superseded_by is null
        and (n.valid_until is null or n.valid_until > instant())) as "faqAnswers",
      (select count(*) from open_question q where q.account_id = a.account_id and q.status = 'open') as "openQuestions",
      l.*
    from account a
      join prospecting_config c on c.account_id = a.account_id
      left join business_profile b on b.account_id = a.account_id,
      lateral (select count(*) as leads, count(*) filter (where last_outbound_at is not null) as "leadsContacted",
        count(*) filter (where last_outbound_at is not null and last_inbound_at is not null) as "leadsReplied",
        count(*) filter (where status = 'Interested' or final_outcome = 'won') as "leadsInterested",
        count(*) filter (where final_outcome = 'won') as won
        from lead where account_id = ${accountId}) l
    where a.account_id = ${accountId}`.pipe(
    fromSql(),
    Effect.map((rows): AssessmentInputs => {
      const row = single(rows)
      return { ...row, exampleCount: exampleList(row.paying_customer_examples).length }
    })
  )

/** Results change with every message. A new assessment waits until they have changed by a tenth. */
const digestOf = (inputs: AssessmentInputs): Buffer => {
  const step = (count: number): number => (count === 0 ? 0 : Math.ceil(Math.log(count) / Math.log(1.1)))
  const counts = [inputs.leadsContacted, inputs.leadsReplied, inputs.leadsInterested, inputs.won, inputs.passages]
  const { goal, targetingFilters, faqAnswers } = inputs
  const profile = [
    inputs.business_name,
    inputs.business_description,
    inputs.business_website,
    inputs.ideal_customer_profile,
    inputs.paying_customer_examples
  ]
  return createHash("sha256")
    .update(JSON.stringify([profile, goal, targetingFilters, faqAnswers, counts.map(step)]))
    .digest()
}

/** Repeats the account's assessment if its inputs have changed. */
const assessAccount = (accountId: AccountId) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const inputs = yield* inputsOf(sql, accountId)
    const digest = digestOf(inputs)
    yield* sql`
      insert into business_assessment as a (account_id, judgement, inputs_digest, assessed_at)
      values (${accountId}, ${JSON.stringify(judge(inputs))}::jsonb, ${digest}, instant())
      on conflict (account_id) do update set judgement = excluded.judgement,
        inputs_digest = excluded.inputs_digest, assessed_at = excluded.assessed_at
        where a.inputs_digest <> excluded.inputs_digest`.pipe(fromSql())
  }).pipe(Effect.withSpan("Business.assess"))

/** Assesses every account with a business description once a day, because results change without a change of texts. */
const assessAll = Effect.gen(function* () {
  const sql = yield* SqlClient
  const unit = yield* UnitOfWork
  const accounts = yield* unit
    .acrossAccounts(sql<{ readonly accountId: AccountId }>`
    select account_id as "accountId" from business_profile where uses_test_clock(account_id)`)
    .pipe(fromSql())
  for (const { accountId } of accounts) yield* assessAccount(accountId)
})

export const businessTasks = [
  handle(assessBusiness, ({ accountId }) => (accountId === undefined ? assessAll : assessAccount(accountId)))
]
export const businessRecurring = [recurring("assess_business", "40 4 * * *", assessBusiness, {})]

interface AssessmentRow {
  readonly languageKey: string
  readonly judgement: unknown
  readonly digest: Buffer | null
  readonly assessedAt: Timestamp | null
}

const make = Effect.gen(function* () {
  const sql = yield* SqlClient
  const tasks = yield* TaskQueue

  const get = Effect.gen(function* () {
    const { accountId } = yield* Caller
    const rows = yield* sql<BusinessView>`
      select ${sql.literal(selected)}, b.updated_at,
        (select f.url from prospecting_file f where f.account_id = a.account_id and f.campaign_id is null
          order by f.sort_order, f.prospecting_file_id limit 1) as default_presentation_url
      from account a
        left join business_profile b on b.account_id = a.account_id
      where a.account_id = ${accountId}`.pipe(fromSql())
    return single(rows)
  })

  return Business.of({
    get: get.pipe(Effect.withSpan("Business.get")),

    set: Effect.fn("Business.set")(function* (changes) {
      const { accountId } = yield* Caller
      yield* sql`insert into business_profile (account_id) values (${accountId}) on conflict do nothing`.pipe(fromSql())
      yield* sql`
        update business_profile b set ${assign(sql, "b", columns, changes)} where account_id = ${accountId}`.pipe(
        fromSql()
      )
      yield* sql`update business_profile set updated_at = instant() where account_id = ${accountId}`.pipe(fromSql())
      // Leads that waited for the business name are contacted now.
      yield* wakeDispatcher(sql, accountId)
      yield* tasks.enqueue(assessBusiness, { accountId }, { jobKey: `assess_business:${accountId}` })
      return yield* get
    }),

    assessment: Effect.gen(function* () {
      const { accountId } = yield* Caller
      const inputs = yield* inputsOf(sql, accountId)
      const { assessedAt, digest, judgement, languageKey } = single(
        yield* sql<AssessmentRow>`
          select a.language_key as "languageKey", s.judgement, s.inputs_digest as digest, s.assessed_at as "assessedAt"
          from account a left join business_assessment s on s.account_id = a.account_id
          where a.account_id = ${accountId}`.pipe(fromSql())
      )
      const assessment =
        judgement === null ? null : assessmentTexts(decodeJudgement(judgement), languageOf(languageKey))
      return {
        verdict: assessment?.verdict ?? null,
        results_probability: assessment?.results_probability ?? null,
        assessment,
        assessed_at: assessedAt,
        is_outdated: digest === null || !digest.equals(digestOf(inputs)),
        paying_customer_examples: exampleList(inputs.paying_customer_examples)
      }
    }).pipe(Effect.withSpan("Business.assessment"))
  })
})

export const BusinessPostgres = Layer.effect(Business, make)
