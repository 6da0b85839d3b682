import { type ChildProcess, spawn } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import * as path from "node:path"
import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Effect, Random } from "effect"
import { writePublishedCompanies } from "../../bench/support/PublishedCompanies.ts"
import { loadCompanies } from "../../src/Layers/Companies/CompanyLoad.ts"
import { DatabaseLocation } from "../../src/Layers/Platform/Postgres/Database.ts"
import { CompanyDirectory } from "../../src/Services/Companies/CompanyDirectory.ts"
import { LeadGeneration } from "../../src/Services/Companies/LeadGeneration.ts"
import type { Caller } from "../../src/Services/Core/Calls/Caller.ts"
import { UnitOfWork } from "../../src/Services/Core/Calls/UnitOfWork.ts"
import { ProspectingConfig } from "../../src/Services/Prospecting/ProspectingConfig.ts"
import { bundledEntry } from "../support/BundledEntry.ts"
import type { Fault } from "../support/checks/FaultPoints.ts"
import { as, makeAccount } from "../support/TestAccount.ts"
import { CompanyServices } from "./CompanyServices.ts"

/** How many processes are killed. `npm run test:companies-crash` kills more. */
const crashes = Number(process.env["CRASHES"] ?? 4)

/** A process dies at a statement in this range, so that a load that is resumed again and again finishes. */
const [earliest, latest] = [5, 30]

const companies = 400

/** Sends orders to loaded processes that wait. All end with the scope. */
const makeWorkers = (entry: string) =>
  Effect.gen(function* () {
    const children = new Set<ChildProcess>()
    yield* Effect.addFinalizer(() => Effect.sync(() => children.forEach((child) => child.kill("SIGKILL"))))
    const { connection } = yield* DatabaseLocation
    return (order: object) =>
      Effect.promise(async () => {
        const child = spawn(process.execPath, [entry], { stdio: ["pipe", "ignore", "inherit"] })
        children.add(child)
        const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()))
        child.stdin.write(`${JSON.stringify({ connection, ...order })}\n`)
        await ended
        return child.signalCode
      })
  })

const doomedWorkers = Effect.flatMap(bundledEntry("Companies/doomedCompanyWorker"), makeWorkers)

const publishedFolder = Effect.acquireRelease(
  Effect.promise(async () => {
    const folder = mkdtempSync(path.join(tmpdir(), "companies-crash-"))
    await writePublishedCompanies(folder, companies)
    return folder
  }),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
)

/** Everything that a load leaves in the database, in a fixed order. */
const loaded = Effect.gen(function* () {
  const sql = yield* SqlClient
  const [tables] = yield* sql<{ readonly count: number }>`
    select count(*) from pg_class where relkind in ('r', 'p') and relname ~ '^company_(load_|[0-9])'`
  const companiesThere = yield* sql`
    select type, cnpj, cnae, state, city, size, founded::text, legal_name, trade_name, person, email, phone from company
    order by cnpj`
  const frequencies = yield* sql`
    select type, state, cnae, size, companies from company_frequency order by type, state, cnae, size`
  const editions = yield* sql`select state, place_count, rejected_count, unmatched_municipalities from company_edition`
  return { tables: tables?.count, companiesThere, frequencies, editions }
})

layer(CompanyServices, { excludeTestServices: true })("a process that is killed", (it) => {
  it.scoped(
    "while it loads companies leaves a load that goes on to the same companies",
    () =>
      Effect.gen(function* () {
        const folder = yield* publishedFolder
        const doomed = yield* doomedWorkers
        const load = loadCompanies(folder, () => undefined, { keepMonthBefore: 0 })
        yield* load
        const whole = yield* loaded
        assert.isAbove(whole.companiesThere.length, companies / 2)
        const signals: Array<string | null> = []
        for (let crash = 0; crash < crashes; crash++) {
          const diesAtStatement = yield* Random.nextIntBetween(earliest, latest)
          signals.push(yield* doomed({ folder, diesAtStatement }))
          // The previous month is still available.
          const during = yield* loaded
          assert.deepStrictEqual(during.companiesThere, whole.companiesThere)
        }
        assert.include(signals, "SIGKILL")
        yield* load
        assert.deepStrictEqual(yield* loaded, whole)
      }).pipe(Effect.withRandom(Random.make("loads"))),
    600_000
  )

  it.scoped(
    "while it acquires leads loses and doubles none",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const doomed = yield* doomedWorkers
        const generation = yield* LeadGeneration
        const unit = yield* UnitOfWork
        const config = yield* ProspectingConfig
        const wanting = Effect.gen(function* () {
          const caller = yield* makeAccount("paid")
          yield* as(caller)(unit.write(config.setTargeting({ uf_filter: ["SP"] })))
          return caller
        })
        const acquired = ({ accountId }: Caller["Type"]) =>
          sql`select name, email, phone, company, cnae from lead where account_id = ${accountId} and origin = 'acquired'
            order by company, name`
        const untouched = yield* wanting
        const expected = yield* generation.acquire(untouched.accountId)
        assert.isAbove(expected, 10)
        const points: ReadonlyArray<Fault["point"]> = ["before_transaction", "before_commit", "after_commit"]
        const killed = yield* wanting
        const signals: Array<string | null> = []
        for (let crash = 0; crash < crashes; crash++) {
          const point = points[crash % points.length] ?? "before_commit"
          const nth = yield* Random.nextIntBetween(1, 4)
          signals.push(yield* doomed({ accountId: killed.accountId, fault: { point, nth } }))
        }
        assert.include(signals, "SIGKILL")
        yield* generation.acquire(killed.accountId)
        assert.deepStrictEqual(yield* acquired(killed), yield* acquired(untouched))
        const counted = yield* sql<{ readonly taken: number; readonly rows: number }>`
          select taken_in_all as taken, (select count(*) from acquired_company c where c.account_id = t.account_id) as rows
          from lead_generation_track t where account_id = ${killed.accountId}`
        assert.deepStrictEqual(counted, [{ taken: expected, rows: expected }])
        const directory = yield* CompanyDirectory
        assert.strictEqual((yield* directory.facts).source, "cnpj")
      }).pipe(Effect.withRandom(Random.make("acquisitions"))),
    600_000
  )
})
