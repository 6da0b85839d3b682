import type { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Struct } from "effect"
import type { Transient } from "../../Errors.ts"
import type { AccountId } from "../../Services/Accounts/Ids.ts"
import { CampaignLookup } from "../../Services/Campaigns/Campaigns.ts"
import type { CampaignId } from "../../Services/Campaigns/Ids.ts"
import type { Timestamp } from "../../Services/Core/Timestamp.ts"
import type { LeadFilter } from "../../Services/Leads/LeadSearch.ts"
import { lockAccount } from "../Platform/Postgres/AccountLock.ts"
import { fromSql } from "../Platform/Postgres/Sql.ts"

/** A filter with the id of its campaign. */
export interface ResolvedFilter extends Omit<LeadFilter, "campaign"> {
  readonly campaignId?: CampaignId | undefined
}

/** Collects the values of a statement's parameters. */
export const makeValues = () => {
  const values: Array<unknown> = []
  /** Adds a value and returns its parameter, such as `$3`. */
  const bind = (value: unknown): string => `$${values.push(value)}`
  return { values, bind }
}

type Bind = ReturnType<typeof makeValues>["bind"]

type FilterField = Exclude<keyof ResolvedFilter, "query">
type Conditions = (filter: ResolvedFilter, bind: Bind) => ReadonlyArray<string>

/** Adds the condition only if the field is set. */
const where =
  <F extends FilterField>(
    field: F,
    condition: (value: NonNullable<ResolvedFilter[F]>, bind: Bind) => string
  ): Conditions =>
  (filter, bind) => {
    const value = filter[field]
    return value === undefined || value === null ? [] : [condition(value, bind)]
  }

const byStatus = where("status", (status, bind) => `status = ${bind(status)}`)
const byCampaign = where("campaignId", (campaignId, bind) => `campaign_id = ${bind(campaignId)}`)

/** Uses both bounds if either is set, so that half as many statements are prepared. */
const createdWithin: Conditions = ({ createdBefore, createdFrom }, bind) =>
  createdFrom === undefined && createdBefore === undefined
    ? []
    : [
        `created_at >= ${bind(createdFrom ?? "-infinity")}::timestamptz`,
        `created_at < ${bind(createdBefore ?? "infinity")}::timestamptz`
      ]

/**
 * Each field's conditions on columns that both `lead` and `leads_matching` have, and on `lead_counter` if it counts by
 * the field.
 */
const fieldConditions: { readonly [F in FilterField]-?: { readonly lead: Conditions; readonly counter?: Conditions } } =
  {
    status: { lead: byStatus, counter: byStatus },
    campaignId: { lead: byCampaign, counter: byCampaign },
    hasLinkedIn: {
      lead: where("hasLinkedIn", (hasLinkedIn) => `linkedin_url is ${hasLinkedIn ? "not null" : "null"}`),
      counter: where("hasLinkedIn", (hasLinkedIn) => `has_linkedin = ${hasLinkedIn}`)
    },
    createdFrom: { lead: (filter, bind) => (filter.createdFrom === undefined ? [] : createdWithin(filter, bind)) },
    createdBefore: { lead: (filter, bind) => (filter.createdFrom === undefined ? createdWithin(filter, bind) : []) },
    lastMessageFrom: { lead: where("lastMessageFrom", (from, bind) => `last_message_at >= ${bind(from)}::timestamptz`) }
  }

const filterFields = Struct.keys(fieldConditions)

/** True if `lead_counter` has the number of leads that pass the filter. */
export const isCounted = (filter: ResolvedFilter): boolean =>
  filter.query === undefined &&
  filterFields.every((field) => filter[field] === undefined || fieldConditions[field].counter !== undefined)

/** All conditions except the one for the search text. */
export const conditions: Conditions = (filter, bind) =>
  filterFields.flatMap((field) => fieldConditions[field].lead(filter, bind))

/** The conditions on `lead_counter`. */
export const counterConditions: Conditions = (filter, bind) =>
  filterFields.flatMap((field) => fieldConditions[field].counter?.(filter, bind) ?? [])

export const allOf = (terms: ReadonlyArray<string>): string => terms.join(" and ")

/** Makes the function that resolves a filter's campaign name to its id. */
export const makeResolve = Effect.map(
  CampaignLookup,
  (campaigns) =>
    ({ campaign, ...filter }: LeadFilter) =>
      campaign === undefined
        ? Effect.succeed<ResolvedFilter>({ ...filter, campaignId: undefined })
        : Effect.map(campaigns.resolve(campaign), (campaignId): ResolvedFilter => ({ ...filter, campaignId }))
)

/**
 * Transactions that copy lead data hold this lock in shared mode, and an erasure holds it exclusively. Each sees the
 * other's changes.
 */
export const erasureLock = (sql: SqlClient, accountId: AccountId, mode: "alone" | "shared") =>
  lockAccount(sql, accountId, "erasure", mode)

/**
 * A part of a statement: records the leads of its part `changed` for the followers of leads. `changed` has account_id
 * and lead_id. Include it wherever a lead is created, writes, or is called, or its status, outcome, meeting or contacts
 * change.
 */
export const recordLeadChange = (changed: string): string => `followed as (
  insert into lead_change (account_id, lead_id)
  select c.account_id, c.lead_id from ${changed} c join lead_follower f on f.account_id = c.account_id
)`

/** SQL condition: figures of the account's finished days are stored. */
export const isPastFollowed = (sql: SqlClient, accountId: AccountId) =>
  sql`exists (select from lead_past_follower f where f.account_id = ${accountId})`

/**
 * Records changes to finished days of the account's leads from the next transaction on. Returns whether that is new.
 */
export const followPast = (sql: SqlClient, accountId: AccountId): Effect.Effect<boolean, Transient> =>
  sql`insert into lead_past_follower (account_id) values (${accountId}) on conflict do nothing returning account_id`.pipe(
    Effect.map((rows) => rows.length > 0),
    fromSql()
  )

/**
 * Records that a finished day of a lead changed. Call it wherever a message of a finished day is added, or begins or
 * stops to count. `at` is the message's time; messages of today are not recorded.
 */
export const recordPastChange = (
  sql: SqlClient,
  { accountId, leadId }: { readonly accountId: AccountId; readonly leadId: number },
  at?: Timestamp
): Effect.Effect<void, Transient> =>
  sql`
    insert into lead_past_change (account_id, lead_id)
    select l.account_id, l.lead_id from lead l
    where l.account_id = ${accountId} and l.lead_id = ${leadId} and ${isPastFollowed(sql, accountId)}
      and coalesce(${at ?? null}::timestamptz, '-infinity') < instant() - interval '1 hour'`.pipe(
    Effect.asVoid,
    fromSql()
  )

/** Ids of the leads with changed finished days, at most `limit`. */
export const leadsWithChangedPast = (sql: SqlClient, accountId: AccountId, limit: number) =>
  sql`select c.lead_id from lead_past_change c where c.account_id = ${accountId} limit ${limit}`

/** Takes at most `limit` changes of finished days. Call it in the transaction that recalculates them. */
export const takeLeadsWithChangedPast = (
  sql: SqlClient,
  accountId: AccountId,
  limit: number
): Effect.Effect<ReadonlyArray<number>, Transient> =>
  sql<{ readonly lead_id: number }>`
    delete from lead_past_change where account_id = ${accountId} and lead_past_change_id = any (array(
      select c.lead_past_change_id from lead_past_change c where c.account_id = ${accountId} limit ${limit}
      for update skip locked))
    returning lead_id`.pipe(
    Effect.map((rows) => rows.map(({ lead_id }) => lead_id)),
    fromSql()
  )
