import { execFile } from "node:child_process"
import * as fs from "node:fs/promises"
import * as path from "node:path"
import { promisify } from "node:util"
import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Stream } from "effect"
import { rooms } from "../../src/Layers/App.ts"
import { AccountEventsPostgres } from "../../src/Layers/Events/AccountEventsPostgres.ts"
import { AccountExportsPostgres } from "../../src/Layers/LeadFiles/AccountExportsPostgres.ts"
import { layer as leadFileReader } from "../../src/Layers/LeadFiles/LeadFileReader.ts"
import { LeadImportsPostgres } from "../../src/Layers/LeadFiles/LeadImportsPostgres.ts"
import type { Caller } from "../../src/Services/Core/Calls/Caller.ts"
import { UnitOfWork } from "../../src/Services/Core/Calls/UnitOfWork.ts"
import { CustomerFiles } from "../../src/Services/Files/CustomerFiles.ts"
import { uploadCustomerFile } from "../../src/Services/Files/CustomerFileUpload.ts"
import { CustomerFileId } from "../../src/Services/Files/Ids.ts"
import type { JobId } from "../../src/Services/Jobs/Ids.ts"
import type { RunningJob } from "../../src/Services/Jobs/JobHandler.ts"
import { AccountExports, accountExportJob } from "../../src/Services/LeadFiles/AccountExports.ts"
import { LeadImports } from "../../src/Services/LeadFiles/LeadImports.ts"
import { Leads } from "../../src/Services/Leads/Leads.ts"
import { OutboundHttp } from "../../src/Services/Outbound/OutboundHttp.ts"
import { recordsOfAccount } from "../support/AllRecords.ts"
import { insertLead, leadServicesWith } from "../support/leads/LeadServices.ts"
import { temporaryDirectory } from "../support/processes/GatewayProcess.ts"
import { as, makeAccount } from "../support/TestAccount.ts"

const noInternet = Layer.succeed(
  OutboundHttp,
  OutboundHttp.of({ stream: () => Effect.dieMessage("no request"), request: () => Effect.dieMessage("no request") })
)

const Services = Layer.merge(AccountExportsPostgres, LeadImportsPostgres).pipe(
  Layer.provideMerge(AccountEventsPostgres),
  Layer.provideMerge(leadFileReader),
  Layer.provideMerge(noInternet),
  Layer.provideMerge(leadServicesWith(rooms.personalData))
)

const runningJob = ({ accountId }: Caller["Type"], jobId: JobId): RunningJob => ({
  accountId,
  jobId,
  subjectId: undefined,
  attempt: 1,
  setProgress: () => Effect.void,
  checkpoint: Effect.void
})

/** Starts an export and runs its job. */
const exported = (caller: Caller["Type"]) =>
  Effect.gen(function* () {
    const unit = yield* UnitOfWork
    const exports = yield* AccountExports
    const { jobId } = yield* unit.write(exports.start)
    yield* accountExportJob.run(runningJob(caller, jobId), caller)
    return jobId
  }).pipe(as(caller))

const fileOf = ({ accountId }: Caller["Type"], jobId: JobId) =>
  Effect.flatMap(SqlClient, (sql) =>
    Effect.map(
      sql<{ readonly id: CustomerFileId | null }>`
        select customer_file_id as id from account_export where account_id = ${accountId} and job_id = ${jobId}`,
      (rows) => rows[0]?.id ?? null
    )
  )

/** The content of an archive by path, as the program `tar` reads it. */
const unpacked = (caller: Caller["Type"], id: CustomerFileId) =>
  Effect.gen(function* () {
    const files = yield* CustomerFiles
    const chunks = yield* Stream.runCollect(files.read(CustomerFileId.make(id))).pipe(as(caller))
    const directory = yield* temporaryDirectory
    return yield* Effect.promise(async () => {
      await fs.writeFile(path.join(directory, "archive.tar"), Buffer.concat([...chunks]))
      await promisify(execFile)("tar", ["-xf", "archive.tar"], { cwd: directory })
      const names = await fs.readdir(directory, { recursive: true, withFileTypes: true })
      const contents = names
        .filter((entry) => entry.isFile() && entry.name !== "archive.tar")
        .map(async (entry) => {
          const file = path.join(entry.parentPath, entry.name)
          return [path.relative(directory, file), await fs.readFile(file, "utf8")] as const
        })
      return new Map(await Promise.all(contents))
    })
  })

const ofTable = (contents: ReadonlyMap<string, string>, table: string) =>
  [...contents]
    .filter(([name]) => name.startsWith(`records/${table}/`))
    .flatMap(([, text]) => text.trimEnd().split("\n"))

