import type { SqlClient } from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import type { Fragment } from "@effect/sql/Statement"
import { Context, type Effect } from "effect"
import type { AccountId } from "../../Services/Accounts/Ids.ts"
import type { CustomerFileId } from "../../Services/Files/Ids.ts"
import { erasedMark, type PersonTraces, type TracePatterns } from "../../Services/Leads/Erasure/LeadErasure.ts"
import type { LeadId } from "../../Services/Leads/Ids.ts"

/** A person whose lead is being erased. The lead's rows still exist. */
export interface ErasedPerson extends PersonTraces {
  readonly accountId: AccountId
  readonly leadId: LeadId
  readonly patterns: TracePatterns
  /** Permanently removes files of the account. */
  readonly removeFiles: (ids: ReadonlyArray<CustomerFileId>) => Effect.Effect<void, SqlError>
}

/**
 * What a room does when a person is erased. It runs in the transaction that deletes the lead, before the deletion,
 * which removes rows that refer to the lead by a foreign key. The last room goes first, so that each still finds the
 * rows of the rooms before it.
 */
export interface PersonalData {
  /** Removes the person from rows that do not belong to the lead and stay when it is deleted. */
  readonly forget?: (sql: SqlClient, person: ErasedPerson) => Effect.Effect<unknown, SqlError>
  /** Removes the person from rows of leads that referred the person or were referred by them. */
  readonly forgetInRelated?: (
    sql: SqlClient,
    person: ErasedPerson,
    related: ReadonlyArray<LeadId>
  ) => Effect.Effect<unknown, SqlError>
  /** Records of these leads at outside services, which the gateway cannot delete. */
  readonly heldOutside?: (
    sql: SqlClient,
    accountId: AccountId,
    leadIds: ReadonlyArray<LeadId>
  ) => Effect.Effect<ReadonlyArray<OutsideRecord>, SqlError>
}

/** A record about a person at an outside service, by its id there. */
export interface OutsideRecord {
  readonly service: string
  readonly kind: string
  readonly external_id: string
}

/** The `PersonalData` of all rooms, in the order of the rooms. */
export class PersonalDataOfRooms extends Context.Tag("PersonalDataOfRooms")<
  PersonalDataOfRooms,
  ReadonlyArray<PersonalData>
>() {}

/** Columns of a table that may contain a person's name. */
export interface NamingColumns {
  readonly table: string
  readonly texts: ReadonlyArray<string>
  readonly json?: ReadonlyArray<string>
}

/** Replaces all matches of the patterns in the rows that `where` selects. `inText` is the pattern for texts. */
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

/** The condition that limits a statement to the rows of these leads. */
export const ofLeads = (sql: SqlClient, { accountId }: ErasedPerson, leadIds: ReadonlyArray<LeadId>): Fragment =>
  sql`account_id = ${accountId} and lead_id = any(${leadIds})`
