import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Context, Effect, Layer, Logger, LogLevel, Option, Predicate, Redacted, Runtime, Schema } from "effect"
import { AdsPostgres } from "../../src/Layers/Ads/AdsPostgres.ts"
import { makeAdsReconcile } from "../../src/Layers/Ads/AdsReconcile.ts"
import { AdsSettings } from "../../src/Layers/Ads/AdsSettings.ts"
import { AdsFundingPostgres } from "../../src/Layers/Ads/Billing/AdsFundingPostgres.ts"
import { AdsTransportConfigured } from "../../src/Layers/Ads/Calling/AdsTransportConfigured.ts"
import { makeAdsSandbox, sandboxManagerId } from "../../src/Layers/Ads/sandbox/AdsSandbox.ts"
import { OutboundHttpNode } from "../../src/Layers/Platform/Outbound/OutboundHttp.ts"
import { OutboundPolicy } from "../../src/Layers/Platform/Outbound/OutboundPolicy.ts"
import { AdsCampaignView } from "../../src/Services/Ads/AdsModel.ts"
import { Caller } from "../../src/Services/Core/Calls/Caller.ts"
import { Leads } from "../../src/Services/Leads/Leads.ts"
import type { OutboundRequest } from "../../src/Services/Outbound/OutboundHttp.ts"
import { LeadServices } from "../support/leads/LeadServices.ts"
import { collectLogs } from "../support/logs/CollectedLogs.ts"
import { collectSpans, textOfSpans } from "../support/logs/CollectedSpans.ts"
import { as, callTool, makeAccount } from "../support/TestAccount.ts"
import { TestSettings } from "../support/TestSettings.ts"
import { answerOf } from "../support/ToolAnswer.ts"
import { collectedFaults, judgedBody, vendorJudge } from "../support/VendorJudge.ts"
import { campaignsThere, catalog, fund, readyDraft, Tending, tend } from "./AdsWorld.ts"
import { adsSettings, Unlimited } from "./adsSettings.ts"

interface Received {
  readonly line: string
  readonly headers: { readonly [name: string]: string | ReadonlyArray<string> | undefined }
  readonly body: string
}

interface Answer {
  readonly status: number
  readonly headers?: { readonly [name: string]: string }
  readonly body: string
}

/** What befalls a request: an answer in its stead, or a connection that breaks before it was done or behind it. */
type Trouble = Answer | "lost_before" | "lost_after"

/** The simulated platform as a server of its own, with an authorization server that knows one refresh token. */
class Platform extends Context.Tag("Platform")<
  Platform,
  {
    readonly url: string
    readonly received: Array<Received>
    /** On the next requests that match, one for each. */
    readonly plan: (isMeant: (received: Received) => boolean, ...troubles: ReadonlyArray<Trouble>) => void
    /** Ends the access that is in use. */
    readonly expire: () => void
    /** The authorization server's next answers. */
    readonly tokenTroubles: Array<Answer>
    /** Whose client account the calls are of: the real one tells it by the numbers alone. */
    readonly serve: Effect.Effect<void, never, Caller>
  }
>() {}

const judges = { ads: vendorJudge("google_ads"), dataManager: vendorJudge("google_datamanager") }

const credentials = {
  clientId: "operator-client",
  clientSecret: Redacted.make("operator secret & more"),
  refreshToken: Redacted.make("1//operator-refresh"),
  managerId: sandboxManagerId
}

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  const parts: Array<Buffer> = []
  for await (const part of request) if (Buffer.isBuffer(part)) parts.push(part)
  return Buffer.concat(parts).toString("utf8")
}

const failureBody = (code: number, status: string, kind: string, name: string): string =>
  JSON.stringify({
    error: {
      code,
      message: "Said by the platform.",
      status,
      details: [
        {
          "@type": "type.googleapis.com/google.ads.googleads.v26.errors.GoogleAdsFailure",
          errors: [{ errorCode: { [kind]: name }, message: "Said by the platform." }],
          requestId: "wWzL4g"
        }
      ]
    }
  })
const unauthenticated: Answer = {
  status: 401,
  body: failureBody(401, "UNAUTHENTICATED", "authenticationError", "OAUTH_TOKEN_EXPIRED")
}

