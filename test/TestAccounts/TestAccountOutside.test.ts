import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Redacted, Schedule, Schema } from "effect"
import { Engine } from "../../src/Layers/App.ts"
import { EventLoopLive } from "../../src/Layers/Platform/Fairness/BackgroundScheduler.ts"
import { ServerAddress } from "../../src/Layers/Platform/Http/Server.ts"
import { OutboundPolicy } from "../../src/Layers/Platform/Outbound/OutboundPolicy.ts"
import { Connections } from "../../src/Services/Connections/Connections.ts"
import { UnitOfWork } from "../../src/Services/Core/Calls/UnitOfWork.ts"
import { TestClockView } from "../../src/Services/TestAccounts/TestClock.ts"
import { AllTools } from "../../src/Tools/AllTools.ts"
import { PlatformTools } from "../../src/Tools/PlatformTools.ts"
import { liveConfig } from "../support/providers/liveSettings.ts"
import { type Contact, OutsideRecorder } from "../support/providers/OutsideRecorder.ts"
import { vendorAnswers } from "../support/providers/vendorsOfSandboxes.ts"
import { makeTokenHolder, send, testGateway } from "../support/servers/TestServer.ts"
import { as } from "../support/TestAccount.ts"
import { testAccountTemplate } from "../support/TestDatabase.ts"
import { call, platform, post } from "./calls.ts"

/** Names lead nowhere: the recorder takes what would go out. */
const Policy = Layer.effect(
  OutboundPolicy,
  Effect.map(OutboundPolicy, (policy) => ({
    ...policy,
    resolve: () => Promise.resolve([{ address: "127.0.0.1", family: 4 }])
  }))
)

/** A gateway whose every outside service is live, with its background work. */
const LiveGateway = Layer.unwrapEffect(
  Effect.gen(function* () {
    const { answerAs, ports } = yield* OutsideRecorder
    answerAs(vendorAnswers)
    const gateway = Layer.provideMerge(testAccountTemplate, testGateway({ outboundAllowLoopback: true }))
    const work = Layer.scopedDiscard(Layer.build(Layer.provide(Engine, EventLoopLive)))
    return Layer.provideMerge(work, gateway).pipe(Layer.provide(Policy), Layer.provide(liveConfig(ports)))
  })
).pipe(Layer.provideMerge(OutsideRecorder.layer))

interface Step {
  readonly tool: string
  readonly args: object
  /** Where the call of a live account leads, at once or in the background. */
  readonly host?: string
}

/** Calls of each group that reaches a service outside, in an order in which one prepares the next. */
const steps: ReadonlyArray<Step> = [
  { tool: "register_lead", args: { name: "Ana Souza", email: "ana@client.example", phone: "+5511987650001" } },
  {
    tool: "send_message_to_lead",
    args: { lead_id: 1, subject: "Friday", body: "Does 10 o'clock suit you?" },
    host: "smtp"
  },
  { tool: "register_chatapp_line", args: { use_own_number: false }, host: "graph.facebook.com" },
  {
    tool: "place_goal_driven_call",
    args: { phone_number: "+5511912345678", goal: "Confirm the meeting of Thursday at 10 with Ana Souza" },
    host: "api.elevenlabs.io"
  },
  { tool: "connect_crm", args: { crm_name: "pipedrive", api_token: "sandbox-key" }, host: "api.pipedrive.com" },
  {
    tool: "manage_leadsource_integration",
    args: { action: "connect", api_key: "sandbox-key", list_id: "list-schools" },
    host: "api.apollo.io"
  },
  {
    tool: "create_calendar_event",
    args: { summary: "Demo", start_utc: "2027-01-15T13:00:00Z", end_utc: "2027-01-15T13:30:00Z" },
    host: "www.googleapis.com"
  },
  { tool: "list_scheduler_event_types", args: {}, host: "api.calendly.com" },
  { tool: "create_adsplatform_campaign_draft", args: { name: "Agenda", daily_budget_brl: 50 } },
  {
    tool: "get_adsplatform_keyword_ideas",
    args: { campaign: "Agenda", seed_keywords: "agenda online" },
    host: "oauth2.googleapis.com"
  },
  { tool: "generate_image", args: { prompt: 'A poster that says "Hello"' }, host: "api.openai.com" },
  {
    tool: "create_video",
    args: { prompt: 'A clinic opens: "Hello"', model: "VideoEngineAlt", duration: 2, resolution: "480p" },
    host: "api.replicate.com"
  },
  {
    tool: "create_video",
    args: { prompt: 'A clinic opens: "Hello"', model: "VideoEnginePro", duration: 2, resolution: "720p" },
    host: "generativelanguage.googleapis.com"
  },
  {
    tool: "register_online_search",
    args: { query: "Quanto custa uma agenda online?", type: "Fast" },
    host: "api.search.brave.com"
  },
  {
    tool: "setup_custom_domain",
    args: { action: "activate", email_address: "vendas@ondas-software.example" }
  }
]

