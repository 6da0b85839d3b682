import { assert, describe, it } from "@effect/vitest"
import { Either } from "effect"
import * as fc from "fast-check"
import {
  customAddressOf,
  dailyLimit,
  pauseReasonOf,
  subdomainLabelOf
} from "../../src/Services/SenderDomains/SenderDomainRules.ts"

const told = <A>(result: Either.Either<A, { readonly reason: string }>) =>
  Either.match(result, { onLeft: ({ reason }) => reason, onRight: (value) => value })

describe("subdomains", () => {
  it.each([
    [" Ondas ", "ondas"],
    ["ondas-2", "ondas-2"],
    ["ab", "subdomain_invalid"],
    ["-ondas", "subdomain_invalid"],
    ["ondas.mail", "subdomain_invalid"],
    ["ondas_1", "subdomain_invalid"],
    ["índas", "subdomain_invalid"],
    ["x".repeat(41), "subdomain_invalid"],
    ["support", "subdomain_reserved"],
    ["bounces", "subdomain_reserved"],
    ["no-reply", "subdomain_reserved"],
    ["mx1", "subdomain_reserved"],
    ["xn--oi", "subdomain_reserved"]
  ])("%s is %s", (text, expected) => assert.strictEqual(told(subdomainLabelOf(text)), expected))

  it("are names that a zone can have, whatever was asked", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 60 }), (text) => {
        const label = subdomainLabelOf(text)
        if (Either.isRight(label)) assert.match(label.right, /^[a-z0-9](?:[a-z0-9-]{1,38})[a-z0-9]$/)
      })
    )
  })
})

describe("addresses of custom domains", () => {
  const domain = "mail.platform.example"
  it.each([
    ["Sales@Company.example", "sales@company.example"],
    ["a@b", "invalid_email_domain"],
    ["me@gmail.com", "public_mail_domain"],
    ["me@mail.platform.example", "platform_domain"],
    ["me@x.mail.platform.example", "platform_domain"],
    ["me@notmail.platform.example", "me@notmail.platform.example"]
  ])("%s is %s", (text, expected) =>
    assert.strictEqual(told(Either.map(customAddressOf(text, domain), ({ address }) => address)), expected)
  )
})

describe("a new domain", () => {
  it("sends more from day to day, and then any number", () => {
    const limits = Array.from({ length: 30 }, (_, day) => dailyLimit(day) ?? Number.POSITIVE_INFINITY)
    assert.deepStrictEqual(
      limits,
      [...limits].sort((one, other) => one - other)
    )
    assert.strictEqual(dailyLimit(-3), 20)
    assert.isNull(dailyLimit(9))
  })

  it.each([
    [{ sent: 19, bounced: 19, complained: 9 }, undefined],
    [{ sent: 100, bounced: 5, complained: 0 }, undefined],
    [{ sent: 100, bounced: 6, complained: 0 }, "bounces"],
    [{ sent: 100, bounced: 0, complained: 1 }, undefined],
    [{ sent: 600, bounced: 0, complained: 2 }, "complaints"],
    [{ sent: 700, bounced: 0, complained: 2 }, undefined]
  ] as const)("with %o stops for %s", (reputation, expected) => assert.strictEqual(pauseReasonOf(reputation), expected))

  it("never goes on with more bounces where it stopped with fewer", () => {
    const count = fc.integer({ min: 0, max: 500 })
    fc.assert(
      fc.property(count, count, count, count, (sent, bounced, complained, more) => {
        if (pauseReasonOf({ sent, bounced, complained }) === undefined) return
        assert.isDefined(pauseReasonOf({ sent, bounced: bounced + more, complained }))
      })
    )
  })
})
