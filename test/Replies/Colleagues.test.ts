import { assert, it } from "@effect/vitest"
import { isColleague } from "../../src/Services/Replies/Contacts/Colleagues.ts"

it("colleagues write from one company's domain, not from one provider of mail", () => {
  for (const [one, other, expected] of [
    ["ana@clinic.example", "rui@clinic.example", true],
    ["ana@clinic.example", "rui@other.example", false],
    ["ana@gmail.com", "rui@gmail.com", false],
    ["ana@uol.com.br", "rui@uol.com.br", false],
    [null, null, false],
    ["ana@clinic.example", null, false]
  ] as const) {
    assert.strictEqual(isColleague(one, other), expected, `${one} ${other}`)
  }
})
