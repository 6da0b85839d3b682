import { assert, layer } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import type { Offer } from "../../src/Api/Mcp/Engine.ts"
import { membersOf } from "../../src/Api/Mcp/Protocol.ts"
import { complete } from "../../src/Api/Mcp/Toolbox.ts"
import { AccessTokenId } from "../../src/Services/Accounts/Ids.ts"
import type { TokenHolder } from "../../src/Services/Accounts/Tokens/AccessTokens.ts"
import { collectSpans } from "../support/logs/CollectedSpans.ts"
import { makeAccount } from "../support/TestAccount.ts"
import { conformanceOffer } from "./conformanceOffer.ts"
import { modernRequest } from "./modernRequest.ts"
import { laneServices, servedOffer } from "./servedOffer.ts"
import { rpc } from "./speaking.ts"

const version = "2025-11-25"

/** An offer with one tool that never answers, and what became of its calls by their numbers. */
const endless = Effect.gen(function* () {
  const begun = new Map<number, Deferred.Deferred<void>>()
  const ended = new Map<number, Deferred.Deferred<void>>()
  const of = (map: Map<number, Deferred.Deferred<void>>, n: number) => {
    const made = map.get(n) ?? Deferred.unsafeMake<void>(fiberId)
    map.set(n, made)
    return made
  }
  const fiberId = yield* Effect.fiberId
  const tool = {
    name: "wait",
    definition: { name: "wait", inputSchema: { type: "object" } },
    call: ({ args }: { readonly args: { readonly [name: string]: unknown } }) => {
      const n = Number(args["n"])
      return Deferred.succeed(of(begun, n), undefined).pipe(
        Effect.zipRight(Effect.never),
        Effect.onInterrupt(() => Deferred.succeed(of(ended, n), undefined))
      )
    }
  }
  const offer: Offer<never> = {
    ...conformanceOffer,
    toolbox: { tools: [tool], get: () => tool, nearest: () => undefined }
  }
  return {
    offer,
    begun: (n: number) => Deferred.await(of(begun, n)),
    ended: (n: number) => Deferred.await(of(ended, n)),
    hasEnded: (n: number) => Deferred.isDone(of(ended, n))
  }
})

const holderOf = (tokenId: number) =>
  Effect.map(
    makeAccount(),
    ({ accountId, plan }): TokenHolder => ({ accountId, plan, tokenId: AccessTokenId.make(tokenId) })
  )

const posted = (url: string, body: object, session?: string) =>
  Effect.promise(async () => {
    const response = await fetch(url, {
      method: "POST",
      headers: {
        "Content-Type": "application/json",
        "MCP-Protocol-Version": version,
        ...(session === undefined ? {} : { "Mcp-Session-Id": session })
      },
      body: JSON.stringify({ jsonrpc: "2.0", ...body })
    })
    return { status: response.status, text: await response.text() }
  })

const calls = (url: string, id: number, session?: string) =>
  posted(url, { id, method: "tools/call", params: { name: "wait", arguments: { n: id } } }, session)

/** Repeated while the database is away: on a busy machine it may be. */
const takesBack = (url: string, requestId: number, session?: string) =>
  Effect.repeat(posted(url, { method: "notifications/cancelled", params: { requestId } }, session), {
    while: ({ status }) => status === 503
  })

layer(laneServices, { excludeTestServices: true })("calls that run", (it) => {
  it.scoped("an older client's cancellation ends its call in whatever process that runs, and no other call", () =>
    Effect.gen(function* () {
      const { begun, ended, hasEnded, offer } = yield* endless
      const holder = yield* holderOf(1)
      const first = yield* servedOffer(offer, holder)
      const second = yield* servedOffer(offer, holder)
      const otherToken = yield* servedOffer(offer, { ...holder, tokenId: AccessTokenId.make(2) })
      const stranger = yield* servedOffer(offer, yield* holderOf(1))
      const session = "s1-e-11111111-1111-4111-8111-111111111111"

      // An earlier call had this id: its cancellation came late.
      yield* takesBack(second, 4)
      yield* Effect.forkScoped(calls(first, 4))
      yield* Effect.forkScoped(calls(first, 1))
      yield* Effect.forkScoped(calls(first, 2, session))
      const answer = yield* Effect.forkScoped(calls(first, 3))
      yield* Effect.forEach([1, 2, 3, 4], begun)
      yield* takesBack(otherToken, 1)
      yield* takesBack(stranger, 1)
      // Without the session it is another's call.
      yield* takesBack(second, 2)
      assert.strictEqual((yield* takesBack(second, 3)).status, 202)
      yield* ended(3)
      const { text } = yield* Fiber.join(answer)
      assert.include(text, "cancelled")
      assert.deepStrictEqual(yield* Effect.forEach([1, 2, 4], hasEnded), [false, false, false])

      yield* takesBack(second, 2, session)
      yield* ended(2)
      // Where it runs it ends at once.
      yield* takesBack(first, 1)
      yield* ended(1)
      assert.isFalse(yield* hasEnded(4))
    })
  )

  it.scoped("a sampled trace of _meta, or of the header, is continued with route, method, tool and revision", () =>
    Effect.gen(function* () {
      const { collecting, spans } = yield* collectSpans
      const answers = { ...conformanceOffer.toolbox, get: () => greeting }
      const greeting = {
        name: "greet",
        definition: { name: "greet" },
        call: () => Effect.succeed(complete(membersOf({ content: [] })))
      }
      const offer: Offer<never> = { ...conformanceOffer, toolbox: answers }
      const url = yield* servedOffer(offer, yield* holderOf(1)).pipe(Effect.withTracer(collecting))
      const traceId = "0af7651916cd43dd8448eb211c80319c"
      const parent = `00-${traceId}-b7ad6b7169203331-01`
      const call = (options: Parameters<typeof modernRequest>[3], path = "") =>
        Effect.promise(async () => {
          const init = modernRequest("none", "tools/call", { name: "greet", arguments: { to: "Ana Souza" } }, options)
          return rpc({ text: await (await fetch(`${url}${path}`, init)).text() })
        })
      yield* call({})
      yield* call({ meta: { traceparent: parent.replace(/01$/, "00") } })
      yield* call({ meta: { traceparent: "no trace" } })
      assert.isEmpty(spans)

      yield* call({ meta: { traceparent: parent } }, "/x/leads/readonly")
      yield* call({ headers: { traceparent: parent } })
      const servers = spans.filter(({ kind }) => kind === "server")
      assert.deepStrictEqual(
        servers.map(({ name, parent: above, traceId: trace }) => [
          name,
          trace,
          above._tag === "Some" ? above.value.spanId : ""
        ]),
        [
          ["tools/call greet", traceId, "b7ad6b7169203331"],
          ["tools/call greet", traceId, "b7ad6b7169203331"]
        ]
      )
      assert.deepInclude(Object.fromEntries(servers[0]?.attributes ?? []), {
        "http.route": "/mcp/x/{groups}/readonly",
        "mcp.method.name": "tools/call",
        "mcp.era": "modern",
        "gen_ai.tool.name": "greet",
        "http.response.status_code": 200
      })
      assert.notInclude(JSON.stringify(spans.map(({ attributes }) => [...attributes])), "Ana")
    })
  )
})
