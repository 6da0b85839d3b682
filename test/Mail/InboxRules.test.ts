import { assert, it } from "@effect/vitest"
import { keptAttachments, machineReading, recipientsOf } from "../../src/Services/Mail/InboxRules.ts"

const attachment = (size: number, isInlinePicture = false) => ({
  fileName: undefined,
  bytes: new Uint8Array(size),
  isInlinePicture
})

it("logos of a signature are not stored, and only the first twenty attachments are", () => {
  const [logo, photo, tiny] = [attachment(900, true), attachment(40_000, true), attachment(1)]
  assert.deepStrictEqual(keptAttachments([logo, photo, tiny]), [photo, tiny])
  assert.lengthOf(keptAttachments([logo, ...Array.from({ length: 30 }, () => tiny)]), 20)
})

it("the delivered recipients take precedence over those in the headers", () => {
  const mail = { recipients: ["named@x.example"] }
  assert.deepStrictEqual(recipientsOf(mail, ["Delivered@X.example"]), ["delivered@x.example"])
  assert.deepStrictEqual(recipientsOf(mail, ["no address"]), mail.recipients)
  assert.deepStrictEqual(recipientsOf(mail, []), mail.recipients)
})

it("an automatic message is classified without a model", () => {
  for (const meaning of ["bounce", "unsubscribe"] as const) {
    assert.deepInclude(machineReading(meaning), { class: meaning, confidence: 1, decidedBy: "rules", question: null })
  }
})
