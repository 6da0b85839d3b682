import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Context, Effect, Exit, Layer, Schedule } from "effect"
import { fromJsonBody, isRefused } from "../../src/Api/RequestArguments.ts"
import { RequestRefused } from "../../src/Errors.ts"
import { Settings } from "../../src/Layers/Platform/Settings.ts"
import { DryRuns } from "../../src/Services/Core/Calls/DryRuns.ts"
import { liveConfig } from "../support/providers/liveSettings.ts"
import { type Contact, OutsideRecorder } from "../support/providers/OutsideRecorder.ts"
import { vendorsFor } from "../support/providers/vendorsOfSandboxes.ts"
import { as } from "../support/TestAccount.ts"
import {
  argumentsOf,
  BackgroundWork,
  GatewayServices,
  impossible,
  quietSampleGateway,
  Sample,
  servedTools
} from "./examples.ts"
import { isTooSlow, untriedTools } from "./untriedTools.ts"

/** The services of a gateway with live providers, over the database of the sample account. */
class Live extends Context.Tag("Live")<Live, Context.Context<Layer.Layer.Success<typeof GatewayServices>>>() {}

const LiveGateway = Layer.scoped(
  Live,
  Effect.gen(function* () {
    const { answerAs, isInside, ports } = yield* OutsideRecorder
    const settings = yield* Settings
    isInside(settings.port)
    answerAs(yield* vendorsFor(yield* Sample))
    return yield* Layer.build(
      Layer.fresh(GatewayServices).pipe(
        Layer.provide(Layer.succeed(Settings, { ...settings, outboundAllowLoopback: true })),
        Layer.provide(liveConfig(ports))
      )
    )
  })
).pipe(Layer.provideMerge(OutsideRecorder.layer), Layer.provideMerge(quietSampleGateway))

const writes = servedTools.filter(({ name, tool }) => tool.kind !== "read" && !impossible.has(name))

/** Where the examples write during the call. */
const writesAtOnce: Readonly<Record<string, string>> = {
  add_adsplatform_keywords: "googleads.googleapis.com",
  create_adsplatform_search_ad: "googleads.googleapis.com",
  refresh_adsplatform_audience: "datamanager.googleapis.com",
  set_adsplatform_campaign_status: "googleads.googleapis.com",
  update_adsplatform_campaign_budget: "googleads.googleapis.com",
  connect_crm: "api.pipedrive.com",
  create_calendar_event: "www.googleapis.com",
  delete_calendar_event: "www.googleapis.com",
  respond_calendar_event: "www.googleapis.com",
  update_calendar_event: "www.googleapis.com",
  disconnect_calendar: "oauth2.googleapis.com",
  disconnect_scheduler: "auth.calendly.com",
  set_chatapp_line_profile_picture: "graph.facebook.com",
  update_chatapp_line_profile: "graph.facebook.com"
}

/** Where they write in the background, in an order in which none takes away what a later one needs. */
const writesLater: Readonly<Record<string, ReadonlyArray<string>>> = {
  set_personal_email: ["smtp"],
  update_notification_emails: ["smtp"],
  send_message_to_lead: ["smtp"],
  create_support_request: ["smtp"],
  export_website_code: ["smtp"],
  add_member: ["smtp", "graph.facebook.com"],
  resend_member_welcome: ["smtp", "graph.facebook.com"],
  place_goal_driven_call: ["api.elevenlabs.io"],
  start_voice_simulation: ["api.elevenlabs.io"],
  create_video: ["api.replicate.com"],
  edit_video: ["api.replicate.com"],
  generate_image: ["api.openai.com"],
  // It asks the CRM for the webhooks that the next one removes.
  connect_crm: ["api.pipedrive.com"],
  disconnect_crm: ["api.pipedrive.com"]
}

/** Queues a look at the calendar, which has no event of the example's meeting to change. */
const nothingToChange = new Set(["cancel_lead_meeting"])

/** The effects of `Dry-Run-Effects` that reach a provider. Webhooks go to the caller's own endpoints. */
const reachesProvider = /\b(?:calendar|chatapp_message|crm|email|scheduler|voice_call)=/

