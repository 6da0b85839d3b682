import type pg from "pg"
import { codeOf, isOverTime, isUnavailable } from "../Sql.ts"
import type { Ask } from "./ClusterNodes.ts"
import { withParameters } from "./SqlText.ts"

/**
 * Sends reads of one account directly to the node that has its rows. Through the coordinator, each statement is planned
 * there every time and again on the node, while a direct session keeps its plan. The text for the node is the one that
 * the coordinator would send (`explain verbose`), with the table names of the account's shard. Writes go through the
 * coordinator.
 */

/** The text that the coordinator sends to a node, split at the table names, which end in a shard number. */
interface Learned {
  readonly pieces: ReadonlyArray<string>
  /** The tables between the pieces: one fewer than `pieces`. */
  readonly tables: ReadonlyArray<string>
}

/** A shard: accounts that are together on one node, because their hashes are between two numbers. */
interface Shard {
  readonly group: number
  readonly least: number
  readonly greatest: number
  /** The shard number of each table that is distributed by account. */
  readonly ids: Map<string, string>
  /** The text for this shard, by the text for the coordinator. */
  readonly said: Map<string, string>
}

interface Node {
  readonly pool: pg.Pool
  /** The identity that the node reported to the coordinator; undefined if the coordinator could not reach it. */
  identity: string | undefined
  /** True if this process has reached the node, and the node has the expected identity. */
  isOpen: boolean
  /** The earliest time of the next attempt to reach the node, on the clock of `performance.now()`. */
  triedNextAt: number
}

interface Layout {
  readonly shards: ReadonlyArray<Shard>
  /** The shard number of each table that is copied to every node. Such a table has only one. */
  readonly copies: ReadonlyMap<string, string>
  readonly nodes: ReadonlyMap<number, Node>
}

/** A read whose text for the nodes is not known yet. */
interface Lesson {
  readonly ask: Ask
  readonly text: string
  readonly values: ReadonlyArray<unknown>
  /** Returns the type of each parameter of a statement. */
  readonly typesOf: (text: string) => Promise<ReadonlyArray<string>>
  readonly account: number
}

export interface NodeRead {
  readonly pool: pg.Pool
  readonly text: string
}

const mostTexts = 2_000
const mostAccounts = 100_000
/** Milliseconds before an unavailable node is tried again. */
const pauseAfterFailure = 10_000

const layoutOf = `
  select p.logicalrelid::regclass::text, p.partmethod, s.shardid, s.shardminvalue, s.shardmaxvalue, n.groupid, n.nodename,
    n.nodeport
  from pg_dist_partition p
  join pg_dist_shard s using (logicalrelid) join pg_dist_placement l using (shardid)
  join pg_dist_node n on n.groupid = l.groupid and n.noderole = 'primary' and n.isactive
  where p.partmethod = 'n' or p.partmethod = 'h' and column_to_column_name(p.logicalrelid, p.partkey) = 'account_id'`

/**
 * Errors of a node that no longer has the rows or has other tables: the division by zero of `whileThere`, and unknown
 * names.
 */
const elsewhereCodes = new Set(["22012", "42P01", "42703", "42883"])

/** True if the coordinator should run the statement instead. That would not help if the statement took too long. */
export const isMissed = (failure: unknown): boolean =>
  elsewhereCodes.has(codeOf(failure) ?? "") || (isUnavailable(failure) && !isOverTime(failure))

/**
 * Reads the identity of the server and its database. From this machine, an address may lead to another server than from
 * the coordinator.
 */
export const identity = `select system_identifier || ' ' || (select oid from pg_database where datname = current_database()) as identity
  from pg_control_system()`

/** Reads the identity of each node, as the node reports it to the coordinator. */
const identities = "select nodename || ':' || nodeport, result from run_command_on_workers($1) where success"

/** Wraps a query so that it fails before any row is read if the shard has moved to another node. */
const whileThere = (query: string, shard: string, group: number): string =>
  `select * from (${query}) here where (select 1 / count(*)::int from pg_catalog.pg_dist_placement
    where shardid = ${shard} and groupid = ${group}) = 1`

const shardNames = /\bpublic\.([a-z_]\w*)_(\d{6,})\b/g

/** Returns the number of different parameters. */
const valuesIn = (text: string): number => {
  const numbers = new Set<string>()
  withParameters(text, (number) => {
    numbers.add(number)
    return number
  })
  return numbers.size
}

/** Casts each parameter to its type in the whole statement. The coordinator sends types separately from the text. */
const withTypes = (text: string, types: ReadonlyArray<string>): string =>
  withParameters(text, (number) => `$${number}::${types[Number(number) - 1]}`)

interface ExplainedTask {
  readonly Query?: string
}

/**
 * Reads a plan in which the parameters are visible. The planner's shortcut for a single table would put their values
 * into the text.
 */
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

/** Returns the query of a plan's only task, if the plan has no subplans. */
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
  /** The number of cached texts of all shards. */
  private kept = 0

  constructor(private readonly open: (host: string, port: number) => pg.Pool) {}

  async close(): Promise<void> {
    await Promise.all([...this.nodes.values()].map(({ pool }) => pool.end()))
  }

  /** True if the node's text for the read must be learned before the account's node can run it. */
  isUnknown(text: string, account: number): boolean {
    const learned = this.texts.get(text)
    if (learned === "elsewhere" || this.learning.has(text)) return false
    return learned === undefined ? this.texts.size < mostTexts : !this.shardOfAccount.has(account)
  }

  /** Returns the read for the account's node; undefined if the coordinator must run it. */
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

  /** Handles a node that did not answer, or no longer has the account's rows: the layout is read again. */
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

  /** Reads the layout again if the coordinator could not reach this node at the last attempt. */
  private lookAgain(node: Node | undefined): void {
    const now = performance.now()
    if (node === undefined || now < node.triedNextAt) return
    node.triedNextAt = now + pauseAfterFailure
    this.layout = undefined
    this.shardOfAccount = new Map()
    this.kept = 0
  }

  /** Learns from the coordinator which text it would send to which node. */
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
      // A statement that cannot be explained is sent to the coordinator from now on.
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
    // The planner has put a value into the text, which would be wrong for the next caller.
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
      // Group 0 is the coordinator itself.
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

  /**
   * Returns whether the node can be used, without waiting. A node that has not been reached yet is checked in the
   * background.
   */
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
