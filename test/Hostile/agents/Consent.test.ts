import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { AccessTokens } from "../../../src/Services/Accounts/Tokens/AccessTokens.ts"
import { openConsent } from "../../Mcp/ownersBrowser.ts"
import { asking, Gateway, inside, registered } from "../../Mcp/programs.ts"
import { localHttpsServer } from "../../support/servers/LocalHttpsServer.ts"
import { makeTokenHolder, send } from "../../support/servers/TestServer.ts"
import { as } from "../../support/TestAccount.ts"

const target = "https://phishing.example/callback"

const posted = (url: URL, headers: Record<string, string>) =>
  Effect.promise(() =>
    fetch(url, {
      method: "POST",
      redirect: "manual",
      headers: { "Accept-Language": "en", ...headers },
      body: new URLSearchParams({ answer: "decline" })
    })
  )

layer(Gateway, { excludeTestServices: true })("the page of consent", (it) => {
  it.effect("sends no one to an address that a program registered itself, errors included", () =>
    Effect.gen(function* () {
      const clientId = yield* registered("Invoice", target)
      for (const wrong of [
        { response_type: "token" },
        { code_challenge: "" },
        { resource: "https://other.example/" }
      ]) {
        const url = yield* asking(clientId, { redirect_uri: target, ...wrong })
        const page = yield* Effect.promise(() => openConsent(url))
        assert.strictEqual(page.status, 400)
        assert.isUndefined(page.location)
        assert.include(page.text, "Go back to https://phishing.example<")
      }
    })
  )

  it.scoped("sends no one to an address that only a document on an unknown host vouches for", () =>
    Effect.gen(function* () {
      let document: object = {}
      const host = yield* localHttpsServer((_request, response) => {
        response.writeHead(200, { "Content-Type": "application/json" }).end(JSON.stringify(document))
      })
      const clientId = `${host.url}/client.json`
      document = { client_id: clientId, client_name: "Invoice", redirect_uris: [target] }
      const url = yield* asking(clientId, { redirect_uri: target, response_type: "token" })
      assert.isUndefined((yield* Effect.promise(() => openConsent(url))).location)
    })
  )

  it.effect("takes a form of another site for no click", () =>
    Effect.gen(function* () {
      const url = yield* asking(yield* registered("Invoice", target), { redirect_uri: target })
      for (const headers of [{ "Sec-Fetch-Site": "cross-site" }, { Origin: "https://phishing.example" }]) {
        const answer = yield* posted(url, headers)
        assert.strictEqual(answer.status, 200)
        assert.isNull(answer.headers.get("location"))
      }
      const click = yield* posted(url, { "Sec-Fetch-Site": "same-origin", Origin: "null" })
      assert.strictEqual(click.status, 303)
    })
  )

  it.effect("takes no scheme that is someone else's", () =>
    Effect.gen(function* () {
      for (const uri of [
        ...[
          "search-ms://x",
          "slack://open",
          "cursor://other/callback",
          "intent://x",
          "about:blank",
          "file:///etc/passwd"
        ],
        ...["javascript:alert(1)", "JAVASCRIPT:alert(1)", " javascript:alert(1)", "data:text/html,x", "vbscript:x"],
        ...["view-source:https://phishing.example/", "blob:https://phishing.example/x", "ms-settings:x", "chrome://x"],
        ...["http://phishing.example/", "http://localhost.phishing.example/", "http://127.0.0.1.phishing.example/"],
        ...[
          "http://127.0.0.1@phishing.example/",
          "http://0.0.0.0/",
          "http://[::ffff:203.0.113.1]/",
          "//phishing.example"
        ],
        ...["https://user:secret@phishing.example/", "https://phishing.example/#x", "https://", "cursor:callback"],
        "cursor://anysphere.cursor-mcp@phishing.example/oauth/callback",
        "cursor://anysphere.cursor-mcp/oauth/callback/../../other"
      ]) {
        const body = JSON.stringify({ client_name: "Invoice", redirect_uris: [uri] })
        assert.strictEqual((yield* send("/oauth/register", { method: "POST", body })).status, 400, uri)
      }
    })
  )

  it.effect("leads to no address but the registered one, however it is asked for", () =>
    Effect.gen(function* () {
      const clientId = yield* registered("Judge")
      const others = [
        ...["http://127.0.0.1:49152/callback/", "http://127.0.0.1:49152/other", "http://127.0.0.1:49152/callback?x=1"],
        ...["http://127.0.0.1:49152/callback#x", "http://127.0.0.1.phishing.example/callback", target],
        ...["http://127.0.0.1:49152@phishing.example/callback", "http://127.0.0.1:49152/callback%2f..", "javascript:x"],
        ...["http://127.0.0.1:49152\\@phishing.example/callback", "https://127.0.0.1:49152/callback", "", "//x"]
      ]
      for (const redirect_uri of others) {
        // Neither a page of consent nor an error that the browser is sent there with.
        for (const wrong of [{}, { response_type: "token" }, { prompt: "none" }]) {
          const url = yield* asking(clientId, { redirect_uri, ...wrong })
          const page = yield* Effect.promise(() => openConsent(url))
          assert.strictEqual(page.status, 400, redirect_uri)
          assert.isUndefined(page.location, redirect_uri)
        }
      }
    })
  )

  it.effect("shows a name without letters that no one sees, and without piles of marks", () =>
    Effect.gen(function* () {
      const unseen = "\u034f\u115f\u1160\u17b4\u180b\u2065\u2800\u3164\ufe0f\uffa0\u{1d173}\u{e0041}"
      const page = yield* Effect.flatMap(asking(yield* registered(`Goo${unseen}gle${unseen}`)), (url) =>
        Effect.promise(() => openConsent(url))
      )
      assert.include(page.text, "“Google”")
      for (const name of [unseen, ""]) {
        const url = yield* asking(yield* registered(name))
        assert.include((yield* Effect.promise(() => openConsent(url))).text, "“127.0.0.1:49152”", JSON.stringify(name))
      }
      const url = yield* asking(yield* registered(`Z${"\u0301".repeat(80)}`))
      assert.notInclude((yield* Effect.promise(() => openConsent(url))).text, "\u0301".repeat(4))
    })
  )

  it.effect("shows a name without marks that hide or turn letters, as the program's claim", () =>
    Effect.gen(function* () {
      const { caller, token } = yield* makeTokenHolder()
      const name = "Goo\u200bgle \u202eowner\u061c\u2066\u0007 verified"
      const clientId = yield* registered(name)
      const url = yield* asking(clientId)
      const page = yield* Effect.promise(() => openConsent(url))
      assert.include(page.text, "“Google owner verified”")
      assert.notMatch(page.text, /[\u200b\u202e\u061c\u2066\u0007]/)
      yield* inside({ token })
      const tokens = yield* AccessTokens
      const labels = (yield* as(caller)(tokens.list)).map(({ label }) => label)
      assert.include(labels, "Judge (unverified name)")
    })
  )
})
