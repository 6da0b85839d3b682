import type pg from "pg"
import type { Cluster } from "./Cluster.ts"
import { clusterStatement } from "./ClusterStatements.ts"
import { askedStep, type Step, type StepRows, stepsOf } from "./CteSplitter.ts"
import { NamedStatementClient, nameOf, noPreparedPlan } from "./NamedStatements.ts"
import { isMissed, type NodeRead, type NodeReads } from "./NodeReads.ts"
import { isReachableNodesOnly, limitedToAccounts } from "./ReachableNodes.ts"
import { isUnavailable } from "./Sql.ts"
import { inTwoPhases } from "./TwoPhases.ts"

/** A moved clock: what it shows (ISO 8601), and its name where it is for accounts that live by it alone. */
export interface SessionClock {
  readonly name?: string
  readonly now: () => string
}

type Answered = (failure: unknown, result?: object) => void

const isAnswered = (value: unknown): value is Answered => typeof value === "function"

const named = (text: string, values: ReadonlyArray<unknown>) => {
  const name = nameOf(text)
  return { text, values: [...values], ...(name === undefined ? {} : { name }) }
}

/**
 * A session of a database that may be spread over a cluster: there the time is a parameter, the same one throughout a
 * transaction, and a statement whose parts would go to all nodes is run step by step.
 */
