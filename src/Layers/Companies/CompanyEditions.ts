import { createHash } from "node:crypto"
import type pg from "pg"
import type { CompanyType } from "../../Services/Prospecting/Targeting.ts"
import type { CnpjFile } from "./CnpjFiles.ts"

/**
 * A month of the open data is a partition of `company`, with a sub-partition per kind of company. Table names contain
 * only numbers from this code.
 */
export const editionTable = (edition: number): string => `company_${edition}`

/** The partition of one kind of company. Statements name it, so no row is read to find its kind. */
export const partitionOf = (edition: number, type: CompanyType): string =>
  `${editionTable(edition)}_${type.toLowerCase()}`

/** Tables that hold the files' contents until the companies are assembled. */
export const stagingOf = (edition: number) => ({
  places: `company_load_place_${edition}`,
  bases: `company_load_base_${edition}`,
  partners: `company_load_partner_${edition}`,
  speakers: `company_load_speaker_${edition}`,
  shared: `company_load_shared_${edition}`,
  towns: `company_load_town_${edition}`,
  matches: `company_load_match_${edition}`
})

/** A load in progress, with the steps that are done. */
export interface Edition {
  readonly id: number
  readonly done: Set<string>
}

/** The statements that delete an edition and its counts. */
const forget = (id: number): string =>
  [
    "company_frequency",
    "company_division_frequency",
    "company_city_frequency",
    "company_year_frequency",
    "company_edition"
  ]
    .map((table) => `delete from ${table} where edition_id = ${id}`)
    .join("; ")

const maximumDrops = 10

/** Searches lock the tables in a different order, so a deadlock is possible and the statement is retried. */
const dropping = async (client: pg.ClientBase, statements: string): Promise<void> => {
  for (let attempt = 1; ; attempt++) {
    try {
      await client.query(`begin; ${statements}; commit`)
      return
    } catch (error) {
      await client.query("rollback")
      const isDeadlock = error instanceof Error && "code" in error && error.code === "40P01"
      if (!isDeadlock || attempt === maximumDrops) throw error
    }
  }
}

/** Drops the tables of an abandoned load. */
const discardLoad = async (client: pg.ClientBase, id: number): Promise<void> => {
  const { rows } = await client.query<{ name: string }>(
    `select quote_ident(relname) as name from pg_class
     where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace and (relname ~ $1 or relname ~ $2)
     order by relname`,
    [`^company_load_[a-z]+_${id}$`, `^company_${id}(_[a-z]+)?$`]
  )
  for (const { name } of rows) await dropping(client, `drop table if exists ${name} cascade`)
  await client.query(forget(id))
}

/** Returns the interrupted load of the same files, or a new one that replaces any other interrupted load. */
export const editionOf = async (client: pg.ClientBase, files: ReadonlyArray<CnpjFile>): Promise<Edition> => {
  const digest = createHash("sha256")
    .update(JSON.stringify(files.map(({ bytes, name }) => [name, bytes])))
    .digest("hex")
  const { rows } = await client.query<{ id: number; files_digest: string; done: Array<string> }>(
    "select edition_id as id, files_digest, done_steps as done from company_edition where state = 'loading'"
  )
  const [open] = rows
  if (open?.files_digest === digest) return { id: open.id, done: new Set(open.done) }
  if (open !== undefined) await discardLoad(client, open.id)
  const createdLoad = await client.query<{ id: number }>(
    "insert into company_edition (files_digest, state) values ($1, 'loading') returning edition_id as id",
    [digest]
  )
  const id = createdLoad.rows[0]?.id
  if (id === undefined) throw new Error("An insert that returns its row returned none.")
  return { id, done: new Set() }
}

/** Makes this month the current one. Returns the number of its places of business. */
export const activateEdition = async (client: pg.ClientBase, id: number): Promise<number> => {
  await client.query("begin")
  try {
    const { rows } = await client.query<{ count: number }>(
      "select coalesce(sum(companies), 0)::bigint as count from company_division_frequency where edition_id = $1",
      [id]
    )
    const count = rows[0]?.count ?? 0
    await client.query(`alter table company attach partition ${editionTable(id)} for values in (${id})`)
    await client.query("update company_edition set state = 'retired' where state = 'current'")
    await client.query(
      "update company_edition set state = 'current', place_count = $2, switched_at = instant() where edition_id = $1",
      [id, count]
    )
    // Without this, the planner expects a single row in each table.
    await client.query("analyze company_frequency, company_division_frequency, company_city_frequency")
    await client.query("commit")
    return count
  } catch (error) {
    await client.query("rollback").catch(() => undefined)
    throw error
  }
}

export const retiredEditions = async (client: pg.ClientBase): Promise<ReadonlyArray<number>> => {
  const { rows } = await client.query<{ id: number }>(
    "select edition_id as id from company_edition where state = 'retired' order by 1"
  )
  return rows.map(({ id }) => id)
}

export const dropRetired = async (client: pg.ClientBase): Promise<void> => {
  for (const id of await retiredEditions(client)) {
    await dropping(client, `drop table if exists ${editionTable(id)}; ${forget(id)}`)
  }
}