layer(Services, { excludeTestServices: true })("an export of an account", (it) => {
  it.scoped("has every record and file, in parts, and no secret; a second account imports its leads", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const caller = yield* makeAccount()
      const other = yield* makeAccount()
      const me = as(caller)
      yield* recordsOfAccount(caller)
      yield* recordsOfAccount(other)
      yield* sql`
        insert into lead (account_id, name, email, status, pipeline_state, phone, company, job_title, city, state, country,
          industry)
        select ${caller.accountId}, (array['João', 'O''Neil', '=Sum', 'Ana "Bia"', 'Rui, Jr.'])[1 + n % 5] || ' ' || n,
          'lead' || n || '@export.example', 'Cold', 'not_started', '+55119' || (80000000 + n), 'Clínica; ' || n, '-Diretora',
          'São Paulo', 'SP', 'BR', 'Saúde'
        from generate_series(1, 2300) n`
      const file = yield* me(
        uploadCustomerFile({ fileName: "notes.txt", text: "Olá!", contentBase64: undefined, url: undefined })
      )
      const jobId = yield* exported(caller)
      const id = yield* fileOf(caller, jobId)
      if (id === null) return assert.fail("There is no archive.")
      const contents = yield* unpacked(caller, id)

      const [count] = yield* sql<{ readonly leads: number }>`
        select count(*) as leads from lead where account_id = ${caller.accountId}`
      const lines = ofTable(contents, "lead")
      assert.lengthOf(lines, count?.leads ?? 0)
      assert.isAbove([...contents.keys()].filter((name) => name.startsWith("records/lead/")).length, 2)
      assert.isTrue(lines.every((line) => line.includes(`"account_id":${caller.accountId},`)))
      assert.strictEqual(contents.get(`files/${file.customer_file_id}`), "Olá!")
      const all = [...contents.values()].join("\n")
      assert.notMatch(all, /"(?:secret|download_key|editor_key|mail_key|tombstone_key)":/)
      assert.notInclude([...contents.keys()].join(), "access_token")
      assert.isAbove(new Set([...contents.keys()].map((name) => name.split("/")[1])).size, 25)

      // Another account imports the leads as they are.
      const unit = yield* UnitOfWork
      const imports = yield* LeadImports
      for (const [name, csv] of contents) {
        if (!name.startsWith("leads/")) continue
        const source = yield* as(other)(
          uploadCustomerFile({ fileName: "leads.csv", text: csv, contentBase64: undefined, url: undefined })
        )
        const view = yield* as(other)(
          unit.write(
            imports.start({
              source: { _tag: "File", customerFileId: source.customer_file_id },
              status: "Cold",
              campaign: undefined,
              preferredChannel: undefined,
              instructions: undefined,
              firstMessageInstructions: undefined,
              background: undefined,
              goal: undefined
            })
          )
        )
        yield* as(other)(imports.run(runningJob(other, view.job_id)))
      }
      const profiles = ({ accountId }: Caller["Type"]) =>
        sql`
          select name, email, phone, company, job_title, city, state, country, status from lead
          where account_id = ${accountId} and email like '%@export.example' order by email`
      const imported = yield* profiles(other)
      assert.lengthOf(imported, 2300)
      assert.deepStrictEqual(imported, yield* profiles(caller))
    })
  )

  it.scoped("goes when a lead is erased, and is not published when one was erased since it began", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const caller = yield* makeAccount()
      const me = as(caller)
      const leads = yield* Leads
      const unit = yield* UnitOfWork
      const first = yield* me(insertLead())
      const second = yield* me(insertLead())
      const jobId = yield* exported(caller)
      assert.isNotNull(yield* fileOf(caller, jobId))
      yield* me(unit.write(leads.erase(first, undefined)))
      assert.isNull(yield* fileOf(caller, jobId))

      const exports = yield* AccountExports
      const started = yield* me(unit.write(exports.start))
      let isErased = false
      const context = yield* Effect.context<UnitOfWork | Leads>()
      const job: RunningJob = {
        ...runningJob(caller, started.jobId),
        setProgress: () => {
          if (isErased) return Effect.void
          isErased = true
          return unit
            .write(leads.erase(second, undefined))
            .pipe(me, Effect.provide(context), Effect.asVoid, Effect.orDie)
        }
      }
      const failure = yield* Effect.flip(accountExportJob.run(job, caller))
      assert.deepInclude(failure, { _tag: "Transient", reason: "lead_erased" })
      assert.isNull(yield* fileOf(caller, started.jobId))
      assert.lengthOf(yield* sql`select from customer_file where account_id = ${caller.accountId}`, 0)
    })
  )
})
