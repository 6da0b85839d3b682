import type { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"
import type { Transient } from "../../Errors.ts"
import type { AccountId } from "../../Services/Accounts/Ids.ts"
import type { ServiceMode } from "../../Services/Core/Outside/IntegrationModes.ts"
import type { Timestamp } from "../../Services/Core/Timestamp.ts"
import {
  type DnsRecord,
  type Platform,
  recordsOf,
  subdomainRecordsOf
} from "../../Services/SenderDomains/DnsRecords.ts"
import type { CheckedRecord } from "../../Services/SenderDomains/DnsVerification.ts"
import type { SenderDomainId, SenderDomainKind } from "../../Services/SenderDomains/Ids.ts"
import { dailyLimit } from "../../Services/SenderDomains/SenderDomainRules.ts"
import type { RecordReport, SenderDomainView } from "../../Services/SenderDomains/SenderDomains.ts"
import { selectedAs } from "../Platform/Postgres/ColumnChanges.ts"
import { fromSql, single } from "../Platform/Postgres/Sql.ts"

export interface DomainRow {
  readonly senderDomainId: SenderDomainId
  readonly kind: SenderDomainKind
  readonly domain: string
  readonly address: string
  readonly status: "pending" | "verified" | "lapsed"
  readonly selector: string
  readonly rsaPublic: string
  readonly ed25519Public: string
  readonly report: ReadonlyArray<CheckedRecord> | null
  readonly verifiedAt: Timestamp | null
  readonly checkedAt: Timestamp | null
  readonly pausedUntil: Timestamp | null
  readonly rampDay: number
  readonly sentToday: number
}

const columns = selectedAs<DomainRow>({
  senderDomainId: "d.sender_domain_id",
  kind: "d.kind",
  domain: "d.domain",
  address: "coalesce(d.email_address, a.handle || '@' || d.domain)",
  status: "d.status",
  selector: "d.selector",
  rsaPublic: "d.rsa_public",
  ed25519Public: "d.ed25519_public",
  report: "d.report",
  verifiedAt: "d.verified_at",
  checkedAt: "d.checked_at",
  pausedUntil: "case when d.paused_until > instant() then d.paused_until end",
  rampDay: "coalesce((instant() at time zone a.time_zone)::date - (d.ramp_from at time zone a.time_zone)::date, 0)",
  sentToday: `coalesce((select t.sent from sender_domain_day t where t.account_id = d.account_id
    and t.sender_domain_id = d.sender_domain_id and t.day = (instant() at time zone a.time_zone)::date), 0)`
})

export const domainsOf = (sql: SqlClient, accountId: AccountId): Effect.Effect<ReadonlyArray<DomainRow>, Transient> =>
  sql<DomainRow>`
    select ${sql.literal(columns)} from sender_domain d join account a on a.account_id = d.account_id
    where d.account_id = ${accountId} order by d.kind`.pipe(fromSql())

export const expectedRecords = (row: DomainRow, platform: Platform): ReadonlyArray<DnsRecord> => {
  const keys = { selector: row.selector, rsa: row.rsaPublic, ed25519: row.ed25519Public }
  return row.kind === "custom" ? recordsOf(row.domain, keys, platform) : subdomainRecordsOf(row.domain, keys, platform)
}

/**
 * Returns the sender address that leads see. A verified custom domain is preferred to a verified subdomain, and both to
 * the platform's domain.
 */
export const senderAddress = (sql: SqlClient, accountId: AccountId, mailDomain: string) =>
  Effect.map(
    sql<{ readonly address: string }>`
      select coalesce(
        (select coalesce(d.email_address, a.handle || '@' || d.domain) from sender_domain d
          where d.account_id = a.account_id and d.status = 'verified' and a.plan = 'paid' order by d.kind limit 1),
        a.handle || '@' || ${mailDomain}::text) as address
      from account a where a.account_id = ${accountId}`.pipe(fromSql()),
    (rows) => single(rows).address
  )

const reportOf = (record: DnsRecord, report: ReadonlyArray<CheckedRecord> | null): RecordReport => {
  const checked = report?.find(({ name, purpose, value }) => {
    return purpose === record.purpose && name === record.name && value === record.value
  })
  return checked ?? { ...record, state: "not_checked", found: [], advice: null }
}

export const viewOf = (
  row: DomainRow,
  options: { readonly platform: Platform; readonly senderAddress: string; readonly dns: ServiceMode }
): SenderDomainView => ({
  domain: row.domain,
  sender_address: options.senderAddress,
  domain_address: row.address,
  status: row.status,
  records_published_by: row.kind === "custom" ? "you" : "platform",
  records: expectedRecords(row, options.platform).map((record) => reportOf(record, row.report)),
  verified_at: row.verifiedAt,
  checked_at: row.checkedAt,
  daily_limit: dailyLimit(row.rampDay),
  sent_today: row.sentToday,
  paused_until: row.pausedUntil,
  dns: options.dns
})

export const removedView = (
  options: { readonly senderAddress: string; readonly dns: ServiceMode },
  kind: SenderDomainKind
): SenderDomainView => ({
  domain: null,
  sender_address: options.senderAddress,
  domain_address: null,
  status: "removed",
  records_published_by: kind === "custom" ? "you" : "platform",
  records: [],
  verified_at: null,
  checked_at: null,
  daily_limit: null,
  sent_today: 0,
  paused_until: null,
  dns: options.dns
})
