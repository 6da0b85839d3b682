import { assert, describe, it } from "@effect/vitest"
import { Either } from "effect"
import type { Refused } from "../../src/Errors.ts"
import {
  type BlacklistKey,
  type BlacklistMatch,
  countryOfAccount,
  domainKey,
  emailKey,
  phoneKey
} from "../../src/Services/Blacklist/Blacklist.ts"

const refusalOf = (key: Either.Either<unknown, { readonly reason: string }>) =>
  Either.match(key, { onLeft: ({ reason }) => reason, onRight: () => "accepted" })

describe("phoneKey", () => {
  const phone = (value: string, match: BlacklistMatch): Either.Either<BlacklistKey, Refused> =>
    Either.right({ kind: "phone", value, match })
  const whole = (value: string) => phone(value, "whole")
  const ending = (value: string) => phone(value, "ending")

  it("formatting does not matter", () => {
    for (const phone of ["+55 11 91234-5678", "(11) 91234.5678", "11912345678", "5511912345678", "0055 11 912345678"]) {
      assert.deepStrictEqual(phoneKey(phone, "BR"), whole("5511912345678"), phone)
    }
  })

  it("a national number belongs to the account's country", () => {
    assert.deepStrictEqual(phoneKey("(415) 555-2671", "US"), whole("14155552671"))
    assert.deepStrictEqual(phoneKey("11 2345-6789", "AR"), whole("541123456789"))
  })

  it("a written country code counts more than the account's country", () => {
    assert.deepStrictEqual(phoneKey("+44 20 7946 0958", "BR"), whole("442079460958"))
  })

  it("a number that cannot be completed keeps its digits", () => {
    assert.deepStrictEqual(phoneKey("91234-5678", "BR"), ending("912345678"))
  })

  it("too few and too many digits are refused", () => {
    assert.strictEqual(refusalOf(phoneKey("1234-567", "BR")), "phone_too_short")
    assert.strictEqual(refusalOf(phoneKey("no digits", "BR")), "phone_too_short")
    assert.strictEqual(refusalOf(phoneKey("(11) 91234-5678 / (11) 98765-4321", "BR")), "phone_too_long")
  })
})

describe("emailKey and domainKey", () => {
  it("are normalised", () => {
    assert.deepStrictEqual(Either.getOrThrow(emailKey("  Ana@Rival.COM ")).value, "ana@rival.com")
    assert.deepStrictEqual(Either.getOrThrow(domainKey("Café.com.")).value, "xn--caf-dma.com")
  })

  it("a domain with an @, a scheme or a path is refused", () => {
    assert.strictEqual(refusalOf(domainKey("ana@rival.com")), "email_instead_of_domain")
    assert.strictEqual(refusalOf(domainKey("@rival.com")), "email_instead_of_domain")
    for (const domain of ["https://rival.com", "rival.com/about", "rival.com:443", "rival", "10.0.0.1", "a b.com"]) {
      assert.strictEqual(refusalOf(domainKey(domain)), "invalid_domain", domain)
    }
  })
})

describe("countryOfAccount", () => {
  it("goes by the account's phone, then its language, then Brazil", () => {
    assert.strictEqual(countryOfAccount({ phone: "+14155552671", languageKey: "pt-BR" }), "US")
    assert.strictEqual(countryOfAccount({ phone: null, languageKey: "es-AR" }), "AR")
    assert.strictEqual(countryOfAccount({ phone: "not a phone", languageKey: "en-us" }), "US")
    assert.strictEqual(countryOfAccount({ phone: null, languageKey: "en" }), "BR")
    assert.strictEqual(countryOfAccount({ phone: null, languageKey: "es-419" }), "BR")
  })
})
