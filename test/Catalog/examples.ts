import { crc32, deflateSync } from "node:zlib"
import { NodeContext } from "@effect/platform-node"
import { SqlClient } from "@effect/sql/SqlClient"
import { Clock, Context, Effect, Layer, Logger, LogLevel, Option, Predicate } from "effect"
import pg from "pg"
import { AccountsPostgres } from "../../src/Layers/Accounts/AccountsPostgres.ts"
import { AccessTokensPostgres } from "../../src/Layers/Accounts/Tokens/AccessTokensPostgres.ts"
import { Domain, Engine } from "../../src/Layers/App.ts"
import { makeSandboxActs } from "../../src/Layers/Calendar/sandbox/CalendarSandboxEndpoints.ts"
import { EventLoopLive } from "../../src/Layers/Platform/Fairness/BackgroundScheduler.ts"
import { DatabaseLocation } from "../../src/Layers/Platform/Postgres/Database.ts"
import { outsideTransaction } from "../../src/Layers/Platform/Postgres/OutsideTransaction.ts"
import { Settings } from "../../src/Layers/Platform/Settings.ts"
import { makeSampleAccount } from "../../src/Layers/Sample/SampleAccount.ts"
import { TestGateways, TestGatewaysLive } from "../../src/Layers/TestGateways/TestGateways.ts"
import { findChromium } from "../../src/Layers/Websites/Browser/Chromium.ts"
import { AccountClosure } from "../../src/Services/Accounts/AccountClosure.ts"
import { AccessTokenId } from "../../src/Services/Accounts/Ids.ts"
import { RequestTrail } from "../../src/Services/Accounts/RequestTrail.ts"
import { OAuth } from "../../src/Services/Connections/OAuth.ts"
import { Caller } from "../../src/Services/Core/Calls/Caller.ts"
import { RequestLog } from "../../src/Services/Core/RequestLog.ts"
import { uploadCustomerFile } from "../../src/Services/Files/CustomerFileUpload.ts"
import { Jobs } from "../../src/Services/Jobs/Jobs.ts"
import { Scheduler } from "../../src/Services/Scheduler/Scheduler.ts"
import { TestAccounts } from "../../src/Services/TestAccounts/TestAccounts.ts"
import { WebsiteId } from "../../src/Services/Websites/Ids.ts"
import { Websites } from "../../src/Services/Websites/Websites.ts"
import { AllTools } from "../../src/Tools/AllTools.ts"
import type { Catalog, ServicesOf } from "../../src/Tools/Core/Catalog.ts"
import { PlatformTools } from "../../src/Tools/PlatformTools.ts"
import { records as learningRecords } from "../Learnings/records.ts"
import { localHttpServer } from "../support/servers/LocalHttpServer.ts"
import { makeAccount } from "../support/TestAccount.ts"
import { TestDatabase, testAccountTemplate } from "../support/TestDatabase.ts"
import { TestSettings } from "../support/TestSettings.ts"

const catalogs: ReadonlyArray<Catalog<ServicesOf<typeof AllTools> | ServicesOf<typeof PlatformTools>>> = [
  AllTools,
  PlatformTools
]

/** The tools of both catalogs, each with the one that runs it. */
export const servedTools = catalogs.flatMap((catalog) =>
  catalog.entries.map(({ tool }) => ({ name: tool.name, tool, catalog }))
)

/** The sample account, made once for all examples. */
export class Sample extends Context.Tag("Sample")<Sample, Caller["Type"]>() {}

/** A test account with a lead, who can answer. */
const makeTestAccount = Effect.gen(function* () {
  const accounts = yield* TestAccounts
  const gateways = yield* TestGateways
  const { view } = yield* accounts.create({
    name: "Integration tests",
    plan: "paid",
    country: undefined,
    startsAt: undefined
  })
  const served = yield* accounts.served(view.test_account_id)
  yield* Effect.scoped(gateways.open(served))
  const { connection } = yield* DatabaseLocation
  yield* Effect.promise(async () => {
    const client = new pg.Client({ ...connection, database: served.database })
    await client.connect()
    await client.query(`
      insert into lead (account_id, name, status, pipeline_state, email)
      select account_id, 'Ana Souza', 'Cold', 'in_pipeline', 'ana.souza@client.example' from account`)
    await client.end()
  })
})