const PlatformLive = Layer.scoped(
  Platform,
  Effect.gen(function* () {
    const runtime = yield* Effect.runtime<SqlClient>()
    const received: Array<Received> = []
    const tokenTroubles: Array<Answer> = []
    let planned: Array<{ readonly isMeant: (received: Received) => boolean; readonly troubles: Array<Trouble> }> = []
    let granted = 0
    let served: Caller["Type"] | undefined
    const faults = yield* collectedFaults
    const simulated = yield* makeAdsSandbox.pipe(Effect.provideService(AdsSettings, adsSettings))

    const token = (form: URLSearchParams): Answer => {
      const isRight =
        form.get("grant_type") === "refresh_token" &&
        form.get("client_id") === credentials.clientId &&
        form.get("client_secret") === Redacted.value(credentials.clientSecret) &&
        form.get("refresh_token") === Redacted.value(credentials.refreshToken)
      if (!isRight) return { status: 400, body: JSON.stringify({ error: "invalid_grant" }) }
      granted += 1
      const grant = { access_token: `access-${granted}`, expires_in: 3599, token_type: "Bearer", scope: "adwords" }
      return { status: 200, body: JSON.stringify(grant) }
    }

    const done = async (each: Received, url: string): Promise<Answer> => {
      if (each.headers["authorization"] !== `Bearer access-${granted}`) return unauthenticated
      if (served === undefined) return { status: 503, body: "{}" }
      const outbound: OutboundRequest = {
        method: each.line.startsWith("GET") ? "GET" : "POST",
        url,
        ...(each.body === "" ? {} : { body: each.body })
      }
      const answer = await Runtime.runPromise(runtime)(
        simulated.request(outbound).pipe(Effect.provideService(Caller, served))
      )
      return { status: answer.status, body: Buffer.from(answer.body).toString("utf8") }
    }

    const say = (response: ServerResponse, { body, headers = {}, status }: Answer) =>
      response.writeHead(status, { "content-type": "application/json; charset=UTF-8", ...headers }).end(body)

    const server = createServer((request, response) => {
      void bodyOf(request).then(async (body) => {
        const path = request.url ?? "/"
        if (path === "/token") return say(response, tokenTroubles.shift() ?? token(new URLSearchParams(body)))
        const each = { line: `${request.method ?? ""} ${path}`, headers: request.headers, body }
        received.push(each)
        const parsed = judgedBody("application/json", body)
        const judgedRequest = { method: request.method ?? "", path, headers: request.headers, body: parsed }
        const judge = path.startsWith("/v1/") ? judges.dataManager : judges.ads
        for (const fault of judge.faultsOfRequest(judgedRequest)) faults.add(`${each.line}: ${fault}`)
        const trouble = planned.find(({ isMeant, troubles }) => troubles.length > 0 && isMeant(each))?.troubles.shift()
        if (trouble === "lost_before") return request.socket.destroy()
        if (trouble !== undefined && trouble !== "lost_after") return say(response, trouble)
        const answer = await done(each, `http://platform${path}`)
        return trouble === "lost_after" ? request.socket.destroy() : say(response, answer)
      })
    })
    yield* Effect.acquireRelease(
      Effect.promise(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))),
      () =>
        Effect.promise(async () => {
          server.closeAllConnections()
          await new Promise((resolve) => server.close(resolve))
        })
    )
    const address: AddressInfo | string | null = server.address()
    if (address === null || typeof address === "string") return yield* Effect.die("no port")
    return Platform.of({
      url: `http://127.0.0.1:${address.port}`,
      received,
      plan: (isMeant, ...troubles) => planned.push({ isMeant, troubles: [...troubles] }),
      expire: () => {
        granted += 1
      },
      tokenTroubles,
      serve: Effect.map(Caller, (caller) => {
        served = caller
        planned = []
        received.length = 0
        tokenTroubles.length = 0
      })
    })
  })
)

