import { once } from "node:events"
import { finished } from "node:stream/promises"
import { setTimeout } from "node:timers/promises"
import { type Duration, Effect, Predicate } from "effect"
import type pg from "pg"
import { from as copyFrom } from "pg-copy-streams"
import { type Permanent, permanent, type Refused } from "../../Errors.ts"
import { divisionSize } from "../../Services/Companies/CnaeRanges.ts"
import { companyOf, fieldCounts, fieldsOf, partnerOf, placeOf } from "../../Services/Companies/CnpjRows.ts"
import { municipalityNamed, stateNumbers } from "../../Services/Companies/Municipalities.ts"
import { CompanyType } from "../../Services/Prospecting/Targeting.ts"
import { DatabasePools } from "../Platform/Postgres/Database.ts"
import { type CnpjFile, filesIn, linesOf } from "./CnpjFiles.ts"
import {
  activateEdition,
  dropRetired,
  type Edition,
  editionOf,
  editionTable,
  partitionOf,
  retiredEditions,
  stagingOf
} from "./CompanyEditions.ts"

/** An address that this many companies give belongs to their accountant. */
const accountantFrom = 4

/** The number for companies abroad. The source data says EX. */
const abroad = 99

/** The number of attempts to make all rows visible. Autovacuum does the rest later. */
const maximumAttempts = 50
/** Milliseconds between two attempts. */
const betweenAttempts = 200

/** The option of tables that are filled once. Autovacuum would compete with the load for a processor. */
const withoutAutovacuum = "with (autovacuum_enabled = false)"

/** Gateways check for a new month every ten seconds, so they may query the previous month for this long. */
const previousMonthKept: Duration.DurationInput = "15 seconds"

/** Receives the progress lines for the operator. */
export type Report = (line: string) => void

type Row = ReadonlyArray<string | number | null>

const mustEscape = /[\\\t\n\r]/

/** A value in the text format of COPY. */
const cell = (value: string | number | null): string =>
  value === null
    ? "\\N"
    : typeof value === "number"
      ? String(value)
      : mustEscape.test(value)
        ? value.replace(/[\\\t\n\r]/g, (mark) => (mark === "\\" ? "\\\\" : " "))
        : value

const thousands = (count: number): string => count.toLocaleString("en-US")

type Step = (client: pg.PoolClient) => Promise<void>

/** One load on two sessions. Independent steps run in parallel. */
class Load {
  constructor(
    private readonly clients: readonly [pg.PoolClient, pg.PoolClient],
    private readonly report: Report,
    private readonly edition: Edition
  ) {}

  private get tables() {
    return stagingOf(this.edition.id)
  }

  /** Each session takes the next step when it has finished one. The first failure ends both. */
  private async runSteps(steps: ReadonlyArray<Step>): Promise<void> {
    const waiting = [...steps]
    let hasFailed = false
    const work = async (client: pg.PoolClient) => {
      for (let step = waiting.shift(); step !== undefined && !hasFailed; step = waiting.shift()) {
        try {
          await step(client)
        } catch (error) {
          hasFailed = true
          throw error
        }
      }
    }
    const ends = await Promise.allSettled(this.clients.map(work))
    for (const end of ends) if (end.status === "rejected") throw end.reason
  }

  /**
   * Runs one step and its completion mark in one transaction. An interrupted load resumes with the unfinished steps.
   */
  private async runStep(client: pg.PoolClient, name: string, work: () => Promise<string>): Promise<void> {
    if (this.edition.done.has(name)) return
    const startedAt = performance.now()
    await client.query("begin")
    try {
      const result = await work()
      await this.noteDone(client, name)
      await client.query("commit")
      this.logStep(name, result, startedAt)
    } catch (error) {
      await client.query("rollback").catch(() => undefined)
      throw error
    }
  }

  private async noteDone(client: pg.PoolClient, name: string): Promise<void> {
    await client.query("update company_edition set done_steps = done_steps || $2::text where edition_id = $1", [
      this.edition.id,
      name
    ])
  }

  private logStep(name: string, result: string, began: number): void {
    this.edition.done.add(name)
    this.report(`${name}: ${result}, ${((performance.now() - began) / 1000).toFixed(1)} s`)
  }

