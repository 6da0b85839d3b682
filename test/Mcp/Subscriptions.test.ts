import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { AccessTokens } from "../../src/Services/Accounts/Tokens/AccessTokens.ts"
import { AccountEvents } from "../../src/Services/Events/AccountEvents.ts"
import { LeadId } from "../../src/Services/Leads/Ids.ts"
import { recordsOfAccount } from "../support/AllRecords.ts"
import { makeTokenHolder, send, testGateway } from "../support/servers/TestServer.ts"
import { as } from "../support/TestAccount.ts"
import { modernRequest } from "./modernRequest.ts"
import { openStream } from "./openStream.ts"
import { calling, legacy, modern, rpc } from "./speaking.ts"

const holderWithLead = Effect.gen(function* () {
  const { caller, token } = yield* makeTokenHolder()
  const { lead_id } = yield* recordsOfAccount(caller)
  const id = Number(lead_id)
  const events = yield* AccountEvents
  const replied = as(caller)(
    events.append({
      type: "lead_replied_email",
      data: { lead_id: LeadId.make(id), email_message_id: 1, subject: null }
    })
  )
  return { caller, token, lead: `lead://${id}`, replied }
})

const listening = (token: string, resourceSubscriptions: ReadonlyArray<string>) =>
  openStream("/mcp", modernRequest(token, "subscriptions/listen", { notifications: { resourceSubscriptions } }))

const session = (token: string) =>
  Effect.gen(function* () {
    const begun = yield* legacy(token, "initialize", { protocolVersion: "2025-11-25", capabilities: {} })
    return begun.headers.get("mcp-session-id") ?? ""
  })

