import type pg from "pg"
import { isUnavailable } from "../Sql.ts"
import { NamedStatementClient, nameOf, noPreparedPlan } from "../statements/NamedStatements.ts"
import type { Cluster } from "./Cluster.ts"
import { type ClusterStatement, isPlanned, StatementRewriter } from "./ClusterStatements.ts"
import { type Step, type StepRows, stepStatement, stepsOf } from "./CteSplitter.ts"
import { isMissed, type NodeRead, type NodeReads } from "./NodeReads.ts"
import { isReachableNodesOnly, limitedToAccounts } from "./ReachableNodes.ts"
import { schemaFunctions, tableFunctionsOf } from "./TableFunctions.ts"
import { inTwoPhases } from "./TwoPhases.ts"

/** A test clock: its time (ISO 8601), and its name if only some accounts use it. */
export interface SessionClock {
  readonly name?: string
  readonly now: () => string
}

/** The state that the sessions of a pool share. */
interface PoolState {
  readonly cluster: Cluster
  readonly clock: SessionClock | undefined
  readonly reads: NodeReads | undefined
  /** The types of the parameters, by the text of a statement. */
  readonly parameterTypes: Map<string, ReadonlyArray<string>>
  readonly typeNames: Map<number, string>
}

type Callback = (failure: unknown, result?: object) => void

const isCallback = (value: unknown): value is Callback => typeof value === "function"

const named = (text: string, values: ReadonlyArray<unknown>) => {
  const name = nameOf(text)
  return { text, values: [...values], ...(name === undefined ? {} : { name }) }
}

const createsFunction = /\bcreate\s+(?:or\s+replace\s+)?function\b/i

/**
 * A session of a database that may be a cluster. On a cluster, the time is a parameter that stays constant throughout a
 * transaction. A statement whose CTEs would go to all nodes runs step by step.
 */
abstract class ClusterClient extends NamedStatementClient {
  protected abstract readonly state: PoolState
  private transactionTime: string | undefined
  private hasCreatedFunctions = false
  /** The node's session that runs the current statement. A cancellation must be sent to that server. */
  runsAt: { readonly pool: pg.Pool; readonly processID: number | null } | undefined

  override query(...args: ReadonlyArray<unknown>): never {
    const send = (...statement: ReadonlyArray<unknown>): unknown => Reflect.apply(super.query, this, statement)
    const [text, second] = args
    const { cluster } = this.state
    if (typeof text !== "string" || !cluster.isCluster) return send(...args) as never
    const values: ReadonlyArray<unknown> = Array.isArray(second) ? second : []
    const others = args.slice(Array.isArray(second) || second === undefined ? 2 : 1)
    const answer = (result: Promise<object>): never => {
      const callback = others.find(isCallback)
      if (callback === undefined) return result as never
      return result.then((rows) => callback(null, rows), callback) as never
    }
    if (this.endsTransaction(text)) return answer(this.commit())
    if (isPlanned(text) && cluster.rewriter === undefined) return answer(this.queryAfterLoading(text, values))
    const statement = cluster.rewriter?.rewrite(text, values) ?? { text, addedValues: [] }
    const allValues = [...values, ...this.addedValues(statement)]
    const run = this.runner(statement)
    if (run === undefined) return send(statement.text, ...(allValues.length > 0 ? [allValues] : []), ...others) as never
    return answer(run(allValues))
  }

  /** Keeps track of the transaction. Returns true if the text is a commit that needs two phases. */
  private endsTransaction(text: string): boolean {
    if (/^begin\b/i.test(text)) this.transactionTime = this.now()
    if (createsFunction.test(text)) {
      this.hasCreatedFunctions = true
      this.state.cluster.rewriter = undefined
    }
    const isCommit = /^commit$/i.test(text) && this.transactionTime !== undefined
    if (/^(?:commit|rollback)$/i.test(text)) this.transactionTime = undefined
    return isCommit
  }

