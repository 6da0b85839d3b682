import { type ChildProcess, spawn } from "node:child_process"
import { randomUUID } from "node:crypto"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import pg from "pg"
import { freePorts, isOk, until } from "../support/LocalPrograms.ts"
import { installedPrograms, postgresServers } from "../support/PostgresServer.ts"

/**
 * Writes with idempotency keys to three gateways of one database, while gateways and the database are killed. Each write
 * is repeated with its key until it is answered with 200, some are sent twice at once, and some are repeated afterwards.
 * Each must have been done once, and each answer to the same key must have the same bytes.
 */

const writes = Number(process.env["WRITES"] ?? 100_000)
const secondsBetweenKills = Number(process.env["SECONDS_BETWEEN_KILLS"] ?? 10)
const gateways = 3
const writers = 32
/** Of so many kills, one ends the database instead of a gateway. */
const killsPerDatabase = 4
const shareSentTwice = 0.1
const shareRepeated = 0.1
const longestTry = 20_000
const mostTries = 2000

interface Answer {
  readonly status: number
  readonly text: string
  readonly isReplayed: boolean
}

const noAnswer: Answer = { status: 0, text: "", isReplayed: false }

const root = new URL("../../", import.meta.url).pathname
const directory = fs.mkdtempSync(path.join(os.tmpdir(), "gateway-keys-"))
const servers = postgresServers(installedPrograms())
const firstPort = await freePorts(gateways + 1)
const database = servers.start("keys", firstPort + gateways, "max_connections = 200\n")
const databaseUrl = `postgres://postgres@127.0.0.1:${firstPort + gateways}/postgres`

const startGateway = (index: number): ChildProcess =>
  spawn(process.execPath, ["launch/gateway.js", "serve"], {
    cwd: root,
    env: {
      ...process.env,
      NODE_ENV: "production",
      LOG_LEVEL: "ERROR",
      DATA_DIR: path.join(directory, "data"),
      DATABASE_URL: databaseUrl,
      PORT: String(firstPort + index)
    },
    stdio: ["ignore", "ignore", "inherit"]
  })

const isLive = (index: number) => isOk(`http://127.0.0.1:${firstPort + index}/health/ready`)

const running = [startGateway(0)]
await until("the first gateway", isLive(0))
for (let index = 1; index < gateways; index++) running.push(startGateway(index))
for (let index = 1; index < gateways; index++) await until(`gateway ${index}`, isLive(index))
const token = fs.readFileSync(path.join(directory, "data", "owner-token"), "utf8").trim()

const counts = { kills: 0, databaseKills: 0, tries: 0, unanswered: 0, refusedForNow: 0, replayed: 0 }
const faults: Array<string> = []
const fault = (text: string): void => {
  faults.push(text)
  console.error(text)
}

const send = async (key: string, number: number): Promise<Answer> => {
  counts.tries++
  const port = firstPort + Math.floor(Math.random() * gateways)
  try {
    const response = await fetch(`http://127.0.0.1:${port}/rest/v1/tools/register_lead`, {
      method: "POST",
      headers: { Authorization: `Bearer ${token}`, "Idempotency-Key": key },
      body: JSON.stringify({ name: `Lead ${number}`, email: `lead${number}@keys.example` }),
      signal: AbortSignal.timeout(longestTry)
    })
    const isReplayed = response.headers.get("idempotency-replayed") === "true"
    return { status: response.status, text: await response.text(), isReplayed }
  } catch {
    return noAnswer
  }
}

/** Statuses after which the same call is to be sent again: no answer, still running, too many, unavailable. */
const again = new Set([0, 409, 429, 500, 503])

const write = async (number: number): Promise<void> => {
  const key = randomUUID()
  const answers: Array<Answer> = []
  const sendUntilDone = async (): Promise<void> => {
    for (let tries = 0; tries < mostTries; tries++) {
      const answer = await send(key, number)
      if (answer.status === 200) {
        answers.push(answer)
        return
      }
      if (answer.status === 0) counts.unanswered++
      else counts.refusedForNow++
      if (!again.has(answer.status)) {
        fault(`lead ${number}: ${answer.status} ${answer.text.slice(0, 300)}`)
        return
      }
      await pause(50 + Math.random() * 100)
    }
    fault(`lead ${number}: no answer after ${mostTries} tries`)
  }
  await Promise.all(Math.random() < shareSentTwice ? [sendUntilDone(), sendUntilDone()] : [sendUntilDone()])
  if (Math.random() < shareRepeated) await sendUntilDone()
  const [first] = answers
  for (const answer of answers) {
    if (answer.isReplayed) counts.replayed++
    if (answer.text !== first?.text) fault(`lead ${number}: ${answer.text} is not ${first?.text}`)
  }
  if (answers.filter(({ isReplayed }) => !isReplayed).length > 1) fault(`lead ${number}: was done twice`)
}

let isOver = false

const killInTurn = async (): Promise<void> => {
  for (let turn = 1; ; turn++) {
    await pause(secondsBetweenKills * 1000)
    if (isOver) return
    if (turn % killsPerDatabase === 0) {
      counts.databaseKills++
      database.kill()
      await database.startAgain()
    } else {
      counts.kills++
      const index = turn % gateways
      running[index]?.kill("SIGKILL")
      running[index] = startGateway(index)
      await until(`gateway ${index}`, isLive(index))
    }
  }
}

const began = performance.now()
const killing = killInTurn()
let next = 0
let done = 0
await Promise.all(
  Array.from({ length: writers }, async () => {
    while (next < writes) {
      await write(next++)
      if (++done % 10_000 === 0) console.error(`${done} writes`, JSON.stringify(counts))
    }
  })
)
isOver = true
await killing

const client = new pg.Client({ connectionString: databaseUrl })
await client.connect()
const { rows } = await client.query<{ readonly leads: string; readonly different: string }>(
  "select count(*) as leads, count(distinct email) as different from lead where email like 'lead%@keys.example'"
)
await client.end()
const [{ different, leads } = { leads: "0", different: "0" }] = rows
if (Number(leads) !== writes || Number(different) !== writes) fault(`${leads} leads, ${different} different`)
for (const child of running) child.kill("SIGKILL")
servers.stop()
fs.rmSync(directory, { recursive: true, force: true })
console.log(
  `${writes} writes with keys in ${Math.round((performance.now() - began) / 1000)} s, ${leads} leads, ${faults.length} faults; ${JSON.stringify(counts)}`
)
process.exit(faults.length === 0 ? 0 : 1)