layer(testGateway(), { excludeTestServices: true })("news of resources", (it) => {
  it.scoped("reach who follows a lead or its conversation, and nobody of another account", () =>
    Effect.gen(function* () {
      const one = yield* holderWithLead
      const other = yield* holderWithLead
      const talk = `${one.lead}/conversation`
      const stream = yield* listening(one.token, [one.lead, talk, "skill://prospecting-gateway/SKILL.md", "x"])
      const acknowledged = yield* stream.next
      assert.strictEqual(acknowledged?.method, "notifications/subscriptions/acknowledged")
      assert.deepStrictEqual(acknowledged?.params?.notifications, { resourceSubscriptions: [one.lead, talk] })
      const stranger = yield* listening(other.token, [one.lead, talk, other.lead])
      yield* stranger.next
      yield* one.replied
      const told = [yield* stream.next, yield* stream.next]
      assert.deepStrictEqual(
        told.map((message) => message?.params?.uri),
        [one.lead, talk]
      )
      assert.isDefined(told[0]?.params?._meta?.["io.modelcontextprotocol/subscriptionId"])
      // Of the other account the first news are its own.
      yield* other.replied
      assert.strictEqual((yield* stranger.next)?.params?.uri, other.lead)
    })
  )

  it.scoped("tell of jobs, which can be read by their address", () =>
    Effect.gen(function* () {
      const { token } = yield* makeTokenHolder()
      const started = yield* calling(token, "export_leads", {}, { path: "/mcp/x/all" })
      const { job_id } = JSON.parse(started.result?.content[0]?.text ?? "{}") as { readonly job_id: string }
      const uri = `job://${job_id}`
      const read = yield* modern(token, "resources/read", { uri })
      assert.include(read.text, `\\"status\\":\\"queued\\"`)
      const stranger = yield* makeTokenHolder()
      assert.strictEqual(rpc(yield* modern(stranger.token, "resources/read", { uri })).error?.code, -32602)
      const stream = yield* listening(token, [uri])
      yield* stream.next
      assert.isUndefined((yield* calling(token, "cancel_background_job", { job_id }, { path: "/mcp/x/all" })).error)
      assert.strictEqual((yield* stream.next)?.params?.uri, uri)
    })
  )

  it.scoped("reach an older client over the stream of its session", () =>
    Effect.gen(function* () {
      const { lead, replied, token } = yield* holderWithLead
      const other = yield* holderWithLead
      const id = yield* session(token)
      const headers = { Authorization: `Bearer ${token}`, Accept: "text/event-stream", "Mcp-Session-Id": id }
      const stream = yield* openStream("/mcp", { headers })
      assert.strictEqual(stream.status, 200)
      // The session's name alone is worth nothing to another account.
      const thief = yield* openStream("/mcp", { headers: { ...headers, Authorization: `Bearer ${other.token}` } })
      const follow = (method: string, uri: string, as: string, of = token) =>
        Effect.map(
          send("/mcp", {
            method: "POST",
            token: of,
            headers: { "Mcp-Session-Id": as },
            body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: { uri } })
          }),
          rpc
        )
      assert.isUndefined((yield* follow("resources/subscribe", lead, id)).error)
      assert.isUndefined((yield* follow("resources/subscribe", other.lead, id, other.token)).error)
      yield* replied
      assert.strictEqual((yield* stream.next)?.params?.uri, lead)
      yield* other.replied
      assert.strictEqual((yield* thief.next)?.params?.uri, other.lead)
      assert.isUndefined((yield* follow("resources/unsubscribe", lead, id)).error)
      assert.strictEqual(rpc(yield* legacy(token, "resources/subscribe", { uri: lead })).error?.code, -32600)
      assert.strictEqual((yield* send("/mcp", { token, headers: { Accept: "text/event-stream" } })).status, 405)
    })
  )

  it.scoped("no token has more than its streams, and a revoked one has none", () =>
    Effect.gen(function* () {
      const { caller, token } = yield* makeTokenHolder()
      const streams = yield* Effect.forEach(Array.from({ length: 51 }), () => listening(token, []), {
        concurrency: 10
      })
      assert.strictEqual(streams.filter(({ status }) => status === 429).length, 1)
      const tokens = yield* AccessTokens
      const { tokenId } = yield* tokens.authenticate(token)
      yield* as(caller)(tokens.revoke(tokenId))
      const open = streams.find(({ status }) => status === 200)
      if (open === undefined) return assert.fail("No stream is open.")
      yield* open.next
      const end = yield* open.next
      assert.isUndefined(end?.method)
      assert.isUndefined(yield* open.next)
    })
  )

  it.effect("completes what stands in addresses: leads, jobs and pages of the guide", () =>
    Effect.gen(function* () {
      const { lead, token } = yield* holderWithLead
      const completed = (uri: string, name: string, value: string) =>
        Effect.map(
          modern(token, "completion/complete", { ref: { type: "ref/resource", uri }, argument: { name, value } }),
          ({ text }) => text
        )
      assert.include(yield* completed("lead://{id}", "id", "ana"), `"${lead.slice("lead://".length)}"`)
      assert.include(yield* completed("skill://prospecting-gateway/SKILL/{page}", "page", "lea"), `"leads.md"`)
      const started = yield* calling(token, "export_leads", {}, { path: "/mcp/x/all" })
      const { job_id } = JSON.parse(started.result?.content[0]?.text ?? "{}") as { readonly job_id: string }
      assert.include(yield* completed("job://{id}", "id", ""), job_id)
      assert.include(yield* completed("lead://{id}", "other", "ana"), `"values":[]`)
      const page = yield* modern(token, "resources/read", { uri: "skill://prospecting-gateway/SKILL/leads.md" })
      assert.include(page.text, "search_leads")
    })
  )
})

layer(testGateway(), { excludeTestServices: true })("writes with a key", (it) => {
  const count = (token: string) =>
    Effect.map(send("/rest/v1/call/search_leads", { token }), ({ json }) => (json as { readonly total: number }).total)
  const lead = (email: string) => ({ name: "Rui Prado", email })

  it.effect("take it from the message too, by the meta-tools as well", () =>
    Effect.gen(function* () {
      const { token } = yield* makeTokenHolder()
      const args = { tool: "register_lead", arguments: lead("rui@example.com") }
      const call = modern(
        token,
        "tools/call",
        { name: "call_write_tool", arguments: args },
        { meta: { "io.prospecting-gateway/idempotencyKey": "k1" } }
      )
      const first = rpc(yield* call)
      assert.isUndefined(first.result?.isError)
      assert.deepStrictEqual(rpc(yield* call).result?.content, first.result?.content)
      assert.strictEqual(yield* count(token), 1)
    })
  )
})
