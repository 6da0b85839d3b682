import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Layer } from "effect"
import type { AccountId, Plan } from "../../../Services/Accounts/Ids.ts"
import { Caller } from "../../../Services/Core/Calls/Caller.ts"
import { UnitOfWork } from "../../../Services/Core/Calls/UnitOfWork.ts"
import { type ErasureRecord, ErasureRecords } from "../../../Services/Leads/Erasure/ErasureRecords.ts"
import { People } from "../../../Services/Leads/Erasure/People.ts"
import type { LeadId } from "../../../Services/Leads/Ids.ts"
import { Leads } from "../../../Services/Leads/Leads.ts"
import { phonesIn } from "../../../Services/Text/ContactDetails.ts"
import { makeFindCountry } from "../../Accounts/Sql.ts"
import { fromSql } from "../../Platform/Postgres/Sql.ts"
import { PeoplePostgres } from "./PeoplePostgres.ts"
import { contactsIn } from "./PersonScan.ts"

interface PresentLead {
  readonly account_id: AccountId
  readonly lead_id: LeadId
  readonly plan: Plan
}

/** Reads the records of erasures of all accounts, and repeats them. */
export const ErasureRecordsPostgres = Layer.effect(
  ErasureRecords,
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const unit = yield* UnitOfWork
    const leads = yield* Leads
    const people = yield* People
    const findCountry = yield* makeFindCountry

    const block = (accountId: AccountId, digests: ReadonlyArray<string>) =>
      sql`
        insert into lead_tombstone (account_id, contact_digest)
        select a.account_id, decode(d.digest, 'hex') from account a, unnest(${digests}::text[]) d (digest)
        where a.account_id = ${accountId}
        on conflict do nothing returning 1`.pipe(
        fromSql(),
        Effect.map((rows) => rows.length)
      )

    const erase = ({ account_id, lead_id, plan }: PresentLead, reason: string | null) =>
      unit.write(leads.erase(lead_id, reason ?? undefined)).pipe(
        Effect.provideService(Caller, Caller.forTask(account_id, plan, "restore")),
        Effect.as(1),
        // Another restore of the same database erased the person first.
        Effect.catchTag("NotFound", () => Effect.succeed(0))
      )

    /** A contact cannot be computed from its digest, so all contacts of the account are compared with it. */
    const contactsOf = (accountId: AccountId, digests: ReadonlyArray<string>) =>
      Effect.gen(function* () {
        const country = yield* findCountry(accountId)
        const texts = yield* contactsIn(sql, accountId).pipe(fromSql())
        const contacts = texts.flatMap((text) =>
          text.includes("@")
            ? [{ kind: "email", value: text }]
            : phonesIn(text, country).map((value) => ({ kind: "phone", value }))
        )
        return yield* sql<{ readonly kind: "email" | "phone"; readonly value: string }>`
          select distinct c.kind, c.value from account a,
            unnest(${contacts.map(({ kind }) => kind)}::text[], ${contacts.map(({ value }) => value)}::text[]) c (kind, value)
          where a.account_id = ${accountId}
            and encode(contact_digest(a.tombstone_key, c.kind, c.value), 'hex') = any (${digests}::text[])`.pipe(
          fromSql()
        )
      })

    const erasePeople = Effect.fnUntraced(function* (accountId: AccountId, digests: ReadonlyArray<string>) {
      if (digests.length === 0) return
      for (const { kind, value } of yield* contactsOf(accountId, digests)) {
        const contact = { email: undefined, phone: undefined, [kind]: value }
        yield* unit.write(people.erase(contact, undefined)).pipe(
          Effect.provideService(Caller, Caller.forTask(accountId, "paid", "restore")),
          // The contact now belongs to the owner or a member.
          Effect.catchTag("Refused", ({ reason }) =>
            Effect.annotateLogs(Effect.logWarning("a person is not erased again"), { account_id: accountId, reason })
          )
        )
      }
    })

    return ErasureRecords.of({
      since: (instant) =>
        unit
          .acrossAccounts(sql<ErasureRecord>`
            select 'erasure' as kind, account_id, lead_id, reason, null as contact_digest, erased_at as at
            from lead_erasure where erased_at >= ${instant}::timestamptz
            union all
            select case when is_person then 'person' else 'contact' end, account_id, null, null, encode(contact_digest, 'hex'), created_at
            from lead_tombstone where created_at >= ${instant}::timestamptz`)
          .pipe(fromSql()),

      repeat: Effect.fn("ErasureRecords.repeat")(function* (records) {
        let [erased, blocked] = [0, 0]
        for (const accountId of new Set(records.map(({ account_id }) => account_id))) {
          const ofAccount = records.filter(({ account_id }) => account_id === accountId)
          const reasons = new Map(
            ofAccount.flatMap((one) => (one.kind === "erasure" ? [[one.lead_id, one.reason]] : []))
          )
          const present = yield* sql<PresentLead>`
            select l.account_id, l.lead_id, a.plan from lead l join account a on a.account_id = l.account_id
            where l.account_id = ${accountId} and l.lead_id = any(${[...reasons.keys()]}::bigint[])`.pipe(fromSql())
          for (const lead of present) erased += yield* erase(lead, reasons.get(lead.lead_id) ?? null)
          blocked += yield* block(
            accountId,
            ofAccount.flatMap((one) => (one.kind === "erasure" ? [] : [one.contact_digest]))
          )
          yield* erasePeople(
            accountId,
            ofAccount.flatMap((one) => (one.kind === "person" ? [one.contact_digest] : []))
          )
        }
        return { erased, blocked }
      })
    })
  })
).pipe(Layer.provide(PeoplePostgres))
