import { setTimeout as pause } from "node:timers/promises"
import type pg from "pg"
import { pathOf } from "../support/CallsUnderTest.ts"
import type { PostgresServer } from "../support/PostgresServer.ts"
import { median } from "../support/Report.ts"
import type { SampleAccount } from "../support/SampleLeads.ts"
import { workerOf } from "./Balance.ts"
import { dueOf, makeDue, writtenOf } from "./Contacts.ts"
import { atMost, exactly, type Finding, ofFour } from "./Finding.ts"

/** The effects on callers while a shard is moved and while a worker is down. */

interface PlacedAccount extends SampleAccount {
  /** The port of its worker. */
  readonly worker: number
}

interface Answer {
  readonly account: PlacedAccount
  readonly tool: string
  readonly status: number
  readonly isAskedToRepeat: boolean
  readonly at: number
  readonly took: number
  readonly body: string
}

/** Milliseconds until a refused caller tries again. */
const pauseAfterRefusal = 50
const quietSeconds = 3
const goneSeconds = 15
/** Seconds from the kill of a worker until leads become due. */
const dueSeconds = 3
/** Milliseconds within which leads that became due during the outage must get their message. */
const longestCatchUp = 60_000
/** Milliseconds within which a restarted worker must be used again. */
const longestReturn = 10_000

export const placed = async (
  client: pg.Client,
  accounts: ReadonlyArray<SampleAccount>
): Promise<ReadonlyArray<PlacedAccount>> => {
  const placedAccounts: Array<PlacedAccount> = []
  for (const account of accounts) placedAccounts.push({ ...account, worker: await workerOf(client, account.accountId) })
  return placedAccounts
}

const callsOf = (account: PlacedAccount, n: number): readonly [tool: string, args: object] => {
  const lead_id = account.firstLeadId + (n % account.leads)
  switch (n % 4) {
    case 0:
      return ["get_lead", { lead_id }]
    case 1:
      return ["register_lead", { name: `Novo ${n}`, email: `novo.${n}.${account.accountId}@novo.example` }]
    case 2:
      return ["search_leads", { page_size: 20 }]
    default:
      return ["update_lead", { lead_id, background: `Seen as number ${n}` }]
  }
}

/** One caller per account. Each call follows the answer to the one before. */
const startCallers = (url: string, accounts: ReadonlyArray<PlacedAccount>, first: number) => {
  const answers: Array<Answer> = []
  let isOver = false
  const callers = accounts.map(async (account) => {
    for (let n = first; !isOver; n++) {
      const [tool, args] = callsOf(account, n)
      const at = performance.now()
      const response = await fetch(`${url}${pathOf(tool)}`, {
        method: "POST",
        headers: { authorization: `Bearer ${account.token}` },
        body: JSON.stringify(args)
      })
      const body = await response.text()
      const isAskedToRepeat = Number(response.headers.get("retry-after")) > 0
      const answer = { account, tool, status: response.status, isAskedToRepeat, at, body: body.slice(0, 300) }
      answers.push({ ...answer, took: performance.now() - at })
      if (response.status !== 200) await pause(pauseAfterRefusal)
    }
  })
  return {
    answers,
    stop: async () => {
      isOver = true
      await Promise.all(callers)
    }
  }
}

const tell = (what: string, answers: ReadonlyArray<Answer>): void => {
  const kinds = new Map<string, number>()
  for (const { account, body, status, tool } of answers) {
    const kind = `${status} ${tool} of ${account.worker}: ${body.slice(0, 160)}`
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
  }
  for (const [kind, number] of [...kinds].slice(0, 12)) console.error(`${what}: ${number} × ${kind}`)
}

const longestOf = (answers: ReadonlyArray<Answer>): number => Math.max(0, ...answers.map(({ took }) => took))
const usualOf = (answers: ReadonlyArray<Answer>): number => median(answers.map(({ took }) => took))
const isRefused = ({ status }: Answer): boolean => status !== 200

