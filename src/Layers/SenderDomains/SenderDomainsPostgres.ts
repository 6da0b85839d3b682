import { SqlClient } from "@effect/sql/SqlClient"
import { Config, Effect, Layer } from "effect"
import { refused } from "../../Errors.ts"
import type { AccountId } from "../../Services/Accounts/Ids.ts"
import { Caller } from "../../Services/Core/Calls/Caller.ts"
import { UnitOfWork } from "../../Services/Core/Calls/UnitOfWork.ts"
import { now } from "../../Services/Core/Timestamp.ts"
import { Notifications } from "../../Services/Events/Notifications.ts"
import { TaskQueue } from "../../Services/Jobs/TaskQueue.ts"
import { Dns } from "../../Services/Outbound/Dns.ts"
import {
  type CheckedRecord,
  isInconclusive,
  isUsable,
  verifyRecords
} from "../../Services/SenderDomains/DnsVerification.ts"
import { type DomainNews, domainNews } from "../../Services/SenderDomains/DomainNews.ts"
import type { SenderDomainId, SenderDomainKind } from "../../Services/SenderDomains/Ids.ts"
import { isProtectedName } from "../../Services/SenderDomains/ProtectedNames.ts"
import {
  brakeHours,
  customAddressOf,
  pauseReasonOf,
  type Reputation,
  subdomainLabelOf
} from "../../Services/SenderDomains/SenderDomainRules.ts"
import { SenderDomains } from "../../Services/SenderDomains/SenderDomains.ts"
import { makeOwnerLocale } from "../Accounts/Sql.ts"
import { fromSql } from "../Platform/Postgres/Sql.ts"
import { Sealing } from "../Platform/Sealing.ts"
import { Settings } from "../Platform/Settings.ts"
import { type DomainKeys, KeyPairs, makeDomainKeys, sealedFor } from "./DomainKeys.ts"
import { mailDomainNews } from "./DomainNewsMails.ts"
import { type DomainRow, domainsOf, expectedRecords, removedView, senderAddress, viewOf } from "./SenderDomainRows.ts"

const domainTaken = (parameter: string, domain: string) =>
  refused("domain_taken", `${domain} belongs to another account.`, "Choose another.", { parameter, domain })

const otherDomain = (domain: string) =>
  refused(
    "other_domain_active",
    `Mail is set up for ${domain} already.`,
    "Call setup_custom_domain with the action remove first.",
    { domain }
  )

const notActive = (tool: string) =>
  refused("domain_not_active", "No domain is set up.", `Call ${tool} with the action activate first.`)

const accountNotFound = (accountId: AccountId) =>
  refused("account_not_found", `There is no account ${accountId}.`, "Look at the list of accounts.")

const needsOperator = (label: string) =>
  refused(
    "needs_operator",
    `${label} is, or looks like, the name of a brand, a bank or a public body.`,
    "Choose another name. If the name is yours, ask the operator of this platform to approve it.",
    { parameter: "subdomain", subdomain: label }
  )

const gatewayCaller = (accountId: AccountId) => Caller.forTask(accountId, "paid", "sender-domains")

/** The host that receives mail for the platform's domain: `MAIL_HOST`, otherwise `mx.` before the domain. */
export const mailHost = Config.option(Config.nonEmptyString("MAIL_HOST"))

const makeDomainServices = Effect.gen(function* () {
  const sql = yield* SqlClient
  const unit = yield* UnitOfWork
  const dns = yield* Dns
  const sealing = yield* Sealing
  const notifications = yield* Notifications
  const tasks = yield* TaskQueue
  const { mailDomain } = yield* Settings
  const makeKeys = makeDomainKeys(yield* KeyPairs)
  const host = yield* mailHost
  const platform = { mailDomain, mailHost: host._tag === "Some" ? host.value : `mx.${mailDomain}` }
  const localeOf = yield* makeOwnerLocale
  return { dns, localeOf, mailDomain, makeKeys, notifications, platform, sealing, sql, tasks, unit }
})
type DomainServices = Effect.Effect.Success<typeof makeDomainServices>

