import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import {
  readAuthenticationResults,
  type SenderCheck,
  senderCheck
} from "../../src/Services/Mail/AuthenticationResults.ts"

const ours = "mx.ours.example"

const check = (
  fields: ReadonlyArray<string>,
  more: { readonly fromAddress?: string; readonly fromFields?: number } = {}
): SenderCheck => senderCheck({ fields, servers: [ours], fromAddress: "bia@mail.lead.example", fromFields: 1, ...more })

/** The fields of each case, topmost first. */
const table: ReadonlyArray<readonly [what: string, fields: ReadonlyArray<string>, says: SenderCheck]> = [
  ["no header", [], "unknown"],
  ["ours, passed", [`${ours}; dmarc=pass header.from=mail.lead.example`], "passed"],
  ["ours, failed", [`${ours}; spf=pass; dmarc=fail (p=REJECT) header.from=lead.example`], "failed"],
  [
    "ours, without DMARC",
    [`${ours}; spf=pass smtp.mailfrom=bia@lead.example; dkim=pass header.d=lead.example`],
    "unknown"
  ],
  ["ours, where the domain has no policy", [`${ours}; dmarc=none header.from=lead.example`], "unknown"],
  ["ours, where DNS was away", [`${ours}; dmarc=temperror header.from=lead.example`], "unknown"],
  ["ours, with nothing checked", [`${ours}; none`], "unknown"],
  ["a stranger's pass", ["mx.evil.example; dmarc=pass header.from=lead.example"], "unknown"],
  ["a stranger's fail", ["mx.evil.example; dmarc=fail header.from=lead.example"], "unknown"],
  ["a stranger's pass above our fail", ["mx.evil.example; dmarc=pass", `${ours}; dmarc=fail`], "failed"],
  [
    "our fail above a forged pass of ours",
    [`${ours}; dmarc=fail`, `${ours}; dmarc=pass header.from=lead.example`],
    "failed"
  ],
  [
    "our pass above a forged fail of ours",
    [`${ours}; dmarc=pass header.from=lead.example`, `${ours}; dmarc=fail`],
    "passed"
  ],
  [
    "ours without DMARC above a forged pass",
    [`${ours}; spf=fail`, `${ours}; dmarc=pass header.from=lead.example`],
    "unknown"
  ],
  ["DKIM's header of ours above DMARC's", [`${ours}; dkim=pass`, `${ours}; dmarc=fail`], "failed"],
  ["a name that begins as ours", [`${ours}.evil.example; dmarc=pass`], "unknown"],
  ["a name that ends as ours", [`evil-${ours}; dmarc=pass`], "unknown"],
  ["our name in a comment", [`mx.evil.example (${ours}); dmarc=pass`], "unknown"],
  [
    "our name in capitals, quoted, with a version",
    [`"MX.Ours.Example" 1 ; DMARC = PASS header.from = Lead.Example`],
    "passed"
  ],
  ["a result in a comment", [`${ours}; spf=none (; dmarc=pass header.from=lead.example)`], "unknown"],
  ["a result in a quoted reason", [`${ours}; spf=fail reason="; dmarc=pass header.from=lead.example"`], "unknown"],
  ["a comment within a comment", [`${ours} (a (b \\) c) d); dmarc=fail (p=none (dis=none))`], "failed"],
  ["a comment without an end", [`${ours}; dmarc=pass (`], "unknown"],
  ["a quotation without an end", [`"${ours}; dmarc=pass`], "unknown"],
  ["a pass of another sender's domain", [`${ours}; dmarc=pass header.from=evil.example`], "unknown"],
  ["a pass of a part of the domain's name", [`${ours}; dmarc=pass header.from=ead.example`], "unknown"],
  ["a pass of a whole top-level domain", [`${ours}; dmarc=pass header.from=example`], "unknown"],
  ["a pass with a version of the method", [`${ours}; dmarc/1=pass header.from=lead.example`], "passed"],
  ["two results, the first counts", [`${ours}; dmarc=fail; dmarc=pass`], "failed"],
  ["a header without a name", ["spf=pass smtp.mailfrom=lead.example; dmarc=pass header.from=lead.example"], "unknown"],
  [
    "as Gmail writes it",
    [
      `${ours}; dkim=pass header.i=@lead.example header.s=s1 header.b=Ab/+3=; spf=pass (google.com: domain of bia@lead.example designates 192.0.2.1 as permitted sender) smtp.mailfrom=bia@lead.example; dmarc=pass (p=QUARANTINE sp=NONE dis=NONE) header.from=lead.example`
    ],
    "passed"
  ],
  ["as OpenDMARC writes it", [`${ours}; dmarc=fail (p=reject dis=none) header.from=lead.example`], "failed"]
]

describe("the receiving server's verdict on a sender", () => {
  for (const [what, fields, says] of table) {
    it(what, () => assert.strictEqual(check(fields), says))
  }

  it("counts for one sender only", () => {
    const passed = [`${ours}; dmarc=pass header.from=lead.example`]
    assert.strictEqual(check(passed, { fromFields: 2 }), "unknown")
    assert.strictEqual(check(passed, { fromAddress: "bia@other.example" }), "unknown")
    assert.strictEqual(check([`${ours}; dmarc=fail`], { fromFields: 2 }), "failed")
  })

  it("is ignored if no server is trusted", () => {
    const fields = [`${ours}; dmarc=pass`, `${ours}; dmarc=fail`]
    assert.strictEqual(senderCheck({ fields, servers: [], fromAddress: "a@b.example", fromFields: 1 }), "unknown")
  })

  it("never becomes a pass by a field below the receiver's", () => {
    const piece = fc.constantFrom(
      ours,
      ";",
      "dmarc",
      "=",
      "pass",
      "fail",
      " ",
      "(",
      ")",
      '"',
      "\\",
      "header.from",
      "lead.example",
      "/1",
      "none"
    )
    const below = fc.array(
      fc.oneof(
        fc.array(piece, { maxLength: 14 }).map((all) => all.join("")),
        fc.string()
      ),
      { maxLength: 4 }
    )
    fc.assert(
      fc.property(below, (fields) => {
        assert.strictEqual(check([`${ours}; dmarc=fail header.from=lead.example`, ...fields]), "failed")
        assert.notStrictEqual(check([`${ours}; spf=softfail`, ...fields]), "passed")
        assert.strictEqual(check([`${ours}; dmarc=pass header.from=lead.example`, ...fields]), "passed")
      })
    )
  })

  it("is parsed in bounded time, however a field is written", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 300 }), (body) => {
        const read = readAuthenticationResults(body)
        assert.isTrue(read === undefined || read.server === read.server.toLowerCase())
      })
    )
    for (const hostile of [
      "(".repeat(8000),
      '"'.repeat(8001),
      `${ours};${"a=b ".repeat(2000)}`,
      "=".repeat(8000),
      "\\".repeat(8000)
    ]) {
      readAuthenticationResults(hostile)
    }
  })
})