/** The gateway's ads in live mode, over its own way out, with the platform at the other end of the wire. */
const live = (uploads: "data_manager" | "offline_jobs") =>
  Layer.effect(Tending, makeAdsReconcile).pipe(
    Layer.provideMerge(AdsPostgres),
    Layer.provideMerge(AdsTransportConfigured),
    Layer.provideMerge(
      Layer.effect(
        AdsSettings,
        Effect.map(Platform, ({ url }) => ({
          ...adsSettings,
          mode: "live" as const,
          credentials: Option.some(credentials),
          developerToken: Option.some(Redacted.make("developer-token-of-tests")),
          apiUrl: url,
          dataManagerUrl: url,
          tokenUrl: `${url}/token`,
          audience: { ...adsSettings.audience, uploads }
        }))
      )
    ),
    Layer.provideMerge(PlatformLive),
    Layer.provideMerge(
      OutboundHttpNode.pipe(
        Layer.provide(
          Layer.effect(
            OutboundPolicy,
            Effect.map(OutboundPolicy, (policy) => ({ ...policy, allowLoopback: true }))
          )
        )
      )
    ),
    Layer.provideMerge(Layer.merge(Unlimited, AdsFundingPostgres)),
    Layer.provideMerge(TestSettings),
    Layer.provideMerge(LeadServices),
    Layer.provideMerge(Logger.minimumLogLevel(LogLevel.None))
  )

const campaign = "Clínicas"
const tool = (name: string, args: object = {}) => answerOf(catalog, name, { campaign, ...args })
const reasonOf = (name: string, args: object = {}) =>
  Effect.map(Effect.flip(callTool(catalog, name, { campaign, ...args })), (failure) =>
    Predicate.hasProperty(failure, "reason") ? failure.reason : failure._tag
  )
const viewOf = Effect.flatMap(tool("get_adsplatform_campaign"), Schema.decodeUnknown(AdsCampaignView))

const own = <A, E, R>(test: Effect.Effect<A, E, R>) =>
  Effect.flatMap(makeAccount(), (caller) =>
    as(caller)(
      Effect.flatMap(Platform, (platform) =>
        Effect.zipRight(
          platform.serve,
          Effect.tap(test, () => Effect.sync(() => platform.expire()))
        )
      )
    )
  )

const isCall =
  (part: string) =>
  ({ line }: Received): boolean =>
    line.includes(part)
const isMutate = (each: Received): boolean =>
  isCall("googleAds:mutate")(each) && each.body.includes('"validateOnly":false')

const lead = (email: string) =>
  Effect.flatMap(Leads, (leads) =>
    leads.register({ name: email, email, phone: undefined, company: "X", status: "Cold", campaign: undefined })
  )

const goLive = Effect.gen(function* () {
  const draft = yield* readyDraft(campaign, 40)
  yield* fund(campaign, 300)
  yield* tend
  return draft
})

const html: Answer = { status: 200, headers: { "content-type": "text/html" }, body: "<!doctype html><p>oops" }
const busy: Answer = {
  status: 429,
  headers: { "retry-after": "7" },
  body: failureBody(429, "RESOURCE_EXHAUSTED", "quotaError", "RESOURCE_TEMPORARILY_EXHAUSTED")
}
const quota: Answer = { status: 429, body: failureBody(429, "RESOURCE_EXHAUSTED", "quotaError", "RESOURCE_EXHAUSTED") }
const huge: Answer = { status: 200, body: `[${'{"results":[]},'.repeat(1_200_000)}{}]` }

