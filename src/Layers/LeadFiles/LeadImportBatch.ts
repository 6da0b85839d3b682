import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Either, Exit, Fiber } from "effect"
import { databaseConflictReason, transient } from "../../Errors.ts"
import type { AccountId } from "../../Services/Accounts/Ids.ts"
import { UnitOfWork } from "../../Services/Core/Calls/UnitOfWork.ts"
import {
  type CandidateLead,
  type Duplicate,
  type ExistingContact,
  type ImportPlan,
  type InvalidRow,
  planBatch
} from "../../Services/LeadFiles/ImportPlan.ts"
import type { LeadImportId, RowOutcome, RowWarning } from "../../Services/LeadFiles/LeadImports.ts"
import type { LeadId } from "../../Services/Leads/Ids.ts"
import { type Completion, filledFields } from "../../Services/Leads/LeadCompletion.ts"
import { countCreated, countedColumns } from "../Leads/Sql/Counters.ts"
import { insertIntoLeads, recordImported } from "../Leads/Sql/Import.ts"
import { completeLeads, type GivenDetails } from "../Leads/Sql/LeadCompletions.ts"
import { recordLeadChange } from "../Leads/Sql.ts"
import { lockAccount } from "../Platform/Postgres/AccountLock.ts"
import { outsideTransaction } from "../Platform/Postgres/OutsideTransaction.ts"
import { fromSql, violatedConstraint } from "../Platform/Postgres/Sql.ts"
import { noPreparedPlan } from "../Platform/Postgres/statements/NamedStatements.ts"
import { wakeDispatcher } from "../Prospecting/Sql.ts"

/** The import that the rows belong to. */
export interface ImportKey {
  readonly accountId: AccountId
  readonly id: LeadImportId
}

/** A row of the source: a lead, or why the row is invalid. */
export type ReadRow = Either.Either<CandidateLead, InvalidRow>

interface RowResult {
  readonly rowNumber: number
  readonly outcome: RowOutcome
  readonly reason: string | null
  readonly leadId: LeadId | null
  readonly warnings: ReadonlyArray<RowWarning>
  readonly completion: Completion
}

interface CreatedLead {
  readonly leadId: LeadId
  readonly email: string | null
  readonly phone: string | null
}

interface ExistingLead extends ExistingContact {
  readonly hasErased: boolean
}

interface NoExistingLead {
  readonly hasErased: boolean
  readonly leadId: null
}

const contactsOf = (candidates: ReadonlyArray<CandidateLead>) => ({
  emails: candidates.flatMap(({ email }) => (email === null ? [] : [email])),
  phones: candidates.flatMap(({ phone }) => (phone === null ? [] : [phone]))
})

const contactConstraints = new Set(["lead_email", "lead_phone"])

/**
 * Another transaction registered one of these people between the check and the insert. A new transaction must try
 * again.
 */
const registeredElsewhere = transient(databaseConflictReason, "A lead of the import is being registered elsewhere.", 1)

const candidatesOf = (rows: ReadonlyArray<ReadRow>): ReadonlyArray<CandidateLead> =>
  rows.flatMap((row) => (Either.isRight(row) ? [row.right] : []))

/** True if a person is in both batches. The second batch must then see what the first one created. */
const shareContacts = (first: ReadonlyArray<ReadRow>, second: ReadonlyArray<ReadRow>): boolean => {
  const contactsIn = (rows: ReadonlyArray<ReadRow>) => {
    const { emails, phones } = contactsOf(candidatesOf(rows))
    return [...emails, ...phones]
  }
  const contacts = new Set(contactsIn(first))
  return contactsIn(second).some((contact) => contacts.has(contact))
}

const nothingFilled: Completion = { values: {}, notFilled: [] }

/** Finds the lead of a candidate that was created. */
const leadOfCandidate = (created: ReadonlyArray<CreatedLead>) => {
  const idOfContact = new Map<string, LeadId>()
  for (const { email, leadId, phone } of created) {
    if (email !== null) idOfContact.set(email, leadId)
    if (phone !== null) idOfContact.set(phone, leadId)
  }
  return ({ email, phone }: CandidateLead) => idOfContact.get(email ?? "") ?? idOfContact.get(phone ?? "") ?? null
}

type IdOfCandidate = ReturnType<typeof leadOfCandidate>

