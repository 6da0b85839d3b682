import type { SqlClient } from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import type { Fragment } from "@effect/sql/Statement"
import { Context, type Effect } from "effect"
import type { AccountId } from "../../Services/Accounts/Ids.ts"
import type { CustomerFileId } from "../../Services/Files/Ids.ts"
import type { LeadId } from "../../Services/Leads/Ids.ts"
import { erasedMark, type PersonTraces, type TracePatterns } from "../../Services/Leads/LeadErasure.ts"

/** A person whose lead is being erased; the lead's rows are still there. */
export interface ErasedPerson extends PersonTraces {
  readonly accountId: AccountId
  readonly leadId: LeadId
  readonly patterns: TracePatterns
  /** Removes files of the account's for good. */
  readonly removeFiles: (ids: ReadonlyArray<CustomerFileId>) => Effect.Effect<void, SqlError>
}

/**
 * What a room does when a person is erased, in the transaction that deletes the lead, before it does: what refers to the
 * lead by a foreign key goes with it. Rooms come in the order from the last to the first, so that each still finds what
 * the rooms before it have.
 */
export interface PersonalData {
  /** Takes the person out of what is not the lead's own, and stays when the lead goes. */
  readonly forget?: (sql: SqlClient, person: ErasedPerson) => Effect.Effect<unknown, SqlError>
  /** Takes the person out of what belongs to leads that referred the person or were referred by it. */
  readonly forgetInRelated?: (
    sql: SqlClient,
    person: ErasedPerson,
    related: ReadonlyArray<LeadId>
  ) => Effect.Effect<unknown, SqlError>
}

/** Of all rooms, in their order. */
export class PersonalDataOfRooms extends Context.Tag("PersonalDataOfRooms")<
  PersonalDataOfRooms,
  ReadonlyArray<PersonalData>
>() {}

/** Columns of a table in which a person may be named. */
export interface NamingColumns {
  readonly table: string
  readonly texts: ReadonlyArray<string>
  readonly json?: ReadonlyArray<string>
}

/** Replaces what the patterns find in the rows that `where` selects; `inText` is the one for texts. */
export const redact = (
  sql: SqlClient,
  { json = [], table, texts }: NamingColumns,
  where: Fragment,
  inText: string,
  inJson: string
) => {
  const changes = [
    ...texts.map((column) => sql`${sql(column)} = regexp_replace(${sql(column)}, ${inText}, ${erasedMark}, 'gi')`),
    ...json.map(
      (column) => sql`${sql(column)} = regexp_replace(${sql(column)}::text, ${inJson}, ${erasedMark}, 'gi')::jsonb`
    )
  ]
  const isNamed = [
    ...texts.map((column) => sql`${sql(column)} ~* ${inText}`),
    ...json.map((column) => sql`${sql(column)}::text ~* ${inJson}`)
  ]
  return sql`update ${sql(table)} set ${sql.csv(changes)} where ${where} and (${sql.or(isNamed)})`
}

/** The rows of leads. */
export const ofLeads = (sql: SqlClient, { accountId }: ErasedPerson, leadIds: ReadonlyArray<LeadId>): Fragment =>
  sql`account_id = ${accountId} and lead_id = any(${leadIds})`
