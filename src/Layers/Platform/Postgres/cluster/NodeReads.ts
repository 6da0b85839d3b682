import type pg from "pg"
import { codeOf, isOverTime, isUnavailable } from "../Sql.ts"
import type { Ask } from "./ClusterNodes.ts"
import { withParameters } from "./SqlText.ts"

/**
 * Reads of one account, asked of the node that has its rows. A cluster's coordinator plans each statement anew and so does
 * the node behind it; a session with the node itself keeps its plans. What the node is asked is what the coordinator asks
 * it, in its own words (`explain verbose`), with the tables' names for the account's shard. Writes go through the coordinator.
 */

/** What the cluster asks a node, between the names of tables that end with the number of a shard. */
interface Learned {
  readonly pieces: ReadonlyArray<string>
  /** One fewer than pieces. */
  readonly tables: ReadonlyArray<string>
}

/** What lies together on one node: the accounts whose hashes are between two numbers. */
interface Shard {
  readonly group: number
  readonly least: number
  readonly greatest: number
  /** Of each table that is spread by the account the number of its shard. */
  readonly ids: Map<string, string>
  /** What is asked of it, by the text that the coordinator is asked. */
  readonly said: Map<string, string>
}

interface Node {
  readonly pool: pg.Pool
  /** What it said to the coordinator, if that reached it. */
  identity: string | undefined
  /** Whether it was reached, and was the one that was meant. */
  isOpen: boolean
  /** When it is tried the next time, on the clock of `performance.now()`. */
  triedNextAt: number
}

interface Layout {
  readonly shards: ReadonlyArray<Shard>
  /** Of each table that is on every node the number of its one shard. */
  readonly copies: ReadonlyMap<string, string>
  readonly nodes: ReadonlyMap<number, Node>
}

/** A read that is not known yet. */
interface Lesson {
  readonly ask: Ask
  readonly text: string
  readonly values: ReadonlyArray<unknown>
  /** Of each value of a statement its type. */
  readonly typesOf: (text: string) => Promise<ReadonlyArray<string>>
  readonly account: number
}

export interface NodeRead {
  readonly pool: pg.Pool
  readonly text: string
}

const mostTexts = 2_000
const mostAccounts = 100_000
/** Milliseconds until a node that was not to be had is tried again. */
const pauseAfterFailure = 10_000

const layoutOf = `
  select p.logicalrelid::regclass::text, p.partmethod, s.shardid, s.shardminvalue, s.shardmaxvalue, n.groupid, n.nodename,
    n.nodeport
  from pg_dist_partition p
  join pg_dist_shard s using (logicalrelid) join pg_dist_placement l using (shardid)
  join pg_dist_node n on n.groupid = l.groupid and n.noderole = 'primary' and n.isactive
  where p.partmethod = 'n' or p.partmethod = 'h' and column_to_column_name(p.logicalrelid, p.partkey) = 'account_id'`

/** What tells that the node has the rows no more, or other tables: `whileThere`, and names that it does not know. */
const elsewhereCodes = new Set(["22012", "42P01", "42703", "42883"])

/** Whether the coordinator may know better. A statement that took too long would take as long there. */
export const isMissed = (failure: unknown): boolean =>
  elsewhereCodes.has(codeOf(failure) ?? "") || (isUnavailable(failure) && !isOverTime(failure))

/** Which server and which database of it: an address may lead others elsewhere than the coordinator. */
export const identity = `select system_identifier || ' ' || (select oid from pg_database where datname = current_database()) as identity
  from pg_control_system()`

/** What the nodes say to the coordinator that they are. */
const identities = "select nodename || ':' || nodeport, result from run_command_on_workers($1) where success"

/** Ends in an error where the shard has gone elsewhere, before a row is read. */
const whileThere = (query: string, shard: string, group: number): string =>
  `select * from (${query}) here where (select 1 / count(*)::int from pg_catalog.pg_dist_placement
    where shardid = ${shard} and groupid = ${group}) = 1`

const shardNames = /\bpublic\.([a-z_]\w*)_(\d{6,})\b/g

/** How many values it uses. */
const valuesIn = (text: string): number => {
  const numbers = new Set<string>()
  withParameters(text, (number) => {
    numbers.add(number)
    return number
  })
  return numbers.size
}

