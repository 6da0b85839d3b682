import { createHash } from "node:crypto"
import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { readToken, signToken } from "../../../src/Services/Websites/Forms/FormTokens.ts"
import { makeTokenHolder, send, testGateway } from "../../support/servers/TestServer.ts"
import { clinicSite, publish, visit } from "../Serving/servedSites.ts"
import { form, hiddenIn, inputsOf } from "../Traffic/visits.ts"

const capturing = () =>
  clinicSite({
    pages: [
      {
        id: "home",
        path: "",
        label: "Início",
        title: "Agende uma avaliação",
        description: "",
        blocks: [form()],
        variants: [{ id: "b", blocks: [form({ title: "Variante B" })] }]
      }
    ]
  })

const ana = { nome: "Ana Souza", email: "ana@client.example", _consent: "yes" }

/** A page as its visitor has it in front of it for a minute. */
const aMinuteLater = (
  { accountId, websiteId }: { readonly accountId: number; readonly websiteId: number },
  page: string
) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const [account] = yield* sql<{ readonly key: Uint8Array }>`
      select mail_key as key from account where account_id = ${accountId}`
    const owner = { accountId, websiteId } as Parameters<typeof readToken>[1]
    const key = account?.key ?? new Uint8Array()
    const token = readToken(key, owner, hiddenIn(page, "_token"))
    if (token === undefined) throw new Error("The page has no token of its own.")
    return signToken(key, owner, { ...token, issuedAt: token.issuedAt - 60_000 })
  })

/** Calls a tool of the account's. */
const called = (token: string, tool: string, args: object = {}) =>
  Effect.map(send(`/rest/v1/tools/${tool}`, { method: "POST", token, body: JSON.stringify(args) }), ({ json }) => json)

const Found = Schema.Struct({
  leads: Schema.Array(Schema.Struct({ lead_id: Schema.Int, status: Schema.String }))
})
const leadsOf = (token: string) =>
  Effect.map(Effect.flatMap(called(token, "search_leads"), Schema.decodeUnknown(Found)), ({ leads }) => leads)

layer(testGateway(), { excludeTestServices: true })("a form over HTTP", (it) => {
  const make = Effect.flatMap(makeTokenHolder(), ({ caller, token }) =>
    Effect.map(publish(caller, capturing(), { type: "LeadCapturePage" }), (published) => ({ ...published, token }))
  )

  it.effect("is filled in and sent without scripts, and makes a lead", () =>
    Effect.gen(function* () {
      const site = yield* make
      const page = yield* visit(site.host, "/?utm_source=ads", { headers: { referer: "https://search.example/x" } })
      assert.strictEqual(page.status, 200)
      assert.strictEqual(page.headers["cache-control"], "private, no-store")
      const action = /<form[^>]*action="([^"]+)"/.exec(page.text)?.[1] ?? ""
      assert.strictEqual(action, "/_/form/contato")
      const inputs = { ...inputsOf(page.text), _token: yield* aMinuteLater(site, page.text) }
      const wrong = yield* visit(site.host, action, { form: { ...inputs, ...ana, email: "ana" } })
      assert.strictEqual(wrong.status, 422)
      assert.include(wrong.text, "Escreva um endereço de e-mail")
      assert.include(wrong.text, `value="Ana Souza"`)
      assert.notStrictEqual(hiddenIn(wrong.text, "_token"), hiddenIn(page.text, "_token"))
      const again = { ...inputsOf(wrong.text), ...ana, _token: yield* aMinuteLater(site, wrong.text) }
      const taken = yield* visit(site.host, action, {
        form: again,
        headers: { origin: `https://${site.host}` }
      })
      assert.strictEqual(taken.status, 303)
      const thanks = yield* visit(site.host, (taken.headers["location"] ?? "").split("#")[0] ?? "")
      assert.include(thanks.text, "Obrigado!")
      const leads = yield* leadsOf(site.token)
      assert.deepStrictEqual(
        leads.map(({ status }) => status),
        ["Interested"]
      )
      // What is sent by a page of another site is not taken for the visitor's.
      const foreign = yield* visit(site.host, action, { form: again, headers: { origin: "https://evil.example" } })
      assert.strictEqual(foreign.status, 403)
    })
  )

  it.effect("is filled in in a frame of another site, which nothing else can be", () =>
    Effect.gen(function* () {
      const site = yield* make
      const page = yield* visit(site.host, "/embed", { headers: { referer: "https://blog.example/artigo" } })
      assert.strictEqual(page.status, 200)
      const policy = page.headers["content-security-policy"] ?? ""
      assert.include(policy, "frame-ancestors *")
      assert.isUndefined(page.headers["x-frame-options"])
      const script = /<script>([^<]*)<\/script>/.exec(page.text)?.[1] ?? ""
      assert.isBelow(script.length, 1024)
      assert.include(script, "siteHeight")
      assert.include(policy, `'sha256-${createHash("sha256").update(script).digest("base64")}'`)
      assert.notInclude(page.text, "<header")
      const home = yield* visit(site.host, "/")
      assert.include(home.headers["content-security-policy"], "frame-ancestors 'none'")
      const fields = { ...inputsOf(page.text), ...ana, _token: yield* aMinuteLater(site, page.text) }
      const wrong = yield* visit(site.host, "/_/form/contato", { form: { ...fields, email: "" } })
      assert.strictEqual(wrong.status, 422)
      assert.include(wrong.headers["content-security-policy"], "frame-ancestors *")
      const taken = yield* visit(site.host, "/_/form/contato", {
        form: fields,
        headers: { origin: `https://${site.host}`, referer: `https://${site.host}/embed` }
      })
      assert.strictEqual(taken.headers["location"], "/embed?sent=contato")
      const thanks = yield* visit(site.host, "/embed?sent=contato")
      assert.include(thanks.text, "Obrigado!")
      assert.include(thanks.headers["content-security-policy"], "frame-ancestors *")
      const leads = yield* leadsOf(site.token)
      const profile = yield* called(site.token, "get_lead", { lead_id: leads[0]?.lead_id })
      assert.include(JSON.stringify(profile), `"referrer":"blog.example/artigo"`)
    })
  )

  it.effect("refuses bodies that no form sends", () =>
    Effect.gen(function* () {
      const site = yield* make
      const huge = yield* visit(site.host, "/_/form/contato", { form: { nome: "x".repeat(80_000) } })
      assert.strictEqual(huge.status, 413)
      const multipart = yield* visit(site.host, "/_/form/contato", {
        method: "POST",
        body: "--x--",
        headers: { "content-type": "multipart/form-data; boundary=x" }
      })
      assert.strictEqual(multipart.status, 415)
      assert.strictEqual((yield* visit(site.host, "/_/form/nao-ha", { form: { a: "b" } })).status, 410)
      assert.lengthOf(yield* leadsOf(site.token), 0)
    })
  )
})
