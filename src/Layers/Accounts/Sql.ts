import { SqlClient } from "@effect/sql/SqlClient"
import type { Fragment } from "@effect/sql/Statement"
import { Cache, Effect } from "effect"
import type { AccessTokenId, AccountId } from "../../Services/Accounts/Ids.ts"
import { countryOfAccount } from "../../Services/Blacklist/Blacklist.ts"
import { languageOf } from "../../Services/Text/Language.ts"
import { fromSql, single } from "../Platform/Postgres/Sql.ts"

/** Returns the country that an account's phone numbers without a country code belong to. */
export const makeFindCountry = Effect.map(
  SqlClient,
  (sql) => (accountId: AccountId) =>
    sql<{ readonly phone: string | null; readonly languageKey: string }>`
      select phone, language_key as "languageKey" from account where account_id = ${accountId}`.pipe(
      Effect.map((rows) => countryOfAccount(single(rows))),
      fromSql()
    )
)

/** Like `makeFindCountry`, for work on many leads. The result may be up to a minute old. */
export const makeAccountCountry = Effect.flatMap(makeFindCountry, (lookup) =>
  Cache.make({ capacity: 1000, timeToLive: "1 minute", lookup })
)

/** The language in which an account's owner reads, and the zone of its times. */
export const makeOwnerLocale = Effect.map(
  SqlClient,
  (sql) => (accountId: AccountId) =>
    sql<{ readonly languageKey: string; readonly zone: string }>`
      select language_key as "languageKey", time_zone as zone from account where account_id = ${accountId}`.pipe(
      Effect.map((rows) => {
        const { languageKey, zone } = single(rows)
        return { language: languageOf(languageKey), zone }
      }),
      fromSql()
    )
)

/** Switches an account's prospecting. Returns its state and whether the state changed. */
export const switchProspecting = (sql: SqlClient, accountId: AccountId, isActive: boolean) =>
  sql<{ readonly is_prospecting_active: boolean; readonly changed: boolean }>`
    update account a set is_prospecting_active = ${isActive}
    from (select is_prospecting_active as was_active from account where account_id = ${accountId}
      for no key update) before
    where a.account_id = ${accountId}
    returning a.is_prospecting_active, a.is_prospecting_active <> before.was_active as changed`.pipe(
    Effect.map(single),
    fromSql()
  )

/** SQL condition: the number is the owner's or a member's, and the agent may not call the account itself. */
export const isForbiddenOwnPhone = (sql: SqlClient, accountId: AccountId, phone: string) =>
  sql`
    select from account a where a.account_id = ${accountId} and not a.agent_may_call_owner
      and (phone_key(a.phone) = phone_key(${phone}) or exists (select from account_phone p
        where p.account_id = a.account_id and phone_key(p.phone) = phone_key(${phone})))`.pipe(
    fromSql(),
    Effect.map((rows) => rows.length > 0)
  )

/** SQL condition: the call is made with a member's access token, not the owner's. */
export const isOfMember = (sql: SqlClient, accountId: AccountId, tokenId: AccessTokenId) =>
  sql`
    select from access_token
    where account_id = ${accountId} and access_token_id = ${tokenId} and member_id is not null`.pipe(
    fromSql(),
    Effect.map((rows) => rows.length > 0)
  )

/** Returns whether the number belongs to the account's owner or a member; undefined if neither. */
export const personOfPhone = (sql: SqlClient, accountId: AccountId, spellings: ReadonlyArray<string>) =>
  sql<{ readonly role: "owner" | "member" }>`
    select case when a.phone = any (${spellings}::text[]) then 'owner' else 'member' end as role from account a
    where a.account_id = ${accountId} and (a.phone = any (${spellings}::text[]) or exists (select from account_phone p
      where p.account_id = a.account_id and p.phone = any (${spellings}::text[])))`.pipe(
    fromSql(),
    Effect.map((rows) => rows[0]?.role)
  )

/** Sets the clock of an account: a test clock, or the server's (`null`). */
export const setClock = (sql: SqlClient, accountId: AccountId, clock: string | null) =>
  sql`update account set clock = ${clock} where account_id = ${accountId}`.pipe(Effect.asVoid, fromSql())

/** Stores a token that an operator's program made. */
export const insertToken = (sql: SqlClient, accountId: AccountId, label: string, hash: Uint8Array) =>
  sql`
    insert into access_token (account_id, label, token_hash, made_by)
    values (${accountId}, ${label}, ${hash}, 'operator')`.pipe(Effect.asVoid, fromSql())

/** Removes an account with all that it has. Logs of requests and idempotency keys do not refer to it. */
export const removeAccount = (sql: SqlClient, accountId: AccountId) =>
  Effect.all([
    sql`delete from request_entry where account_id = ${accountId}`,
    sql`delete from call_usage where account_id = ${accountId}`,
    sql`delete from keyed_write where account_id = ${accountId}`,
    sql`delete from account where account_id = ${accountId}`
  ]).pipe(Effect.asVoid, fromSql())

/** The hours that clocks in the zone of an account `a` are ahead of UTC now. */
export const offsetHours = (a = "a"): string =>
  `(extract(epoch from (instant() at time zone ${a}.time_zone) - (instant() at time zone 'UTC')) / 3600)::float8`

/**
 * SQL condition: messages to leads without a campaign can name their sender, because the account has a display name and
 * a business name. `b` is the account's business profile, if any.
 */
export const hasAccountIdentity = (a = "a", b = "b"): string =>
  `${a}.mail_display_name is not null and ${b}.business_name is not null`

/** Like `hasAccountIdentity`, for leads of the campaign `c` (see identityOf). */
export const hasCampaignIdentity = (a = "a", b = "b"): string =>
  `coalesce(nullif(btrim(c.email_display_name), ''), ${a}.mail_display_name) is not null
    and coalesce(nullif(btrim(c.business_name), ''), ${b}.business_name) is not null`

/**
 * The columns that decide, together with the switch, whether outreach may run, for an account `a` with its
 * configuration `p` and business `b`.
 */
export const identityColumns = `b.business_name, a.mail_display_name, exists (select from campaign c
  where c.account_id = p.account_id and c.is_active and c.archived_at is null and ${hasCampaignIdentity()})
  as has_campaign_identity`

/**
 * SQL condition: the reader of an address, in lower case, has confirmed to the account that it expects mail, or the
 * operator entered the address.
 */
export const isOwnConfirmed = (sql: SqlClient, accountId: Fragment, address: Fragment): Fragment => sql`(
    exists (select from account o where o.account_id = ${accountId} and lower(o.email) = ${address}
      and not o.is_email_claimed)
    or exists (select from notification_address n where n.account_id = ${accountId} and n.email = ${address}
      and n.confirmed_at is not null)
    or exists (select from confirmed_address c where c.account_id = ${accountId} and c.email = ${address}))`

/** The columns that are shown of every token. */
export const tokenColumns = `access_token_id as token_id, label, created_at, last_used_at, expires_at,
  revoked_at is not null as revoked, made_by, maker_token_id as made_by_token_id, member_id as made_by_member_id`

const mostListedTokens = 500

/** Reads the account's tokens. Revoked and expired ones are listed only if there is space for them. */
export const listedTokens = <Row extends object>(sql: SqlClient, accountId: AccountId, view: Fragment) =>
  sql<Row>`
    select * from (
      select ${view} from access_token where account_id = ${accountId}
      order by revoked_at is null and (expires_at is null or expires_at > instant()) desc, access_token_id desc
      limit ${mostListedTokens}
    ) newest order by token_id`.pipe(fromSql())