const leadOfDuplicate = ({ of }: Duplicate, idOf: IdOfCandidate) => (typeof of === "number" ? of : idOf(of))

/** Returns the details in rows of people who are leads already. */
const detailsOfDuplicates = (plan: ImportPlan, idOf: IdOfCandidate): ReadonlyArray<GivenDetails> =>
  plan.duplicates.flatMap((duplicate) => {
    const leadId = leadOfDuplicate(duplicate, idOf)
    const { jobTitle, linkedInUrl, notes, writtenName, ...candidate } = duplicate.candidate
    const { city, company, country, email, phone, state, website } = candidate
    const details = { city, company, country, email, phone, state, website }
    return leadId === null
      ? []
      : {
          leadId,
          // Rows of erased people are not duplicates.
          isErased: false,
          details: { ...details, name: writtenName, linkedin_url: linkedInUrl, job_title: jobTitle, background: notes }
        }
  })

/** The outcome of each row of the plan, after its leads are created and completed. */
const settle = (
  plan: ImportPlan,
  idOf: IdOfCandidate,
  completions: ReadonlyArray<Completion>,
  invalid: ReadonlyArray<InvalidRow>
): ReadonlyArray<RowResult> => {
  const remaining = completions.values()
  return [
    ...plan.create.map((lead) => ({
      rowNumber: lead.rowNumber,
      outcome: "created" as const,
      reason: null,
      leadId: idOf(lead),
      warnings: lead.warnings,
      completion: nothingFilled
    })),
    ...plan.duplicates.map((duplicate) => {
      const leadId = leadOfDuplicate(duplicate, idOf)
      return {
        rowNumber: duplicate.rowNumber,
        outcome: "duplicate" as const,
        reason: duplicate.reason,
        leadId,
        warnings: duplicate.warnings,
        completion: (leadId === null ? undefined : remaining.next().value) ?? nothingFilled
      }
    }),
    ...[...invalid, ...plan.erased].map(({ reason, rowNumber, warnings }) => ({
      rowNumber,
      outcome: "invalid" as const,
      reason,
      leadId: null,
      // A person without a lead cannot be erased later, so that nothing of the person is stored.
      warnings: warnings.map((warning) => ({ ...warning, value: null })),
      completion: nothingFilled
    }))
  ]
}

/**
 * PostgreSQL plans foreign key checks at the first row of a session, when the tables may still be empty.
 * `mergeSearchIndex` updates the search index.
 */
const settings = (sql: SqlClient) =>
  sql`
  select set_config('enable_seqscan', 'off', true), set_config('gin_pending_list_limit', '32MB', true)`.pipe(fromSql())

/** The first transaction may wait for this batch. The server cannot see that deadlock, so locks time out. */
const lockTimeout = (sql: SqlClient) => sql`select set_config('lock_timeout', '1s', true)`.pipe(fromSql())

/**
 * Finds the leads that have one of the contacts, with one index look-up per contact. A comparison with a list of
 * values would read every lead of the account. Also returns whether the account has erased anyone.
 */
const findExistingLeads = (sql: SqlClient, { accountId, id }: ImportKey, candidates: ReadonlyArray<CandidateLead>) => {
  const { emails, phones } = contactsOf(candidates)
  return sql<ExistingLead | NoExistingLead>`${sql.literal(noPreparedPlan)}
    select e."hasErased", k.* from (
      select exists (select from lead_tombstone where account_id = ${accountId}) as "hasErased"
    ) e left join (
      select l.lead_id as "leadId", l.email, l.phone, l.name, coalesce(l.lead_import_id = ${id}, false) as "isOfThisImport"
      from unnest(${emails}::text[]) as wanted cross join lateral (
        select lead_id, email, phone, name, lead_import_id from lead
        where account_id = ${accountId} and email = wanted offset 0
      ) l
      union all
      select l.lead_id, l.email, l.phone, l.name, coalesce(l.lead_import_id = ${id}, false)
      from unnest(${phones}::text[]) as wanted cross join lateral (
        select lead_id, email, phone, name, lead_import_id from lead
        where account_id = ${accountId} and phone = wanted offset 0
      ) l
    ) k on true`.pipe(
    Effect.map((rows) => ({
      hasErased: rows[0]?.hasErased === true,
      existingLeads: rows.filter((row): row is ExistingLead => row.leadId !== null)
    })),
    fromSql()
  )
}

