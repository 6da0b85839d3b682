import { assert, describe, it } from "@effect/vitest"
import { filePathOf } from "../../console/src/calls/Files.ts"
import { pageLanguageOf, parseContentSearch } from "../../console/src/screens/Content/ContentSearch.ts"
import { stateOf, type Work } from "../../console/src/screens/Content/State.ts"

const work = (more: Partial<Work>): Work => ({
  status: "finished",
  progress: 100,
  failure_reason: null,
  failure_detail: null,
  job_id: null,
  outcome: "complete",
  done: [],
  not_done: [],
  needs_input: [],
  ...more
})

describe("content", () => {
  it("has its kind in the address", () => {
    assert.deepStrictEqual(parseContentSearch({ kind: "videos" }), { kind: "videos" })
    assert.deepStrictEqual(parseContentSearch({ kind: "sites" }), {})
    assert.deepStrictEqual(parseContentSearch({ kind: "songs" }), {})
  })

  it("asks for pages in the account's language, with a country", () => {
    assert.deepStrictEqual(["pt-BR", "es", "en", "fr"].map(pageLanguageOf), ["pt-br", "es-mx", "en-us", "fr-fr"])
  })

  it("says first what a person has to do", () => {
    const wish = { wish: "A photo", reason: "No provider.", suggestion: "Send one." }
    assert.strictEqual(stateOf(work({})), "ready")
    assert.strictEqual(stateOf(work({ not_done: [wish] })), "partial")
    assert.strictEqual(stateOf(work({ outcome: "partial" })), "partial")
    assert.strictEqual(stateOf(work({ outcome: "nothing_done", not_done: [wish] })), "nothing")
    assert.strictEqual(stateOf(work({ needs_input: ["Which city?"], outcome: "nothing_done" })), "asks")
    assert.strictEqual(stateOf(work({ status: "failed", needs_input: ["Which city?"] })), "failed")
    assert.strictEqual(stateOf(work({ status: "queued" })), "waiting")
    assert.strictEqual(stateOf(work({ status: "running" })), "working")
  })

  it("shows only files that the gateway serves, at the address of the page", () => {
    assert.strictEqual(filePathOf("https://api.example.com/files/key/image-1.png"), "/files/key/image-1.png")
    assert.isUndefined(filePathOf("https://api.example.com/filesystem/x.png"))
    assert.isUndefined(filePathOf("https://cdn.example.com/files/../x.png"))
    assert.isUndefined(filePathOf("javascript:alert(1)"))
    assert.isUndefined(filePathOf("image.png"))
    assert.isUndefined(filePathOf(null))
  })
})