const makeDomainChanges = ({ dns, mailDomain, platform, sealing, sql, unit }: DomainServices) => {
  const find = (accountId: AccountId, kind: SenderDomainKind) =>
    Effect.map(domainsOf(sql, accountId), (rows) => rows.find((row) => row.kind === kind))

  const domainView = Effect.fnUntraced(function* (accountId: AccountId, kind: SenderDomainKind) {
    const row = yield* find(accountId, kind)
    const options = { platform, dns: dns.mode, senderAddress: yield* senderAddress(sql, accountId, mailDomain) }
    return row === undefined ? removedView(options, kind) : viewOf(row, options)
  })

  const lock = (accountId: AccountId) =>
    sql`select from account where account_id = ${accountId} for no key update`.pipe(fromSql())

  /** Claims a name. If two accounts claim it concurrently, one gets it. */
  const claim = Effect.fnUntraced(function* (accountId: AccountId, parameter: string, domain: string) {
    yield* sql`
      insert into sender_domain_name (domain, account_id) values (${domain}, ${accountId})
      on conflict do nothing`.pipe(fromSql())
    const rows = yield* sql`
      select from sender_domain_name where domain = ${domain} and account_id = ${accountId}`.pipe(fromSql())
    if (rows.length === 0) return yield* domainTaken(parameter, domain)
  })

  const release = (accountId: AccountId, domain: string) =>
    sql`delete from sender_domain_name where domain = ${domain} and account_id = ${accountId}`.pipe(fromSql())

  const insert = Effect.fnUntraced(function* (
    accountId: AccountId,
    kind: SenderDomainKind,
    domain: string,
    address: string | null,
    keys: DomainKeys
  ) {
    const sealed = sealing.seal(keys.privateKeys, sealedFor(accountId, domain))
    yield* sql`
      insert into sender_domain (account_id, kind, domain, email_address, selector, rsa_public, ed25519_public,
        sealed_keys, created_at)
      values (${accountId}, ${kind}, ${domain}, ${address}, ${keys.selector}, ${keys.rsaPublic},
        ${keys.ed25519Public}, ${sealed}, ${yield* now})`.pipe(fromSql())
  })

  const drop = Effect.fnUntraced(function* (accountId: AccountId, row: DomainRow) {
    yield* release(accountId, row.domain)
    yield* sql`
      delete from sender_domain where account_id = ${accountId} and sender_domain_id = ${row.senderDomainId}`.pipe(
      fromSql()
    )
  })

  const isApproved = (accountId: AccountId, label: string) =>
    unit.read(
      sql`select from approved_subdomain where account_id = ${accountId} and label = ${label}`.pipe(
        Effect.map((rows) => rows.length > 0),
        fromSql()
      )
    )

  return { claim, drop, find, insert, isApproved, lock, domainView }
}
type DomainChanges = ReturnType<typeof makeDomainChanges>

const makeVerification = (
  { dns, localeOf, notifications, platform, sql, tasks, unit }: DomainServices,
  { claim, find, lock, domainView }: DomainChanges
) => {
  const look = (row: DomainRow) =>
    verifyRecords(expectedRecords(row, platform), { platform, domain: row.domain }).pipe(
      Effect.provideService(Dns, dns)
    )

  const tell = Effect.fnUntraced(function* (accountId: AccountId, id: SenderDomainId, news: DomainNews) {
    const { language } = yield* localeOf(accountId)
    const { kind, ...data } = news
    yield* notifications
      .notify({ kind, message: domainNews(news, language), data })
      .pipe(Effect.provideService(Caller, gatewayCaller(accountId)))
    const isMailed = news.kind !== "sender_domain_verified"
    // If the records are restored before the mail is sent, there is nothing to report.
    yield* sql`
      update sender_domain set unmailed_news = ${isMailed ? JSON.stringify(news) : null}::jsonb
      where account_id = ${accountId} and sender_domain_id = ${id}`.pipe(fromSql())
    if (isMailed) yield* tasks.enqueue(mailDomainNews, { accountId, senderDomainId: id })
  })

  /** Stores the result of a check, unless the domain has changed. Returns the change. */
  const record = (accountId: AccountId, before: DomainRow, report: ReadonlyArray<CheckedRecord>) =>
    unit.write(
      Effect.gen(function* () {
        yield* lock(accountId)
        const row = yield* find(accountId, before.kind)
        if (row === undefined || row.selector !== before.selector) return
        const isGood = isUsable(report)
        // If name servers do not answer, the state of the records is unknown.
        const isOpen = isInconclusive(report)
        const status = isGood ? "verified" : isOpen ? row.status : row.status === "pending" ? "pending" : "lapsed"
        if (isGood && row.kind === "custom") yield* claim(accountId, "email_address", row.domain)
        yield* sql`
          update sender_domain d set report = ${JSON.stringify(report)}::jsonb, checked_at = ${yield* now},
            status = ${status},
            verified_at = case when ${status} = 'verified' then coalesce(d.verified_at, ${yield* now}) else d.verified_at end,
            ramp_from = case when ${status} = 'verified' then coalesce(d.ramp_from, ${yield* now}) else d.ramp_from end
          where d.account_id = ${accountId} and d.sender_domain_id = ${row.senderDomainId}`.pipe(fromSql())
        if (status === row.status) return
        const missing = report.filter(({ state }) => state !== "ok").map(({ name, type }) => `${type} ${name}`)
        yield* tell(
          accountId,
          row.senderDomainId,
          status === "verified"
            ? { kind: "sender_domain_verified", domain: row.domain }
            : { kind: "sender_domain_lapsed", domain: row.domain, missing: missing.join(", ") }
        )
      })
    )

  const verify = Effect.fnUntraced(function* (accountId: AccountId, kind: SenderDomainKind, tool: string) {
    const row = yield* unit.read(find(accountId, kind))
    if (row === undefined) return yield* notActive(tool)
    yield* record(accountId, row, yield* look(row))
    return yield* unit.read(domainView(accountId, kind))
  })

  return { look, record, tell, verify }
}
type Verification = ReturnType<typeof makeVerification>

