import { assert, describe, it } from "@effect/vitest"
import { Option } from "effect"
import * as fc from "fast-check"
import { AccountId } from "../../src/Services/Accounts/Ids.ts"
import { LeadId } from "../../src/Services/Leads/Ids.ts"
import {
  claimedSubscription,
  localAddress,
  readTag,
  taggedAddress,
  unsubscribeToken
} from "../../src/Services/Mail/MailTags.ts"

const key = Buffer.alloc(32, 1)
const otherKey = Buffer.alloc(32, 2)
const account = { handle: "acme", mailKey: key, domain: "mail.example" }
const ids = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER })

const tagOf = (address: string): string => Option.getOrThrow(localAddress(address, "mail.example")).tag

describe("the tag of an address", () => {
  it("tells which message it was made for, whatever the case it comes back in", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 0xffffffffffff }), fc.constantFrom("reply", "bounce"), (id, kind) => {
        const address = taggedAddress(account, kind, id)
        assert.isAtMost(address.indexOf("@"), 64)
        assert.deepStrictEqual(readTag(key, tagOf(address.toUpperCase())), Option.some({ kind, emailMessageId: id }))
      })
    )
  })

  it("means nothing under another account's key, or changed in any character", () => {
    const tag = tagOf(taggedAddress(account, "reply", 77))
    assert.isTrue(Option.isNone(readTag(otherKey, tag)))
    for (let index = 0; index < tag.length; index++) {
      const changed = `${tag.slice(0, index)}${tag[index] === "1" ? "2" : "1"}${tag.slice(index + 1)}`
      assert.isTrue(Option.isNone(readTag(key, changed)), changed)
    }
  })

  it("is read from addresses at the platform's own domain only", () => {
    assert.deepStrictEqual(localAddress("Acme@Mail.Example", "mail.example"), Option.some({ handle: "acme", tag: "" }))
    for (const address of ["acme@example", "acme@mail.example.evil.com", "@mail.example", "acme"]) {
      assert.isTrue(Option.isNone(localAddress(address, "mail.example")), address)
    }
  })
})

describe("the token of an unsubscribe link", () => {
  it("names account and lead, and is genuine under the account's key alone", () => {
    fc.assert(
      fc.property(ids, ids, (accountId, leadId) => {
        const subscription = { accountId: AccountId.make(accountId), leadId: LeadId.make(leadId) }
        const token = unsubscribeToken(key, subscription)
        assert.match(token, /^[A-Za-z0-9_-]{40}$/)
        const claimed = Option.getOrThrow(claimedSubscription(token))
        assert.deepStrictEqual(claimed.subscription, subscription)
        assert.isTrue(claimed.isGenuine(key))
        assert.isFalse(claimed.isGenuine(otherKey))
      })
    )
  })

  it("is not genuine once changed, and texts of another shape are none", () => {
    const token = unsubscribeToken(key, { accountId: AccountId.make(1), leadId: LeadId.make(2) })
    for (let index = 0; index < token.length; index++) {
      const changed = `${token.slice(0, index)}${token[index] === "A" ? "B" : "A"}${token.slice(index + 1)}`
      assert.isFalse(
        Option.exists(claimedSubscription(changed), ({ isGenuine }) => isGenuine(key)),
        changed
      )
    }
    for (const text of ["", "x", `${token}A`, token.slice(1), `${token.slice(0, 39)}=`, "/../../etc/passwd"]) {
      assert.isTrue(Option.isNone(claimedSubscription(text)), text)
    }
  })
})
