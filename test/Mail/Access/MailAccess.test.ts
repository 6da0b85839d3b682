import { createHash } from "node:crypto"
import type { RequestListener } from "node:http"
import type { AddressInfo } from "node:net"
import { SqlClient } from "@effect/sql/SqlClient"
import { assert, describe, it, layer } from "@effect/vitest"
import { ConfigProvider, Effect, Layer, Option, Redacted } from "effect"
import { authorizeMail } from "../../../src/Layers/Mail/Access/AuthorizeMail.ts"
import { MailAccess } from "../../../src/Layers/Mail/Access/MailAccess.ts"
import { makeMailAccess } from "../../../src/Layers/Mail/Access/MailAccessPostgres.ts"
import { consentUrl, endpointsOf, type MailOAuthEndpoints } from "../../../src/Layers/Mail/Access/MailConsent.ts"
import { SentFolder, SentFolderImap } from "../../../src/Layers/Mail/Imap/ImapSentFolder.ts"
import { loadMailOAuth, type MailOAuthSettings, MailSettings } from "../../../src/Layers/Mail/MailSettings.ts"
import { SmtpMail } from "../../../src/Layers/Mail/Smtp/SmtpMail.ts"
import { OutboundHttpNode } from "../../../src/Layers/Platform/Outbound/OutboundHttp.ts"
import { AccountId } from "../../../src/Services/Accounts/Ids.ts"
import { OutsideHealth, OutsideHealthLive } from "../../../src/Services/Core/Outside/OutsideHealth.ts"
import { Mail } from "../../../src/Services/Mail/Mail.ts"
import { localImap, localSmtp, outgoing } from "../../support/channels/MailFixtures.ts"
import { localSmtpServer } from "../../support/providers/LocalSmtpServer.ts"
import { SealingOfTests } from "../../support/SealingOfTests.ts"
import { localHttpServer } from "../../support/servers/LocalHttpServer.ts"
import { TestDatabase } from "../../support/TestDatabase.ts"

const microsoft: MailOAuthSettings = {
  provider: "microsoft",
  clientId: "client-1",
  clientSecret: undefined,
  tenant: "organizations"
}

/** A provider that issues numbered tokens, each valid for an hour. */
const oauthServer = Effect.gen(function* () {
  const tokenRequests: Array<URLSearchParams> = []
  const state = { challenge: "", refreshTokens: 0, accessTokens: 0, isRevoked: false }
  const handler: RequestListener = (request, response) => {
    const chunks: Array<Buffer> = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("end", () => {
      const form = new URLSearchParams(Buffer.concat(chunks).toString())
      tokenRequests.push(form)
      const isCode =
        form.get("grant_type") === "authorization_code" &&
        form.get("code") === "the-code" &&
        createHash("sha256")
          .update(form.get("code_verifier") ?? "")
          .digest("base64url") === state.challenge
      const isRefresh =
        form.get("grant_type") === "refresh_token" && form.get("refresh_token") === `refresh-${state.refreshTokens}`
      if (state.isRevoked || !(isCode || isRefresh)) {
        response.writeHead(400, { "content-type": "application/json" })
        return response.end(JSON.stringify({ error: "invalid_grant", error_description: "quotes a person" }))
      }
      state.refreshTokens += 1
      state.accessTokens += 1
      response.writeHead(200, { "content-type": "application/json" })
      return response.end(
        JSON.stringify({
          access_token: `access-${state.accessTokens}`,
          refresh_token: `refresh-${state.refreshTokens}`,
          expires_in: 3600,
          token_type: "Bearer"
        })
      )
    })
  }
  const { url } = yield* localHttpServer(handler)
  const endpoints: MailOAuthEndpoints = { ...endpointsOf(microsoft), token: `${url}/token`, loopbackHost: "127.0.0.1" }
  return { tokenRequests, endpoints, state }
})