const findErased = (sql: SqlClient, accountId: AccountId, candidates: ReadonlyArray<CandidateLead>) => {
  const { emails, phones } = contactsOf(candidates)
  return sql<{ readonly contact: string }>`${sql.literal(noPreparedPlan)}
    select c.contact from account a
    cross join lateral (
      select 'email' as kind, unnest(${emails}::text[]) as contact
      union all select 'phone', unnest(${phones}::text[])
    ) c
    where a.account_id = ${accountId} and exists (select from lead_tombstone t where t.account_id = a.account_id
      and t.contact_digest = contact_digest(a.tombstone_key, c.kind, c.contact))`.pipe(
    Effect.map((rows) => new Set(rows.map(({ contact }) => contact))),
    fromSql()
  )
}

const insertLeads = (sql: SqlClient, { accountId, id }: ImportKey, leads: ReadonlyArray<CandidateLead>) => {
  // The file may lack this column. `unnest` fills an empty array up with nulls.
  const column = (pick: (lead: CandidateLead) => string | null) => {
    const values = leads.map(pick)
    return values.every((value) => value === null) ? [] : values
  }
  return sql<CreatedLead>`
    with track as (
      -- Held until the leads are there; one that was archived since the import was asked for takes none.
      select c.campaign_id from lead_import i join campaign c using (account_id, campaign_id)
      where i.account_id = ${accountId} and i.lead_import_id = ${id} and c.archived_at is null for share of c
    ), created as (
      ${sql.literal(insertIntoLeads)}
      select i.account_id, r.name, r.email, r.phone, r.company, r.linkedin_url, r.city, r.state, r.country,
        r.job_title, r.website, i.lead_status, 'in_pipeline', instant(), (select campaign_id from track),
        i.prospecting_goal,
        nullif(concat_ws(E'\n\n', i.prospecting_background, r.notes), ''),
        case i.preferred_channel
          when 'Email' then case when r.email is not null then 'Email' end
          when 'ChatApp' then case when r.phone is not null then 'ChatApp' end end,
        i.instructions, i.first_message_instructions, i.lead_import_id
      from lead_import i cross join unnest(
        ${column((lead) => lead.name)}::text[], ${column((lead) => lead.email)}::text[],
        ${column((lead) => lead.phone)}::text[], ${column((lead) => lead.company)}::text[],
        ${column((lead) => lead.linkedInUrl)}::text[], ${column((lead) => lead.city)}::text[],
        ${column((lead) => lead.state)}::text[], ${column((lead) => lead.country)}::text[],
        ${column((lead) => lead.jobTitle)}::text[], ${column((lead) => lead.website)}::text[],
        ${column((lead) => lead.notes)}::text[]
      ) as r (name, email, phone, company, linkedin_url, city, state, country, job_title, website, notes)
      where i.account_id = ${accountId} and i.lead_import_id = ${id}
      returning ${sql.literal(countedColumns("lead"))}, email, phone
    ), ${sql.literal(countCreated)}, ${sql.literal(recordLeadChange("created"))}, recorded as (
      ${recordImported(sql, accountId, id)}
    )
    select lead_id as "leadId", email, phone from created`.pipe(
    Effect.catchIf(
      (error) => contactConstraints.has(violatedConstraint(error) ?? ""),
      () => registeredElsewhere
    ),
    fromSql()
  )
}

/** Lists as JSON, null if empty. `unnest` fills an empty array up with nulls. */
const listTexts = (lists: ReadonlyArray<ReadonlyArray<unknown>>): ReadonlyArray<string | null> => {
  const texts = lists.map((list) => (list.length === 0 ? null : JSON.stringify(list)))
  return texts.every((text) => text === null) ? [] : texts
}