/** Moves the shard of the first of `accounts` to another worker while all of them make calls. */
export const moveWhileCalled = async (
  client: pg.Client,
  url: string,
  accounts: ReadonlyArray<PlacedAccount>
): Promise<ReadonlyArray<Finding>> => {
  const [moved] = accounts
  const target = accounts.find(({ worker }) => worker !== moved?.worker)
  if (moved === undefined || target === undefined) throw new Error("All accounts are on one worker.")
  const { answers, stop } = startCallers(url, accounts, 0)
  await pause(quietSeconds * 1000)
  const began = performance.now()
  try {
    await client.query(
      `select citus_move_shard_placement(get_shard_id_for_distribution_column('lead', $1::bigint), n.nodename, n.nodeport,
         t.nodename, t.nodeport, 'force_logical')
       from pg_dist_node n, pg_dist_node t where n.nodeport = $2 and t.nodeport = $3`,
      [moved.accountId, moved.worker, target.worker]
    )
  } finally {
    await stop()
  }
  const ended = performance.now()
  const before = answers.filter(({ at }) => at < began)
  const during = answers.filter(({ at }) => at >= began)
  const refused = answers.filter(isRefused)
  tell("while a shard is moved", refused)
  const isOnShard = (await workerOf(client, moved.accountId)) === target.worker
  const ofMoved = during.filter(({ account }) => account === moved)
  return [
    ofFour("a shard moved while calls go on, s", (ended - began) / 1000),
    ofFour("shards that are where they were moved to", isOnShard ? 1 : 0, exactly(1)),
    ofFour("calls meanwhile", during.length),
    ofFour("calls that failed", refused.length, exactly(0)),
    ofFour("p50 of calls before, ms", usualOf(before)),
    ofFour("p50 of calls meanwhile, ms", usualOf(during)),
    ofFour("longest call of the moved account, ms", longestOf(ofMoved)),
    ofFour("longest call of the others, ms", longestOf(during.filter(({ account }) => account !== moved)))
  ]
}

/**
 * Kills a worker while all `accounts` make calls and leads of the `contacting` ones become due, and starts it again.
 */
export const loseWorker = async (
  client: pg.Client,
  worker: PostgresServer,
  url: string,
  accounts: ReadonlyArray<PlacedAccount>,
  contacting: ReadonlyArray<PlacedAccount>
): Promise<ReadonlyArray<Finding>> => {
  const { answers, stop } = startCallers(url, accounts, 1_000_000)
  await pause(quietSeconds * 1000)
  await makeDue(client, contacting, dueSeconds)
  const killedAt = performance.now()
  worker.kill()
  await pause(goneSeconds * 1000)
  const [cutOff, reached] = [true, false].map((isLost) =>
    contacting.filter((account) => (account.worker === worker.port) === isLost)
  )
  if (cutOff === undefined || reached === undefined) throw new Error("No account contacts anybody.")
  const longAfter = performance.now() + longestCatchUp
  while ((await writtenOf(client, reached)) < dueOf(reached) && performance.now() < longAfter) await pause(100)
  const writtenAfter = (performance.now() - killedAt) / 1000
  const writtenMeanwhile = await writtenOf(client, reached)
  const startedAt = performance.now()
  await worker.startAgain()
  const backAt = performance.now()
  const isBack = (account: PlacedAccount) =>
    answers.some((answer) => answer.account === account && answer.at > startedAt && answer.status === 200)
  const lost = accounts.filter((account) => account.worker === worker.port)
  while (!lost.every(isBack) && performance.now() < backAt + 3 * longestReturn) await pause(50)
  const returnedAt = performance.now()
  await pause(quietSeconds * 1000)
  await stop()
  while ((await writtenOf(client, cutOff)) < dueOf(cutOff) && performance.now() < returnedAt + longestCatchUp) {
    await pause(100)
  }
  const writtenAfterwards = await writtenOf(client, cutOff)
  const away = answers.filter(({ account, at }) => at > killedAt && at < startedAt && account.worker === worker.port)
  // A caller that waits for the worker when it is killed gets no answer either.
  const others = answers.filter(({ account }) => account.worker !== worker.port)
  // Calls in progress when the worker was killed may have been answered.
  const isGood = ({ isAskedToRepeat, status }: Answer) => status === 200 || (status === 503 && isAskedToRepeat)
  const wrong = away.filter((answer) => !isGood(answer))
  const afterwards = answers.filter(({ at }) => at > returnedAt)
  tell("of the lost worker", wrong)
  tell("of the other workers", others.filter(isRefused))
  tell("after it was back", afterwards.filter(isRefused))
  return [
    ofFour("calls to a killed worker's accounts", away.length),
    ofFour("of them refused without 503 and Retry-After", wrong.length, exactly(0)),
    ofFour("longest of them, ms", longestOf(away)),
    ofFour("calls of other accounts in all", others.length),
    ofFour("of them failed", others.filter(isRefused).length, exactly(0)),
    ofFour("longest of them, ms", longestOf(others)),
    ofFour("until its accounts are answered again, ms", returnedAt - backAt, atMost(longestReturn)),
    ofFour("calls that failed after that", afterwards.filter(isRefused).length, exactly(0)),
    ofFour(
      "leads of other accounts that came due and were written to meanwhile",
      writtenMeanwhile,
      exactly(dueOf(reached))
    ),
    ofFour("the last of them so long after the kill, s", writtenAfter),
    ofFour("its accounts' leads that were written to afterwards", writtenAfterwards, exactly(dueOf(cutOff)))
  ]
}