/** A browser in which the operator grants or declines consent. */
const consentIn =
  (state: { challenge: string }, answer: { readonly code: string } | { readonly error: string }) => (url: string) =>
    Effect.promise(async () => {
      const query = new URL(url).searchParams
      state.challenge = query.get("code_challenge") ?? ""
      const back = new URL(query.get("redirect_uri") ?? "")
      const stranger = await fetch(
        `${back.href}?${new URLSearchParams({ code: "forged", state: "another" }).toString()}`
      )
      assert.strictEqual(stranger.status, 404)
      back.search = new URLSearchParams({ state: query.get("state") ?? "", ...answer }).toString()
      assert.strictEqual((await fetch(back)).status, 200)
    })

const services = Layer.mergeAll(TestDatabase, SealingOfTests, OutboundHttpNode, OutsideHealthLive)

layer(services, { excludeTestServices: true })("the operator's mailbox", (it) => {
  it.scoped(
    "is signed in to by a consent, whose secret is sealed, replaced at each use, and lost when it is revoked",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const { tokenRequests, endpoints, state } = yield* oauthServer
        const access = yield* makeMailAccess(microsoft, endpoints)
        assert.deepInclude(yield* Effect.flip(access.accessToken), { reason: "not_authorized" })

        yield* authorizeMail(microsoft, endpoints, consentIn(state, { code: "the-code" }))
        assert.strictEqual(tokenRequests[0]?.get("client_id"), "client-1")
        assert.isNull(tokenRequests[0]?.get("client_secret"))
        const [row] = yield* sql<{
          readonly secret: Buffer
        }>`select secret from mail_access where provider = 'microsoft'`
        assert.notInclude(row?.secret.toString("latin1") ?? "", "refresh-1")

        const valueOf = Effect.map(access.accessToken, Option.map(Redacted.value))
        const both = yield* Effect.all([valueOf, valueOf], { concurrency: 2 })
        assert.deepStrictEqual(both, [Option.some("access-2"), Option.some("access-2")])
        assert.lengthOf(tokenRequests, 2)

        // Another process only has the stored secret, which is the newest.
        const other = yield* makeMailAccess(microsoft, endpoints)
        assert.deepStrictEqual(
          yield* Effect.map(other.accessToken, Option.map(Redacted.value)),
          Option.some("access-3")
        )
        yield* access.reject(Redacted.make("access-2"))
        assert.deepStrictEqual(yield* valueOf, Option.some("access-4"))

        const mailOauth = Effect.flatMap(OutsideHealth, ({ states }) => Effect.map(states, (all) => all["mail.oauth"]))
        assert.deepInclude(yield* mailOauth, { status: "up" })
        state.isRevoked = true
        yield* access.reject(Redacted.make("access-4"))
        const failure = yield* Effect.flip(access.accessToken)
        assert.deepInclude(failure, { reason: "invalid_grant" })
        assert.deepInclude(yield* mailOauth, { status: "down", reason: "invalid_grant" })
      })
  )

  it.scoped("stays as it is when the operator declines", () =>
    Effect.gen(function* () {
      const { tokenRequests, endpoints, state } = yield* oauthServer
      const decline = authorizeMail(microsoft, endpoints, consentIn(state, { error: "access_denied" }))
      assert.deepInclude(yield* Effect.flip(decline), { _tag: "Refused", reason: "consent_declined" })
      assert.lengthOf(tokenRequests, 0)
    })
  )

  it.scoped("sends and reads with the token, and asks for another one when a server refuses it", () =>
    Effect.gen(function* () {
      let accepted = "access-1"
      const refused: Array<string> = []
      const smtp = yield* localSmtpServer({
        authMethods: ["XOAUTH2"],
        authOptional: false,
        onAuth: (auth, _session, callback) =>
          auth.accessToken === accepted && auth.username === "gateway@company.example"
            ? callback(null, { user: auth.username })
            : callback(Object.assign(new Error("Bad token"), { responseCode: 535 }))
      })
      let token = "access-1"
      const access = {
        accessToken: Effect.sync(() => Option.some(Redacted.make(token))),
        reject: (rejected: Redacted.Redacted) => Effect.sync(() => void refused.push(Redacted.value(rejected)))
      }
      const settings = localSmtp(smtp.port, { user: "gateway@company.example" })
      const transport = SmtpMail.pipe(
        Layer.provide(Layer.succeed(MailSettings, settings)),
        Layer.provide(Layer.succeed(SentFolder, { has: () => Effect.succeedNone })),
        Layer.provide(Layer.succeed(MailAccess, access))
      )
      const send = Effect.flatMap(Mail, (mail) => mail.send(AccountId.make(1), outgoing({}), Effect.void))
      yield* Effect.provide(send, transport)
      assert.strictEqual(smtp.messages[0]?.user, "gateway@company.example")

      accepted = "access-2"
      assert.deepInclude(yield* Effect.flip(Effect.provide(send, transport)), { reason: "smtp_sign_in_failed" })
      assert.deepStrictEqual(refused, ["access-1"])
      token = "access-2"
      yield* Effect.provide(send, transport)
      assert.lengthOf(smtp.messages, 2)

      const { default: hoodiecrow } = yield* Effect.promise(() => import("hoodiecrow-imap"))
      const imap = hoodiecrow({
        plugins: ["ID", "SASL-IR", "XOAUTH2", "SPECIAL-USE", "NAMESPACE"],
        users: { gateway: { password: "unused", xoauth2: { accessToken: "access-2" } } },
        storage: { INBOX: { messages: [] }, "": { separator: "/", folders: { Sent: { "special-use": "\\Sent" } } } }
      })
      yield* Effect.acquireRelease(
        Effect.async<void>((resume) => imap.listen(0, "127.0.0.1", () => resume(Effect.void))),
        () => Effect.async<void>((resume) => imap.close(() => resume(Effect.void)))
      )
      const { port } = imap.server.address() as AddressInfo
      const mailbox = localImap(port, { sentMailbox: "Sent" })
      const folder = Effect.flatMap(SentFolder, ({ has }) => has("<1@mail.example>")).pipe(
        Effect.provide(
          SentFolderImap.pipe(Layer.provide(Layer.succeed(MailSettings, { ...settings, imap: Option.some(mailbox) })))
        ),
        Effect.provideService(MailAccess, access)
      )
      assert.deepStrictEqual(yield* folder, Option.some(false))
      token = "access-old"
      assert.deepInclude(yield* Effect.flip(folder), { _tag: "Transient", reason: "sent_mail_unavailable" })
      assert.deepStrictEqual(refused, ["access-1", "access-old"])
    })
  )
})

