import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Deferred, Effect, Fiber, Layer, Ref, Schedule } from "effect"
import { transient } from "../../src/Errors.ts"
import { AccountEventsPostgres } from "../../src/Layers/Events/AccountEventsPostgres.ts"
import { layer as leadFileReader } from "../../src/Layers/LeadFiles/LeadFileReader.ts"
import { LeadImportsPostgres } from "../../src/Layers/LeadFiles/LeadImportsPostgres.ts"
import { backgroundJobHandlers } from "../../src/Layers/Platform/Jobs/BackgroundJob.ts"
import type { Caller } from "../../src/Services/Core/Calls/Caller.ts"
import { UnitOfWork } from "../../src/Services/Core/Calls/UnitOfWork.ts"
import { uploadCustomerFile } from "../../src/Services/Files/CustomerFileUpload.ts"
import { JobCancelled, type RunningJob } from "../../src/Services/Jobs/JobHandler.ts"
import { Jobs } from "../../src/Services/Jobs/Jobs.ts"
import {
  LeadImports,
  type LeadImportView,
  leadImportJob,
  type NewLeadImport
} from "../../src/Services/LeadFiles/LeadImports.ts"
import { Leads } from "../../src/Services/Leads/Leads.ts"
import { OutboundHttp } from "../../src/Services/Outbound/OutboundHttp.ts"
import { historyOf, insertCampaign, insertLead, LeadServices } from "../support/leads/LeadServices.ts"
import { isLockAwaited } from "../support/logs/LockWaits.ts"
import { as, makeAccount } from "../support/TestAccount.ts"

const noInternet = Layer.succeed(
  OutboundHttp,
  OutboundHttp.of({ stream: () => Effect.dieMessage("no request"), request: () => Effect.dieMessage("no request") })
)

const services = LeadImportsPostgres.pipe(
  Layer.provideMerge(AccountEventsPostgres),
  Layer.provideMerge(leadFileReader),
  Layer.provideMerge(noInternet),
  Layer.provideMerge(LeadServices)
)

/** Uploads the text as a file and records its import. */
const start = (text: string, changes: Partial<NewLeadImport> = {}) =>
  Effect.gen(function* () {
    const unit = yield* UnitOfWork
    const imports = yield* LeadImports
    const content = { fileName: "leads.csv", text, contentBase64: undefined, url: undefined }
    const file = yield* uploadCustomerFile(content)
    return yield* unit.write(
      imports.start({
        source: { _tag: "File", customerFileId: file.customer_file_id },
        status: "Cold",
        campaign: undefined,
        preferredChannel: undefined,
        instructions: undefined,
        firstMessageInstructions: undefined,
        background: undefined,
        goal: undefined,
        ...changes
      })
    )
  })

const run = (caller: Caller["Type"], { job_id }: LeadImportView, changes: Partial<RunningJob> = {}) =>
  Effect.flatMap(LeadImports, (imports) =>
    imports.run({
      accountId: caller.accountId,
      jobId: job_id,
      subjectId: undefined,
      attempt: 1,
      setProgress: () => Effect.void,
      checkpoint: Effect.void,
      ...changes
    })
  )

const rowsOf = ({ lead_import_id }: LeadImportView) =>
  Effect.flatMap(LeadImports, (imports) => imports.rows(lead_import_id, { page: 0, pageSize: 10_000 }))

const leadsOf = ({ accountId }: Caller["Type"]) =>
  Effect.flatMap(
    SqlClient,
    (sql) => sql<{ readonly lead_id: number; readonly email: string | null; readonly phone: string | null }>`
      select lead_id, email, phone from lead where account_id = ${accountId} order by lead_id`
  )

const feedOf = ({ accountId }: Caller["Type"]) =>
  Effect.flatMap(
    SqlClient,
    (sql) => sql<{ readonly event_type: string; readonly data: unknown }>`
      select event_type, data from account_event where account_id = ${accountId} order by account_event_id`
  )

/** More than two batches. */
const many = 5_500
const people = (count: number, of = "person") =>
  ["Nome,E-mail", ...Array.from({ length: count }, (_, n) => `Pessoa ${n},${of}${n}@example.com`)].join("\n")