  private now(): string {
    return this.state.clock?.now() ?? new Date().toISOString()
  }

  private addedValues({ addedValues }: ClusterStatement): ReadonlyArray<string | null> {
    const { clock } = this.state
    return addedValues.map((value) =>
      value === "instant" ? (this.transactionTime ?? this.now()) : (clock?.name ?? null)
    )
  }

  /** Returns the function that runs the statement; undefined if it can be sent unchanged. */
  private runner({ account, text }: ClusterStatement) {
    if (isReachableNodesOnly(text)) return (values: ReadonlyArray<unknown>) => this.askReachableNodes(text, values)
    if (account !== undefined && this.mayAskNode(text, account)) {
      return (values: ReadonlyArray<unknown>) => this.askNode(text, values, account)
    }
    return stepsOf(text) === undefined ? undefined : (values: ReadonlyArray<unknown>) => this.askSteps(text, values)
  }

  /**
   * Runs the first statement of a process, or the first after a migration. The functions of the schema are read before
   * it.
   */
  private async queryAfterLoading(text: string, values: ReadonlyArray<unknown>): Promise<object> {
    const functions = tableFunctionsOf(await this.askText(schemaFunctions, []))
    this.state.cluster.rewriter = new StatementRewriter(functions)
    return new Promise((resolve, reject) => {
      this.query(text, values, (failure: Error | null, result: object) =>
        failure === null ? resolve(result) : reject(failure)
      )
    })
  }

  private async commit(): Promise<object> {
    try {
      return await this.ask({ text: `${inTwoPhases}; COMMIT` })
    } catch (failure) {
      await this.ask({ text: "ROLLBACK" }).catch(() => undefined)
      throw failure
    } finally {
      // A session that read the functions before this commit has not seen the new ones, so they are read again.
      if (this.hasCreatedFunctions) this.state.cluster.rewriter = undefined
      this.hasCreatedFunctions = false
    }
  }

  /** True if the statement can be sent to the account's node, or could be once the session has learned how. */
  private mayAskNode(text: string, account: number): boolean {
    const { reads } = this.state
    return (
      reads !== undefined &&
      this.transactionTime === undefined &&
      (reads.of(text, account) !== undefined || reads.isUnknown(text, account))
    )
  }

  /** Sends the statement to the account's node, or to the coordinator if the node cannot answer. */
  private async askNode(text: string, values: ReadonlyArray<unknown>, account: number): Promise<object> {
    const { reads } = this.state
    if (reads?.isUnknown(text, account) === true) {
      const typesOf = (statement: string) => this.typesOfParameters(statement)
      await reads.learn({ ask: this.askText, text, values, account, typesOf })
    }
    const read = reads?.of(text, account)
    if (read !== undefined) {
      try {
        return await this.runOnNode(read, values)
      } catch (failure) {
        if (!isMissed(failure)) throw failure
        reads?.missed(read.pool, failure)
      }
    }
    return this.askSteps(text, values)
  }

  private async runOnNode({ pool, text }: NodeRead, values: ReadonlyArray<unknown>): Promise<object> {
    const session: pg.PoolClient & { readonly processID?: number | null } = await pool.connect()
    this.runsAt = { pool, processID: session.processID ?? null }
    let broken: Error | undefined
    try {
      return await session.query<object>(text, [...values])
    } catch (failure) {
      if (isUnavailable(failure) && failure instanceof Error) broken = failure
      throw failure
    } finally {
      this.runsAt = undefined
      session.release(broken)
    }
  }

  private readonly askText = async (text: string, values: ReadonlyArray<unknown>) =>
    (await this.askUnread({ text, values: [...values] })).rows

  private askSteps(text: string, values: ReadonlyArray<unknown>): Promise<object> {
    const steps = stepsOf(text)
    return steps === undefined
      ? this.ask(named(text, values))
      : this.inTransaction(() => this.runSteps(text, steps, values))
  }