const Link = Schema.Union(
  Schema.transform(Schema.Struct({ connection_url: Schema.String }), Schema.String, {
    decode: ({ connection_url }) => connection_url,
    encode: (connection_url) => ({ connection_url })
  }),
  Schema.transform(Schema.Struct({ url: Schema.String }), Schema.String, {
    decode: ({ url }) => url,
    encode: (url) => ({ url })
  })
)

const pathOf = (address: string) => {
  const { pathname, search } = new URL(address.replaceAll("&amp;", "&"))
  return `${pathname}${search}`
}

/** Connects a service at the pages of the simulated authorization server, as an owner does in the browser. */
const consentAtPages = (token: string, service: "calendar" | "scheduler") =>
  Effect.gen(function* () {
    const link = yield* Effect.flatMap(call(token, `get_${service}_connection_url`), Schema.decodeUnknown(Link))
    const first = yield* send(pathOf(link))
    const cookie = (first.headers.get("set-cookie") ?? "").replace(/;.*$/, "")
    const authorize = pathOf(/href="([^"]+)"/.exec(first.text)?.[1] ?? "")
    const consentPage = yield* send(authorize)
    const form = new URLSearchParams({ holder: "owner@sandbox.example", answer: "allow" })
    for (const [, scope = ""] of consentPage.text.matchAll(/name="scope" value="([^"]+)"/g)) form.append("scope", scope)
    const consented = yield* send(authorize, {
      method: "POST",
      body: form.toString(),
      headers: { "Content-Type": "application/x-www-form-urlencoded" }
    })
    const end = yield* send(pathOf(consented.headers.get("location") ?? ""), { headers: { cookie } })
    assert.strictEqual(end.status, 200, end.text)
  })

/** The same for a live account, with tokens of the vendor. */
const connectLive = (service: string) =>
  Effect.gen(function* () {
    const unit = yield* UnitOfWork
    const connections = yield* Connections
    const secrets = {
      access_token: Redacted.make("token"),
      refresh_token: Redacted.make("refresh"),
      expires_at: Redacted.make(`${Date.now() + 3_600_000}`),
      scope: Redacted.make("calendar")
    }
    yield* unit.write(
      connections.connect({
        service,
        identity: "owner@client.example",
        isSandbox: false,
        isVerified: true,
        secrets,
        settings: {}
      })
    )
  })

/** Advances the clock, and waits until it has arrived. */
const advance = (token: string, by: string) =>
  Effect.zipRight(
    call(token, "advance_test_clock", { by }, platform),
    call(token, "get_test_clock", {}, platform).pipe(
      Effect.flatMap(Schema.decodeUnknown(TestClockView)),
      Effect.repeat({ until: ({ status }) => status === "ready", schedule: Schedule.spaced("200 millis") })
    )
  )

