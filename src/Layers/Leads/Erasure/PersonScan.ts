import type { SqlClient } from "@effect/sql/SqlClient"
import type { Fragment } from "@effect/sql/Statement"
import { Effect } from "effect"
import type { AccountId } from "../../../Services/Accounts/Ids.ts"
import { type EverywherePatterns, erasedMark, patternInBytes } from "../../../Services/Leads/Erasure/LeadErasure.ts"
import type { LeadId } from "../../../Services/Leads/Ids.ts"
import { type AccountTable, accountTables } from "../../Platform/Postgres/AccountTables.ts"
import { single } from "../../Platform/Postgres/Sql.ts"

/** Tables with the account's settings. They contain no text by outsiders, and their values must stay valid. */
const settings = new Set([
  "access_token",
  "account",
  "account_phone",
  "account_seal",
  "approved_subdomain",
  "chatapp_line",
  "chatapp_provider_line",
  "confirmed_address",
  "connection",
  "connection_bucket",
  "crm_integration",
  "crm_setting",
  "crm_source",
  "crm_webhook_removal",
  "former_handle",
  "mail_access",
  "mail_domain",
  "mail_mailbox",
  "member",
  "member_welcome",
  "notification_address",
  "oauth_code",
  "oauth_refresh",
  "oauth_state",
  "operator_mail",
  "sandbox_chatapp_line",
  "sandbox_oauth_code",
  "sandbox_oauth_grant",
  "scheduler_account",
  "sender_domain",
  "sender_domain_name",
  "tax_info",
  "webhook_subscription",
  "website_name"
])

const ownPeople = new Set(["account", "account_phone", "member"])

/** True if contacts in the table are those of people who work with the account. */
export const isOfOwnPeople = ({ name }: AccountTable): boolean => ownPeople.has(name)

/** Rooms erase from these tables themselves: a chain of digests, and encrypted answers. */
const ofRooms = new Set(["audit_entry", "audit_head", "audit_checkpoint", "keyed_write"])

/** Encoded copies of messages in simulated services. A copy that names the person is deleted as a whole. */
const copies = new Set(["sandbox_mail", "sandbox_chatapp_media"])

export const isSetting = ({ name }: AccountTable): boolean => settings.has(name)
const isSearched = ({ name }: AccountTable): boolean => !ofRooms.has(name)
const isCopy = ({ name }: AccountTable): boolean => copies.has(name)

export type ScanPatterns = Pick<EverywherePatterns, "person" | "json">

/** Returns the condition that a row names the person. Undefined for a table that cannot. */
const naming = (sql: SqlClient, table: AccountTable, { json, person }: ScanPatterns): Fragment | undefined => {
  const conditions = [
    ...table.texts.map((column) => sql`${sql(column)} ~* ${person}`),
    ...table.lists.map((column) => sql`array_to_string(${sql(column)}, chr(10)) ~* ${person}`),
    ...table.json.map((column) => sql`${sql(column)}::text ~* ${json}`),
    ...(isCopy(table)
      ? table.bytes.map((column) => sql`encode(${sql(column)}, 'escape') ~* ${patternInBytes(person)}`)
      : [])
  ]
  return conditions.length === 0 ? undefined : sql`(${sql.or(conditions)})`
}

/** The condition on a row that it belongs to one of the leads. */
const belongingTo = (sql: SqlClient, table: AccountTable, leadIds: ReadonlyArray<LeadId>): Fragment =>
  table.hasLead ? sql`coalesce(lead_id = any (${leadIds}::bigint[]), false)` : sql`false`

export interface TableMentions {
  readonly table: AccountTable
  /** Rows of the leads. */
  readonly ofLeads: number
  /** Other rows that name the person. */
  readonly mentions: number
  /** Other leads that own such rows. */
  readonly otherLeads: ReadonlyArray<LeadId>
}

/** Rows of the leads, and other rows that name the person, by table. Tables without any are left out. */
export const scanAccount = Effect.fnUntraced(function* (
  sql: SqlClient,
  accountId: AccountId,
  leadIds: ReadonlyArray<LeadId>,
  patterns: ScanPatterns,
  isIncluded: (table: AccountTable) => boolean = isSearched
) {
  const scanned: Array<TableMentions> = []
  for (const table of yield* accountTables(sql)) {
    if (!isIncluded(table)) continue
    const names = naming(sql, table, patterns)
    if (names === undefined && (!table.hasLead || leadIds.length === 0)) continue
    const isOfLead = belongingTo(sql, table, leadIds)
    const isNaming = names ?? sql`false`
    const otherLeads = table.hasLead
      ? sql`coalesce(jsonb_agg(distinct lead_id) filter (where lead_id is not null and not ${isOfLead}), '[]')`
      : sql`'[]'::jsonb`
    const counts = single(
      yield* sql<Omit<TableMentions, "table">>`
        select count(*) filter (where ${isOfLead}) as "ofLeads", count(*) filter (where not ${isOfLead}) as mentions,
          ${otherLeads} as "otherLeads"
        from ${sql(table.name)} where account_id = ${accountId} and (${isOfLead} or ${isNaming})`
    )
    if (counts.ofLeads > 0 || counts.mentions > 0) scanned.push({ table, ...counts })
  }
  return scanned
})

