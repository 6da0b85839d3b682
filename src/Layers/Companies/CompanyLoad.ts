import { createHash } from "node:crypto"
import { once } from "node:events"
import { finished } from "node:stream/promises"
import { Effect } from "effect"
import type pg from "pg"
import { from as copyFrom } from "pg-copy-streams"
import { type Permanent, permanent, type Refused } from "../../Errors.ts"
import { companyOf, fieldCounts, fieldsOf, partnerOf, placeOf } from "../../Services/Companies/CnpjRows.ts"
import { municipalityNamed, stateNumbers } from "../../Services/Companies/Municipalities.ts"
import { CompanyType } from "../../Services/Prospecting/Targeting.ts"
import { DatabasePools } from "../Platform/Postgres/Database.ts"
import { type CnpjFile, filesIn, linesOf } from "./CnpjFiles.ts"

/** An address that so many companies give is their accountant's. */
const sharedBy = 4

/** Abroad; the data says EX. */
const abroad = 99

interface Edition {
  readonly id: number
  readonly done: Set<string>
}

/** What the load tells its operator. */
export type Report = (line: string) => void

/** A value in the text format of COPY. */
const cell = (value: string | number | null): string =>
  value === null
    ? "\\N"
    : typeof value === "number"
      ? String(value)
      : /[\\\t\n\r]/.test(value)
        ? value.replace(/[\\\t\n\r]/g, (mark) => (mark === "\\" ? "\\\\" : " "))
        : value

type Row = ReadonlyArray<string | number | null>

const thousands = (count: number): string => count.toLocaleString("en-US")

/** What is counted of an edition, and the edition itself. */
const forgetEdition = (id: number): string =>
  ["company_frequency", "company_city_frequency", "company_year_frequency", "company_edition"]
    .map((table) => `delete from ${table} where edition_id = ${id}`)
    .join("; ")

/** The session that everything runs on; the table names are made of numbers of ours alone. */
class Load {
  constructor(
    private readonly client: pg.PoolClient,
    private readonly report: Report,
    private readonly edition: Edition
  ) {}

  private get places(): string {
    return `company_load_place_${this.edition.id}`
  }
  private get bases(): string {
    return `company_load_base_${this.edition.id}`
  }
  private get partners(): string {
    return `company_load_partner_${this.edition.id}`
  }
  private get towns(): string {
    return `company_load_town_${this.edition.id}`
  }
  private partition(type: string): string {
    return `company_${this.edition.id}_${type.toLowerCase()}`
  }

  /** One step and the note that it is done, together: a load that breaks off begins again with the step it was in. */
  private async step(name: string, work: () => Promise<string>): Promise<void> {
    if (this.edition.done.has(name)) return
    const began = performance.now()
    await this.client.query("begin")
    try {
      const result = await work()
      await this.client.query("update company_edition set done_steps = done_steps || $2::text where edition_id = $1", [
        this.edition.id,
        name
      ])
      await this.client.query("commit")
      this.edition.done.add(name)
      this.report(`${name}: ${result}, ${((performance.now() - began) / 1000).toFixed(1)} s`)
    } catch (error) {
      await this.client.query("rollback").catch(() => undefined)
      throw error
    }
  }

