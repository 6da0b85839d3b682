import { assert, describe, it } from "@effect/vitest"
import { type MailRecipient, mailRefusalOf } from "../../src/Services/Leads/Email/MailRecipient.ts"
import { LeadId } from "../../src/Services/Leads/Ids.ts"

const table: ReadonlyArray<readonly [recipient: MailRecipient, reason: string | undefined]> = [
  [{ email: "ana@client.example", is_blacklisted: false, is_suppressed: false }, undefined],
  [{ email: null, is_blacklisted: false, is_suppressed: false }, "lead_has_no_email"],
  [{ email: "ana@client.example", is_blacklisted: true, is_suppressed: true }, "lead_blacklisted"],
  [{ email: "ana@client.example", is_blacklisted: false, is_suppressed: true }, "email_suppressed"]
]

describe("an e-mail of the owner's", () => {
  for (const [recipient, reason] of table) {
    it(`to ${JSON.stringify(recipient)} is ${reason ?? "taken"}`, () => {
      assert.strictEqual(mailRefusalOf(LeadId.make(7), recipient)?.reason, reason)
    })
  }
})