const recordRows = (sql: SqlClient, { accountId, id }: ImportKey, rows: ReadonlyArray<RowResult>) => {
  const warnings = listTexts(rows.map((row) => row.warnings))
  const filled = listTexts(rows.map((row) => filledFields(row.completion)))
  const notFilled = listTexts(rows.map((row) => row.completion.notFilled))
  const count = (outcome: RowOutcome) => rows.filter((row) => row.outcome === outcome).length
  return sql`
    with recorded as (
      insert into lead_import_row (account_id, lead_import_id, row_number, outcome, reason, lead_id, warnings, filled,
        not_filled)
      select ${accountId}, ${id}, r.row_number, r.outcome, r.reason, r.lead_id, r.warnings::jsonb, r.filled::jsonb,
        r.not_filled::jsonb
      from unnest(${rows.map((row) => row.rowNumber)}::int[], ${rows.map((row) => row.outcome)}::text[],
        ${rows.map((row) => row.reason)}::text[], ${rows.map((row) => row.leadId)}::bigint[],
        ${warnings}::text[], ${filled}::text[], ${notFilled}::text[]
      ) as r (row_number, outcome, reason, lead_id, warnings, filled, not_filled)
    )
    update lead_import set rows_processed = rows_processed + ${rows.length},
      created_count = created_count + ${count("created")},
      duplicate_count = duplicate_count + ${count("duplicate")},
      invalid_count = invalid_count + ${count("invalid")}
    where account_id = ${accountId} and lead_import_id = ${id}`.pipe(fromSql())
}

/**
 * Makes the function that imports batches. A batch is one transaction with the leads, the outcome of each row, and the
 * counts.
 */
export const makeImportBatches = Effect.gen(function* () {
  const sql = yield* SqlClient
  const unit = yield* UnitOfWork

  const createLeads = Effect.fnUntraced(function* (key: ImportKey, rows: ReadonlyArray<ReadRow>) {
    const candidates = candidatesOf(rows)
    const invalid = rows.flatMap((row) => (Either.isLeft(row) ? [row.left] : []))
    const { existingLeads, hasErased } = yield* findExistingLeads(sql, key, candidates)
    const erased = hasErased ? yield* findErased(sql, key.accountId, candidates) : new Set<string>()
    const plan = planBatch(candidates, existingLeads, (contact) => erased.has(contact))
    const created = plan.create.length === 0 ? [] : yield* insertLeads(sql, key, plan.create)
    const idOf = leadOfCandidate(created)
    const completions = yield* completeLeads(sql, key.accountId, detailsOfDuplicates(plan, idOf))
    return { hasCreated: created.length > 0, settled: settle(plan, idOf, completions, invalid) }
  })

  const record = (key: ImportKey, { hasCreated, settled }: Effect.Effect.Success<ReturnType<typeof createLeads>>) =>
    Effect.zipRight(hasCreated ? wakeDispatcher(sql, key.accountId) : Effect.void, recordRows(sql, key, settled))

  /** The second of two batches, on a separate session. `hasBegun` shows whether its transaction has started. */
  const startSecondBatch = (key: ImportKey, rows: ReadonlyArray<ReadRow>) => {
    const state = { hasBegun: false }
    const batch = outsideTransaction(
      unit.write(
        Effect.gen(function* () {
          state.hasBegun = true
          yield* Effect.zipRight(settings(sql), lockTimeout(sql))
          yield* record(key, yield* createLeads(key, rows))
        })
      )
    )
    return { batch, state }
  }

  /**
   * Imports of one account run one after another. Otherwise two imports of the same people would deadlock. If no person
   * is in both batches and a session is free, the second batch runs in parallel and commits first. Returns whether the
   * second batch is done. Both batches update the import's counts, so the first one locks that row last.
   */
  return (key: ImportKey, first: ReadonlyArray<ReadRow>, second: ReadonlyArray<ReadRow>) => {
    const mayRunInParallel = second.length > 0 && !shareContacts(first, second)
    let isSecondDone = false
    // Once the second batch has begun, this waits for it, so that it is known whether its rows are imported.
    const withSecond = <A, E, R>(work: Effect.Effect<A, E, R>) =>
      Effect.suspend(() => {
        if (!mayRunInParallel || isSecondDone) return work
        const { batch, state } = startSecondBatch(key, second)
        return Effect.acquireUseRelease(
          Effect.fork(Effect.interruptible(batch)),
          () => work,
          (fiber) =>
            Effect.map(state.hasBegun ? Fiber.await(fiber) : Fiber.interrupt(fiber), (exit) => {
              isSecondDone = Exit.isSuccess(exit)
            })
        )
      })
    return unit
      .write(
        Effect.gen(function* () {
          yield* lockAccount(sql, key.accountId, "import")
          yield* settings(sql)
          yield* record(key, yield* withSecond(createLeads(key, first)))
        })
      )
      .pipe(Effect.map(() => isSecondDone))
  }
})