  /** Copies what the rows of a file become; answers how many were taken, passed over and could not be read. */
  private async copy(
    file: CnpjFile,
    target: string,
    rowOf: (fields: ReadonlyArray<string>) => Row | "skip" | undefined
  ) {
    const counts = { taken: 0, skipped: 0, rejected: 0 }
    const stream = this.client.query(copyFrom(`copy ${target} from stdin`))
    const done = finished(stream)
    // Awaited below; until then a failure must not count as unhandled.
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
            counts.taken++
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

  private async loadFile(file: CnpjFile): Promise<void> {
    await this.step(file.name, async () => {
      const { rejected, skipped, taken } = await this.rowsOf(file)
      await this.client.query("update company_edition set rejected_count = rejected_count + $2 where edition_id = $1", [
        this.edition.id,
        rejected
      ])
      const others = [
        ...(skipped > 0 ? [`${thousands(skipped)} not needed`] : []),
        ...(rejected > 0 ? [`${thousands(rejected)} unreadable`] : [])
      ]
      return [`${thousands(taken)} rows`, ...others].join(", ")
    })
  }

  private rowsOf(file: CnpjFile) {
    if (file.kind === "Municipios")
      return this.copy(file, this.towns, ([code = "", name = ""]) => [code.replace(/^0+(?=\d)/, ""), name])
    if (file.kind === "Empresas") {
      return this.copy(file, this.bases, (fields) => {
        const found = companyOf(fields)
        return found === undefined ? undefined : [found.base, found.name, found.type, found.size]
      })
    }
    if (file.kind === "Socios") {
      return this.copy(file, this.partners, (fields) => {
        const found = partnerOf(fields)
        return found === undefined ? "skip" : [found.base, found.name]
      })
    }
    return this.copy(file, this.places, (fields) => {
      const found = placeOf(fields)
      if (found === undefined) return undefined
      if (found === "inactive") return "skip"
      const { cnae, cnpj, email, foundedOn, municipality, phone, state, tradeName } = found
      const number = state === "EX" ? abroad : (stateNumbers.get(state) ?? 0)
      return [cnpj.slice(0, 8), cnpj.slice(8), Number(cnae), number, municipality, foundedOn, tradeName, email, phone]
    })
  }

  private async makeStaging(): Promise<void> {
    await this.step("staging", async () => {
      await this.client.query(`
        create unlogged table ${this.towns} (code text, name text);
        create unlogged table ${this.bases} (base text collate "C", name text, type text, size smallint);
        create unlogged table ${this.partners} (base text collate "C", name text);
        create unlogged table ${this.places} (base text collate "C", rest text collate "C", cnae integer, state smallint,
          town text, founded date, trade_name text, email text, phone text)`)
      return "made"
    })
  }

  /** The source numbers municipalities in a way of its own: IBGE's number, by state and folded name. */
  private async matchTowns(): Promise<void> {
    await this.step("municipalities", async () => {
      const { client } = this
      const { rows } = await client.query<{ code: string; name: string; state: number }>(`
        select distinct p.town as code, t.name, p.state from ${this.places} p join ${this.towns} t on t.code = p.town
        where p.state between 1 and 98`)
      const letters = new Map([...stateNumbers].map(([code, number]) => [number, code]))
      const matched: Array<readonly [string, number, number]> = []
      const unmatched: Array<string> = []
      for (const { code, name, state } of rows) {
        const found = municipalityNamed(name, letters.get(state) ?? "")
        if (found === undefined) unmatched.push(`${name}, ${letters.get(state) ?? ""}`)
        else matched.push([code, state, found.code])
      }
      await client.query(`create unlogged table ${this.towns}_match (town text, state smallint, city integer)`)
      await client.query(
        `insert into ${this.towns}_match select * from unnest($1::text[], $2::smallint[], $3::int[])`,
        [matched.map(([town]) => town), matched.map(([, state]) => state), matched.map(([, , city]) => city)]
      )
      await client.query("update company_edition set unmatched_municipalities = $2 where edition_id = $1", [
        this.edition.id,
        unmatched.toSorted().slice(0, 1000)
      ])
      return unmatched.length === 0
        ? `${matched.length} matched`
        : `${matched.length} matched, not ${unmatched.join("; ")}`
    })
  }

  private async prepare(): Promise<void> {
    await this.step("preparation", async () => {
      // One person for a company: the first by name, since the files have no order.
      await this.client.query(`
        create unlogged table ${this.partners}_first as select base, min(name) as name from ${this.partners} group by base;
        create unlogged table ${this.places}_shared as select email from ${this.places} where email is not null
          group by email having count(*) >= ${sharedBy} and count(distinct base) >= ${sharedBy};
        create table company_${this.edition.id} (like company including defaults including constraints)
          partition by list (type);
        analyze ${this.bases}, ${this.places}, ${this.partners}_first, ${this.places}_shared, ${this.towns}_match`)
      return "done"
    })
  }

  private async makePartition(type: string): Promise<void> {
    const name = this.partition(type)
    const { id } = this.edition
    await this.step(type, async () => {
      const { client } = this
      await client.query(`
        create table ${name} (like company including defaults including constraints,
          check (edition_id = ${id} and type = '${type}'))`)
      const inserted = await client.query(`
        insert into ${name} (edition_id, type, cnpj, cnae, state, city, size, founded, legal_name, trade_name, person,
          email, phone)
        select ${id}, b.type, p.base || p.rest, p.cnae, p.state, coalesce(m.city, p.state * 100000), b.size, p.founded,
          b.name, nullif(p.trade_name, b.name), coalesce(s.name, case when b.type = 'Individual' then b.name end),
          case when h.email is null then p.email end, p.phone
        from ${this.places} p join ${this.bases} b on b.base = p.base
          left join ${this.partners}_first s on s.base = p.base
          left join ${this.places}_shared h on h.email = p.email
          left join ${this.towns}_match m on m.town = p.town and m.state = p.state
        where b.type = '${type}'`)
      await client.query(`
        alter table ${name} add primary key (edition_id, type, cnpj);
        create index on ${name} (edition_id, state, cnae, cnpj);
        create index on ${name} (edition_id, city, cnae, cnpj);
        create index on ${name} (edition_id, founded, cnae);
        alter table company_${id} attach partition ${name} for values in ('${type}');
        insert into company_frequency (edition_id, type, state, cnae, size, companies)
          select ${id}, '${type}', state, cnae, size, count(*) from ${name} group by state, cnae, size;
        insert into company_city_frequency (edition_id, type, city, companies)
          select ${id}, '${type}', city, count(*) from ${name} group by city;
        insert into company_year_frequency (edition_id, type, founded_year, companies)
          select ${id}, '${type}', coalesce(extract(year from founded), 0), count(*) from ${name} group by 3;
        analyze ${name}`)
      return `${thousands(inserted.rowCount ?? 0)} companies`
    })
  }

  /** From now on all look-ups find this month; the month before goes. */
  private async takeOver(): Promise<number> {
    const { client } = this
    const { id } = this.edition
    await this.step("tidying", async () => {
      await client.query(
        `drop table ${this.towns}, ${this.towns}_match, ${this.bases}, ${this.partners}, ${this.partners}_first, ${this.places}, ${this.places}_shared`
      )
      return "done"
    })
    await client.query("begin")
    const { rows } = await client.query<{ count: number }>(
      "select coalesce(sum(companies), 0)::bigint as count from company_frequency where edition_id = $1",
      [id]
    )
    const count = rows[0]?.count ?? 0
    await client.query(`alter table company attach partition company_${id} for values in (${id})`)
    await client.query("update company_edition set state = 'retired' where state = 'current'")
    await client.query(
      "update company_edition set state = 'current', place_count = $2, switched_at = instant() where edition_id = $1",
      [id, count]
    )
    await client.query("commit")
    await this.dropRetired()
    return count
  }

  private async dropRetired(): Promise<void> {
    const { client } = this
    const { rows } = await client.query<{ id: number }>(
      "select edition_id as id from company_edition where state = 'retired'"
    )
    for (const { id } of rows) {
      await client.query(`begin; drop table if exists company_${id};
        ${forgetEdition(id)}; commit`)
    }
  }

  async run(files: ReadonlyArray<CnpjFile>): Promise<number> {
    await this.makeStaging()
    for (const file of files) await this.loadFile(file)
    await this.matchTowns()
    await this.prepare()
    for (const type of CompanyType.literals) await this.makePartition(type)
    return await this.takeOver()
  }
}

/** The load of these files that broke off, or a new one in place of any other that did. */
const editionOf = async (client: pg.PoolClient, files: ReadonlyArray<CnpjFile>): Promise<Edition> => {
  const digest = createHash("sha256")
    .update(JSON.stringify(files.map(({ bytes, name }) => [name, bytes])))
    .digest("hex")
  const { rows } = await client.query<{ id: number; files_digest: string; done: Array<string> }>(
    "select edition_id as id, files_digest, done_steps as done from company_edition where state = 'loading'"
  )
  const [open] = rows
  if (open?.files_digest === digest) return { id: open.id, done: new Set(open.done) }
  if (open !== undefined) await discard(client, open.id)
  const made = await client.query<{ id: number }>(
    "insert into company_edition (files_digest, state) values ($1, 'loading') returning edition_id as id",
    [digest]
  )
  const id = made.rows[0]?.id
  if (id === undefined) throw new Error("An insert that returns its row returned none.")
  return { id, done: new Set() }
}

/** Takes away what a load that is given up has made. */
const discard = async (client: pg.PoolClient, id: number): Promise<void> => {
  const { rows } = await client.query<{ name: string }>(
    `select quote_ident(relname) as name from pg_class
     where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace and (relname ~ $1 or relname ~ $2)
     order by relname`,
    [`^company_load_[a-z]+_${id}(_|$)`, `^company_${id}(_[a-z]+)?$`]
  )
  for (const { name } of rows) await client.query(`drop table if exists ${name} cascade`)
  await client.query(forgetEdition(id))
}

/** Held while a load runs: two would make the same tables. */
const loadLock = 7_236_011

const describe = (error: unknown): string => (error instanceof Error ? error.message : "unknown")

/**
 * Loads the published files of a month and puts them in the place of the month before. What is asked meanwhile is
 * answered from that one. A load that broke off goes on where it was when the same folder is named again. Answers how
 * many places of business there are.
 */
export const loadCompanies = (
  folder: string,
  report: Report
): Effect.Effect<number, Refused | Permanent, DatabasePools> =>
  Effect.gen(function* () {
    const { write } = yield* DatabasePools
    const files = yield* filesIn(folder)
    return yield* Effect.acquireUseRelease(
      Effect.promise(() => write.connect()),
      (client) =>
        Effect.tryPromise({
          try: async () => {
            await client.query(
              "set statement_timeout = 0; set idle_in_transaction_session_timeout = 0; set synchronous_commit = off; set work_mem = '64MB'; set maintenance_work_mem = '128MB'"
            )
            const { rows } = await client.query<{ held: boolean }>("select pg_try_advisory_lock($1) as held", [
              loadLock
            ])
            if (rows[0]?.held !== true) throw new Error("Another load is under way.")
            const edition = await editionOf(client, files)
            if (edition.done.size > 0)
              report(`going on with a load that broke off: ${edition.done.size} steps are done`)
            return await new Load(client, report, edition).run(files)
          },
          catch: (error) =>
            permanent(
              "load_failed",
              `The companies could not be loaded: ${describe(error)}`,
              "What was loaded before stays in use. Run the command again to go on where it stopped."
            )
        }),
      // The session has settings of its own.
      (client) => Effect.sync(() => client.release(true))
    )
  }).pipe(Effect.withSpan("Companies.load"))
