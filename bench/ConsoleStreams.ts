import { createHash, randomBytes } from "node:crypto"
import { Agent, type ClientRequest, request } from "node:http"
import { NodeRuntime } from "@effect/platform-node"
import { Console, Effect } from "effect"
import { AccountId } from "../src/Services/Accounts/Ids.ts"
import { keyDigest, makeSessionKey } from "../src/Services/Console/SessionKey.ts"
import { type BenchDatabase, makeDatabase, startServer } from "./support/BenchDatabase.ts"
import { startGateway } from "./support/Gateway.ts"
import { conditions, figure, median, table } from "./support/Report.ts"
import { seedAccounts } from "./support/SampleLeads.ts"
import { processorMicros } from "./support/ServerProcess.ts"

/**
 * What a thousand open consoles cost the calls of others: the gateway's processor time for a call that reads, in interleaved pairs
 * without and with the consoles. The exit code is 1 if the median pair is more than 5 % dearer.
 */

const consoles = 1_000
/** As many streams as a token may have. */
const consolesPerToken = 20
const rounds = Number(process.env["BENCH_ROUNDS"] ?? 6)
const callsPerBlock = 3_000
const callsAtOnce = 8
/** Opening a thousand connections costs for a while. */
const settleSeconds = 4
const mostDearer = 1.05

/** Cookies of sessions, which are written to the database. Signing in is limited per address. */
const sessionCookies = async ({ client }: BenchDatabase, token: string): Promise<ReadonlyArray<string>> => {
  const hash = createHash("sha256").update(token).digest()
  const cookies: Array<string> = []
  const { rows } = await client.query<{ readonly account_id: string; readonly access_token_id: string }>(
    "select account_id, access_token_id from access_token where token_hash = $1",
    [hash]
  )
  const [row] = rows
  if (row === undefined) throw new Error("The token is not in the database.")
  for (let index = 0; index < consolesPerToken; index++) {
    const key = makeSessionKey(AccountId.make(Number(row.account_id)), undefined, randomBytes)
    await client.query(
      "insert into console_session (account_id, session_hash, access_token_id, token_hash) values ($1, $2, $3, $4)",
      [row.account_id, keyDigest(key), row.access_token_id, hash]
    )
    cookies.push(`__Secure-console=${key}`)
  }
  return cookies
}

/** An open console, which follows the events of its account. */
const openConsole = (url: string, cookie: string, agent: Agent): Promise<ClientRequest> =>
  new Promise((resolve, reject) => {
    const headers = { Cookie: cookie, "Sec-Fetch-Site": "same-origin" }
    const sent = request(`${url}/console/api/platform/v1/events`, { headers, agent }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`The stream was answered ${response.statusCode}.`))
      response.once("data", () => resolve(sent))
      response.resume()
    })
    // Streams are cut after each round.
    sent.on("error", reject)
    sent.end()
  })

const call = (url: string, token: string, agent: Agent): Promise<void> =>
  new Promise((resolve, reject) => {
    const headers = { Authorization: `Bearer ${token}` }
    request(`${url}/rest/v1/call/search_leads?page_size=20`, { headers, agent }, (response) => {
      response.resume()
      response.once("end", () =>
        response.statusCode === 200 ? resolve() : reject(new Error(`A call was answered ${response.statusCode}.`))
      )
    })
      .on("error", reject)
      .end()
  })

/** The gateway's microseconds for each of many calls. */
const microsPerCall = async (
  { pid, url }: { readonly pid: number; readonly url: string },
  token: string,
  agent: Agent
): Promise<number> => {
  const before = await processorMicros(pid)
  await Promise.all(
    Array.from({ length: callsAtOnce }, async () => {
      for (let index = 0; index < callsPerBlock / callsAtOnce; index++) await call(url, token, agent)
    })
  )
  return ((await processorMicros(pid)) - before) / callsPerBlock
}

const program = Effect.gen(function* () {
  const database = yield* makeDatabase(yield* startServer, "streams")
  const tokens = Array.from({ length: consoles / consolesPerToken }, (_, index) => ({
    name: `Consoles ${index}`,
    leads: 10
  }))
  const [caller, ...accounts] = yield* seedAccounts(database.client, [{ name: "Caller", leads: 1_000 }, ...tokens])
  if (caller === undefined) return yield* Effect.dieMessage("There is no account.")
  const cookies = yield* Effect.promise(async () => {
    const all: Array<ReadonlyArray<string>> = []
    for (const { token } of accounts) all.push(await sessionCookies(database, token))
    return all.flat()
  })
  const gateway = yield* startGateway(database)
  const agent = new Agent({ keepAlive: true, maxSockets: callsAtOnce })
  const pairs: Array<{ readonly without: number; readonly with: number }> = []
  yield* Effect.promise(() => microsPerCall(gateway, caller.token, agent))
  for (let round = 0; round < rounds; round++) {
    const without = yield* Effect.promise(() => microsPerCall(gateway, caller.token, agent))
    const streams = new Agent({ maxSockets: consoles })
    const open = yield* Effect.promise(() =>
      Promise.all(cookies.map((cookie) => openConsole(gateway.url, cookie, streams)))
    )
    yield* Effect.sleep(`${settleSeconds} seconds`)
    const withConsoles = yield* Effect.promise(() => microsPerCall(gateway, caller.token, agent))
    for (const one of open) one.on("error", () => undefined).destroy()
    yield* Effect.sleep(`${settleSeconds} seconds`)
    pairs.push({ without, with: withConsoles })
  }
  const ratios = pairs.map((pair) => pair.with / pair.without)
  yield* Console.log(
    `${conditions()}\n\n${table(
      ["µs of the gateway for a call", `without`, `with ${consoles} consoles`, "times"],
      pairs.map((pair, index) => [
        `pair ${index + 1}`,
        figure(pair.without),
        figure(pair.with),
        figure(ratios[index] ?? Number.NaN)
      ])
    )}\n\nmedian: ${figure(median(ratios))} times`
  )
  if (median(ratios) > mostDearer) process.exitCode = 1
}).pipe(Effect.scoped)

NodeRuntime.runMain(program)
