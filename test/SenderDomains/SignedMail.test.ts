import { Resolver } from "node:dns/promises"
import { SqlClient } from "@effect/sql/SqlClient"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { authenticate } from "mailauth"
import { NotificationsPostgres } from "../../src/Layers/Events/NotificationsPostgres.ts"
import { makeLiveDns } from "../../src/Layers/SenderDomains/DnsLive.ts"
import { SenderDomainsPostgres } from "../../src/Layers/SenderDomains/SenderDomainsPostgres.ts"
import { MailOutbox } from "../../src/Services/Mail/MailOutbox.ts"
import { Dns } from "../../src/Services/Outbound/Dns.ts"
import { SenderDomains, type SenderDomainView } from "../../src/Services/SenderDomains/SenderDomains.ts"
import { queueEmail, sandboxMailServices } from "../support/channels/MailServices.ts"
import { insertLead } from "../support/leads/LeadServices.ts"
import { hasBind, serveZones } from "../support/processes/LocalBind.ts"
import { SealingOfTests } from "../support/SealingOfTests.ts"
import { as, makeAccount } from "../support/TestAccount.ts"

/** A name server of the test's own, another one for each look where the zone changes. */
let servers: ReadonlyArray<string> = []
const LocalDns = Layer.succeed(
  Dns,
  Dns.of({
    mode: "live",
    txt: (name) => makeLiveDns({ servers, timeout: 2000 }).txt(name),
    mx: (name) => makeLiveDns({ servers, timeout: 2000 }).mx(name),
    addresses: (name) => makeLiveDns({ servers, timeout: 2000 }).addresses(name)
  })
)
const TestLayer = SenderDomainsPostgres.pipe(
  Layer.provide(Layer.mergeAll(LocalDns, SealingOfTests, NotificationsPostgres)),
  Layer.provideMerge(sandboxMailServices())
)

const platformZone = ['@ IN TXT "v=spf1 ip4:127.0.0.1 -all"']

const line = ({ name, type, value }: SenderDomainView["records"][number]): string => {
  const data = type === "TXT" ? (value.match(/.{1,255}/g) ?? []).map((part) => `"${part}"`).join(" ") : `${value}.`
  return `${name}. 60 IN ${type} ${data}`
}

const statesOf = (view: SenderDomainView) =>
  Object.fromEntries(view.records.map(({ purpose, state }) => [purpose, state]))

const resolverAt = (address: string) => {
  const resolver = new Resolver({ timeout: 1000, tries: 1 })
  resolver.setServers([address])
  return (name: string, type: string): Promise<Array<string> | Array<Array<string>>> =>
    type === "TXT" ? resolver.resolveTxt(name) : type === "A" ? resolver.resolve4(name) : Promise.resolve([])
}

// Needs the name server of Debian (bind9). Without it, the test is skipped by name.
describe.skipIf(!hasBind)("mail under a custom domain", () => {
  it.live(
    "is signed by both algorithms, passes SPF, DKIM and DMARC at a receiver, and says what a real zone lacks",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const domains = yield* SenderDomains
        const outbox = yield* MailOutbox
        const caller = yield* makeAccount()
        const me = as(caller)
        const activated = yield* me(domains.activateCustom("Vendas@Cliente.example"))
        assert.deepInclude(activated, { status: "pending", domain: "cliente.example", dns: "live" })
        const lines = activated.records.map(line)

        // An empty zone, one that cannot be loaded, and one that lacks a record.
        servers = [yield* serveZones({ "cliente.example": [], "mail.example.com": platformZone })]
        const empty = yield* me(domains.verifyCustom)
        assert.deepStrictEqual([...new Set(Object.values(statesOf(empty)))], ["missing"])
        servers = [yield* serveZones({ "cliente.example": null, "mail.example.com": platformZone })]
        assert.deepStrictEqual([...new Set(Object.values(statesOf(yield* me(domains.verifyCustom))))], ["unavailable"])
        servers = [
          yield* serveZones({
            "cliente.example": [...lines.filter((one) => !one.includes("_dmarc")), "* IN TXT wildcard"],
            "mail.example.com": platformZone
          })
        ]
        const partly = yield* me(domains.verifyCustom)
        assert.deepInclude(statesOf(partly), { dkim_rsa: "ok", dkim_ed25519: "ok", spf: "ok", dmarc: "missing" })
        assert.strictEqual(partly.status, "pending")

        const address = yield* serveZones({ "cliente.example": lines, "mail.example.com": platformZone })
        servers = [address]
        const verified = yield* me(domains.verifyCustom)
        assert.deepStrictEqual([...new Set(Object.values(statesOf(verified)))], ["ok"])
        assert.deepInclude(verified, { status: "verified", sender_address: "vendas@cliente.example" })

        const leadId = yield* me(insertLead())
        const message = yield* me(queueEmail(leadId, { subject: "Olá, ação", body_text: "Bom dia.\n\n.\nAté já" }))
        yield* outbox.deliver(message, { isLast: true })
        const rows = yield* sql<{ readonly raw: Uint8Array; readonly id: string }>`
        select s.raw, m.message_id as id from sandbox_mail s join email_message m using (account_id, email_message_id)
        where s.account_id = ${caller.accountId}`
        const raw = Buffer.from(rows[0]?.raw ?? [])
        assert.match(rows[0]?.id ?? "", /@cliente\.example>$/)
        assert.match(raw.toString(), /^From: .*<vendas@cliente\.example>\r$/m)

        const judged = yield* Effect.promise(() =>
          authenticate(raw, {
            ip: "127.0.0.1",
            helo: "mx.mail.example.com",
            sender: "handle+b1@bounces.cliente.example",
            mta: "receiver.example",
            disableArc: true,
            disableBimi: true,
            resolver: resolverAt(address)
          })
        )
        assert.deepStrictEqual(
          judged.dkim.results
            .map(({ selector, status }) => [selector?.replace(/^pg\w{8}-/, ""), status.result, status.aligned])
            .sort(),
          [
            ["ed", "pass", "cliente.example"],
            ["rsa", "pass", "cliente.example"]
          ]
        )
        assert.deepStrictEqual([...raw.toString().matchAll(/ a=(\S+);/g)].map(([, algorithm]) => algorithm).sort(), [
          "ed25519-sha256",
          "rsa-sha256"
        ])
        assert.strictEqual(judged.spf && judged.spf.status.result, "pass")
        assert.strictEqual(judged.dmarc && judged.dmarc.status.result, "pass")
        assert.deepInclude(judged.dmarc && judged.dmarc.alignment.spf, { result: "bounces.cliente.example" })

        // A letter changed on the way is noticed.
        const forged = yield* Effect.promise(() =>
          authenticate(Buffer.from(raw.toString().replace("Bom dia", "Bom diA")), {
            ip: "192.0.2.1",
            helo: "x",
            sender: "a@evil.example",
            mta: "receiver.example",
            disableArc: true,
            disableBimi: true,
            resolver: resolverAt(address)
          })
        )
        assert.strictEqual(forged.dmarc && forged.dmarc.status.result, "fail")
      }).pipe(Effect.scoped, Effect.provide(TestLayer))
  )
})
