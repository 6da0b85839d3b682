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
  /** Adds a value and answers its parameter, such as `$3`. */
  const bind = (value: unknown): string => `$${values.push(value)}`
  return { values, bind }
}

type Bind = ReturnType<typeof makeValues>["bind"]

type FilterField = Exclude<keyof ResolvedFilter, "query">
type Conditions = (filter: ResolvedFilter, bind: Bind) => ReadonlyArray<string>

/** The condition of a field that is set. */
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

/** Both bounds whenever one is set: half as many statements to prepare. */
const createdWithin: Conditions = ({ createdBefore, createdFrom }, bind) =>
  createdFrom === undefined && createdBefore === undefined
    ? []
    : [
        `created_at >= ${bind(createdFrom ?? "-infinity")}::timestamptz`,
        `created_at < ${bind(createdBefore ?? "infinity")}::timestamptz`
      ]

/**
 * Each field's conditions on columns that `lead` and `leads_matching` both have, and on `lead_counter` where it counts by
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

/** Whether `lead_counter` has the number of leads that pass the filter. */
export const isCounted = (filter: ResolvedFilter): boolean =>
  filter.query === undefined &&
  filterFields.every((field) => filter[field] === undefined || fieldConditions[field].counter !== undefined)

/** All conditions but that of the text. */
export const conditions: Conditions = (filter, bind) =>
  filterFields.flatMap((field) => fieldConditions[field].lead(filter, bind))

/** The same for `lead_counter`. */
export const counterConditions: Conditions = (filter, bind) =>
  filterFields.flatMap((field) => fieldConditions[field].counter?.(filter, bind) ?? [])

export const allOf = (terms: ReadonlyArray<string>): string => terms.join(" and ")

/** Makes the function that looks a filter's campaign up. */
export const makeResolve = Effect.map(
  CampaignLookup,
  (campaigns) =>
    ({ campaign, ...filter }: LeadFilter) =>
      campaign === undefined
        ? Effect.succeed<ResolvedFilter>({ ...filter, campaignId: undefined })
        : Effect.map(campaigns.resolve(campaign), (campaignId): ResolvedFilter => ({ ...filter, campaignId }))
)

/** Held shared by what writes copies of leads, and alone by an erasure: each sees what the other did. */
export const erasureLock = (sql: SqlClient, accountId: AccountId, mode: "alone" | "shared") =>
  lockAccount(sql, accountId, "erasure", mode)

/**
 * The part of a statement that tells those who follow leads of the ones in the part `changed`, which has account_id and
 * lead_id. To be written wherever status, outcome, meeting or contacts of a lead change, or a lead is made.
 */
export const recordLeadChange = (changed: string): string => `followed as (
  insert into lead_change (account_id, lead_id)
  select c.account_id, c.lead_id from ${changed} c join lead_follower f on f.account_id = c.account_id
)`

/** Whether somebody keeps figures of the account's finished days. */
export const pastFollowed = (sql: SqlClient, accountId: AccountId) =>
  sql`exists (select from lead_past_follower f where f.account_id = ${accountId})`

/** Has what changes in the past of the account's leads written down from the next transaction on. */
export const followPasts = (sql: SqlClient, accountId: AccountId): Effect.Effect<boolean, Transient> =>
  sql`insert into lead_past_follower (account_id) values (${accountId}) on conflict do nothing returning account_id`.pipe(
    Effect.map((rows) => rows.length > 0),
    fromSql()
  )

/**
 * Tells that something in the past of a lead reads otherwise than before. To be written wherever a message of a finished day
 * is added or changes whether it counts; `at` is the message's time, where one of today changes nothing that is over.
 */
export const tellOfPast = (
  sql: SqlClient,
  { accountId, leadId }: { readonly accountId: AccountId; readonly leadId: number },
  at?: Timestamp
): Effect.Effect<void, Transient> =>
  sql`
    insert into lead_past_change (account_id, lead_id)
    select l.account_id, l.lead_id from lead l
    where l.account_id = ${accountId} and l.lead_id = ${leadId} and ${pastFollowed(sql, accountId)}
      and coalesce(${at ?? null}::timestamptz, '-infinity') < instant() - interval '1 hour'`.pipe(
    Effect.asVoid,
    fromSql()
  )

/** lead_id of at most `limit` changes of the past that nobody has taken. */
export const leadsWithAnotherPast = (sql: SqlClient, accountId: AccountId, limit: number) =>
  sql`select c.lead_id from lead_past_change c where c.account_id = ${accountId} limit ${limit}`

/** Takes changes of the past, at most `limit`; to be run in the transaction that does what they ask for. */
export const takeLeadsWithAnotherPast = (
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