const makeSample = Effect.gen(function* () {
  const sql = yield* SqlClient
  // As in a gateway that was started before, the first token is the owner's.
  const owner = yield* makeAccount()
  yield* sql`insert into access_token (account_id, token_hash) values (${owner.accountId}, sha256('owner'::bytea))`
  const { accountId } = yield* makeSampleAccount(1)
  const caller = Caller.forTask(accountId, "paid", "examples")
  yield* Effect.provideService(makeTestAccount, Caller, caller)
  return caller
})

/** The page that the example of a screenshot looks at, where the hosts of this gateway's own sites lead a browser. */
const ExampleSettings = Layer.scoped(
  Settings,
  Effect.gen(function* () {
    const settings = yield* Settings
    const { port } = yield* localHttpServer((_, response) =>
      response
        .setHeader("Content-Type", "text/html; charset=utf-8")
        .end("<!doctype html><html lang=en><title>Ondas</title><main><h1>Waves for everybody</h1></main>")
    )
    return { ...settings, port }
  })
).pipe(Layer.provide(TestSettings))

/** The services of the gateway over whatever database and settings. */
export const GatewayServices = TestGatewaysLive.pipe(
  Layer.provideMerge(Layer.merge(Domain, EventLoopLive)),
  Layer.provideMerge(Layer.merge(AccountsPostgres, AccessTokensPostgres))
)

export const BackgroundWork = Layer.provide(Engine, EventLoopLive)

const gatewayOf = <E, R>(sample: Layer.Layer<Sample, E, R>) =>
  sample.pipe(
    Layer.provideMerge(GatewayServices),
    Layer.provideMerge(testAccountTemplate),
    Layer.provideMerge(TestDatabase),
    Layer.provideMerge(ExampleSettings),
    Layer.provide(Logger.minimumLogLevel(LogLevel.None)),
    Layer.provideMerge(NodeContext.layer)
  )

/** The services of the gateway over a database with a sample account and work in the background. */
export const sampleGateway = gatewayOf(Layer.effect(Sample, makeSample).pipe(Layer.provide(BackgroundWork)))

/** The same with a sample account that nothing changes in the background. */
export const quietSampleGateway = gatewayOf(Layer.effect(Sample, Effect.provide(makeSample, BackgroundWork)))

/** A picture without a pixel: what is read of it is its head. */
const squarePng = (side: number): Buffer => {
  const chunk = (type: string, data: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(type, "latin1"), data])
    const frame = Buffer.alloc(8)
    frame.writeUInt32BE(data.length, 0)
    frame.writeUInt32BE(crc32(body), 4)
    return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)])
  }
  const head = Buffer.alloc(13)
  head.writeUInt32BE(side, 0)
  head.writeUInt32BE(side, 4)
  head.set([8, 2, 0, 0, 0], 8)
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk("IHDR", head),
    chunk("IDAT", deflateSync(Buffer.alloc(side * (3 * side + 1)))),
    chunk("IEND", Buffer.alloc(0))
  ])
}

const calendarTools = /^(?:create|delete|list|respond|update)_calendar_events?$/

/** An event in the calendar of the account, connected again: one that another person invites it to, or its own. */
const calendarEvent = (isInvitation: boolean) =>
  Effect.gen(function* () {
    const oauth = yield* OAuth
    const { act } = yield* makeSandboxActs
    yield* oauth.consentInSandbox("calendar", "helena@ondas.example")
    const event = yield* act({
      act: "create",
      summary: "Visit",
      start: "2027-02-01T13:00:00Z",
      end: "2027-02-01T14:00:00Z",
      attendees: [],
      ...(isInvitation ? { organizer: "client@acme.example" } : {})
    })
    return Predicate.hasProperty(event, "id") ? String(event.id) : ""
  })