describe("the consent of a mailbox", () => {
  it("is asked for at the provider, with a proof and for mail alone", () => {
    const google: MailOAuthSettings = { ...microsoft, provider: "google", clientSecret: Redacted.make("s") }
    const ask = (settings: MailOAuthSettings) =>
      new URL(consentUrl(endpointsOf(settings), settings, { state: "s1", verifier: "v1" }, "http://localhost:1/"))
    const url = ask(google)
    assert.strictEqual(`${url.origin}${url.pathname}`, "https://accounts.google.com/o/oauth2/v2/auth")
    assert.deepInclude(Object.fromEntries(url.searchParams), {
      scope: "https://mail.google.com/",
      access_type: "offline",
      prompt: "consent",
      code_challenge_method: "S256",
      state: "s1"
    })
    assert.notInclude(url.href, "v1&")
    const other = ask({ ...microsoft, tenant: "company.example" })
    assert.include(other.pathname, "/company.example/oauth2/v2.0/authorize")
    assert.include(other.searchParams.get("scope"), "SMTP.Send offline_access")
  })

  it.effect("needs the id of an app", () =>
    Effect.gen(function* () {
      const load = (entries: { readonly [name: string]: string }) =>
        Effect.withConfigProvider(loadMailOAuth, ConfigProvider.fromMap(new Map(Object.entries(entries))))
      assert.isTrue(Option.isNone(yield* load({})))
      assert.include(
        JSON.stringify(yield* Effect.flip(load({ MAIL_OAUTH_PROVIDER: "google" }))),
        "MAIL_OAUTH_CLIENT_ID"
      )
      const settings = yield* load({ MAIL_OAUTH_PROVIDER: "microsoft", MAIL_OAUTH_CLIENT_ID: "client-1" })
      assert.deepStrictEqual(settings, Option.some(microsoft))
    })
  )
})
