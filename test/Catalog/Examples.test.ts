import { crc32, deflateSync } from "node:zlib"
import { NodeContext } from "@effect/platform-node"
import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Context, Effect, Layer, Logger, LogLevel, Option, Predicate } from "effect"
import { countTokens } from "gpt-tokenizer"
import { AccessTokensPostgres } from "../../src/Layers/Accounts/AccessTokensPostgres.ts"
import { AccountsPostgres } from "../../src/Layers/Accounts/AccountsPostgres.ts"
import { Domain, Engine } from "../../src/Layers/App.ts"
import { makeSandboxActs } from "../../src/Layers/Calendar/sandbox/CalendarSandboxEndpoints.ts"
import { EventLoopLive } from "../../src/Layers/Platform/Fairness/BackgroundScheduler.ts"
import { outsideTransaction } from "../../src/Layers/Platform/Postgres/OutsideTransaction.ts"
import { Settings } from "../../src/Layers/Platform/Settings.ts"
import { makeSampleAccount } from "../../src/Layers/Sample/SampleAccount.ts"
import { findChromium } from "../../src/Layers/Websites/Browser/Chromium.ts"
import { OAuth } from "../../src/Services/Connections/OAuth.ts"
import { Caller } from "../../src/Services/Core/Caller.ts"
import { uploadCustomerFile } from "../../src/Services/Files/CustomerFileUpload.ts"
import { Jobs } from "../../src/Services/Jobs/Jobs.ts"
import { Scheduler } from "../../src/Services/Scheduler/Scheduler.ts"
import { WebsiteId } from "../../src/Services/Websites/Ids.ts"
import { Websites } from "../../src/Services/Websites/Websites.ts"
import { AllTools } from "../../src/Tools/AllTools.ts"
import { records as learningRecords } from "../Learnings/records.ts"
import { isCluster } from "../support/isCluster.ts"
import { localHttpServer } from "../support/LocalHttpServer.ts"
import { RecordedStatements, statementsWithoutAccount } from "../support/logs/RecordedStatements.ts"
import { as, makeAccount } from "../support/TestAccount.ts"
import { TestDatabase } from "../support/TestDatabase.ts"
import { TestSettings } from "../support/TestSettings.ts"
import { answerOf } from "../support/ToolAnswer.ts"
import { entryOf, fieldOf, makeAnsweredFields, namesWithBoth } from "./NullFields.ts"
import nullFields from "./nullFields.json" with { type: "json" }

/** What the examples of all tools answered. */
const answeredFields = makeAnsweredFields()

/** The sample account, made once for all examples. */
class Sample extends Context.Tag("Sample")<Sample, Caller["Type"]>() {}

const SampleLive = Layer.effect(
  Sample,
  Effect.gen(function* () {
    const sql = yield* SqlClient
    // As in a gateway that was started before, the first token is the owner's.
    const owner = yield* makeAccount()
    yield* sql`insert into access_token (account_id, token_hash) values (${owner.accountId}, sha256('owner'::bytea))`
    const { accountId } = yield* makeSampleAccount(1)
    return Caller.forTask(accountId, "paid", "examples")
  })
)

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

const SampleGateway = SampleLive.pipe(
  Layer.provide(Layer.provide(Engine, EventLoopLive)),
  Layer.provideMerge(Domain),
  Layer.provideMerge(Layer.merge(AccountsPostgres, AccessTokensPostgres)),
  Layer.provideMerge(TestDatabase),
  Layer.provideMerge(ExampleSettings),
  Layer.provide(Logger.minimumLogLevel(LogLevel.None)),
  Layer.provideMerge(RecordedStatements.layer),
  Layer.provideMerge(NodeContext.layer)
)

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

/** An event in the calendar of the account, connected anew; one that somebody else invites it to, or its own. */
const calendarEvent = (isInvitation: boolean) =>
  Effect.gen(function* () {
    const oauth = yield* OAuth
    const { act } = yield* makeSandboxActs
    yield* oauth.consentInSandbox("calendar", "helena@ondas.example")
    const made = yield* act({
      act: "create",
      summary: "Visit",
      start: "2027-02-01T13:00:00Z",
      end: "2027-02-01T14:00:00Z",
      attendees: [],
      ...(isInvitation ? { organizer: "client@acme.example" } : {})
    })
    return Predicate.hasProperty(made, "id") ? String(made.id) : ""
  })