/** Each value as what it is in the whole: what the coordinator says to a node says it beside the text. */
const withTypes = (text: string, types: ReadonlyArray<string>): string =>
  withParameters(text, (number) => `$${number}::${types[Number(number) - 1]}`)

interface ExplainedTask {
  readonly Query?: string
}

/** A plan with its values beside it: the short way, which plans of one table take, makes them part of the text. */
const planOf = async (ask: Ask, text: string, values: ReadonlyArray<unknown>): Promise<string> => {
  await ask("begin", [])
  try {
    await ask("set local citus.enable_fast_path_router_planner to off", [])
    const [[plan] = []] = await ask(`explain (verbose, costs off, format json) ${text}`, values)
    return plan ?? "[]"
  } finally {
    await ask("rollback", [])
  }
}

/** The query of the only task of a plan that has no others below it. */
const onlyQuery = (plan: string): string | undefined => {
  const explained: unknown = JSON.parse(plan)
  const tasks: Array<ExplainedTask> = []
  let jobs = 0
  const visit = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return
    for (const [name, part] of Object.entries(value)) {
      if (name === "Task Count") jobs += Number(part)
      if (name === "Subplans") jobs += 2
      if (name === "Tasks" && Array.isArray(part)) tasks.push(...(part as ReadonlyArray<ExplainedTask>))
      else visit(part)
    }
  }
  visit(explained)
  return jobs === 1 ? tasks[0]?.Query : undefined
}

export class NodeReads {
  private readonly texts = new Map<string, Learned | "elsewhere">()
  private readonly learning = new Set<string>()
  private shardOfAccount = new Map<number, Shard>()
  private layout: Promise<Layout> | undefined
  private known: Layout | undefined
  private readonly nodes = new Map<string, Node>()
  /** How many texts are kept of all shards. */
  private kept = 0

  constructor(private readonly open: (host: string, port: number) => pg.Pool) {}

  async close(): Promise<void> {
    await Promise.all([...this.nodes.values()].map(({ pool }) => pool.end()))
  }

  /** Whether there is something to learn before the account's node can be asked. */
  isUnknown(text: string, account: number): boolean {
    const learned = this.texts.get(text)
    if (learned === "elsewhere" || this.learning.has(text)) return false
    return learned === undefined ? this.texts.size < mostTexts : !this.shardOfAccount.has(account)
  }

  /** The read as the account's node is asked it; nothing where the coordinator is to be asked. */
  of(text: string, account: number): NodeRead | undefined {
    const learned = this.texts.get(text)
    const shard = this.shardOfAccount.get(account)
    if (learned === undefined || learned === "elsewhere" || shard === undefined || this.known === undefined)
      return undefined
    const node = this.known.nodes.get(shard.group)
    if (node === undefined || !this.isOpen(node)) {
      if (node?.identity === undefined) this.lookAgain(node)
      return undefined
    }
    const said = shard.said.get(text) ?? this.say(learned, shard, this.known)
    if (said === undefined) return undefined
    if (this.kept < mostTexts && !shard.said.has(text)) {
      shard.said.set(text, said)
      this.kept++
    }
    return { pool: node.pool, text: said }
  }

  /** The node did not answer, or has the account's rows no more: they are looked for anew. */
  missed(pool: pg.Pool, failure: unknown): void {
    if (!isUnavailable(failure)) this.texts.clear()
    this.layout = undefined
    this.known = undefined
    this.shardOfAccount = new Map()
    this.kept = 0
    if (!isUnavailable(failure)) return
    for (const node of this.nodes.values()) {
      if (node.pool === pool) Object.assign(node, { isOpen: false, triedNextAt: performance.now() + pauseAfterFailure })
    }
  }

  /** A node that the coordinator did not reach when it was asked. */
  private lookAgain(node: Node | undefined): void {
    const now = performance.now()
    if (node === undefined || now < node.triedNextAt) return
    node.triedNextAt = now + pauseAfterFailure
    this.layout = undefined
    this.shardOfAccount = new Map()
    this.kept = 0
  }

