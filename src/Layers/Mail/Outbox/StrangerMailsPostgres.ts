import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Layer, Option } from "effect"
import type { AccountId } from "../../../Services/Accounts/Ids.ts"
import {
  addressDigest,
  mostOfAccount,
  mostToStranger,
  readStop,
  StrangerMails,
  tooManyMails
} from "../../../Services/Mail/StrangerMails.ts"
import { fromSql } from "../../Platform/Postgres/Sql.ts"
import { isConfirmedRecipient, isStopped } from "../Sql.ts"

const today = "(instant() at time zone 'utc')::date"

const make = Effect.gen(function* () {
  const sql = yield* SqlClient

  /** The addresses that are not confirmed and have not stopped such mail, in a fixed order to avoid deadlocks. */
  const strangers = (accountId: AccountId, addresses: ReadonlyArray<string>) =>
    sql<{ readonly address: string }>`
      select given.address from unnest(${[...new Set(addresses)]}::text[]) as given (address)
      where not ${isConfirmedRecipient(sql, sql`${accountId}::bigint`, sql`given.address`)} and not ${isStopped(sql, sql`given.address`)}
      order by given.address`.pipe(
      Effect.map((rows) => rows.map(({ address }) => address)),
      fromSql()
    )

  const countForAccount = Effect.fnUntraced(function* (accountId: AccountId, mails: number) {
    const rows = yield* sql`
      insert into named_recipient_count as c (account_id, day, addresses)
      values (${accountId}, ${sql.literal(today)}, ${mails})
      on conflict (account_id) do update set day = excluded.day,
        addresses = excluded.addresses + case when c.day = excluded.day then c.addresses else 0 end
        where c.day <> excluded.day or c.addresses + excluded.addresses <= ${sql.literal(String(mostOfAccount))}
      returning c.addresses`.pipe(fromSql())
    if (rows.length === 0) return yield* tooManyMails("account")
  })

  const countForAddress = Effect.fnUntraced(function* (address: string, text: Uint8Array | undefined) {
    const texts = text === undefined ? [] : [Buffer.from(text).toString("hex")]
    const rows = yield* sql`
      insert into mail_recipient as r (address_digest, day, mails, texts)
      values (${addressDigest(address)}, ${sql.literal(today)}, 1, ${texts}::text[])
      on conflict (address_digest) do update set day = excluded.day,
        mails = case when r.day = excluded.day then r.mails + 1 else 1 end,
        texts = case when r.day = excluded.day then r.texts || excluded.texts else excluded.texts end
        where r.day is distinct from excluded.day
          or (r.mails < ${sql.literal(String(mostToStranger))} and not r.texts && excluded.texts)
      returning r.mails`.pipe(fromSql())
    if (rows.length > 0) return
    const repeated = yield* sql`
      select from mail_recipient r where r.address_digest = ${addressDigest(address)} and r.texts && ${texts}::text[]`.pipe(
      fromSql()
    )
    return yield* tooManyMails(repeated.length > 0 ? "same_text" : "recipient")
  })

  return StrangerMails.of({
    reserve: Effect.fn("StrangerMails.reserve")(function* (accountId, mails, { isAskedFor } = { isAskedFor: false }) {
      if (mails.length === 0) return
      const textOf = new Map(mails.map(({ text, to }) => [to.toLowerCase(), text]))
      const addresses = yield* strangers(accountId, [...textOf.keys()])
      if (addresses.length === 0) return
      if (!isAskedFor) yield* countForAccount(accountId, addresses.length)
      for (const address of addresses) yield* countForAddress(address, textOf.get(address))
    }),

    stop: Effect.fn("StrangerMails.stop")(function* (token) {
      const claim = Option.getOrUndefined(readStop(token))
      if (claim === undefined) return false
      const keys = yield* sql<{ readonly key: Uint8Array }>`
        select mail_key as key from account where account_id = ${claim.accountId}`.pipe(fromSql())
      const key = keys[0]?.key
      if (key === undefined || !claim.holds(key)) return false
      yield* sql`
        insert into mail_recipient as r (address_digest, mails, stopped_at) values (${claim.digest}, 0, instant())
        on conflict (address_digest) do update set stopped_at = coalesce(r.stopped_at, excluded.stopped_at)`.pipe(
        fromSql()
      )
      return true
    }),

    allow: Effect.fn("StrangerMails.allow")(function* (address) {
      const rows = yield* sql`
        update mail_recipient set stopped_at = null
        where address_digest = ${addressDigest(address)} and stopped_at is not null returning mails`.pipe(fromSql())
      return rows.length > 0
    }),

    forget: sql`
      delete from mail_recipient where stopped_at is null and (day is null or day < ${sql.literal(today)} - 1)`.pipe(
      Effect.asVoid,
      fromSql(),
      Effect.withSpan("StrangerMails.forget")
    )
  })
})

export const StrangerMailsPostgres = Layer.effect(StrangerMails, make)
