import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, type Either, Layer, Option } from "effect"
import { notFound, type Refused, type Transient } from "../../Errors.ts"
import {
  Blacklist,
  BlacklistEntryView,
  type BlacklistKey,
  type BlacklistKind,
  domainKey,
  emailKey,
  phoneKey
} from "../../Services/Blacklist/Blacklist.ts"
import { Caller } from "../../Services/Core/Calls/Caller.ts"
import { digitsOf } from "../../Services/Text/ContactDetails.ts"
import { makeFindCountry } from "../Accounts/Sql.ts"
import { selectedColumns } from "../Platform/Postgres/ColumnChanges.ts"
import { fromSql, single } from "../Platform/Postgres/Sql.ts"

const make = Effect.gen(function* () {
  const sql = yield* SqlClient
  const findCountry = yield* makeFindCountry
  const view = sql.literal(selectedColumns(BlacklistEntryView, undefined))
  const viewOfEntry = sql.literal(selectedColumns(BlacklistEntryView, "e"))

  const keyOf = (
    kind: BlacklistKind,
    value: string
  ): Effect.Effect<BlacklistKey, Refused | Transient, Caller> | Either.Either<BlacklistKey, Refused> => {
    switch (kind) {
      case "email":
        return emailKey(value)
      case "domain":
        return domainKey(value)
      case "phone":
        return Caller.pipe(
          Effect.flatMap(({ accountId }) => findCountry(accountId)),
          Effect.flatMap((country) => phoneKey(value, country))
        )
    }
  }

  return Blacklist.of({
    add: Effect.fn("Blacklist.add")(function* (kind, value, reason) {
      const { accountId } = yield* Caller
      const key = yield* keyOf(kind, value)
      const stored = kind === "phone" ? sql`phone_key(${key.value})` : sql`${key.value}`
      const rows = yield* sql<BlacklistEntryView & { readonly created: boolean }>`
        insert into blacklist_entry (account_id, kind, value, match, reason)
        values (${accountId}, ${kind}, ${stored}, ${key.match}, ${reason ?? "Other"})
        on conflict (account_id, kind, value)
          do update set reason = coalesce(${reason ?? null}, blacklist_entry.reason)
        returning ${view}, xmax = 0 as created`.pipe(fromSql())
      const { created, ...entry } = single(rows)
      return { entry, created }
    }),

    remove: Effect.fn("Blacklist.remove")(function* (kind, value) {
      const { accountId } = yield* Caller
      const key = yield* keyOf(kind, value)
      const stored = kind === "phone" ? sql`phone_key(${key.value})` : sql`${key.value}`
      // The country of the account's numbers may have been set after the entry was added, so an entry by digits is
      // removed too.
      const rows = yield* sql<BlacklistEntryView>`
        delete from blacklist_entry where account_id = ${accountId} and kind = ${kind}
          and (value = ${stored} or match = 'ending' and value = ${digitsOf(value)})
        returning ${view}`.pipe(fromSql())
      return rows[0] ?? (yield* notFound(`blacklisted ${kind}`, kind, value))
    }),

    list: Effect.fn("Blacklist.list")(function* ({ page, pageSize }) {
      const { accountId } = yield* Caller
      const entries = yield* sql<BlacklistEntryView>`
        select ${view} from blacklist_entry where account_id = ${accountId}
        order by blacklist_entry_id desc limit ${pageSize} offset ${page * pageSize}`
      const totals = yield* sql<{ readonly total: number }>`
        select count(*) as total from blacklist_entry where account_id = ${accountId}`
      return { entries, total: single(totals).total }
    }, fromSql()),

    blockedBy: Effect.fn("Blacklist.blockedBy")(function* ({ email, phone }) {
      const { accountId } = yield* Caller
      const rows = yield* sql<BlacklistEntryView>`
        select ${viewOfEntry} from (select blacklist_entry_id from blacklist_match(${accountId}, ${email}, ${phone})) m
        join blacklist_entry e on e.account_id = ${accountId} and e.blacklist_entry_id = m.blacklist_entry_id`.pipe(
        fromSql()
      )
      return Option.fromNullable(rows[0])
    })
  })
})

export const BlacklistPostgres = Layer.effect(Blacklist, make)