/** Removes the person from the rows of a table that name them. Rows whose key names them are deleted. */
export const redactTable = (
  sql: SqlClient,
  accountId: AccountId,
  table: AccountTable,
  { json, numbers, person }: EverywherePatterns
) =>
  Effect.gen(function* () {
    const isNamed = naming(sql, table, { person, json })
    if (isNamed === undefined) return
    const inKey = table.keys.map((column) => sql`${sql(column)} ~* ${person}`)
    const goes = isCopy(table) ? isNamed : inKey.length === 0 ? undefined : sql`(${sql.or(inKey)})`
    if (goes !== undefined) yield* sql`delete from ${sql(table.name)} where account_id = ${accountId} and ${goes}`
    const texts = table.texts.filter((column) => !table.keys.includes(column))
    const changes = [
      ...texts.map((column) => sql`${sql(column)} = regexp_replace(${sql(column)}, ${person}, ${erasedMark}, 'gi')`),
      ...table.lists.map(
        (column) => sql`${sql(column)} = case when array_to_string(${sql(column)}, chr(10)) ~* ${person} then (
          select array_agg(regexp_replace(u.item, ${person}, ${erasedMark}, 'gi') order by u.place)
          from unnest(${sql(column)}) with ordinality u (item, place)) else ${sql(column)} end`
      ),
      ...table.json.map(
        (column) => sql`${sql(column)} = case when ${sql(column)}::text ~* ${json}
          then redacted_json(${sql(column)}, ${person}, ${numbers}::text[], ${erasedMark}) else ${sql(column)} end`
      )
    ]
    if (changes.length === 0) return
    yield* sql`update ${sql(table.name)} set ${sql.csv(changes)} where account_id = ${accountId} and ${isNamed}`
  })

const emails = "[[:alnum:]._%+-]+@[[:alnum:].-]*[[:alnum:]]"
const phones = "[+]?[0-9][0-9 ().-]{6,20}[0-9]"

/** Reads everything in the account's records that looks like an e-mail address or a phone number. */
export const contactsIn = Effect.fnUntraced(function* (sql: SqlClient, accountId: AccountId) {
  const contacts = new Set<string>()
  for (const table of yield* accountTables(sql)) {
    if (!isSearched(table) || isSetting(table)) continue
    const columns = [
      ...table.texts.map((column) => sql`${sql(column)}`),
      ...table.lists.map((column) => sql`array_to_string(${sql(column)}, chr(10))`),
      ...table.json.map((column) => sql`${sql(column)}::text`)
    ]
    if (columns.length === 0) continue
    const rows = yield* sql<{ readonly contact: string }>`
      select distinct lower(m.found[1]) as contact from ${sql(table.name)} t
      cross join lateral regexp_matches(concat_ws(chr(10), ${sql.csv(columns)}), ${`(${emails}|${phones})`}, 'g') m (found)
      where t.account_id = ${accountId}`
    for (const { contact } of rows) contacts.add(contact)
  }
  return [...contacts]
})

const rowsPerPage = 500

/** Pages of rows of the leads and of rows that name the person, as JSON without bytes. */
export const rowsOfPerson = (
  sql: SqlClient,
  accountId: AccountId,
  leadIds: ReadonlyArray<LeadId>,
  { patterns, table }: { readonly patterns: ScanPatterns; readonly table: AccountTable },
  page: number
) =>
  Effect.map(
    sql<{ readonly row: unknown }>`
      select to_jsonb(t) - ${[...table.bytes, "account_id"]}::text[] as row from ${sql(table.name)} t
      where account_id = ${accountId} and (${belongingTo(sql, table, leadIds)} or ${naming(sql, table, patterns) ?? sql`false`})
      order by t.ctid limit ${rowsPerPage} offset ${page * rowsPerPage}`,
    (rows) => ({ rows: rows.map(({ row }) => row), isLast: rows.length < rowsPerPage })
  )
