import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Layer, Option } from "effect"
import type { AccountId } from "../../Services/Accounts/Ids.ts"
import type { SenderDomainId } from "../../Services/SenderDomains/Ids.ts"
import { dailyLimit } from "../../Services/SenderDomains/SenderDomainRules.ts"
import { type Sender, SenderIdentity } from "../../Services/SenderDomains/SenderDomains.ts"
import { fromSql } from "../Platform/Postgres/Sql.ts"
import { Sealing } from "../Platform/Sealing.ts"
import { openDomainKeys, sealedFor } from "./DomainKeys.ts"

interface Candidate {
  readonly id: SenderDomainId
  readonly domain: string
  readonly address: string
  readonly selector: string
  readonly sealed: Uint8Array
  readonly rampDay: number
  readonly today: string
  readonly pausedFor: number | null
  /** True if the lead got mail from the domain before. */
  readonly isKnown: boolean
}

const platform: Sender = { _tag: "Platform" }

export const SenderIdentityPostgres = Layer.effect(
  SenderIdentity,
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const sealing = yield* Sealing

    return SenderIdentity.of({
      ofOwnDomain: (accounts) =>
        sql<{ readonly accountId: AccountId }>`
          select d.account_id as "accountId" from sender_domain d join account a on a.account_id = d.account_id
          where d.account_id = any (${accounts}::bigint[]) and d.status = 'verified' and a.plan = 'paid'`.pipe(
          Effect.map((rows) => new Set(rows.map(({ accountId }) => accountId))),
          fromSql()
        ),

      of: Effect.fn("SenderIdentity.of")(function* (accountId, { leadId, senderDomainId }) {
        const [found] = yield* sql<Candidate>`
          select d.sender_domain_id as id, d.domain, coalesce(d.email_address, a.handle || '@' || d.domain) as address,
            d.selector, d.sealed_keys as sealed,
            (instant() at time zone a.time_zone)::date - (d.ramp_from at time zone a.time_zone)::date as "rampDay",
            (instant() at time zone a.time_zone)::date::text as today,
            extract(epoch from nullif(greatest(d.paused_until, instant()), instant()) - instant())::float8 as "pausedFor",
            exists (select from email_message m where m.account_id = d.account_id and m.lead_id = ${leadId}
              and m.direction = 'outbound' and m.status = 'sent' and m.sender_domain_id = d.sender_domain_id) as "isKnown"
          from sender_domain d join account a on a.account_id = d.account_id
          where d.account_id = ${accountId} and d.status = 'verified' and a.plan = 'paid'
          order by d.kind limit 1`.pipe(fromSql())
        if (found === undefined) return platform
        if (found.pausedFor !== null) return { _tag: "Hold", seconds: Math.ceil(found.pausedFor) }
        const keys = openDomainKeys(sealing, found.sealed, sealedFor(accountId, found.domain))
        if (Option.isNone(keys)) {
          yield* Effect.annotateLogs(Effect.logError("the keys of a sender domain cannot be opened"), {
            account_id: accountId
          })
          return platform
        }
        if (senderDomainId !== found.id) {
          // Recipients of earlier mail from the domain are not limited. For others, the domain's daily limit applies,
          // which grows over time.
          const limit = found.isKnown ? null : dailyLimit(found.rampDay)
          const counted = yield* sql`
            insert into sender_domain_day as t (account_id, sender_domain_id, day, sent)
            values (${accountId}, ${found.id}, ${found.today}::date, 1)
            on conflict (account_id, sender_domain_id, day) do update set sent = t.sent + 1
              where ${limit}::integer is null or t.sent < ${limit}
            returning t.sent`.pipe(fromSql())
          if (counted.length === 0) return platform
        }
        const { address, domain, id, selector } = found
        return { _tag: "Domain", senderDomainId: id, domain, address, signing: { domain, selector, ...keys.value } }
      })
    })
  })
)
