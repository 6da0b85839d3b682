import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as fc from "fast-check"
import { type DnsRecord, type DnsRecordPurpose, recordsOf } from "../../src/Services/SenderDomains/DnsRecords.ts"
import {
  isInconclusive,
  isUsable,
  type RecordState,
  verifyRecords
} from "../../src/Services/SenderDomains/DnsVerification.ts"
import { type Zone, zoneDns } from "./ZoneDns.ts"

const platform = { mailDomain: "mail.platform.example", mailHost: "mx.platform.example" }
const domain = "vendas.cliente.example"
const keys = {
  selector: "pg1",
  rsa: `MIIBIjANBgkq${"A".repeat(350)}`,
  ed25519: "11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo="
}
const records = recordsOf(domain, keys, platform)

const of = (purpose: DnsRecordPurpose): DnsRecord => {
  const found = records.find((record) => record.purpose === purpose)
  if (found === undefined) throw new Error(purpose)
  return found
}

/** Everything as it was told. */
const published: Required<Pick<Zone, "txt" | "mx">> = {
  txt: Object.fromEntries(records.filter(({ type }) => type === "TXT").map(({ name, value }) => [name, [value]])),
  mx: { [of("return_path").name]: [{ host: platform.mailHost, preference: 10 }] }
}

const withTxt = (purpose: DnsRecordPurpose, values: ReadonlyArray<string> | "SERVFAIL"): Zone => ({
  ...published,
  txt: { ...published.txt, [of(purpose).name]: values }
})

const without = (purpose: DnsRecordPurpose): Zone => ({
  txt: Object.fromEntries(Object.entries(published.txt).filter(([name]) => name !== of(purpose).name)),
  mx: published.mx
})

const verified = (zone: Zone) => verifyRecords(records, { platform, domain }).pipe(Effect.provide(zoneDns(zone)))

const states = (zone: Zone) =>
  Effect.map(verified(zone), (checked) => new Map(checked.map(({ purpose, state }) => [purpose, state])))

const key = of("dkim_rsa").value
const cases: ReadonlyArray<readonly [string, DnsRecordPurpose, Zone, RecordState]> = [
  ["as told", "dkim_rsa", published, "ok"],
  [
    "a key cut into quoted strings with blanks",
    "dkim_rsa",
    withTxt("dkim_rsa", [`"${key.slice(0, 200)}" "${key.slice(200)}"`]),
    "ok"
  ],
  ["a key with line breaks", "dkim_rsa", withTxt("dkim_rsa", [`${key.slice(0, 100)}\n\t ${key.slice(100)}`]), "ok"],
  ["tags in another order, with a final semicolon", "dkim_rsa", withTxt("dkim_rsa", [`p=${keys.rsa}; v=DKIM1;`]), "ok"],
  ["a key that was cut off", "dkim_rsa", withTxt("dkim_rsa", [key.slice(0, 255)]), "wrong"],
  ["a revoked key", "dkim_rsa", withTxt("dkim_rsa", ["v=DKIM1; p="]), "wrong"],
  ["two keys", "dkim_rsa", withTxt("dkim_rsa", [key, "v=DKIM1; p=AAAA"]), "conflicting"],
  ["no key", "dkim_rsa", without("dkim_rsa"), "missing"],
  ["a name without records", "dkim_rsa", withTxt("dkim_rsa", []), "missing"],
  ["a name server that is away", "dkim_rsa", withTxt("dkim_rsa", "SERVFAIL"), "unavailable"],
  ["an Ed25519 key told of as RSA", "dkim_ed25519", withTxt("dkim_ed25519", [`v=DKIM1; p=${keys.ed25519}`]), "wrong"],
  [
    "an SPF record that has the include among others",
    "spf",
    withTxt("spf", ["v=spf1 ip4:192.0.2.0/24 include:mail.platform.example. -all"]),
    "ok"
  ],
  [
    "two SPF records",
    "spf",
    withTxt("spf", ["v=spf1 include:mail.platform.example -all", "v=spf1 mx -all"]),
    "conflicting"
  ],
  ["an SPF record of somebody else", "spf", withTxt("spf", ["v=spf1 include:other.example -all"]), "wrong"],
  [
    "an SPF record that forbids the platform",
    "spf",
    withTxt("spf", ["v=spf1 -include:mail.platform.example ~all"]),
    "wrong"
  ],
  ["text that is no SPF record", "spf", withTxt("spf", ["google-site-verification=1", "v=spf10 all"]), "missing"],
  [
    "over ten look-ups",
    "spf",
    {
      ...withTxt("spf", ["v=spf1 include:mail.platform.example include:a.example mx a -all"]),
      txt: {
        ...withTxt("spf", ["v=spf1 include:mail.platform.example include:a.example mx a -all"]).txt,
        "a.example": ["v=spf1 a:x.example a:y.example mx:z.example include:b.example ~all"],
        "b.example": ["v=spf1 exists:%{i}.example ptr a mx -all"]
      }
    },
    "wrong"
  ],
  [
    "includes that go in a circle",
    "spf",
    {
      ...withTxt("spf", ["v=spf1 include:mail.platform.example include:a.example -all"]),
      txt: {
        ...withTxt("spf", ["v=spf1 include:mail.platform.example include:a.example -all"]).txt,
        "a.example": ["v=spf1 include:a.example ~all"]
      }
    },
    "ok"
  ],
  [
    "the policy of the parent domain",
    "dmarc",
    {
      ...without("dmarc"),
      txt: { ...without("dmarc").txt, "_dmarc.cliente.example": ["v=DMARC1; p=reject; rua=mailto:x@cliente.example"] }
    },
    "ok"
  ],
  ["no policy anywhere", "dmarc", without("dmarc"), "missing"],
  ["a policy without p", "dmarc", withTxt("dmarc", ["v=DMARC1; rua=mailto:x@y.example"]), "wrong"],
  ["two policies", "dmarc", withTxt("dmarc", ["v=DMARC1; p=none", "v=DMARC1; p=reject"]), "conflicting"],
  [
    "another MX beside ours",
    "return_path",
    {
      ...published,
      mx: {
        [of("return_path").name]: [
          { host: platform.mailHost, preference: 10 },
          { host: "mx.other.example", preference: 5 }
        ]
      }
    },
    "conflicting"
  ],
  [
    "another MX",
    "return_path",
    { ...published, mx: { [of("return_path").name]: [{ host: "mx.other.example", preference: 5 }] } },
    "wrong"
  ],
  ["no MX", "return_path", { ...published, mx: {} }, "missing"],
  [
    "a name server that is away, for MX",
    "return_path",
    { ...published, mx: { [of("return_path").name]: "SERVFAIL" } },
    "unavailable"
  ],
  [
    "a wildcard's answer",
    "dkim_rsa",
    { ...without("dkim_rsa"), wildcard: { suffix: `_domainkey.${domain}`, txt: ["v=parked"] } },
    "missing"
  ]
]

