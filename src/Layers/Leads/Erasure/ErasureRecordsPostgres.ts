import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Layer } from "effect"
import type { AccountId, Plan } from "../../../Services/Accounts/Ids.ts"
import { Caller } from "../../../Services/Core/Caller.ts"
import { UnitOfWork } from "../../../Services/Core/UnitOfWork.ts"
import { type ErasureRecord, ErasureRecords } from "../../../Services/Leads/ErasureRecords.ts"
import type { LeadId } from "../../../Services/Leads/Ids.ts"
import { Leads } from "../../../Services/Leads/Leads.ts"
import { fromSql } from "../../Platform/Postgres/Sql.ts"

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
        // Another restore of the same database was faster.
        Effect.catchTag("NotFound", () => Effect.succeed(0))
      )

    return ErasureRecords.of({
      since: (instant) =>
        unit
          .acrossAccounts(sql<ErasureRecord>`
            select 'erasure' as kind, account_id, lead_id, reason, null as contact_digest, erased_at as at
            from lead_erasure where erased_at >= ${instant}::timestamptz
            union all
            select 'contact', account_id, null, null, encode(contact_digest, 'hex'), created_at
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
            ofAccount.flatMap((one) => (one.kind === "contact" ? [one.contact_digest] : []))
          )
        }
        return { erased, blocked }
      })
    })
  })
)