const servedTools = [
  ...AllTools.entries.map(({ tool }) => ({ tool, prefix: "/rest/v1" })),
  ...PlatformTools.entries.map(({ tool }) => ({ tool, prefix: platform }))
]

/**
 * These end what the following calls need. And Chromium asks a server of its vendor whether there is a network, if a page
 * cannot be opened.
 */
const leftOut = new Set(["close_account", "revoke_mcp_token", "rotate_token", "update_token", "screenshot_website"])

/**
 * Leaves out servers that the caller names, such as one of a file to fetch: they are no services of the platform. The
 * gateway itself asks from time to time whether its mail server is up.
 */
const contactsOfAccount = (contacts: ReadonlyArray<Contact>) =>
  contacts.filter(({ host, request }) => !host.endsWith(".example") && !(host === "smtp" && request === "connection"))

// The live account comes last, since its background work continues.
layer(LiveGateway, { excludeTestServices: true, timeout: "10 minutes" })("with live providers", (it) => {
  it.effect("no example of any tool reaches one from a test account", () =>
    Effect.gen(function* () {
      const { contacts, isInside } = yield* OutsideRecorder
      isInside((yield* ServerAddress).port)
      const { token } = yield* makeTokenHolder()
      const account = yield* call(token, "create_test_account", { name: "Examples" }, platform)
      const test = yield* Schema.decodeUnknown(Schema.Struct({ token: Schema.String }))(account)
      const before = contacts.length
      let succeeded = 0
      for (const { prefix, tool } of servedTools) {
        if (leftOut.has(tool.name)) continue
        const { status } = yield* post(test.token, tool.name, tool.example, { prefix })
        assert.notStrictEqual(status, 401, tool.name)
        if (status === 200) succeeded++
      }
      yield* advance(test.token, "1 day")
      assert.deepStrictEqual(contactsOfAccount(contacts.slice(before)), [])
      assert.isAbove(succeeded, servedTools.length / 2)
    })
  )

  it.effect("calls of a live account reach them, and those of a test account none", () =>
    Effect.gen(function* () {
      const { contacts, isInside } = yield* OutsideRecorder
      isInside((yield* ServerAddress).port)
      const { caller, token } = yield* makeTokenHolder()
      const account = yield* call(token, "create_test_account", { name: "Outside" }, platform)
      const test = yield* Schema.decodeUnknown(Schema.Struct({ token: Schema.String }))(account)

      yield* consentAtPages(test.token, "calendar")
      yield* consentAtPages(test.token, "scheduler")
      for (const { args, tool } of steps) yield* call(test.token, tool, args)
      yield* advance(test.token, "1 day")
      for (const channel of ["email", "chatapp"]) {
        yield* call(test.token, "play_prospect", { lead_id: 1, channel, text: "Sim, quero saber mais." }, platform)
      }
      yield* advance(test.token, "1 day")
      assert.deepStrictEqual(contactsOfAccount(contacts), [])

      yield* as(caller)(connectLive("calendar"))
      yield* as(caller)(connectLive("scheduler"))
      yield* Effect.flatMap(
        SqlClient,
        (sql) => sql`
        insert into scheduler_account (account_id, user_uri, organization_uri, webhook_key)
        values (${caller.accountId}, 'https://api.calendly.com/users/1', 'https://api.calendly.com/organizations/1', 'key')`
      )
      for (const { args, host, tool } of steps) {
        const before = contacts.length
        const answer = yield* post(token, tool, args)
        if (host === undefined) continue
        const reached = yield* Effect.sync(() => contacts.slice(before).some((contact) => contact.host === host)).pipe(
          Effect.repeat({ until: (is) => is, schedule: Schedule.spaced("50 millis") }),
          Effect.timeoutOption("30 seconds")
        )
        assert.strictEqual(reached._tag, "Some", `${tool} of a live account did not reach ${host}: ${answer.text}`)
      }
    })
  )
})
