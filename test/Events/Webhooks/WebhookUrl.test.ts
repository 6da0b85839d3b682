import { assert, describe, it } from "@effect/vitest"
import { Either } from "effect"
import { webhookUrl } from "../../../src/Layers/Events/Webhooks/WebhookUrl.ts"

describe("the URL of a webhook", () => {
  it("is taken as the standard writes it", () => {
    for (const [given, stored] of [
      ["https://hooks.example.com/a?key=1", "https://hooks.example.com/a?key=1"],
      ["HTTPS://Hooks.Example.com", "https://hooks.example.com/"],
      ["https://hooks.example.com:443/a", "https://hooks.example.com/a"],
      ["https://93.184.216.34/hook", "https://93.184.216.34/hook"]
    ] as const) {
      assert.deepStrictEqual(webhookUrl(given, false), Either.right(stored))
    }
  })

  const refused: ReadonlyArray<readonly [string, string]> = [
    ["http://hooks.example.com/", "url_not_https"],
    ["ftp://hooks.example.com/", "url_not_https"],
    ["javascript:alert(1)", "url_not_https"],
    ["/hook", "url_invalid"],
    ["hooks.example.com", "url_invalid"],
    [`https://hooks.example.com/${"a".repeat(2048)}`, "url_invalid"],
    ["https://user@hooks.example.com/", "url_has_credentials"],
    ["https://user:secret@hooks.example.com/", "url_has_credentials"],
    ["https://hooks.example.com/#part", "url_has_fragment"],
    ["https://hooks.example.com/#", "url_has_fragment"],
    ["https://hooks.example.com:8443/", "url_port_not_allowed"],
    ["https://localhost/", "address_not_public"],
    ["https://LOCALHOST./", "address_not_public"],
    ["https://a.localhost/", "address_not_public"],
    ["https://database/", "address_not_public"],
    ["https://printer.local/", "address_not_public"],
    ["https://metadata.google.internal/", "address_not_public"],
    ["https://127.0.0.1/", "address_not_public"],
    ["https://2130706433/", "address_not_public"],
    ["https://0177.0.0.1/", "address_not_public"],
    ["https://0x7f.1/", "address_not_public"],
    ["https://10.0.0.5/", "address_not_public"],
    ["https://169.254.169.254/latest/meta-data/", "address_not_public"],
    ["https://[::1]/", "address_not_public"],
    ["https://[::ffff:10.0.0.5]/", "address_not_public"],
    ["https://[fd00::1]/", "address_not_public"]
  ]
  for (const [url, reason] of refused) {
    it(`is refused: ${url.slice(0, 60)}`, () => {
      const failure = Either.flip(webhookUrl(url, false))
      assert.deepInclude(Either.getOrThrow(failure), { _tag: "Refused", reason })
      assert.notInclude(JSON.stringify(failure), "secret")
    })
  }

  it("may lead to the developer's own machine where that is allowed, and to nothing else that is internal", () => {
    assert.deepStrictEqual(webhookUrl("http://127.0.0.1:8080/hook", true), Either.right("http://127.0.0.1:8080/hook"))
    assert.deepInclude(Either.getOrThrow(Either.flip(webhookUrl("https://10.0.0.5/", true))), {
      reason: "address_not_public"
    })
  })
})