describe("the records of a sender's domain", () => {
  for (const [name, purpose, zone, state] of cases) {
    it.effect(`${purpose}, ${name}: ${state}`, () =>
      Effect.map(verified(zone), (checked) => {
        const record = checked.find((one) => one.purpose === purpose)
        assert.strictEqual(record?.state, state)
        assert.strictEqual(record?.advice === null, state === "ok")
      })
    )
  }

  it.effect("are all there when they are published as told, whatever the domain", () =>
    Effect.promise(() =>
      fc.assert(
        fc.asyncProperty(fc.domain(), async (name) => {
          const own = recordsOf(name, keys, platform)
          const zone: Zone = {
            txt: Object.fromEntries(own.filter(({ type }) => type === "TXT").map((one) => [one.name, [one.value]])),
            mx: { [`bounces.${name}`]: [{ host: platform.mailHost, preference: 10 }] }
          }
          const checked = await Effect.runPromise(
            verifyRecords(own, { platform, domain: name }).pipe(Effect.provide(zoneDns(zone)))
          )
          assert.isTrue(checked.every(({ state }) => state === "ok"))
        }),
        { numRuns: 50 }
      )
    )
  )

  it.effect("are enough without the newer signature and the domain's own SPF, and not without any other", () =>
    Effect.gen(function* () {
      for (const purpose of ["dkim_ed25519", "spf"] as const) assert.isTrue(isUsable(yield* verified(without(purpose))))
      for (const purpose of ["dkim_rsa", "return_path_spf", "dmarc"] as const) {
        assert.isFalse(isUsable(yield* verified(without(purpose))))
      }
    })
  )

  it.effect("that a name server does not tell of now are not taken for gone", () =>
    Effect.gen(function* () {
      assert.isTrue(isInconclusive(yield* verified(withTxt("dkim_rsa", "SERVFAIL"))))
      assert.isFalse(isInconclusive(yield* verified(without("dkim_rsa"))))
      assert.isFalse(isInconclusive(yield* verified(published)))
      assert.strictEqual((yield* states(withTxt("dkim_rsa", "SERVFAIL"))).get("dkim_rsa"), "unavailable")
    })
  )
})