  /** Asks the coordinator what it would ask whom. */
  async learn({ account, ask, text, typesOf, values }: Lesson): Promise<void> {
    this.learning.add(text)
    try {
      this.layout ??= this.readLayout(ask)
      const layout = await this.layout
      this.known = layout
      if (!this.shardOfAccount.has(account)) {
        const [[hash] = []] = await ask("select worker_hash($1::bigint)", [account])
        const shard = layout.shards.find(({ greatest, least }) => least <= Number(hash) && Number(hash) <= greatest)
        if (this.shardOfAccount.size >= mostAccounts) this.shardOfAccount.clear()
        if (shard !== undefined) this.shardOfAccount.set(account, shard)
      }
      if (!this.texts.has(text))
        this.texts.set(text, (await this.explained(ask, text, values, await typesOf(text))) ?? "elsewhere")
    } catch (failure) {
      this.layout = undefined
      // What cannot be explained is asked as ever.
      if (!isUnavailable(failure)) this.texts.set(text, "elsewhere")
    } finally {
      this.learning.delete(text)
    }
  }

  private async explained(
    ask: Ask,
    text: string,
    values: ReadonlyArray<unknown>,
    types: ReadonlyArray<string>
  ): Promise<Learned | undefined> {
    const query = onlyQuery(await planOf(ask, text, values))
    if (query === undefined || query.includes("read_intermediate_result")) return undefined
    // A value that the plan has made part of the text would be another caller's the next time.
    if (valuesIn(query) !== valuesIn(text)) return undefined
    const typed = withTypes(query, types)
    const names = [...typed.matchAll(shardNames)]
    if (names.length === 0) return undefined
    let from = 0
    const pieces: Array<string> = []
    for (const { 0: name, 1: table = "", index } of names) {
      pieces.push(typed.slice(from, index + "public.".length + table.length))
      from = index + name.length
    }
    pieces.push(typed.slice(from))
    return { pieces, tables: names.map(([, table = ""]) => table) }
  }

  private say({ pieces, tables }: Learned, { group, ids }: Shard, { copies }: Layout): string | undefined {
    const [first = "", ...others] = pieces
    let said = first
    let spread: string | undefined
    for (const [at, table] of tables.entries()) {
      const id = ids.get(table) ?? copies.get(table)
      if (id === undefined) return undefined
      spread ??= ids.get(table)
      said += `_${id}${others[at] ?? ""}`
    }
    return spread === undefined ? undefined : whileThere(said, spread, group)
  }

  private async readLayout(ask: Ask): Promise<Layout> {
    const shards = new Map<string, Shard>()
    const copies = new Map<string, string>()
    const nodes = new Map<number, Node>()
    const known = new Map((await ask(identities, [identity])).map(([place, said]) => [place, said ?? undefined]))
    for (const row of await ask(layoutOf, [])) {
      const [table = "", method, id = "", least, greatest, group, host = "", port] = row.map((value) => value ?? "")
      // What the coordinator has of its own is asked of it.
      if (group !== "0") nodes.set(Number(group), this.nodeAt(host, Number(port), known.get(`${host}:${port}`)))
      if (method === "n") copies.set(table, id)
      else {
        const shard = shards.get(`${least}`) ?? {
          group: Number(group),
          least: Number(least),
          greatest: Number(greatest),
          ids: new Map<string, string>(),
          said: new Map<string, string>()
        }
        shard.ids.set(table, id)
        shards.set(`${least}`, shard)
      }
    }
    return { shards: [...shards.values()], copies, nodes }
  }

  private nodeAt(host: string, port: number, identity: string | undefined): Node {
    const place = `${host}:${port}`
    const node = this.nodes.get(place) ?? {
      pool: this.open(host, port),
      identity,
      isOpen: false,
      triedNextAt: identity === undefined ? performance.now() + pauseAfterFailure : Number.NEGATIVE_INFINITY
    }
    if (node.identity !== identity)
      Object.assign(node, { identity, isOpen: false, triedNextAt: Number.NEGATIVE_INFINITY })
    this.nodes.set(place, node)
    return node
  }

  /** Nobody waits for a node that has not been reached yet. */
  private isOpen(node: Node): boolean {
    if (!node.isOpen && node.identity !== undefined && performance.now() >= node.triedNextAt) {
      node.triedNextAt = Number.POSITIVE_INFINITY
      void node.pool
        .query<{ readonly identity: string }>(identity)
        .then(({ rows }) => rows[0]?.identity === node.identity)
        .catch(() => false)
        .then((isIt) => {
          node.isOpen = isIt
          node.triedNextAt = performance.now() + pauseAfterFailure
        })
    }
    return node.isOpen
  }
}
