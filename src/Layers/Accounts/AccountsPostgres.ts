import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Either, Layer, Option, Random } from "effect"
import { isSupportedCountry } from "libphonenumber-js/min"
import { notFound, refused } from "../../Errors.ts"
import { countryOfNewAccount, startIn } from "../../Services/Accounts/AccountCountry.ts"
import { type AccountSummary, Accounts, type ChangedAccount } from "../../Services/Accounts/Accounts.ts"
import { isReservedHandle } from "../../Services/Accounts/Handle.ts"
import type { AccountId, Plan } from "../../Services/Accounts/Ids.ts"
import { BusinessSetup } from "../../Services/Knowledge/BusinessSetup.ts"
import { ProspectingSetup } from "../../Services/Prospecting/ProspectingSetup.ts"
import { normalisePhone } from "../../Services/Text/ContactDetails.ts"
import { fromSql, single } from "../Platform/Postgres/Sql.ts"

/**
 * Returns the start of the account's platform address, made of its name: at most 20 characters, with room for a number.
 */
const handleOf = (name: string): string => {
  const letters = name
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^a-z0-9]/g, "")
  return letters.slice(0, 14) || "account"
}

/** The numbered handles that are tried in order. If all are taken, random digits are added. */
const numbered = 9
const tries = 20

const named = (name: string | undefined): string | null => {
  const trimmed = name?.trim() ?? ""
  return trimmed === "" ? null : trimmed
}

const phoneTaken = refused(
  "phone_taken",
  "The phone is that of another account's owner or member.",
  "Leave the phone out, or give another one. A person who is a member has to be removed there first."
)

const phoneInvalid = refused(
  "invalid_phone",
  "The phone is not a number that can be called.",
  "Give it in international format, for example +5511987654321."
)

/** Returns a number in E.164. A national number belongs to the country. */
const checkedPhone = (phone: string, country: string | undefined) =>
  Either.match(normalisePhone(phone, country !== undefined && isSupportedCountry(country) ? country : "BR"), {
    onLeft: () => phoneInvalid,
    onRight: ({ e164 }) => Effect.succeed(e164)
  })

/** Records the owner's phone number as confirmed, because the operator knows the owner. */
const claimPhone = (sql: SqlClient, accountId: AccountId, phone: string) =>
  sql`
    insert into account_phone (phone, account_id, proved_at) values (${phone}, ${accountId}, instant())
    on conflict do nothing returning account_id`.pipe(
    Effect.filterOrFail(
      (rows) => rows.length > 0,
      () => phoneTaken
    ),
    fromSql()
  )

/** Replaces the owner's number. The account's members keep theirs. */
const setPhone = (sql: SqlClient, accountId: AccountId, before: string | null, phone: string | null) =>
  Effect.gen(function* () {
    if (before === phone) return
    yield* sql`delete from account_phone where account_id = ${accountId} and phone = ${before}`.pipe(fromSql())
    if (phone !== null) yield* claimPhone(sql, accountId, phone)
    yield* sql`update account set phone = ${phone} where account_id = ${accountId}`.pipe(fromSql())
  })

export const AccountsPostgres = Layer.effect(
  Accounts,
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const prospecting = yield* ProspectingSetup
    const businesses = yield* BusinessSetup
    return Accounts.of({
      create: Effect.fn("Accounts.create")(function* (account) {
        const base = handleOf(account.name)
        /**
         * Finds a handle that no account has or had recently. Otherwise, the account would get replies that are meant
         * for the earlier one.
         */
        const freeHandle = Effect.gen(function* () {
          const wanted = [base, ...Array.from({ length: numbered - 1 }, (_, index) => `${base}${index + 2}`)]
          const taken = yield* sql<{ readonly handle: string }>`
            select handle from account where handle = any (${wanted}::text[])
            union all select handle from former_handle where handle = any (${wanted}::text[]) and kept_until > instant()`
          const isFree = (handle: string) =>
            !isReservedHandle(handle) && !taken.some((other) => other.handle === handle)
          return wanted.find(isFree) ?? `${base}${yield* Random.nextIntBetween(100_000, 1_000_000)}`
        })
        const country = countryOfNewAccount(account.country, account.phone)
        const phone = account.phone === undefined ? null : yield* checkedPhone(account.phone, country)
        const { languageKey, timeZone } = startIn(country)
        const insert = Effect.flatMap(
          freeHandle,
          (handle) => sql<{ readonly account_id: AccountId }>`
            insert into account (name, email, phone, plan, country, mail_display_name, handle, language_key, time_zone)
            values (${account.name}, ${account.email ?? null}, ${phone}, ${account.plan}, ${account.country ?? null},
              ${named(account.sender)}, ${handle}, ${languageKey}, ${timeZone})
            on conflict (handle) do nothing returning account_id`
        )
        // Another account with the same name may be created first at the same moment, so this retries.
        const create = Effect.repeat(insert, { until: (rows) => rows.length > 0, times: tries })
        // The number is recorded here and not by a trigger, because a distributed database supports none.
        const claim = (id: AccountId) => (phone === null ? Effect.void : claimPhone(sql, id, phone))
        const business = named(account.business)
        const describe = (id: AccountId) => (business === null ? Effect.void : businesses.begin(id, business))
        return yield* create.pipe(
          Effect.map((rows) => single(rows).account_id),
          Effect.tap(prospecting.begin),
          Effect.tap(claim),
          Effect.tap(describe),
          sql.withTransaction,
          fromSql()
        )
      }),

      update: Effect.fn("Accounts.update")(function* (accountId, changes) {
        const [before] = yield* sql<ChangedAccount>`
          select account_id, phone, country from account where account_id = ${accountId} for update`.pipe(fromSql())
        if (before === undefined) return yield* notFound("account", "account", accountId)
        const country = changes.country ?? before.country
        const { phone } = changes
        if (phone !== undefined) {
          const number = phone === null ? null : yield* checkedPhone(phone, country ?? undefined)
          yield* setPhone(sql, accountId, before.phone, number)
        }
        const rows = yield* sql<ChangedAccount>`
          update account set country = ${country} where account_id = ${accountId}
          returning account_id, phone, country`.pipe(fromSql())
        return single(rows)
      }),

      planOf: Effect.fn("Accounts.planOf")(function* (accountId) {
        const rows = yield* sql<{ readonly plan: Plan }>`
          select plan from account where account_id = ${accountId}`.pipe(fromSql())
        return Option.map(Option.fromNullable(rows[0]), ({ plan }) => plan)
      }),

      list: sql<AccountSummary>`
        select account_id, name, email, plan, is_prospecting_active from account order by account_id`.pipe(fromSql()),

      pauseAll: sql`
        update account set is_prospecting_active = false where is_prospecting_active returning account_id`.pipe(
        Effect.map((rows) => rows.length),
        fromSql()
      ),

      exists: sql<{ readonly found: boolean }>`select exists (select from account) as found`.pipe(
        Effect.map((rows) => single(rows).found),
        fromSql()
      )
    })
  })
)