  /** Copies the rows of a file into a table. Returns how many rows were copied, skipped and rejected. */
  private async copy(
    client: pg.PoolClient,
    file: CnpjFile,
    target: string,
    rowOf: (fields: ReadonlyArray<string>) => Row | "skip" | undefined
  ) {
    const counts = { copied: 0, skipped: 0, rejected: 0 }
    const stream = client.query(copyFrom(`copy ${target} from stdin`))
    const done = finished(stream)
    // The promise is awaited below. Until then, a failure must not count as unhandled.
    done.catch(() => undefined)
    try {
      for await (const lines of linesOf(file)) {
        let text = ""
        for (const line of lines) {
          if (line === "") continue
          const fields = fieldsOf(line, fieldCounts[file.kind])
          const row = fields === undefined ? undefined : rowOf(fields)
          if (row === undefined) counts.rejected++
          else if (row === "skip") counts.skipped++
          else {
            counts.copied++
            text += `${row.map(cell).join("\t")}\n`
          }
        }
        if (stream.destroyed) break
        if (text !== "" && !stream.write(text)) await Promise.race([once(stream, "drain"), done])
      }
      stream.end()
      await done
    } catch (error) {
      stream.destroy()
      throw error
    }
    return counts
  }

  private async loadFile(client: pg.PoolClient, file: CnpjFile): Promise<void> {
    await this.runStep(client, file.name, async () => {
      const { rejected, skipped, copied } = await this.rowsOf(client, file)
      await client.query("update company_edition set rejected_count = rejected_count + $2 where edition_id = $1", [
        this.edition.id,
        rejected
      ])
      const otherCount = [
        ...(skipped > 0 ? [`${thousands(skipped)} not needed`] : []),
        ...(rejected > 0 ? [`${thousands(rejected)} unreadable`] : [])
      ]
      return [`${thousands(copied)} rows`, ...otherCount].join(", ")
    })
  }

  private rowsOf(client: pg.PoolClient, file: CnpjFile) {
    const { bases, partners, places, towns } = this.tables
    if (file.kind === "Municipios")
      return this.copy(client, file, towns, ([code = "", name = ""]) => [code.replace(/^0+(?=\d)/, ""), name])
    if (file.kind === "Empresas") {
      return this.copy(client, file, bases, (fields) => {
        const company = companyOf(fields)
        return company === undefined ? undefined : [company.base, company.name, company.type, company.size]
      })
    }
    if (file.kind === "Socios") {
      return this.copy(client, file, partners, (fields) => {
        const partner = partnerOf(fields)
        return partner === undefined ? "skip" : [partner.base, partner.name]
      })
    }
    return this.copy(client, file, places, (fields) => {
      const place = placeOf(fields)
      if (place === undefined) return undefined
      if (place === "inactive") return "skip"
      const { cnae, cnpj, email, foundedOn, municipality, phone, state, tradeName } = place
      const number = state === "EX" ? abroad : (stateNumbers.get(state) ?? 0)
      return [cnpj.slice(0, 8), cnpj.slice(8), Number(cnae), number, municipality, foundedOn, tradeName, email, phone]
    })
  }

  private makeStaging = (client: pg.PoolClient) =>
    this.runStep(client, "staging", async () => {
      const { bases, partners, places, towns } = this.tables
      await client.query(`
        create unlogged table ${towns} (code text, name text) ${withoutAutovacuum};
        create unlogged table ${bases} (base text collate "C", name text, type text, size smallint) ${withoutAutovacuum};
        create unlogged table ${partners} (base text collate "C", name text) ${withoutAutovacuum};
        create unlogged table ${places} (base text collate "C", rest text collate "C", cnae integer, state smallint,
          town text, founded date, trade_name text, email text collate "C", phone text) ${withoutAutovacuum};
        create table ${editionTable(this.edition.id)} (like company including defaults including constraints)
          partition by list (type)`)
      return "made"
    })

  /** Matches IBGE's numbers by state and folded name, because the source uses other numbers. */
  private matchTowns = (client: pg.PoolClient) =>
    this.runStep(client, "municipalities", async () => {
      const { matches, places, towns } = this.tables
      const { rows } = await client.query<{ code: string; name: string; state: number }>(`
        select p.town as code, t.name, p.state
        from (select town, state from ${places} where state between 1 and 98 group by town, state) p
          join ${towns} t on t.code = p.town`)
      const letters = new Map([...stateNumbers].map(([code, number]) => [number, code]))
      const matched: Array<readonly [string, number, number]> = []
      const unmatched: Array<string> = []
      for (const { code, name, state } of rows) {
        const municipality = municipalityNamed(name, letters.get(state) ?? "")
        if (municipality === undefined) unmatched.push(`${name}, ${letters.get(state) ?? ""}`)
        else matched.push([code, state, municipality.code])
      }
      await client.query(`create unlogged table ${matches} (town text, state smallint, city integer)`)
      await client.query(`insert into ${matches} select * from unnest($1::text[], $2::smallint[], $3::int[])`, [
        matched.map(([town]) => town),
        matched.map(([, state]) => state),
        matched.map(([, , city]) => city)
      ])
      await client.query(`analyze ${matches}`)
      await client.query("update company_edition set unmatched_municipalities = $2 where edition_id = $1", [
        this.edition.id,
        unmatched.toSorted().slice(0, 1000)
      ])
      return unmatched.length === 0
        ? `${matched.length} matched`
        : `${matched.length} matched, not ${unmatched.join("; ")}`
    })

