import { createRequire } from "node:module"
import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Layer, Schema } from "effect"
import { type DomainVerdict, daysOfVerdict } from "../../Services/Companies/EmailCheck.ts"
import { MailDomains } from "../../Services/Companies/MailDomains.ts"
import { Dns } from "../../Services/Outbound/Dns.ts"
import { fromSql } from "../Platform/Postgres/Sql.ts"

const Names = Schema.Array(Schema.String)

/** A list of some megabytes. It is loaded at the first use, and most gateways never need it. */
const disposableDomains = (): ((domain: string) => boolean) => {
  const require = createRequire(import.meta.url)
  const read = (file: string): ReadonlySet<string> =>
    new Set(Schema.decodeUnknownSync(Names)(require(`disposable-email-domains/${file}.json`)))
  const names = read("index")
  const endings = read("wildcard")
  return (domain) =>
    names.has(domain) || domain.split(".").some((_, index, labels) => endings.has(labels.slice(index).join(".")))
}

type LastingVerdict = Exclude<DomainVerdict, "unknown">

const make = Effect.gen(function* () {
  const sql = yield* SqlClient
  const dns = yield* Dns
  let disposable: ((domain: string) => boolean) | undefined

  /**
   * Looks up whether a domain receives mail. Mail goes to its MX, otherwise to its address (RFC 5321, section 5.1). A
   * domain with a null MX receives none (RFC 7505).
   */
  const lookUp = Effect.fnUntraced(function* (domain: string) {
    const mx = yield* dns.mx(domain)
    if (mx._tag === "Found") {
      const takesNone = mx.records.length > 0 && mx.records.every(({ host }) => host === "")
      return takesNone ? "domain_takes_no_mail" : "takes_mail"
    }
    // In the sandbox's zone, a domain without records receives mail.
    if (mx._tag === "NoName") return dns.mode === "sandbox" ? "takes_mail" : "no_such_domain"
    if (mx._tag === "Unavailable") return "unknown"
    const addresses = yield* dns.addresses(domain)
    // Only a missing name or a null MX proves that a domain receives no mail.
    return addresses._tag === "NoName" ? "no_such_domain" : addresses._tag === "Unavailable" ? "unknown" : "takes_mail"
  })

  const store = (verdicts: ReadonlyArray<readonly [string, LastingVerdict]>) =>
    sql`
      insert into mail_domain (domain, verdict, checked_at)
      select d.domain, d.verdict, instant() from unnest(
        ${verdicts.map(([domain]) => domain)}::text[], ${verdicts.map(([, verdict]) => verdict)}::text[]
      ) as d (domain, verdict)
      on conflict (domain) do update set verdict = excluded.verdict, checked_at = excluded.checked_at`.pipe(fromSql())

  return MailDomains.of({
    verdicts: Effect.fn("MailDomains.verdicts")(function* (domains) {
      const distinctDomains = [...new Set(domains)]
      if (distinctDomains.length === 0) return new Map()
      const storedVerdicts = yield* sql<{ readonly domain: string; readonly verdict: LastingVerdict }>`
        select domain, verdict from mail_domain where domain = any(${distinctDomains}::text[])
          and checked_at > instant() - case verdict
            when 'takes_mail' then make_interval(days => ${daysOfVerdict.takes_mail})
            when 'no_such_domain' then make_interval(days => ${daysOfVerdict.no_such_domain})
            else make_interval(days => ${daysOfVerdict.domain_takes_no_mail}) end`.pipe(fromSql())
      const knownVerdicts = new Map<string, DomainVerdict>(
        storedVerdicts.map(({ domain, verdict }) => [domain, verdict])
      )
      const newVerdicts = yield* Effect.forEach(
        distinctDomains.filter((domain) => !knownVerdicts.has(domain)),
        (domain) => Effect.map(lookUp(domain), (verdict) => [domain, verdict] as const),
        { concurrency: 8 }
      )
      const lastingVerdicts = newVerdicts.flatMap(([domain, verdict]) =>
        verdict === "unknown" ? [] : [[domain, verdict] as const]
      )
      if (lastingVerdicts.length > 0) yield* store(lastingVerdicts)
      for (const [domain, verdict] of newVerdicts) knownVerdicts.set(domain, verdict)
      return knownVerdicts
    }),
    isDisposable: (domain) => {
      disposable ??= disposableDomains()
      return disposable(domain)
    }
  })
})

export const MailDomainsLive = Layer.effect(MailDomains, make)
