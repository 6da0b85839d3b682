import { Console, Effect } from "effect"
import type pg from "pg"
import { accounts } from "../../src/Layers/Accounts/AccountProfilePostgres.ts"
import { searchStatement } from "../../src/Layers/Leads/LeadSearchPostgres.ts"
import { withoutCampaign } from "../../src/Layers/Leads/Registration/LeadRegistration.ts"
import { unknownCluster } from "../../src/Layers/Platform/Postgres/cluster/Cluster.ts"
import type { NodeReads } from "../../src/Layers/Platform/Postgres/cluster/NodeReads.ts"
import { nodeReads } from "../../src/Layers/Platform/Postgres/Database.ts"
import { makePool } from "../../src/Layers/Platform/Postgres/pool/Pool.ts"
import { AccountId } from "../../src/Services/Accounts/Ids.ts"
import { profile } from "../peers/ToolStatements.ts"
import { callTool } from "../support/agents/Answers.ts"
import type { BenchDatabase } from "../support/BenchDatabase.ts"
import { type CallUnderTest, callsUnderTest, leadAt, updateLead } from "../support/CallsUnderTest.ts"
import { startGateway } from "../support/Gateway.ts"
import { startLoad } from "../support/Load.ts"
import { readCalls } from "../support/ReadCalls.ts"
import { median } from "../support/Report.ts"
import type { SampleAccount } from "../support/SampleLeads.ts"
import { atMost, cellsOf, type Finding } from "./Finding.ts"

/**
 * The cost of routing: the same statements and calls on databases with the same content, in alternation. The first is a
 * single Postgres.
 */

/** Milliseconds that routing may add to a statement. */
const allowance = 1
const manyConnections = 50

const search = (account: SampleAccount, query?: string) => {
  const page = { page: 0, pageSize: 20, sort: "date_created" as const }
  return searchStatement(AccountId.make(account.accountId), { query }, page)
}

interface HotStatement {
  readonly what: string
  readonly isWrite?: boolean
  readonly ask: (
    account: SampleAccount,
    n: number
  ) => { readonly text: string; readonly values: ReadonlyArray<unknown> }
}

/** Statements of the product, as its sessions send them. */
const hotStatements: ReadonlyArray<HotStatement> = [
  {
    what: "the account",
    ask: ({ accountId }) => ({ text: `${accounts} where p.account_id = $1`, values: [accountId] })
  },
  {
    what: "a lead by its key",
    ask: (account, n) => ({
      text: profile,
      values: [account.accountId, leadAt(n, { ...account, id: "s" })]
    })
  },
  { what: "a page of leads", ask: (account) => search(account) },
  { what: "leads by name", ask: (account) => search(account, "Ana Silva") },
  {
    what: "a lead registered",
    isWrite: true,
    ask: ({ accountId }, n) => ({
      text: withoutCampaign,
      values: [accountId, `Novo ${n}`, `novo.${n}@novo.example`, null, null, "Cold"]
    })
  }
]

const calls: ReadonlyArray<CallUnderTest> = [
  ...callsUnderTest,
  updateLead,
  ...readCalls.filter(({ name }) => name === "report: get_prospecting_report")
]

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const began = performance.now()
  await work()
  return performance.now() - began
}

/**
 * Milliseconds of `work` on each subject. Each round runs all of them, beginning with a different one. Returns the
 * times of each.
 */
const inTurns = async (
  rounds: number,
  subjects: number,
  work: (subject: number, round: number) => Promise<unknown>
): Promise<ReadonlyArray<ReadonlyArray<number>>> => {
  const times = Array.from({ length: subjects }, (): Array<number> => [])
  for (let round = 0; round < rounds; round++) {
    for (let turn = 0; turn < subjects; turn++) {
      const subject = (round + turn) % subjects
      times[subject]?.push(await timed(() => work(subject, round)))
    }
  }
  return times
}

/** For each of the others, the median difference to the first one in the same round. */
const added = ([first = [], ...others]: ReadonlyArray<ReadonlyArray<number>>): ReadonlyArray<number> =>
  others.map((times) => median(times.map((time, round) => time - (first[round] ?? 0))))

interface Sessions {
  readonly read: pg.Pool
  readonly write: pg.Pool
  readonly reads: NodeReads
}