layer(services, { excludeTestServices: true })("importing leads from a file", (it) => {
  it.effect("answers what became of each row", () =>
    Effect.gen(function* () {
      const caller = yield* makeAccount()
      const me = as(caller)
      const [byEmail, byPhone, erased] = [
        yield* me(insertLead({ email: "known@example.com" })),
        yield* me(insertLead({ email: null, phone: "+5511987654321" })),
        yield* me(insertLead({ email: "erased@example.com" }))
      ]
      const leads = yield* Leads
      const unit = yield* UnitOfWork
      yield* me(unit.write(leads.erase(erased, undefined)))
      const view = yield* me(
        start(
          [
            "Nome;E-mail;Telefone;Empresa",
            "Ana;ANA@example.com;;Padaria",
            "Bia;known@example.com;;",
            "Caio;;(11) 98765-4321;",
            "Davi;ana@example.com;;",
            "Eva;not an address;;",
            "Fabio;;;",
            "Gil;erased@example.com;;",
            ";hugo@example.com;+55 11 91234-5678;",
            "Iris;iris@example.com;11912345678;"
          ].join("\n")
        )
      )
      yield* me(run(caller, view))
      const { rows, total } = yield* me(rowsOf(view))
      const [, , ana, hugo] = yield* leadsOf(caller)
      assert.strictEqual(total, 9)
      assert.deepStrictEqual(
        rows.map(({ lead_id, outcome, reason, row_number }) => [row_number, outcome, reason, lead_id]),
        [
          [1, "created", null, ana?.lead_id],
          [2, "duplicate", "existing_lead", byEmail],
          [3, "duplicate", "existing_lead", byPhone],
          [4, "duplicate", "repeated_in_file", ana?.lead_id],
          [5, "invalid", "invalid_email", null],
          [6, "invalid", "no_contact", null],
          [7, "invalid", "lead_erased", null],
          [8, "created", null, hugo?.lead_id],
          [9, "duplicate", "repeated_in_file", hugo?.lead_id]
        ]
      )
      assert.deepInclude(hugo, { email: "hugo@example.com", phone: "+5511912345678" })
      const imports = yield* LeadImports
      assert.deepInclude(yield* me(imports.get(view.lead_import_id)), {
        row_count: 9,
        rows_processed: 9,
        created_count: 2,
        duplicate_count: 4,
        invalid_count: 3
      })
      assert.deepStrictEqual(yield* feedOf(caller), [
        {
          event_type: "import_finished",
          data: {
            lead_import_id: view.lead_import_id,
            status: "finished",
            created_count: 2,
            duplicate_count: 4,
            invalid_count: 3
          }
        }
      ])
    })
  )

  it.effect("fills empty fields of people who are leads, also of those earlier in the file", () =>
    Effect.gen(function* () {
      const caller = yield* makeAccount()
      const me = as(caller)
      const [existing, other] = [
        yield* me(insertLead({ name: "Bia", email: "bia@example.com", company: "Padaria" })),
        yield* me(insertLead({ name: "Caio", email: null, phone: "+5511911111111" }))
      ]
      const view = yield* me(
        start(
          [
            "Nome;E-mail;Telefone;Empresa;Cidade;Cargo",
            "Bia;bia@example.com;11 98765-4321;Padaria Ltda;Recife;",
            "Bia;bia@example.com;;;;Sócia",
            "Ana;ana@example.com;;;;",
            "Ana;ana@example.com;11 91111-1111;;;",
            "Ana;ana@example.com;11 92222-2222;;;Dona"
          ].join("\n")
        )
      )
      yield* me(run(caller, view))
      const { rows } = yield* me(rowsOf(view))
      const ana = rows[2]?.lead_id ?? assert.fail("no lead")
      assert.deepStrictEqual(
        rows.map(({ filled, lead_id, not_filled, outcome }) => [
          outcome,
          lead_id,
          filled,
          not_filled.map(({ field, lead_id: owner, reason }) => [field, reason, owner])
        ]),
        [
          ["duplicate", existing, ["phone", "city"], [["company", "has_another_value", null]]],
          ["duplicate", existing, ["job_title"], []],
          ["created", ana, [], []],
          ["duplicate", ana, [], [["phone", "belongs_to_another_lead", other]]],
          ["duplicate", ana, ["phone", "job_title"], []]
        ]
      )
      const sql = yield* SqlClient
      const stored = yield* sql`
        select phone, company, city, job_title from lead where lead_id = any(${[existing, ana]}::bigint[])
        order by lead_id`
      assert.deepStrictEqual(stored, [
        { phone: "+5511987654321", company: "Padaria", city: "Recife", job_title: "Sócia" },
        { phone: "+5511922222222", company: null, city: null, job_title: "Dona" }
      ])
    })
  )

  it.effect("creates a colleague who shares the company's phone, without the phone", () =>
    Effect.gen(function* () {
      const caller = yield* makeAccount()
      const me = as(caller)
      const existingLead = yield* me(insertLead({ name: "Bia Prado", email: "bia@clinic.com", phone: "+551132745190" }))
      const view = yield* me(
        start(
          [
            "Nome;E-mail;Telefone",
            "Ana Lima;ana@clinic.com;(11) 3274-5190",
            "Rui Alves;rui@clinic.com;(11) 3274-5190",
            // One name in two spellings, another company, a mailbox that says nothing of a company, and no name.
            "B. Prado;bp@clinic.com;(11) 3274-5190",
            "Eva Dias;eva@other.com;(11) 3274-5190",
            ";info@clinic.com;(11) 3274-5190",
            "Gil Reis;gil@gmail.com;(11) 91234-5678",
            "Leo Cruz;leo@gmail.com;(11) 91234-5678"
          ].join("\n")
        )
      )
      yield* me(run(caller, view))
      const { rows } = yield* me(rowsOf(view))
      assert.deepStrictEqual(
        rows.map(({ outcome }) => outcome),
        ["created", "created", "duplicate", "duplicate", "duplicate", "created", "duplicate"]
      )
      assert.deepStrictEqual(rows[0]?.warnings, [
        { field: "phone", reason: "phone_of_colleague", value: "+551132745190" }
      ])
      assert.deepStrictEqual(
        rows.flatMap(({ lead_id, outcome }) => (outcome === "duplicate" ? [lead_id] : [])).slice(0, 3),
        [existingLead, existingLead, existingLead]
      )
    })
  )

  it.effect("gives each lead the import's settings, and begins its history", () =>
    Effect.gen(function* () {
      const caller = yield* makeAccount()
      const me = as(caller)
      const sql = yield* SqlClient
      const campaign = yield* me(insertCampaign("Bakeries"))
      const view = yield* me(
        start(
          "Nome,E-mail,Telefone,Cidade,Observações\nAna,ana@example.com,,Recife,Asks for prices\nBia,,11987654321,,",
          {
            status: "Confirmed",
            campaign: "bakeries",
            preferredChannel: "ChatApp",
            instructions: "Be brief.",
            background: "Met at a fair.",
            goal: "A visit"
          }
        )
      )
      yield* me(run(caller, view))
      const rows = yield* sql`
        select name, city, status, campaign_id, preferred_channel, instructions, background, goal, pipeline_state,
          next_touch_at is not null as is_due, lead_import_id
        from lead where account_id = ${caller.accountId} order by lead_id`
      const expectedEvents = {
        status: "Confirmed",
        campaign_id: campaign,
        instructions: "Be brief.",
        goal: "A visit",
        pipeline_state: "in_pipeline",
        is_due: true,
        lead_import_id: view.lead_import_id
      }
      assert.deepInclude(rows[0], {
        ...expectedEvents,
        name: "Ana",
        city: "Recife",
        preferred_channel: null,
        background: "Met at a fair.\n\nAsks for prices"
      })
      assert.deepInclude(rows[1], {
        ...expectedEvents,
        name: "Bia",
        city: null,
        preferred_channel: "ChatApp",
        background: "Met at a fair."
      })
      const [lead] = (yield* me(rowsOf(view))).rows
      const history = yield* me(historyOf(lead?.lead_id ?? assert.fail("no lead")))
      assert.deepStrictEqual(
        history.map(({ actor, data, event_type, to_state }) => [event_type, actor, to_state, data]),
        [["registered", "platform", "in_pipeline", { lead_import_id: view.lead_import_id }]]
      )
    })
  )

  it.effect("continues after the last committed batch when it is resumed", () =>
    Effect.gen(function* () {
      const caller = yield* makeAccount()
      const me = as(caller)
      const imports = yield* LeadImports
      const view = yield* me(start(people(many)))
      // As if the database failed after the first batch.
      const interruption = yield* me(
        run(caller, view, {
          checkpoint: Effect.flatMap(imports.get(view.lead_import_id), ({ rows_processed }) =>
            rows_processed > 0 ? transient("database_unavailable", "The database is away.") : Effect.void
          ).pipe(Effect.catchTag("NotFound", Effect.die), as(caller))
        })
      ).pipe(Effect.flip)
      assert.strictEqual(interruption._tag, "Transient")
      const { rows_processed } = yield* me(imports.get(view.lead_import_id))
      assert.isAbove(rows_processed, 0)
      assert.isBelow(rows_processed, many)

      yield* me(run(caller, view))
      assert.deepInclude(yield* me(imports.get(view.lead_import_id)), { rows_processed: many, created_count: many })
      const { rows } = yield* me(rowsOf(view))
      assert.deepStrictEqual(
        rows.map(({ row_number }) => row_number),
        Array.from({ length: many }, (_, index) => index + 1)
      )
      const leads = yield* leadsOf(caller)
      assert.lengthOf(leads, many)
      assert.strictEqual(new Set(rows.map(({ lead_id }) => lead_id)).size, many)
    })
  )

  it.effect("does a batch that the one after it left behind", () =>
    Effect.gen(function* () {
      const caller = yield* makeAccount()
      const me = as(caller)
      const sql = yield* SqlClient
      const imports = yield* LeadImports
      const view = yield* me(start(people(1_200)))
      yield* me(run(caller, view))
      // As if the process died between two commits.
      const { accountId } = caller
      const missingRows = sql`select lead_id from lead_import_row where account_id = ${accountId} and row_number <= 500`
      yield* sql`delete from lead where account_id = ${accountId} and lead_id in (${missingRows})`
      yield* sql`delete from lead_import_row where account_id = ${accountId} and row_number <= 500`
      yield* sql`
        update lead_import set told_at = null, rows_processed = 700, created_count = 700 where account_id = ${accountId}`
      yield* me(run(caller, view))
      assert.deepInclude(yield* me(imports.get(view.lead_import_id)), { rows_processed: 1_200, created_count: 1_200 })
      const { rows } = yield* me(rowsOf(view))
      assert.deepStrictEqual(
        rows.map(({ row_number }) => row_number),
        Array.from({ length: 1_200 }, (_, index) => index + 1)
      )
      assert.isTrue(rows.every(({ outcome }) => outcome === "created"))
      assert.lengthOf(yield* leadsOf(caller), 1_200)
    })
  )

  it.effect("takes the first row of a person, however far behind it the others are", () =>
    Effect.gen(function* () {
      const caller = yield* makeAccount()
      const me = as(caller)
      const [header = "", ...lines] = people(900).split("\n")
      // The last row of each batch of 500 is repeated in the next one.
      const again = [lines[499] ?? "", ...lines.slice(500), lines[899] ?? ""]
      const view = yield* me(start([header, ...lines.slice(0, 500), ...again].join("\n")))
      yield* me(run(caller, view))
      const { rows } = yield* me(rowsOf(view))
      assert.deepStrictEqual(
        rows.filter(({ outcome }) => outcome !== "created").map(({ reason, row_number }) => [row_number, reason]),
        [
          [501, "repeated_in_file"],
          [902, "repeated_in_file"]
        ]
      )
      assert.strictEqual(rows[500]?.lead_id, rows[499]?.lead_id)
    })
  )

  it.effect("keeps the leads of a cancelled import, and adds an event", () =>
    Effect.gen(function* () {
      const caller = yield* makeAccount()
      const me = as(caller)
      const view = yield* me(start(people(many)))
      const batches = yield* Ref.make(0)
      const error = yield* me(
        run(caller, view, {
          setProgress: () => Ref.update(batches, (count) => count + 1),
          checkpoint: Effect.flatMap(Ref.get(batches), (count) => (count === 1 ? new JobCancelled() : Effect.void))
        })
      ).pipe(Effect.flip)
      assert.strictEqual(error._tag, "JobCancelled")
      const { total } = yield* me(rowsOf(view))
      assert.lengthOf(yield* leadsOf(caller), total)
      assert.isAbove(total, 0)
      const [event] = yield* feedOf(caller)
      assert.deepNestedInclude(event, { "data.status": "cancelled", "data.created_count": total })
    })
  )

  it.effect("reports its end once, however it ends", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const task = (view: LeadImportView, accountId: number) =>
        backgroundJobHandlers([leadImportJob])[0].run(
          { account_id: accountId, job_id: view.job_id },
          { id: "1", attempt: 1, maxAttempts: 1000 }
        )
      const eventsOf = (caller: Caller["Type"]) =>
        Effect.map(feedOf(caller), (events) =>
          events.map(({ data }) => (typeof data === "object" && data !== null && "status" in data ? data.status : ""))
        )
      const statuses = (accountId: number, columns: { readonly [column: string]: string | number | boolean }) =>
        sql`update background_job set ${sql.update(columns)} where account_id = ${accountId}`

      // Everything is done except the job's row, because the process died in between.
      const done = yield* makeAccount()
      const first = yield* as(done)(start(people(3)))
      yield* task(first, done.accountId)
      yield* statuses(done.accountId, { status: "running" })
      yield* task(first, done.accountId)
      yield* task(first, done.accountId)
      assert.deepStrictEqual(yield* eventsOf(done), ["finished"])

      // One job is cancelled before it began, one failed permanently.
      const cancelled = yield* makeAccount()
      const second = yield* as(cancelled)(start(people(3)))
      yield* as(cancelled)(Effect.flatMap(Jobs, (jobs) => jobs.cancel(second.job_id)))
      yield* task(second, cancelled.accountId)
      assert.deepStrictEqual(yield* eventsOf(cancelled), ["cancelled"])
      const failedImport = yield* makeAccount()
      const third = yield* as(failedImport)(start(people(3)))
      yield* statuses(failedImport.accountId, { attempts: 5 })
      yield* task(third, failedImport.accountId)
      yield* task(third, failedImport.accountId)
      assert.deepStrictEqual(yield* eventsOf(failedImport), ["failed"])
    })
  )

  it.effect("creates nothing from a file that is broken half-way", () =>
    Effect.gen(function* () {
      const caller = yield* makeAccount()
      const me = as(caller)
      const view = yield* me(start(`${people(many)}\nAna,"never closed`))
      const error = yield* me(run(caller, view)).pipe(Effect.flip)
      assert.strictEqual(error._tag, "JobFailed")
      assert.deepStrictEqual(yield* leadsOf(caller), [])
      const [event] = yield* feedOf(caller)
      assert.deepNestedInclude(event, { "data.status": "failed" })
    })
  )

  it.effect("creates each person once when two imports have the same people in other orders", () =>
    Effect.gen(function* () {
      const caller = yield* makeAccount()
      const me = as(caller)
      const [header = "", ...lines] = people(many, "shared").split("\n")
      const forwards = yield* me(start([header, ...lines].join("\n")))
      const backwards = yield* me(start([header, ...lines.toReversed()].join("\n")))
      yield* me(Effect.all([run(caller, forwards), run(caller, backwards)], { concurrency: 2 }))
      const imports = yield* LeadImports
      const views = yield* me(Effect.forEach([forwards, backwards], (view) => imports.get(view.lead_import_id)))
      const sum = (field: "created_count" | "duplicate_count") => views.reduce((total, view) => total + view[field], 0)
      assert.deepStrictEqual([sum("created_count"), sum("duplicate_count")], [many, many])
      const leads = yield* leadsOf(caller)
      assert.lengthOf(leads, many)
      const answers = yield* me(Effect.forEach([forwards, backwards], rowsOf))
      for (const { rows } of answers) {
        assert.strictEqual(new Set(rows.map(({ lead_id }) => lead_id)).size, many)
        assert.isTrue(rows.every(({ lead_id }) => lead_id !== null))
      }
    })
  )

  it.effect("takes a person for known who is registered while the import writes", () =>
    Effect.gen(function* () {
      const caller = yield* makeAccount()
      const me = as(caller)
      const unit = yield* UnitOfWork
      const view = yield* me(start(people(3)))
      const inserted = yield* Deferred.make<void>()
      const waited = yield* Deferred.make<void>()
      const registering = yield* unit
        .write(
          Effect.gen(function* () {
            const lead = yield* insertLead({ email: "person1@example.com" })
            yield* Deferred.succeed(inserted, undefined)
            yield* Deferred.await(waited)
            return lead
          })
        )
        .pipe(me, Effect.fork)
      yield* Deferred.await(inserted)
      const importing = yield* Effect.fork(me(run(caller, view)))
      yield* isLockAwaited.pipe(
        Effect.repeat({ until: (isAwaited) => isAwaited, schedule: Schedule.spaced("5 millis") })
      )
      yield* Deferred.succeed(waited, undefined)
      const lead = yield* Fiber.join(registering)
      yield* Fiber.join(importing)
      const { rows } = yield* me(rowsOf(view))
      assert.deepStrictEqual(
        rows.map(({ outcome, reason }) => [outcome, reason]),
        [
          ["created", null],
          ["duplicate", "existing_lead"],
          ["created", null]
        ]
      )
      assert.strictEqual(rows[1]?.lead_id, lead)
    })
  )

  it.effect("takes rows that the call itself has", () =>
    Effect.gen(function* () {
      const caller = yield* makeAccount()
      const me = as(caller)
      const rows = [{ name: "Ana", email: "ana@example.com" }, { name: "Bia" }]
      const view = yield* me(start("unused\n", { source: { _tag: "Inline", rows } }))
      yield* me(run(caller, view))
      const answered = yield* me(rowsOf(view))
      assert.deepStrictEqual(
        answered.rows.map(({ outcome, reason }) => [outcome, reason]),
        [
          ["created", null],
          ["invalid", "no_contact"]
        ]
      )
    })
  )
})