layer(live("data_manager"), { excludeTestServices: true, timeout: "60 seconds" })(
  "the ads platform over the network",
  (it) => {
    it.effect("has each call with the operator's access, and shows nothing of it elsewhere", () =>
      own(
        Effect.gen(function* () {
          const platform = yield* Platform
          const { ad_group_id } = yield* goLive
          const view = yield* viewOf
          assert.deepInclude(view, { status: "live", mode: "live" })
          const [there] = yield* campaignsThere
          assert.match(
            view.management_url ?? "",
            new RegExp(`^https://ads\\.google\\.com/aw/campaigns\\?campaignId=${there?.id}&__e=\\d+$`)
          )
          yield* lead("ana@acme.example")
          yield* tool("get_adsplatform_keyword_ideas", { seed_keywords: "agenda", max_results: 3 })
          yield* tool("get_adsplatform_billing", { section: "Invoices", year: 2026, month: 9 })
          yield* tool("refresh_adsplatform_audience")
          yield* tool("get_adsplatform_audience_status")
          const kinds = [
            ":createCustomerClient",
            "googleAds:searchStream",
            "googleAds:mutate",
            ":generateKeywordIdeas",
            "/invoices?",
            "audienceMembers:ingest"
          ]
          for (const kind of kinds) assert.isTrue(platform.received.some(isCall(kind)), kind)
          for (const { body, headers, line } of platform.received) {
            assert.match(String(headers["authorization"]), /^Bearer access-\d+$/, line)
            assert.strictEqual(headers["developer-token"], "developer-token-of-tests", line)
            if (line.includes("/customers/")) assert.strictEqual(headers["login-customer-id"], sandboxManagerId, line)
            assert.notInclude(body, "ana@acme.example")
            assert.notMatch(`${line}${body}`, /operator|access-\d|developer-token/)
          }
          // What the policies refuse is told of each part, and the rest goes on.
          const added = JSON.stringify(
            yield* tool("add_adsplatform_keywords", { ad_group_id, keywords: "agenda fácil\nmilagre já" })
          )
          assert.include(added, '"text":"agenda fácil","state":"at_platform"')
          assert.include(added, '"text":"milagre já","state":"refused","refusal":"POLICY_FINDING')
        })
      )
    )

    it.effect("each call says what went wrong, and the next one goes on", () =>
      own(
        Effect.gen(function* () {
          const platform = yield* Platform
          yield* goLive
          yield* lead("bia@acme.example")
          const calls: ReadonlyArray<readonly [string, object, string]> = [
            ["get_adsplatform_performance_report", { report_type: "Daily" }, "googleAds:searchStream"],
            ["get_adsplatform_billing", { section: "Invoices", year: 2026, month: 9 }, "/invoices?"],
            ["refresh_adsplatform_audience", {}, "audienceMembers:ingest"]
          ]
          const troubles: ReadonlyArray<readonly [Trouble, string]> = [
            [busy, "ads_platform_rate_limited"],
            [quota, "ads_platform_quota_used_up"],
            [{ status: 500, body: "{}" }, "ads_platform_unavailable"],
            [{ status: 503, body: "" }, "ads_platform_unavailable"],
            ["lost_before", "ads_platform_unavailable"],
            ["lost_after", "ads_platform_unavailable"],
            [
              { status: 404, body: failureBody(404, "NOT_FOUND", "requestError", "RESOURCE_NOT_FOUND") },
              "refused_by_platform"
            ]
          ]
          for (const [name, args, part] of calls) {
            for (const [trouble, reason] of troubles) {
              platform.plan(isCall(part), trouble)
              assert.strictEqual(yield* reasonOf(name, args), reason, `${part} ${JSON.stringify(trouble).slice(0, 60)}`)
            }
            // Of what changes something nobody knows whether it was done.
            for (const trouble of [html, { status: 200, body: '{"requestId":' }]) {
              platform.plan(isCall(part), trouble)
              const reason = part.startsWith("audience") ? "ads_platform_unavailable" : "ads_platform_unreadable"
              assert.strictEqual(yield* reasonOf(name, args), reason, part)
            }
            yield* tool(name, args)
          }
          platform.plan(isCall("googleAds:searchStream"), huge)
          assert.strictEqual(
            yield* reasonOf("get_adsplatform_performance_report", { report_type: "Daily" }),
            "ads_platform_unreadable"
          )
          assert.strictEqual((yield* viewOf).status, "live")
        })
      )
    )

    it.effect(
      "an access that ended is taken anew once, and one that cannot be had is told as the operator's to mend",
      () =>
        own(
          Effect.gen(function* () {
            const platform = yield* Platform
            yield* goLive
            const report = ["get_adsplatform_performance_report", { report_type: "Daily" }] as const
            platform.expire()
            yield* tool(...report)
            for (const answer of [
              { status: 400, body: '{"error":"invalid_grant","error_description":"Token has been revoked."}' },
              { status: 401, body: '{"error":"invalid_client"}' },
              { status: 200, body: '{"token_type":"Bearer"}' },
              { status: 200, body: "<html>" }
            ]) {
              platform.expire()
              platform.tokenTroubles.push(answer)
              assert.strictEqual(yield* reasonOf(...report), "ads_platform_unauthorized", answer.body)
            }
            platform.expire()
            platform.tokenTroubles.push({ status: 503, body: "{}" })
            assert.strictEqual(yield* reasonOf(...report), "ads_platform_unavailable")
            yield* tool(...report)
          })
        )
    )

    it.effect("a mutate that is lost, before or behind its effect, is looked up; nothing is made or said twice", () =>
      own(
        Effect.gen(function* () {
          const sql = yield* SqlClient
          const { accountId } = yield* Caller
          const platform = yield* Platform
          yield* readyDraft(campaign, 40)
          yield* fund(campaign, 300)
          platform.plan(isCall(":createCustomerClient"), "lost_before", "lost_after")
          platform.plan(isMutate, "lost_before", "lost_after", html, busy)
          for (let tries = 0; tries < 6; tries++) {
            yield* Effect.either(callTool(catalog, "nudge_adsplatform_provisioning", { campaign }))
          }
          yield* tend
          assert.strictEqual((yield* viewOf).status, "live")
          assert.lengthOf(yield* campaignsThere, 1)
          for (const [action, status] of [
            ["Pause", "PAUSED"],
            ["Resume", "ENABLED"],
            ["End", "REMOVED"]
          ] as const) {
            platform.plan(isMutate, "lost_after")
            yield* Effect.either(callTool(catalog, "set_adsplatform_campaign_status", { campaign, action }))
            yield* tend
            assert.deepStrictEqual(
              (yield* campaignsThere).map((each) => each.status),
              [status]
            )
          }
          const kinds = yield* sql<{ readonly kind: string; readonly count: number }>`
          select kind, count(*) from sandbox_ads_record where account_id = ${accountId}
            and kind in ('campaign', 'adGroup', 'ad', 'keyword', 'budget') group by kind order by kind`
          assert.deepStrictEqual(
            kinds.map(({ count, kind }) => `${kind} ${count}`),
            ["ad 1", "adGroup 1", "budget 1", "campaign 1", "keyword 2"]
          )
        })
      )
    )

    it.effect("neither secrets nor addresses are in logs and spans, whatever goes wrong", () =>
      own(
        Effect.gen(function* () {
          const platform = yield* Platform
          const logs = yield* collectLogs
          const { collecting, spans } = yield* collectSpans
          const view = yield* Effect.gen(function* () {
            yield* goLive
            yield* lead("carla@acme.example")
            yield* tool("refresh_adsplatform_audience")
            for (const trouble of [html, busy, unauthenticated, unauthenticated, "lost_after" as const]) {
              platform.plan(() => true, trouble)
              yield* Effect.either(
                callTool(catalog, "get_adsplatform_performance_report", { campaign, report_type: "Daily" })
              )
              platform.plan(() => true, trouble)
              yield* tend
            }
            platform.tokenTroubles.push({ status: 400, body: '{"error":"invalid_grant"}' })
            platform.expire()
            yield* tend
            return yield* viewOf
          }).pipe(logs.collecting, Effect.withTracer(collecting))
          assert.isAbove(spans.length, 20)
          const said = `${textOfSpans(spans)}\n${logs.lines.join("\n")}`
          const recharge = view.recharge_url?.split("/").at(-1) ?? assert.fail("no recharge link")
          for (const secret of [
            Redacted.value(credentials.clientSecret),
            Redacted.value(credentials.refreshToken),
            "developer-token-of-tests",
            "access-",
            "acme.example",
            recharge
          ]) {
            assert.notInclude(said, secret)
          }
        })
      )
    )
  }
)

layer(live("offline_jobs"), { excludeTestServices: true, timeout: "60 seconds" })(
  "audiences by offline user data jobs",
  (it) => {
    it.effect("are made, filled and run, with hashes alone", () =>
      own(
        Effect.gen(function* () {
          const platform = yield* Platform
          yield* goLive
          yield* lead("ana@acme.example")
          assert.deepInclude(yield* tool("refresh_adsplatform_audience"), { emails_sent: 1 })
          const lines = platform.received
            .filter(isCall("offlineUserDataJobs"))
            .map(({ line }) => line.split(":").at(-1))
          assert.deepStrictEqual(lines, ["create", "addOperations", "run"])
          for (const { body } of platform.received) assert.notInclude(body, "acme.example")
        })
      )
    )
  }
)
