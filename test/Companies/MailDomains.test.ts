import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { MailDomainsLive } from "../../src/Layers/Companies/MailDomainsLive.ts"
import { DnsSandbox } from "../../src/Layers/SenderDomains/sandbox/DnsSandbox.ts"
import { type DomainVerdict, problemOfAddress } from "../../src/Services/Companies/EmailCheck.ts"
import { MailDomains } from "../../src/Services/Companies/MailDomains.ts"
import { Dns, type DnsAnswer } from "../../src/Services/Outbound/Dns.ts"
import { TestDatabase } from "../support/TestDatabase.ts"

const foundRecords = <A>(...records: ReadonlyArray<A>): DnsAnswer<A> => ({ _tag: "Found", records })
const lookedUp: Array<string> = []

/** The beginning of a name says what its servers answer. */
const NamedServers = Layer.succeed(Dns, {
  mode: "live",
  txt: () => Effect.succeed({ _tag: "NoRecords" as const }),
  mx: (name) =>
    Effect.sync(() => {
      lookedUp.push(name)
      if (name.startsWith("mx")) return foundRecords({ host: `in.${name}`, preference: 10 })
      if (name.startsWith("null")) return foundRecords({ host: "", preference: 0 })
      if (name.startsWith("gone")) return { _tag: "NoName" as const }
      return name.startsWith("silent") ? { _tag: "Unavailable" as const } : { _tag: "NoRecords" as const }
    }),
  addresses: (name) =>
    Effect.succeed(name.startsWith("lost") ? { _tag: "Unavailable" as const } : foundRecords("192.0.2.1"))
})

const InSandbox = MailDomainsLive.pipe(Layer.provide(DnsSandbox), Layer.provideMerge(TestDatabase))

layer(InSandbox)("domains of the sandbox", (it) => {
  it.effect("take mail unless its zone says otherwise", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const domains = yield* MailDomains
      const zone = (name: string, type: string, values: ReadonlyArray<string> | null) => sql`
        insert into sandbox_dns_record (name, type, record_values, updated_at)
        values (${name}, ${type}, ${values}::text[], instant())`
      yield* zone("closed.example", "MX", ["0 ."])
      yield* zone("open.example", "MX", ["10 mx.open.example."])
      yield* zone("silent.example", "MX", null)
      yield* zone("web.example", "A", ["192.0.2.1"])
      const names = ["closed.example", "open.example", "silent.example", "web.example", "never-named.example"]
      const look = Effect.map(domains.verdicts(names), (verdicts) => names.map((name) => verdicts.get(name)))
      const expected: Array<DomainVerdict> = [
        "domain_takes_no_mail",
        "takes_mail",
        "unknown",
        "takes_mail",
        "takes_mail"
      ]
      assert.deepStrictEqual(yield* look, expected)
      // A server that recovered is asked again. Other verdicts stay cached.
      yield* sql`update sandbox_dns_record set record_values = '{"10 mx.silent.example"}' where name = 'silent.example'`
      yield* sql`update sandbox_dns_record set record_values = '{"10 mx"}' where name = 'closed.example'`
      assert.deepStrictEqual(yield* look, expected.with(2, "takes_mail"))
    })
  )
})

layer(MailDomainsLive.pipe(Layer.provide(NamedServers), Layer.provideMerge(TestDatabase)))("domains", (it) => {
  it.effect("only a name that is not there, or says so itself, takes no mail; what was said is kept", () =>
    Effect.gen(function* () {
      const domains = yield* MailDomains
      const names = ["mx.example", "null.example", "gone.example", "silent.example", "plain.example", "lost.example"]
      const verdicts = yield* domains.verdicts([...names, "mx.example"])
      assert.deepStrictEqual(
        names.map((name) => verdicts.get(name)),
        ["takes_mail", "domain_takes_no_mail", "no_such_domain", "unknown", "takes_mail", "unknown"]
      )
      lookedUp.length = 0
      assert.strictEqual((yield* domains.verdicts(names)).get("gone.example"), "no_such_domain")
      assert.deepStrictEqual(lookedUp.toSorted(), ["lost.example", "silent.example"])
    })
  )

  it.effect("addresses for a few minutes and mailboxes that do not buy are known", () =>
    Effect.map(MailDomains, ({ isDisposable }) => {
      const problemOf = (address: string) => problemOfAddress(address, isDisposable)
      assert.strictEqual(problemOf("ana@mailinator.com"), "disposable")
      assert.strictEqual(problemOf("nao-responda@clinica.com.br"), "role")
      assert.strictEqual(problemOf("rh+vagas@clinica.com.br"), "role")
      assert.isUndefined(problemOf("contato@clinica.com.br"))
      assert.isUndefined(problemOf("ana.prado@clinica.com.br"))
    })
  )
})