/** What the account connected to the simulators counts as connected to the vendors. */
const connectVendors = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* sql`update connection set is_sandbox = false`
  yield* sql`update chatapp_line set provider_line_id = '200' where provider_line_id like 'sandbox-%'`
  // The sample's member got the welcome today, and an address gets the same text once a day.
  yield* sql`delete from mail_recipient`
})

type Write = (typeof writes)[number]

/** Runs the example of a tool with the live providers. */
const callLive = ({ catalog, name, tool }: Write, isDryRun: boolean) =>
  Effect.gen(function* () {
    const caller = yield* Sample
    const live = yield* Live
    const mode = isDryRun ? Context.get(live, DryRuns).makeMode() : undefined
    const args = yield* as(caller)(argumentsOf(name, tool.example))
    yield* connectVendors
    const raw = fromJsonBody(Buffer.from(JSON.stringify(args)))
    if (isRefused(raw)) return yield* Effect.die(raw)
    const { contacts } = yield* OutsideRecorder
    const before = contacts.length
    const exit = yield* Effect.exit(Effect.provide(as(caller)(catalog.call(name, raw, mode)), live))
    return { exit, sent: mode?.headers()["Dry-Run-Effects"], changes: () => changesOf(contacts.slice(before)) }
  })

const changesOf = (contacts: ReadonlyArray<Contact>) => contacts.filter(({ isChange }) => isChange)

const hostsOf = (contacts: ReadonlyArray<Contact>) => new Set(contacts.map(({ host }) => host))

const writeNamed = (name: string): Write => {
  const write = writes.find((each) => each.name === name)
  return write ?? assert.fail(`${name} is no write`)
}

layer(LiveGateway, { excludeTestServices: true, timeout: "15 minutes" })("with live providers", (it) => {
  const tried: Array<string> = []
  const reaching = new Set<string>()

  it.scoped.each(writes)("a dry run of $name writes to none", (write) =>
    Effect.gen(function* () {
      const { changes, exit, sent = "" } = yield* callLive(write, true)
      assert.deepStrictEqual(changes(), [])
      const failure = Exit.isFailure(exit) && exit.cause._tag === "Fail" ? exit.cause.error : undefined
      const isUntried = failure instanceof RequestRefused && failure.type === "DryRunUnsupported"
      if (isUntried ? untriedTools.get(write.name) !== "clock" : reachesProvider.test(sent)) reaching.add(write.name)
      if (!isUntried && !isTooSlow(write.name, failure)) yield* exit
      assert.strictEqual(isUntried, untriedTools.has(write.name), "docs/reference/dry-runs.md")
      tried.push(write.name)
    })
  )

  it.effect("every write was tried, and those that would reach one are called next", () =>
    Effect.sync(() => {
      assert.deepStrictEqual(
        tried,
        writes.map(({ name }) => name)
      )
      const called = new Set([...Object.keys(writesAtOnce), ...Object.keys(writesLater)])
      assert.deepStrictEqual(
        [...reaching].filter((name) => !called.has(name) && !nothingToChange.has(name)),
        []
      )
    })
  )

  it.scoped("what calls queue writes there later", () =>
    Effect.gen(function* () {
      yield* Effect.provide(Layer.build(BackgroundWork), yield* Live)
      for (const [name, hosts] of Object.entries(writesLater)) {
        const { changes, exit } = yield* callLive(writeNamed(name), false)
        yield* exit
        const arrived = yield* Effect.sync(() => hostsOf(changes())).pipe(
          Effect.repeat({
            until: (reached) => hosts.every((host) => reached.has(host)),
            schedule: Schedule.spaced("50 millis")
          }),
          Effect.timeoutOption("1 minute")
        )
        assert.strictEqual(arrived._tag, "Some", `${name} reached only ${JSON.stringify(changes())}`)
      }
    })
  )

  it.scoped.each(Object.entries(writesAtOnce))("%s writes there at once without the header", ([name, host]) =>
    Effect.gen(function* () {
      const { changes, exit } = yield* callLive(writeNamed(name), false)
      yield* exit
      assert.isTrue(hostsOf(changes()).has(host), JSON.stringify(changes()))
    })
  )
})