/** A request that failed, as the log of requests has it. */
const loggedRequest = Effect.gen(function* () {
  const log = yield* RequestLog
  const { accountId } = yield* Caller
  log.record({
    at: yield* Clock.currentTimeMillis,
    accountId,
    tokenId: AccessTokenId.make(2),
    requestId: "example-request",
    route: "POST /rest/v1/tools/{name}",
    tool: "get_lead",
    status: 404,
    reason: "lead_not_found",
    milliseconds: 3,
    arguments: { names: ["lead_id"], values: { lead_id: 12 } }
  })
  yield* Effect.flatMap(RequestTrail, ({ flush }) => flush)
})

const readersOfLog = new Set(["get_request", "get_usage", "list_request_errors", "list_requests"])

/** Arguments that no fixed example can know. */
export const argumentsOf = (name: string, example: object) =>
  Effect.gen(function* () {
    if (readersOfLog.has(name)) yield* outsideTransaction(loggedRequest)
    if (name === "reopen_account") yield* Effect.flatMap(AccountClosure, ({ close }) => close)
    if (name === "cancel_background_job") {
      const jobs = yield* Jobs
      return { job_id: yield* jobs.enqueue({ kind: "lead_export", subjectId: undefined }) }
    }
    if (name === "cancel_website_change") {
      const websites = yield* Websites
      const [site] = yield* websites.list()
      const websiteId = site?.website_id ?? WebsiteId.make(0)
      const change = { storesData: false, startsAnew: false, reasoning: "Fast", generation: "Fast" } as const
      yield* websites.change(websiteId, { ...change, prompt: "Outro título" })
      return { website_id: websiteId }
    }
    if (name === "dismiss_prospecting_learning") {
      const { accountId } = yield* Caller
      return { ...example, ...(yield* learningRecords.make(accountId)) }
    }
    if (name === "get_scheduler_event") {
      const scheduler = yield* Scheduler
      const { events } = yield* scheduler.events({ startDate: undefined, endDate: undefined, status: "active" })
      return { event_uri: events[0]?.uri ?? "" }
    }
    if (name === "set_chatapp_line_profile_picture") {
      const { customer_file_id } = yield* uploadCustomerFile({
        fileName: "logo.png",
        text: undefined,
        contentBase64: squarePng(192).toString("base64"),
        url: undefined
      })
      return { customer_file_id }
    }
    if (name === "update_business_faq" || name === "remove_business_faq") {
      const sql = yield* SqlClient
      const { accountId } = yield* Caller
      const [question] = yield* sql<{ readonly id: number }>`
        with question as (
          insert into open_question (account_id, question_text, status) values (${accountId}, 'Entregam?', 'answered')
          returning open_question_id as id
        ), answer as (
          insert into lead_answer (account_id, open_question_id, question_text, answer_text, is_reusable)
          select ${accountId}, id, 'Entregam?', 'Sim.', true from question
        )
        select id from question`
      return { ...example, open_question_id: question?.id ?? 0 }
    }
    if (name === "crawl_website") {
      // As it was fetched a moment ago.
      const sql = yield* SqlClient
      const { accountId } = yield* Caller
      yield* outsideTransaction(sql`
        with page as (
          insert into crawled_page (account_id, url_digest, final_url, status, content_type, characters, size_bytes)
          values (${accountId}, left(encode(sha256('https://ondas.example/'::bytea), 'hex'), 40), 'https://ondas.example/', 200,
            'text/html', 15, 15)
          returning account_id, crawled_page_id
        )
        insert into crawled_page_block (account_id, crawled_page_id, block, text)
        select account_id, crawled_page_id, 0, '<h1>Ondas</h1>.' from page`)
    }
    if (name === "screenshot_website") return { ...example, url: "http://ondas.sites.localhost/" }
    if (calendarTools.test(name)) {
      // What is done at the calendar stays done there, so each finds what it needs.
      const eventId = yield* outsideTransaction(calendarEvent(name === "respond_calendar_event"))
      return name.startsWith("create") || name.startsWith("list") ? example : { ...example, event_id: eventId }
    }
    return example
  })

/** Those that need what this machine has not: a browser. */
export const impossible = new Set(
  Option.isSome(await Effect.runPromise(findChromium(Option.none()))) ? [] : ["screenshot_website"]
)