  /** Chooses one contact person per company: the first by name, since the files have no order. */
  private chooseContactPersons = (client: pg.PoolClient) =>
    this.runStep(client, "persons", async () => {
      const { bases, partners, speakers } = this.tables
      const result = await client.query(`
        create unlogged table ${speakers} as select base, min(name collate "C") as name from ${partners} group by base`)
      await client.query(`analyze ${speakers}, ${bases}`)
      return `${thousands(result.rowCount ?? 0)} companies have one`
    })

  private findAccountants = (client: pg.PoolClient) =>
    this.runStep(client, "accountants", async () => {
      const { places, shared } = this.tables
      // Only the few addresses with many rows are checked for different companies.
      const result = await client.query(`
        create unlogged table ${shared} as
        with frequent as materialized (
          select email from ${places} where email is not null group by email having count(*) >= ${accountantFrom}
        )
        select p.email from frequent f join ${places} p on p.email = f.email
        group by p.email having count(distinct p.base) >= ${accountantFrom}`)
      await client.query(`analyze ${shared}, ${places}`)
      return `${thousands(result.rowCount ?? 0)} addresses`
    })

  private makePartition = (type: CompanyType) => (client: pg.PoolClient) => {
    const { id } = this.edition
    const name = partitionOf(id, type)
    const { bases, matches, places, shared, speakers } = this.tables
    return this.runStep(client, type, async () => {
      await client.query(`
        create table ${name} (like company including defaults including constraints,
          check (edition_id = ${id} and type = '${type}')) ${withoutAutovacuum}`)
      const inserted = await client.query(`
        insert into ${name} (edition_id, type, cnpj, cnae, state, city, size, founded, legal_name, trade_name, person,
          email, phone)
        select ${id}, b.type, p.base || p.rest, p.cnae, p.state, coalesce(m.city, p.state * 100000), b.size, p.founded,
          b.name, nullif(p.trade_name, b.name), coalesce(s.name, case when b.type = 'Individual' then b.name end),
          case when h.email is null then p.email end, p.phone
        from ${places} p join ${bases} b on b.base = p.base
          left join ${speakers} s on s.base = p.base
          left join ${shared} h on h.email = p.email
          left join ${matches} m on m.town = p.town and m.state = p.state
        where b.type = '${type}'`)
      await client.query(`
        alter table ${name} add primary key (cnpj, edition_id, type);
        create index on ${name} (state, cnae, cnpj) include (size, founded);
        create index on ${name} (city, cnae, cnpj) include (size, founded);
        create index on ${name} (founded, cnae, cnpj) include (state, city, size);
        insert into company_frequency (edition_id, type, state, cnae, size, companies)
          select ${id}, '${type}', state, cnae, size, count(*) from ${name} group by state, cnae, size;
        insert into company_division_frequency (edition_id, type, state, division, size, companies)
          select edition_id, type, state, cnae / ${divisionSize}, size, sum(companies) from company_frequency
          where edition_id = ${id} and type = '${type}' group by edition_id, type, state, cnae / ${divisionSize}, size;
        insert into company_city_frequency (edition_id, type, city, companies)
          select ${id}, '${type}', city, count(*) from ${name} group by city;
        insert into company_year_frequency (edition_id, type, founded_year, companies)
          select ${id}, '${type}', coalesce(extract(year from founded), 0), count(*) from ${name} group by 3;
        alter table ${editionTable(id)} attach partition ${name} for values in ('${type}')`)
      return `${thousands(inserted.rowCount ?? 0)} companies`
    })
  }

  /**
   * Marks all rows as visible to every transaction, so that searches read only the indexes. It works for rows that are
   * older than every open transaction, so it runs after the load's own transactions.
   */
  private markVisible = (type: CompanyType) => async (client: pg.PoolClient) => {
    const name = `${type}, tidying`
    if (this.edition.done.has(name)) return
    const began = performance.now()
    const table = partitionOf(this.edition.id, type)
    for (let attempt = 1; attempt <= maximumAttempts; attempt++) {
      await client.query(`vacuum (index_cleanup off) ${table}`)
      const { rows } = await client.query<{ hidden: number }>(
        "select relpages - relallvisible as hidden from pg_class where oid = $1::regclass",
        [table]
      )
      if (rows[0]?.hidden === 0) break
      // An older transaction is still open. Such transactions last seconds.
      await setTimeout(betweenAttempts)
    }
    await this.noteDone(client, name)
    this.logStep(name, "done", began)
  }