/** Arguments that no fixed example can know. */
const argumentsOf = (name: string, example: object) =>
  Effect.gen(function* () {
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
      const [asked] = yield* sql<{ readonly id: number }>`
        with question as (
          insert into open_question (account_id, question_text, status) values (${accountId}, 'Entregam?', 'answered')
          returning open_question_id as id
        ), answer as (
          insert into lead_answer (account_id, open_question_id, question_text, answer_text, is_reusable)
          select ${accountId}, id, 'Entregam?', 'Sim.', true from question
        )
        select id from question`
      return { ...example, open_question_id: asked?.id ?? 0 }
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

/** The changes of an example are undone, so that each finds the account as it was made. */
class Undone<A> {
  constructor(readonly answer: A) {}
}

const undoing = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.flatMap(SqlClient, (sql) =>
    effect.pipe(
      Effect.flatMap((answer) => Effect.fail(new Undone(answer))),
      sql.withTransaction,
      Effect.catchAll((error) => (error instanceof Undone ? Effect.succeed(error.answer) : Effect.fail(error)))
    )
  )

/** Those that need what this machine has not: a browser. */
const impossible = new Set(
  Option.isSome(await Effect.runPromise(findChromium(Option.none()))) ? [] : ["screenshot_website"]
)

layer(SampleGateway, { excludeTestServices: true, timeout: "10 minutes" })("examples", (it) => {
  /** An agent's context holds a default answer; a larger one says how to get less. */
  const mostTokens = 10_000
  /** They answer a file, which is as long as it is. */
  const wholeFiles = new Set(["get_website_code"])

  it.effect.each(AllTools.entries.map(({ tool }) => tool).filter(({ name }) => !impossible.has(name)))(
    "$name runs on the sample account and answers as declared",
    (tool) =>
      Effect.gen(function* () {
        const caller = yield* Sample
        const sql = yield* SqlClient
        // The sample's member got the welcome today, and an address gets the same text once a day.
        const isNextDay =
          tool.name === "resend_member_welcome" ? Effect.asVoid(sql`delete from mail_recipient`) : Effect.void
        const answer = yield* undoing(
          Effect.zipRight(
            isNextDay,
            Effect.flatMap(argumentsOf(tool.name, tool.example), (args) => answerOf(AllTools, tool.name, args))
          )
        ).pipe(as(caller))
        assert.isObject(answer)
        answeredFields.add(tool.name, answer)
        const text = JSON.stringify(answer)
        // Counting takes time: what is as short as this has no more tokens, whatever it says.
        if (text.length > mostTokens && !wholeFiles.has(tool.name)) assert.isAtMost(countTokens(text), mostTokens)
        if (tool.name === "disconnect_scheduler") {
          // What was taken back at the simulated scheduler is not undone with the transaction.
          yield* Effect.flatMap(OAuth, (oauth) => oauth.consentInSandbox("scheduler", "helena@ondas.example")).pipe(
            as(caller)
          )
        }
      })
  )

  /** Reads of records that answers named, since an example shows one of them. */
  const furtherReads = AllTools.entries.flatMap(({ tool }) => {
    const required = Object.entries(tool.parameters).filter(([, spec]) => spec.required)
    const [first] = required
    return tool.kind === "read" && !tool.openWorld && required.length === 1 && first?.[0].endsWith("_id") === true
      ? [{ tool: tool.name, parameter: first[0] }]
      : []
  })

  it.effect("answer no field without a value, except for a reason", () =>
    Effect.gen(function* () {
      const caller = yield* Sample
      for (const { parameter, tool } of furtherReads) {
        for (const id of answeredFields.idsNamed(parameter)) {
          const answer = yield* Effect.option(undoing(answerOf(AllTools, tool, { [parameter]: id })).pipe(as(caller)))
          if (Option.isSome(answer)) answeredFields.add(tool, answer.value)
        }
      }
      const listed = Object.values(nullFields).flat()
      const entries = new Set(listed)
      assert.strictEqual(entries.size, listed.length, "each entry has one reason")
      // Background work fills `last_synced_at`, and it may not have run yet. `code` is null unless the leads of the sample
      // are grouped by CNAE, which depends on the day on which the sample is made.
      const uncertain: ReadonlySet<string> = new Set(["last_synced_at", "code"])
      // The simulated call may still ring, and which notices the sample has depends on the day too.
      const uncertainPath =
        /^get_voice_simulation_status\.(?:cost_brl|duration_seconds|summary)$|notifications\[\]\.data\.reason$/
      const alwaysNull = answeredFields
        .alwaysNull()
        .filter((path) => !uncertain.has(fieldOf(path)) && !uncertainPath.test(path))
      assert.isAbove(alwaysNull.length, 100)
      const used = new Map(alwaysNull.map((path) => [path, entryOf(path, entries)]))
      assert.deepStrictEqual(
        alwaysNull.filter((path) => used.get(path) === undefined),
        [],
        "fields without a value: give them one, or a reason in nullFields.json"
      )
      const usedEntries = new Set(used.values())
      assert.deepStrictEqual(
        listed.filter((entry) => !usedEntries.has(entry)),
        [],
        "fields that have a value need no reason in nullFields.json"
      )
      // A name that means one thing in one tool and another in the next has a reason for each, and none for all.
      assert.deepStrictEqual(namesWithBoth(listed), [])
    })
  )

  it.effect("find leads that the sample's capture page brought", () =>
    Effect.gen(function* () {
      const caller = yield* Sample
      const pages = yield* answerOf(AllTools, "list_lead_capture_pages").pipe(as(caller))
      assert.include(JSON.stringify(pages), `"submissions":3`)
      const leads = yield* answerOf(AllTools, "search_leads", { query: "Marina Teles" }).pipe(as(caller))
      assert.include(JSON.stringify(leads), `"status":"Interested"`)
    })
  )

  // Plans of a cluster tell of its nodes, not of the tables.
  it.effect.skipIf(isCluster)("and every statement of theirs names its account on each table that it reads", () =>
    Effect.gen(function* () {
      const { found, looked } = yield* statementsWithoutAccount
      assert.deepStrictEqual(found, [])
      assert.isAbove(looked.length, 300)
    })
  )
})