const customDomains = (
  { mailDomain, makeKeys, sql, unit }: DomainServices,
  { drop, find, insert, lock, domainView }: DomainChanges,
  { verify }: Verification
): Pick<typeof SenderDomains.Service, "activateCustom" | "verifyCustom" | "removeCustom"> => ({
  activateCustom: Effect.fn("SenderDomains.activateCustom")(function* (text) {
    const { accountId } = yield* Caller
    const { address, domain } = yield* customAddressOf(text, mailDomain)
    // Keys are created before the account is locked, if they are probably needed.
    const keys = (yield* unit.read(find(accountId, "custom"))) === undefined ? yield* makeKeys : undefined
    return yield* unit.write(
      Effect.gen(function* () {
        yield* lock(accountId)
        const row = yield* find(accountId, "custom")
        if (row !== undefined && row.domain !== domain) return yield* otherDomain(row.domain)
        const owners = yield* sql`
            select from sender_domain_name where domain = ${domain} and account_id <> ${accountId}`.pipe(fromSql())
        if (owners.length > 0) return yield* domainTaken("email_address", domain)
        // The same domain keeps its keys, because its records may be published already.
        if (row === undefined) yield* insert(accountId, "custom", domain, address, keys ?? (yield* makeKeys))
        else
          yield* sql`
              update sender_domain set email_address = ${address}
              where account_id = ${accountId} and sender_domain_id = ${row.senderDomainId}`.pipe(fromSql())
        return yield* domainView(accountId, "custom")
      })
    )
  }),

  verifyCustom: Effect.flatMap(Caller, ({ accountId }) => verify(accountId, "custom", "setup_custom_domain")).pipe(
    Effect.withSpan("SenderDomains.verifyCustom")
  ),

  removeCustom: Effect.flatMap(Caller, ({ accountId }) =>
    unit.write(
      Effect.gen(function* () {
        yield* lock(accountId)
        const row = yield* find(accountId, "custom")
        if (row !== undefined) yield* drop(accountId, row)
        return yield* domainView(accountId, "custom")
      })
    )
  ).pipe(Effect.withSpan("SenderDomains.removeCustom"))
})

const subdomains = (
  { mailDomain, makeKeys, sql, unit }: DomainServices,
  { claim, drop, find, insert, isApproved, lock, domainView }: DomainChanges,
  { verify }: Verification
): Pick<typeof SenderDomains.Service, "activateSubdomain" | "verifySubdomain" | "approveSubdomain"> => ({
  activateSubdomain: Effect.fn("SenderDomains.activateSubdomain")(function* (text) {
    const { accountId } = yield* Caller
    const label = yield* subdomainLabelOf(text)
    const domain = `${label}.${mailDomain}`
    if (isProtectedName(label) && !(yield* isApproved(accountId, label))) return yield* needsOperator(label)
    const before = yield* unit.read(find(accountId, "subdomain"))
    const keys = before?.domain === domain ? undefined : yield* makeKeys
    return yield* unit.write(
      Effect.gen(function* () {
        yield* lock(accountId)
        const row = yield* find(accountId, "subdomain")
        if (row?.domain !== domain) {
          yield* claim(accountId, "subdomain", domain)
          if (row !== undefined) yield* drop(accountId, row)
          yield* insert(accountId, "subdomain", domain, null, keys ?? (yield* makeKeys))
        }
        return yield* domainView(accountId, "subdomain")
      })
    )
  }),

  approveSubdomain: Effect.fn("SenderDomains.approveSubdomain")(function* (accountId, text) {
    const label = yield* subdomainLabelOf(text)
    const rows = yield* unit.write(
      sql`
        with approved as (select account_id from account where account_id = ${accountId})
        insert into approved_subdomain (account_id, label, approved_at)
        select account_id, ${label}::text, ${yield* now}::timestamptz from approved
        on conflict (account_id, label) do update set label = excluded.label
        returning label`.pipe(fromSql())
    )
    if (rows.length === 0) return yield* accountNotFound(accountId)
    return `${label}.${mailDomain}`
  }),

  verifySubdomain: Effect.flatMap(Caller, ({ accountId }) =>
    verify(accountId, "subdomain", "setup_email_subdomain")
  ).pipe(Effect.withSpan("SenderDomains.verifySubdomain"))
})