  /**
   * Runs after all partitions are marked: while one is analysed, new rows of the others count as not visible to all.
   */
  private analyse = (type: CompanyType) => (client: pg.PoolClient) =>
    this.runStep(client, `${type}, figures`, async () => {
      const table = partitionOf(this.edition.id, type)
      await client.query(`analyze ${table}; alter table ${table} reset (autovacuum_enabled)`)
      return "done"
    })

  private dropStaging = (client: pg.PoolClient) =>
    this.runStep(client, "clearing", async () => {
      await client.query(`drop table ${Object.values(this.tables).join(", ")}`)
      return "done"
    })

  async run(files: ReadonlyArray<CnpjFile>): Promise<number> {
    const [first] = this.clients
    const types = CompanyType.literals
    await this.makeStaging(first)
    await this.runSteps(files.map((file) => (client) => this.loadFile(client, file)))
    await this.runSteps([this.findAccountants, this.chooseContactPersons, this.matchTowns])
    await this.runSteps(types.map(this.makePartition))
    await this.runSteps(types.map(this.markVisible))
    await this.runSteps(types.map(this.analyse))
    await this.dropStaging(first)
    return await activateEdition(first, this.edition.id)
  }
}

/** The advisory lock that a load holds. Two concurrent loads would create the same tables. */
const loadLock = 7_236_011

/** The server ends the session within a second after its process was killed, even during a statement. */
const sessionSettings = `set statement_timeout = 0; set idle_in_transaction_session_timeout = 0;
  set client_connection_check_interval = '1s'; set synchronous_commit = off; set work_mem = '64MB';
  set maintenance_work_mem = '128MB'`

const lockTimedOut = "55P03"

const takeLoadLock = async (client: pg.PoolClient): Promise<void> => {
  try {
    await client.query("set lock_timeout = '10s'")
    await client.query("select pg_advisory_lock($1)", [loadLock])
    await client.query("set lock_timeout = 0")
  } catch (error) {
    if (Predicate.hasProperty(error, "code") && error.code === lockTimedOut)
      throw new Error("another load is under way.")
    throw error
  }
}

/** The largest files first, so that both sessions finish at about the same time. */
const bySize = (files: ReadonlyArray<CnpjFile>): ReadonlyArray<CnpjFile> => files.toSorted((a, b) => b.bytes - a.bytes)

const describe = (error: unknown): string => (error instanceof Error ? error.message : "unknown")

const failed = (error: unknown) =>
  permanent(
    "load_failed",
    `The companies could not be loaded: ${describe(error)}`,
    "The previous data stays in use. Run the command again to continue where it stopped."
  )

/**
 * Loads the published files of a month, which then replace the previous month. Until then, searches use the previous
 * month. A second run with the same folder resumes an interrupted load. Returns the number of places of business.
 */
export const loadCompanies = (
  folder: string,
  report: Report,
  { keepMonthBefore = previousMonthKept }: { readonly keepMonthBefore?: Duration.DurationInput } = {}
): Effect.Effect<number, Refused | Permanent, DatabasePools> =>
  Effect.gen(function* () {
    const { write } = yield* DatabasePools
    const files = yield* filesIn(folder)
    // These sessions have special settings, so they are closed instead of reused.
    const session = Effect.acquireRelease(
      Effect.promise(() => write.connect()),
      (client) => Effect.sync(() => client.release(true))
    )
    const first = yield* session
    const second = yield* session
    const attempt = <A>(work: () => Promise<A>) => Effect.tryPromise({ try: work, catch: failed })
    const count = yield* attempt(async () => {
      for (const client of [first, second]) await client.query(sessionSettings)
      await takeLoadLock(first)
      await dropRetired(first)
      const edition = await editionOf(first, files)
      if (edition.done.size > 0) report(`going on with a load that broke off: ${edition.done.size} steps are done`)
      return await new Load([first, second], report, edition).run(bySize(files))
    })
    const retired = yield* attempt(() => retiredEditions(first))
    if (retired.length > 0) {
      yield* Effect.sleep(keepMonthBefore)
      yield* attempt(() => dropRetired(first))
    }
    return count
  }).pipe(Effect.scoped, Effect.withSpan("Companies.load"))