  /**
   * Runs the statement for all accounts, if all nodes are up. The first statement that finds a node down fails. Later
   * ones leave its accounts out.
   */
  private async askReachableNodes(text: string, values: ReadonlyArray<unknown>): Promise<object> {
    const { nodes } = this.state.cluster
    try {
      const reach = nodes.isOneMissed ? await nodes.reach(this.askText) : undefined
      if (reach === undefined) return await this.askSteps(text, values)
      const limited = limitedToAccounts(text, reach.tables, values.length + 1)
      return await this.askSteps(limited, [...values, reach.accounts])
    } catch (failure) {
      if (isUnavailable(failure)) nodes.miss()
      throw failure
    }
  }

  /** Runs in the open transaction, or in a new one. */
  private async inTransaction<Result>(run: () => Promise<Result>): Promise<Result> {
    if (this.transactionTime !== undefined) return run()
    const command = (text: string) =>
      new Promise<void>((resolve, reject) => {
        this.query(text, (failure: Error | null) => (failure === null ? resolve() : reject(failure)))
      })
    await command("BEGIN")
    try {
      const result = await run()
      await command("COMMIT")
      return result
    } catch (failure) {
      await command("ROLLBACK").catch(() => undefined)
      throw failure
    }
  }

  private async runSteps(text: string, steps: ReadonlyArray<Step>, values: ReadonlyArray<unknown>): Promise<object> {
    const types = await this.typesOfParameters(text)
    const rowsOfSteps = new Map<string, StepRows>()
    let result: object = {}
    const comment = text.startsWith(noPreparedPlan) ? noPreparedPlan : ""
    for (const step of steps) {
      const { text: stepText, values: stepValues } = stepStatement(step, values, types, rowsOfSteps)
      const statement = named(comment + stepText, stepValues)
      if (step.name === undefined) result = await this.ask(statement)
      else rowsOfSteps.set(step.name, await this.rowsOf(step, statement))
    }
    return result
  }

  private async rowsOf({ columns }: Step, statement: ReturnType<typeof named>): Promise<StepRows> {
    const { typeNames } = this.state
    const { fields, rows } = await this.askUnread(statement)
    const newTypes = [...new Set(fields.map(({ dataTypeID }) => dataTypeID))].filter((type) => !typeNames.has(type))
    if (newTypes.length > 0) {
      const names = await this.askText(
        "select format_type(type, null) from unnest($1::oid[]) with ordinality as types (type, place) order by place",
        [newTypes]
      )
      for (const [position, type] of newTypes.entries()) typeNames.set(type, names[position]?.[0] ?? "text")
    }
    return {
      columns: fields.map(({ dataTypeID, name }, position) => ({
        name: columns?.[position] ?? name,
        type: typeNames.get(dataTypeID) ?? "text"
      })),
      rows
    }
  }

  /** Reads the type of each parameter in the whole statement, because a single step may not determine it. */
  private async typesOfParameters(text: string): Promise<ReadonlyArray<string>> {
    const { parameterTypes } = this.state
    const cached = parameterTypes.get(text)
    if (cached !== undefined) return cached
    await this.ask({ text: `prepare typed_statement as ${text}` })
    const rows = await this.askText(
      "select unnest(parameter_types)::text from pg_prepared_statements where name = 'typed_statement'",
      []
    )
    await this.ask({ text: "deallocate typed_statement" })
    const types = rows.map(([type]) => type ?? "text")
    parameterTypes.set(text, types)
    return types
  }
}

/** Makes the class of sessions for a pool. With `reads`, reads of one account go directly to its node. */
export const clusterClient = (cluster: Cluster, clock: SessionClock | undefined, reads?: NodeReads) => {
  const state: PoolState = { cluster, clock, reads, parameterTypes: new Map(), typeNames: new Map() }
  return class extends ClusterClient {
    protected readonly state = state
  }
}