const domainChecks = (
  { platform, sql, unit }: DomainServices,
  { find }: DomainChanges,
  { look, record, tell }: Verification
): Pick<typeof SenderDomains.Service, "check" | "due" | "brake" | "zoneLines"> => ({
  check: Effect.fn("SenderDomains.check")(function* (accountId, id) {
    const rows = yield* unit.read(domainsOf(sql, accountId))
    const row = rows.find(({ senderDomainId }) => senderDomainId === id)
    if (row === undefined) return
    yield* record(accountId, row, yield* look(row))
  }),

  // A domain that was never verified is checked for a month.
  due: unit
    .acrossAccounts(sql<{
      readonly accountId: AccountId
      readonly senderDomainId: SenderDomainId
    }>`
      select d.account_id as "accountId", d.sender_domain_id as "senderDomainId" from sender_domain d
      where (d.status <> 'pending' or d.created_at > instant() - interval '30 days') and uses_test_clock(d.account_id)
      order by d.account_id, d.sender_domain_id`)
    .pipe(fromSql(), Effect.withSpan("SenderDomains.due")),

  brake: Effect.gen(function* () {
    const suspects = yield* unit
      .acrossAccounts(sql<
        Reputation & { readonly accountId: AccountId; readonly id: SenderDomainId; readonly domain: string }
      >`
        select d.account_id as "accountId", d.sender_domain_id as id, d.domain, w.sent, w.bounced, w.complained
        from sender_domain d cross join lateral (
          select count(*) filter (where m.status in ('sent', 'failed')) as sent,
            count(*) filter (where m.failure_reason in ('hard_bounce', 'recipient_rejected')) as bounced,
            count(*) filter (where exists (select from email_suppression s where s.account_id = m.account_id
              and s.email = m.to_address and s.reason = 'complaint')) as complained
          from email_message m
          where m.account_id = d.account_id and m.sender_domain_id = d.sender_domain_id
            and m.sending_at > greatest(instant() - interval '7 days', d.ramp_from)
        ) w
        where d.status = 'verified' and (d.paused_until is null or d.paused_until < instant())
          and uses_test_clock(d.account_id)`)
      .pipe(fromSql())
    let count = 0
    for (const { accountId, domain, id, ...reputation } of suspects) {
      const why = pauseReasonOf(reputation)
      if (why === undefined) continue
      yield* unit.write(
        Effect.gen(function* () {
          const rows = yield* sql`
              update sender_domain set paused_until = instant() + make_interval(hours => ${brakeHours}),
                ramp_from = instant() + make_interval(hours => ${brakeHours})
              where account_id = ${accountId} and sender_domain_id = ${id}
                and (paused_until is null or paused_until < instant())
              returning sender_domain_id`.pipe(fromSql())
          if (rows.length > 0) yield* tell(accountId, id, { kind: "sender_domain_paused", domain, why })
        })
      )
      count += 1
    }
    return count
  }).pipe(Effect.withSpan("SenderDomains.brake")),

  zoneLines: Effect.gen(function* () {
    const accounts = yield* sql<{ readonly accountId: AccountId }>`
        select account_id as "accountId" from sender_domain where kind = 'subdomain' order by account_id`.pipe(
      fromSql()
    )
    const lines: Array<string> = []
    for (const { accountId } of accounts) {
      const row = yield* find(accountId, "subdomain")
      if (row === undefined) continue
      lines.push(`; account ${accountId}, ${row.status}`)
      for (const { name, type, value } of expectedRecords(row, platform)) {
        // A string of a TXT record has 255 characters at most.
        const data =
          type === "TXT" ? (value.match(/.{1,255}/g) ?? []).map((part) => `"${part}"`).join(" ") : `${value}.`
        lines.push(`${name}. 3600 IN ${type} ${data}`)
      }
    }
    return lines
  })
})

const make = Effect.gen(function* () {
  const services = yield* makeDomainServices
  const changes = makeDomainChanges(services)
  const verification = makeVerification(services, changes)

  return SenderDomains.of({
    ...customDomains(services, changes, verification),
    ...subdomains(services, changes, verification),
    ...domainChecks(services, changes, verification)
  })
})

export const SenderDomainsPostgres = Layer.effect(SenderDomains, make)
