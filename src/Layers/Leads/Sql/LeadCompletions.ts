import type { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"
import { databaseConflictReason, transient } from "../../../Errors.ts"
import type { AccountId } from "../../../Services/Accounts/Ids.ts"
import type { LeadId } from "../../../Services/Leads/Ids.ts"
import {
  type Completion,
  completionOf,
  FillableField,
  type FillableValues,
  filledFields,
  type PersonDetails
} from "../../../Services/Leads/LeadCompletion.ts"
import { fromSql, violatedConstraint } from "../../Platform/Postgres/Sql.ts"
import { noPreparedPlan } from "../../Platform/Postgres/statements/NamedStatements.ts"
import { wakeDispatcher } from "../../Prospecting/Sql.ts"
import { recordLeadChange } from "../Sql.ts"
import { countChanged, countedColumns } from "./Counters.ts"

/** The details of an existing lead in a registration or an import. */
export interface GivenDetails {
  readonly leadId: LeadId
  readonly details: PersonDetails
  /** True if one of the contacts belongs to an erased person. */
  readonly isErased: boolean
}

interface ExistingRow extends PersonDetails {
  readonly leadId: LeadId
}

const contactConstraints = new Set(["lead_email", "lead_phone"])

/** Another transaction registered the contact between the check and the update. */
const registeredElsewhere = transient(databaseConflictReason, "A contact of the lead is being registered elsewhere.", 1)

const lockLeads = (sql: SqlClient, accountId: AccountId, leadIds: ReadonlyArray<LeadId>) =>
  sql<ExistingRow>`${sql.literal(noPreparedPlan)}
    select lead_id as "leadId", name, ${sql.csv(FillableField.literals.map((field) => sql`${sql(field)}`))} from lead
    where account_id = ${accountId} and lead_id = any(${leadIds}::bigint[]) order by lead_id for update`.pipe(fromSql())

/** The leads that have one of the contacts. */
const findOwners = (
  sql: SqlClient,
  accountId: AccountId,
  emails: ReadonlyArray<string>,
  phones: ReadonlyArray<string>
) =>
  sql<{ readonly contact: string; readonly leadId: LeadId }>`${sql.literal(noPreparedPlan)}
    select l.email as contact, l.lead_id as "leadId" from unnest(${emails}::text[]) as wanted cross join lateral (
      select email, lead_id from lead where account_id = ${accountId} and email = wanted offset 0) l
    union all
    select l.phone, l.lead_id from unnest(${phones}::text[]) as wanted cross join lateral (
      select phone, lead_id from lead where account_id = ${accountId} and phone = wanted offset 0) l`.pipe(fromSql())

/** A lead that could not be reached is contacted once it has a contact. One that was contacted keeps its time. */
const update = (sql: SqlClient, accountId: AccountId, leads: ReadonlyArray<ExistingRow>) => {
  const column = (field: keyof FillableValues) => leads.map((lead) => lead[field])
  const fields = FillableField.literals
  return sql`
    with before as (
      select ${sql.literal(countedColumns("b"))} from lead b
      where b.account_id = ${accountId} and b.lead_id = any(${leads.map(({ leadId }) => leadId)}::bigint[]) for update
    ), changed as (
      update lead l set ${sql.csv(fields.map((field) => sql`${sql(field)} = v.${sql(field)}`))},
        next_touch_at = case when l.pipeline_state = 'in_pipeline' and l.last_outbound_at is null
          and (l.email is distinct from v.email or l.phone is distinct from v.phone)
          then least(l.next_touch_at, instant()) else l.next_touch_at end
      from before, unnest(${leads.map(({ leadId }) => leadId)}::bigint[],
        ${sql.csv(fields.map((field) => sql`${column(field)}::text[]`))}
      ) as v (lead_id, ${sql.csv(fields.map((field) => sql`${sql(field)}`))})
      where l.account_id = ${accountId} and l.lead_id = before.lead_id and v.lead_id = before.lead_id
      returning ${sql.literal(countedColumns("l"))}
    ), ${sql.literal(countChanged)}, ${sql.literal(recordLeadChange("changed"))}
    select lead_id from changed`.pipe(
    Effect.catchIf(
      (error) => contactConstraints.has(violatedConstraint(error) ?? ""),
      () => registeredElsewhere
    ),
    fromSql()
  )
}

const isPresent = (value: string | null): value is string => value !== null

/**
 * Fills empty fields of existing leads. Returns the filled fields for each entry, in their order. A deleted lead gets
 * an empty completion. Call it in a transaction, because it locks the leads.
 */
export const completeLeads = Effect.fnUntraced(function* (
  sql: SqlClient,
  accountId: AccountId,
  givenDetails: ReadonlyArray<GivenDetails>
) {
  if (givenDetails.length === 0) return []
  const existing = new Map(
    (yield* lockLeads(sql, accountId, [...new Set(givenDetails.map(({ leadId }) => leadId))])).map((row) => [
      row.leadId,
      row
    ])
  )
  const pick = (field: "email" | "phone") => [
    ...new Set(givenDetails.map(({ details }) => details[field]).filter(isPresent))
  ]
  const owners = new Map(
    (yield* findOwners(sql, accountId, pick("email"), pick("phone"))).map(({ contact, leadId }) => [contact, leadId])
  )
  const ownerBesides = (leadId: LeadId, contact: string | null) => {
    const owner = contact === null ? undefined : owners.get(contact)
    return owner === leadId ? undefined : owner
  }
  const changed = new Set<LeadId>()
  const completions = givenDetails.map(({ details, isErased, leadId }): Completion => {
    const lead = existing.get(leadId)
    if (lead === undefined) return { values: {}, notFilled: [] }
    const completion = completionOf(lead, details, {
      emailOwner: ownerBesides(leadId, details.email),
      phoneOwner: ownerBesides(leadId, details.phone),
      isErased
    })
    if (filledFields(completion).length > 0) {
      existing.set(leadId, { ...lead, ...completion.values })
      changed.add(leadId)
      // A later entry may not give the same contact to another lead.
      if (completion.values.email !== undefined) owners.set(completion.values.email, leadId)
      if (completion.values.phone !== undefined) owners.set(completion.values.phone, leadId)
    }
    return completion
  })
  const changedLeads = [...changed].flatMap((leadId) => existing.get(leadId) ?? [])
  if (changedLeads.length > 0) {
    yield* update(sql, accountId, changedLeads)
    yield* wakeDispatcher(sql, accountId)
  }
  return completions
})
