import { generateKeyPairSync } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect, Option, Redacted } from "effect"
import { loadMailSettings } from "../../src/Layers/Mail/MailSettings.ts"
import { describeConfigError } from "../../src/Layers/Platform/Environment.ts"
import { noMailSettings } from "../support/channels/MailFixtures.ts"

const load = (environment: { readonly [name: string]: string }) =>
  Effect.withConfigProvider(loadMailSettings, ConfigProvider.fromMap(new Map(Object.entries(environment))))

const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey.export({ format: "pem", type: "pkcs8" })
const ed25519 = generateKeyPairSync("ed25519").privateKey.export({ format: "pem", type: "pkcs8" })
const weak = generateKeyPairSync("rsa", { modulusLength: 512 }).privateKey.export({ format: "pem", type: "pkcs8" })

const dkim = { DKIM_DOMAIN: "Acme.example", DKIM_SELECTOR: "s1" }

describe("the settings of mail", () => {
  it.effect("are the sandbox's where there are none", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* load({}), noMailSettings)
    })
  )

  it.effect("name the receivers that are believed, and what becomes of the mailbox's history", () =>
    Effect.gen(function* () {
      const { imap, trustedReceivers } = yield* load({
        SMTP_URL: "smtp://localhost",
        IMAP_URL: "imap://localhost",
        IMAP_HISTORY: "keep",
        MAIL_TRUSTED_RECEIVER: "MX.Acme.example, mx2.acme.example"
      })
      assert.deepStrictEqual(trustedReceivers, ["mx.acme.example", "mx2.acme.example"])
      assert.isTrue(Option.getOrThrow(imap).isHistoryKept)
      for (const [name, value] of [
        ["MAIL_TRUSTED_RECEIVER", "mx; dmarc=pass"],
        ["MAIL_TRUSTED_RECEIVER", "a,,b"],
        ["IMAP_HISTORY", "all"]
      ] as const) {
        assert.include(describeConfigError(yield* Effect.flip(load({ [name]: value }))), name)
      }
    })
  )

  it.effect("name the servers, with the ports and the protection that are usual", () =>
    Effect.gen(function* () {
      const { imap, smtp } = yield* load({
        SMTP_URL: "smtp://me%40acme.example:p%3Aw@smtp.acme.example",
        IMAP_URL: "imaps://me:pw@[2001:db8::1]/Replies",
        IMAP_SENT_MAILBOX: "Enviados",
        SMTP_CONNECTIONS: "3"
      })
      const server = Option.getOrThrow(smtp)
      assert.deepInclude(server, {
        host: "smtp.acme.example",
        port: 587,
        isSecure: false,
        requireTls: true,
        user: "me@acme.example",
        connections: 3,
        filesSent: false
      })
      assert.strictEqual(server.password === undefined ? "" : Redacted.value(server.password), "p:w")
      assert.deepInclude(Option.getOrThrow(imap), {
        host: "2001:db8::1",
        port: 993,
        isSecure: true,
        mailbox: "Replies",
        sentMailbox: "Enviados"
      })
    })
  )

  it.effect("ask for TLS only where a password crosses the network", () =>
    Effect.gen(function* () {
      const cases = [
        ["smtp://relay.internal", false],
        ["smtp://me:pw@127.0.0.1:2525", false],
        ["smtp://me:pw@localhost", false],
        ["smtp://me:pw@10.0.0.1", true]
      ] as const
      for (const [url, requireTls] of cases) {
        assert.deepInclude(Option.getOrThrow((yield* load({ SMTP_URL: url })).smtp), { requireTls }, url)
      }
      const { smtp } = yield* load({ SMTP_URL: "smtp://me:pw@10.0.0.1", SMTP_REQUIRE_TLS: "false" })
      assert.isFalse(Option.getOrThrow(smtp).requireTls)
    })
  )

  it.effect("read the signing key with its line breaks written in two ways", () =>
    Effect.gen(function* () {
      for (const key of [
        { DKIM_PRIVATE_KEY: rsa.toString() },
        { DKIM_PRIVATE_KEY: rsa.toString().replaceAll("\n", "\\n") }
      ]) {
        const settings = yield* load({ ...dkim, ...key })
        assert.deepInclude(Option.getOrThrow(settings.dkim), { domain: "acme.example", selector: "s1" })
      }
    })
  )

  const wrong: ReadonlyArray<readonly [string, { readonly [name: string]: string }]> = [
    ["another protocol", { SMTP_URL: "https://me:hunter2@smtp.acme.example" }],
    ["no host", { SMTP_URL: "smtp://" }],
    ["too many connections", { SMTP_URL: "smtp://a.example", SMTP_CONNECTIONS: "500" }],
    ["an IMAP server alone", { IMAP_URL: "imaps://me:hunter2@imap.acme.example" }],
    ["half of a signature", dkim],
    ["a key that is none", { ...dkim, DKIM_PRIVATE_KEY: "hunter2" }],
    ["a key of another kind", { ...dkim, DKIM_PRIVATE_KEY: ed25519.toString() }],
    ["a weak key", { ...dkim, DKIM_PRIVATE_KEY: weak.toString() }],
    [
      "a selector that breaks the header",
      { DKIM_DOMAIN: "a.example", DKIM_SELECTOR: "s;\r\nBcc:", DKIM_PRIVATE_KEY: rsa.toString() }
    ],
    ["a short secret", { MAIL_INBOUND_SECRET: "hunter2" }]
  ]
  for (const [name, environment] of wrong) {
    it.effect(`are refused, without their values, with ${name}`, () =>
      Effect.gen(function* () {
        const error = yield* Effect.flip(load(environment))
        assert.notInclude(`${JSON.stringify(error)} ${error.message}`, "hunter2")
      })
    )
  }
})