export const clusterClient = (spread: Cluster, clock: SessionClock | undefined, reads?: NodeReads) => {
  const typesOfStatements = new Map<string, ReadonlyArray<string>>()
  const typeNames = new Map<number, string>()

  return class SpreadClient extends NamedStatementClient {
    private begunAt: string | undefined
    /** The session of a node that runs this one's statement: where it is to be ended. */
    runsAt: { readonly pool: pg.Pool; readonly processID: number | null } | undefined

    override query(...args: ReadonlyArray<unknown>): never {
      const send = (...statement: ReadonlyArray<unknown>): unknown => Reflect.apply(super.query, this, statement)
      const [first, second] = args
      if (typeof first !== "string" || !spread.isCluster) return send(...args) as never
      const time = () => clock?.now() ?? new Date().toISOString()
      if (/^begin\b/i.test(first)) this.begunAt = time()
      const isCommit = /^commit$/i.test(first) && this.begunAt !== undefined
      if (/^(?:commit|rollback)$/i.test(first)) this.begunAt = undefined
      const others = args.slice(Array.isArray(second) || second === undefined ? 2 : 1)
      const answer = (made: Promise<object>): never => {
        const answered = others.find(isAnswered)
        if (answered === undefined) return made as never
        return made.then((result) => answered(null, result), answered) as never
      }
      if (isCommit) return answer(this.commit())
      const values: ReadonlyArray<unknown> = Array.isArray(second) ? second : []
      const { account, given, text } = clusterStatement(first, values)
      const all = [
        ...values,
        ...given.map((what) => (what === "instant" ? (this.begunAt ?? time()) : (clock?.name ?? null)))
      ]
      const steps = stepsOf(text)
      const isLimited = isReachableNodesOnly(text)
      const isOfNode = account !== undefined && !isLimited && this.isOfNode(text, account)
      if (steps === undefined && !isLimited && !isOfNode) {
        return send(text, ...(all.length > 0 ? [all] : []), ...others) as never
      }
      if (isOfNode) return answer(this.askNode(text, all, account))
      return answer(isLimited ? this.askWithinReach(text, all) : this.askParts(text, all))
    }

    private async commit(): Promise<object> {
      try {
        return await this.ask({ text: `${inTwoPhases}; COMMIT` })
      } catch (failure) {
        await this.ask({ text: "ROLLBACK" }).catch(() => undefined)
        throw failure
      }
    }

    /** Whether the account's node may be asked, or what it is asked be learnt. */
    private isOfNode(text: string, account: number): boolean {
      return (
        reads !== undefined &&
        this.begunAt === undefined &&
        (reads.of(text, account) !== undefined || reads.isUnknown(text, account))
      )
    }

    /** Of the account's node; where it cannot answer, of the coordinator. */
    private async askNode(text: string, values: ReadonlyArray<unknown>, account: number): Promise<object> {
      if (reads?.isUnknown(text, account) === true) {
        const ask = this.askText
        await reads.learn({ ask, text, values, account, typesOf: (asked) => this.typesOfValues(asked) })
      }
      const read = reads?.of(text, account)
      if (read !== undefined) {
        try {
          return await this.askOf(read, values)
        } catch (failure) {
          if (!isMissed(failure)) throw failure
          reads?.missed(read.pool, failure)
        }
      }
      return this.askParts(text, values)
    }

    private async askOf({ pool, text }: NodeRead, values: ReadonlyArray<unknown>): Promise<object> {
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

    private askParts(text: string, values: ReadonlyArray<unknown>): Promise<object> {
      const steps = stepsOf(text)
      return steps === undefined
        ? this.ask(named(text, values))
        : this.inTransaction(() => this.runSteps(text, steps, values))
    }

    /** Of all accounts while all nodes are there; the statement that misses one fails, those after it do without. */
    private async askWithinReach(text: string, values: ReadonlyArray<unknown>): Promise<object> {
      const { nodes } = spread
      try {
        const reach = nodes.isOneMissed ? await nodes.reach(this.askText) : undefined
        if (reach === undefined) return await this.askParts(text, values)
        const limited = limitedToAccounts(text, reach.tables, values.length + 1)
        return await this.askParts(limited, [...values, reach.accounts])
      } catch (failure) {
        if (isUnavailable(failure)) nodes.miss()
        throw failure
      }
    }

    /** In the one that is open, or in one of its own. */
    private async inTransaction<Result>(run: () => Promise<Result>): Promise<Result> {
      if (this.begunAt !== undefined) return run()
      const say = (text: string) =>
        new Promise<void>((resolve, reject) => {
          this.query(text, (failure: Error | null) => (failure === null ? resolve() : reject(failure)))
        })
      await say("BEGIN")
      try {
        const result = await run()
        await say("COMMIT")
        return result
      } catch (failure) {
        await say("ROLLBACK").catch(() => undefined)
        throw failure
      }
    }

    private async runSteps(text: string, steps: ReadonlyArray<Step>, values: ReadonlyArray<unknown>): Promise<object> {
      const types = await this.typesOfValues(text)
      const found = new Map<string, StepRows>()
      let last: object = {}
      const remark = text.startsWith(noPreparedPlan) ? noPreparedPlan : ""
      for (const step of steps) {
        const asked = askedStep(step, values, types, found)
        const statement = named(remark + asked.text, asked.values)
        if (step.name === undefined) last = await this.ask(statement)
        else found.set(step.name, await this.rowsOf(step, statement))
      }
      return last
    }

    private async rowsOf({ columns }: Step, asked: ReturnType<typeof named>): Promise<StepRows> {
      const { fields, rows } = await this.askUnread(asked)
      const unknown = [...new Set(fields.map(({ dataTypeID }) => dataTypeID))].filter((type) => !typeNames.has(type))
      if (unknown.length > 0) {
        const names = await this.askUnread({
          text: "select format_type(type, null) from unnest($1::oid[]) with ordinality as types (type, place) order by place",
          values: [unknown]
        })
        for (const [at, type] of unknown.entries()) typeNames.set(type, names.rows[at]?.[0] ?? "text")
      }
      return {
        columns: fields.map(({ dataTypeID, name }, at) => ({
          name: columns?.[at] ?? name,
          type: typeNames.get(dataTypeID) ?? "text"
        })),
        rows
      }
    }

    /** Of each value the type that it has in the whole: a step alone may say less of it. */
    private async typesOfValues(text: string): Promise<ReadonlyArray<string>> {
      const known = typesOfStatements.get(text)
      if (known !== undefined) return known
      await this.ask({ text: `prepare typed_statement as ${text}` })
      const { rows } = await this.askUnread({
        text: `select unnest(parameter_types)::text from pg_prepared_statements where name = 'typed_statement'`
      })
      await this.ask({ text: "deallocate typed_statement" })
      const types = rows.map(([type]) => type ?? "text")
      typesOfStatements.set(text, types)
      return types
    }
  }
}
