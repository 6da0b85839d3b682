import { Config, Effect, Option } from "effect"
import { type CheckResult, failed, passed, skipped, warning, worstOf } from "../../Services/Core/Outside/CheckResult.ts"
import type { Dns } from "../../Services/Outbound/Dns.ts"
import type { Check } from "../Platform/Operators/Check.ts"
import { loadSettings } from "../Platform/Settings.ts"
import { dnsSettings, tryMillis } from "./DnsConfigured.ts"
import { makeLiveDns } from "./DnsLive.ts"
import { mailHost } from "./SenderDomainsPostgres.ts"

const noAnswer = (name: string): CheckResult =>
  failed(`The name servers do not answer for ${name}.`, "Check the machine's name servers, or set DNS_SERVERS.")

const judgeMx = (dns: Dns["Type"], domain: string, host: string) =>
  Effect.gen(function* () {
    const mx = yield* dns.mx(domain)
    if (mx._tag === "Unavailable") return noAnswer(domain)
    if (mx._tag !== "Found") {
      return failed(`${domain} has no MX record, so replies do not arrive.`, `Add: ${domain}. MX 10 ${host}.`)
    }
    const hosts = mx.records.map((record) => record.host)
    return hosts.includes(host)
      ? passed(`${domain} has its MX record (${hosts.join(", ")}).`)
      : warning(
          `Mail for ${domain} goes to ${hosts.join(", ")}, and MAIL_HOST is ${host}.`,
          "Set MAIL_HOST to one of these hosts, or correct the MX record."
        )
  })

const judgeHost = (dns: Dns["Type"], host: string) =>
  Effect.map(dns.addresses(host), (addresses) => {
    if (addresses._tag === "Unavailable") return noAnswer(host)
    return addresses._tag === "Found"
      ? passed(`${host} has an address.`)
      : failed(`${host} has no address.`, `Add an A or AAAA record for ${host}, or set MAIL_HOST.`)
  })

const judgeSpf = (dns: Dns["Type"], domain: string) =>
  Effect.map(dns.txt(domain), (texts) => {
    if (texts._tag === "Unavailable") return noAnswer(domain)
    const records = texts._tag === "Found" ? texts.records.filter((text) => /^v=spf1(?: |$)/i.test(text)) : []
    if (records.length > 1) return failed(`${domain} has ${records.length} SPF records.`, "Keep one of them.")
    return records.length === 1
      ? passed(`${domain} has an SPF record.`)
      : warning(
          `${domain} has no SPF record, so receivers may take its mail for spam.`,
          `Add a TXT record for ${domain} that names the servers of SMTP_URL, such as v=spf1 include:spf.provider.com ~all.`
        )
  })

/** Checks the records that mail of the platform's domain needs. */
export const checkMailDomain = (dns: Dns["Type"], domain: string, host: string): Effect.Effect<CheckResult> =>
  Effect.map(
    Effect.all([judgeMx(dns, domain, host), judgeHost(dns, host), judgeSpf(dns, domain)], { concurrency: "unbounded" }),
    worstOf
  )

const mailDomainCheck = Effect.gen(function* () {
  const { mailDomain } = yield* loadSettings
  const { mode, servers } = yield* dnsSettings
  const isSmtpSet = Option.isSome(yield* Config.option(Config.redacted("SMTP_URL")))
  if (mode === "sandbox") return skipped("DNS_MODE is sandbox: no records are looked up.")
  if (!isSmtpSet) return skipped("SMTP_URL is not set: mail stays in the sandbox.")
  if (mailDomain.endsWith("example.com")) {
    return failed(
      "Mail is sent, and MAIL_DOMAIN is still the example.",
      "Set MAIL_DOMAIN to a domain of yours, and add its MX, SPF, DKIM and DMARC records."
    )
  }
  const dns = makeLiveDns({ timeout: tryMillis, ...(Option.isSome(servers) ? { servers: servers.value } : {}) })
  return yield* checkMailDomain(
    dns,
    mailDomain,
    Option.getOrElse(yield* mailHost, () => `mx.${mailDomain}`)
  )
})

export const senderDomainChecks: ReadonlyArray<Check> = [{ name: "mail.domain", run: mailDomainCheck }]
