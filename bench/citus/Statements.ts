import { readdirSync, readFileSync } from "node:fs"
import * as path from "node:path"
import pg from "pg"
import { distributedTables } from "../../src/Layers/Platform/Postgres/cluster/ClusterNodes.ts"
import { isPlanned, StatementRewriter } from "../../src/Layers/Platform/Postgres/cluster/ClusterStatements.ts"
import { isReachableNodesOnly, limitedToAccounts } from "../../src/Layers/Platform/Postgres/cluster/ReachableNodes.ts"
import { schemaFunctions, tableFunctionsOf } from "../../src/Layers/Platform/Postgres/cluster/TableFunctions.ts"
import { templateDatabase } from "../../test/support/postgres.ts"
import type { PostgresServer } from "../support/PostgresServer.ts"
import { makeOriginOf } from "./Origin.ts"

/** How a cluster runs a statement: on one node, on the coordinator's tables, on several nodes, or not at all. */
type Way = "routed" | "on the coordinator" | "in parts" | "all nodes" | "refused"

export interface Judged {
  readonly statement: string
  /** The product's most likely file. */
  readonly file: string
  readonly way: Way
  readonly failure?: string
}

interface Logged {
  readonly text: string
  readonly values: ReadonlyArray<string | null>
}

const isLogged = (line: unknown): line is Logged =>
  typeof line === "object" && line !== null && "text" in line && "values" in line

const nulls = ({ values }: Logged): number => values.filter((value) => value === null).length

/** A cluster gets these for one account at a time, through `inOneStatement`. */
const ofOneAccount = [
  "with active as (",
  "with next as materialized (",
  "insert into dispatch_queue (account_id, due_at) select",
  "select extract(epoch from min(due.at))"
]

/**
 * Whether a statement is the product's. The laws' statements, those on the server's catalog and those on tables outside
 * the template are not.
 */
const isOfProduct = (text: string): boolean =>
  isPlanned(text) &&
  !/explain_laws|of a test|\bpg_|graphile_worker|gateway_migration| public\.|\bcompany_(?:load_\w+_)?\d+/.test(text)

/** Each text that the runs logged into `folder`, with the values that have the fewest nulls. */
const loggedIn = (folder: string): ReadonlyArray<Logged> => {
  const byText = new Map<string, Logged>()
  for (const file of readdirSync(folder)) {
    for (const line of readFileSync(path.join(folder, file), "utf8").split("\n")) {
      const logged: unknown = line === "" ? undefined : JSON.parse(line)
      if (!isLogged(logged) || !isOfProduct(logged.text)) continue
      const earlierLog = byText.get(logged.text)
      if (earlierLog === undefined || nulls(logged) < nulls(earlierLog)) byText.set(logged.text, logged)
    }
  }
  return [...byText.values()]
}

/** `{1,2}`, as the driver writes a list. */
const listOf = (value: string | null): unknown =>
  value !== null && /^\{[\d",]*\}$/.test(value) ? value.slice(1, -1).split(",") : value

const wayOf = (plan: string): Way => {
  const tasks = [...plan.matchAll(/Task Count: (\d+)/g)].map(([, count]) => Number(count))
  if (!plan.includes("Citus")) return "on the coordinator"
  if (Math.max(...tasks) > 1) return "all nodes"
  return /Distributed Subplan|INSERT \.\.\. SELECT/.test(plan) ? "in parts" : "routed"
}

const reasonOf = (failure: unknown): string =>
  failure instanceof pg.DatabaseError ? `${failure.code ?? ""} ${failure.message}` : String(failure)

/** The statement with its values inserted. */
const spell = (text: string, values: ReadonlyArray<string | null>): string =>
  text.replaceAll(/\$(\d+)/g, (_, place) => {
    const value = values[Number(place) - 1]
    return value === undefined || value === null ? "null" : pg.escapeLiteral(value)
  })

/**
 * Asks the cluster how it would run each statement. Where that depends on the values, `explain` has no answer, and
 * the statement is run and rolled back. An error such as a missing referenced row does not count as a refusal.
 */
export const judgeStatements = async (
  { host, port }: Pick<PostgresServer, "host" | "port">,
  folder: string
): Promise<ReadonlyArray<Judged>> => {
  const client = new pg.Client({ host, port, user: "postgres", database: templateDatabase })
  await client.connect()
  const originOf = makeOriginOf()
  const { rows: spread } = await client.query<{ readonly logicalrelid: string }>(distributedTables)
  const tables = new Set(spread.map(({ logicalrelid }) => logicalrelid))
  const { rows: functions } = await client.query<Array<string | null>>({ text: schemaFunctions, rowMode: "array" })
  const rewriter = new StatementRewriter(tableFunctionsOf(functions))
  const judge = async ({ text, values: logged }: Logged): Promise<Omit<Judged, "file">> => {
    const isOfOne = ofOneAccount.some((beginning) => text.replace(/\s+/g, " ").trim().startsWith(beginning))
    const values = isOfOne ? logged.map((value) => value?.replace(/^\{("?\d+"?),[\d",]*\}$/, "{$1}") ?? null) : logged
    const rewritten = rewriter.rewrite(text, values.map(listOf))
    const addedValues = rewritten.addedValues.map((value) => (value === "instant" ? new Date().toISOString() : null))
    const all = [...values, ...addedValues]
    if (isReachableNodesOnly(text)) {
      // The form of the statement while a node is down.
      const limited = limitedToAccounts(rewritten.text, tables, all.length + 1)
      const spelt = spell(limited, [...all, "{1,2,3}"])
      try {
        await client.query(`explain (costs off) ${spelt}`)
      } catch (failure) {
        return { statement: limited, way: "refused", failure: `within reach: ${reasonOf(failure)}` }
      }
    }
    const statement = text.replace(/\s+/g, " ").trim()
    try {
      const { rows } = await client.query<{ "QUERY PLAN": string }>(`explain (costs off) ${rewritten.text}`, all)
      return { statement, way: wayOf(rows.map((row) => row["QUERY PLAN"]).join("\n")) }
    } catch (failure) {
      if (!/could not create distributed plan|no value found for parameter|25P02/.test(reasonOf(failure))) {
        return { statement, way: "refused", failure: reasonOf(failure) }
      }
    }
    // Some statements can only be planned with values.
    try {
      const { rows } = await client.query<{ "QUERY PLAN": string }>(`explain (costs off) ${spell(rewritten.text, all)}`)
      return { statement, way: wayOf(rows.map((row) => row["QUERY PLAN"]).join("\n")) }
    } catch {
      // Running the statement will show it.
    }
    await client.query("begin")
    try {
      await client.query(rewritten.text, all)
      return { statement, way: "in parts" }
    } catch (failure) {
      const reason = reasonOf(failure)
      return /^23|violates|25P02/.test(reason)
        ? { statement, way: "in parts" }
        : { statement, way: "refused", failure: reason }
    } finally {
      await client.query("rollback")
    }
  }
  const judged: Array<Judged> = []
  for (const logged of loggedIn(folder)) {
    const file = originOf(logged.text)
    if (file !== undefined) judged.push({ ...(await judge(logged)), file })
  }
  await client.end()
  return judged
}