const ofStatements = async (
  subjects: ReadonlyArray<Sessions>,
  samples: ReadonlyArray<SampleAccount>,
  rounds: number
): Promise<ReadonlyArray<Finding>> => {
  const findings: Array<Finding> = []
  for (const { ask, isWrite, what } of hotStatements) {
    const run = async (subject: number, round: number) => {
      const account = samples[round % samples.length]
      if (account === undefined) throw new Error("There are no accounts.")
      const { text, values } = ask(account, round)
      const sessions = subjects[subject]
      await (isWrite === true ? sessions?.write : sessions?.read)?.query(text, [...values])
    }
    // Each session plans a statement five times before it keeps a plan.
    const warmUp = samples.length * 6
    await inTurns(warmUp, subjects.length, run)
    const times = await inTurns(rounds, subjects.length, (subject, round) => run(subject, round + warmUp))
    findings.push(
      { what: `${what}, ms of one session`, figures: times.map(median) },
      { what: `${what}: added by routing, ms`, figures: [undefined, ...added(times)], wanted: atMost(allowance) }
    )
  }
  return findings
}

/** The number of statements of a database, without those that begin and end transactions. */
const statementsOf = async (client: pg.Client): Promise<number> => {
  const { rows } = await client.query<{ readonly asked: number }>(
    `select coalesce(sum(s.calls), 0)::int as asked from pg_stat_statements s join pg_database d on d.oid = s.dbid
     where d.datname = current_database() and s.toplevel and s.query !~* '^(begin|commit|rollback|start)'`
  )
  return rows[0]?.asked ?? 0
}

export interface RoutingOptions {
  /** The first is a single Postgres. */
  readonly databases: ReadonlyArray<BenchDatabase>
  /** The same in all of them. */
  readonly accounts: ReadonlyArray<SampleAccount>
  readonly rounds: number
  readonly seconds: number
}

export const routingCosts = ({ accounts: samples, databases, rounds, seconds }: RoutingOptions) =>
  Effect.gen(function* () {
    const sessions = yield* Effect.acquireRelease(
      Effect.sync(() =>
        databases.map(({ url }) => {
          const connection = { connectionString: url }
          const options = { connection, size: 1, applicationName: "benchmark", spread: unknownCluster() }
          const reads = nodeReads(connection, 1)
          return { read: makePool({ ...options, readOnly: true, reads }), write: makePool(options), reads }
        })
      ),
      (sessions) =>
        Effect.promise(() =>
          Promise.all(sessions.flatMap(({ read, reads, write }) => [read.end(), write.end(), reads.close()]))
        )
    )
    const findings = [...(yield* Effect.promise(() => ofStatements(sessions, samples, rounds)))]
    for (const finding of findings) yield* Console.error(cellsOf(finding).join(" | "))

    const [plain] = databases
    const [account] = samples
    if (plain === undefined || account === undefined) return yield* Effect.dieMessage("There is no account.")
    const gateways = yield* Effect.forEach(databases, (database) => startGateway(database))
    const load = yield* startLoad()
    yield* Effect.promise(() => plain.client.query("create extension if not exists pg_stat_statements"))
    for (const call of calls) {
      const once = (subject: number, n: number) => {
        const sample = samples[n % samples.length] ?? account
        const gateway = gateways[subject]
        if (gateway === undefined) return Promise.resolve()
        const args = call.args(n, { ...sample, id: `one${subject}` })
        return Effect.runPromise(callTool(gateway, sample.token, call.tool, args)).then(({ body, status }) => {
          if (status !== 200) throw new Error(`${call.name} answers ${status}: ${body}`)
        })
      }
      const warmUp = samples.length * 6
      yield* Effect.promise(() => inTurns(warmUp, gateways.length, once))
      const before = yield* Effect.promise(() => statementsOf(plain.client))
      const times = yield* Effect.promise(() =>
        inTurns(rounds, gateways.length, (subject, round) => once(subject, warmUp + round))
      )
      const statements = Math.max(
        1,
        Math.round(((yield* Effect.promise(() => statementsOf(plain.client))) - before) / rounds)
      )
      findings.push(
        { what: `${call.name}, ms at 1 connection`, figures: times.map(median) },
        {
          what: `${call.name}: added to each of ${statements} statements, ms`,
          figures: [undefined, ...added(times).map((more) => more / statements)],
          wanted: atMost(allowance)
        }
      )
      const rates: Array<number> = []
      for (const [subject, { url }] of gateways.entries()) {
        const run = { ...account, id: `many${subject}` }
        const order = { url, token: account.token, call: call.name, connections: manyConnections, run }
        yield* load({ ...order, seconds: 0.5 })
        const result = yield* load({ ...order, seconds, run: { ...run, id: `more${subject}` } })
        if (result.failures > 0) {
          return yield* Effect.dieMessage(`${call.name}, ${subject}: ${JSON.stringify(result.reasons)}`)
        }
        rates.push(result.requestsPerSecond)
      }
      findings.push({ what: `${call.name}, answers/s at ${manyConnections} connections`, figures: rates })
      for (const finding of findings.slice(-3)) yield* Console.error(cellsOf(finding).join(" | "))
    }
    return findings
  }).pipe(Effect.scoped)
