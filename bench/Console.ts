import { execFile } from "node:child_process"
import { promisify } from "node:util"
import { NodeRuntime } from "@effect/platform-node"
import { Console, Effect } from "effect"
import { makeDatabase, startServer } from "./support/BenchDatabase.ts"
import { launchBrowser, newcomer, settled, signedInCookie, type Timing } from "./support/ConsoleReader.ts"
import { startGateway } from "./support/Gateway.ts"
import { conditions, figure, median, percentile95, table } from "./support/Report.ts"

/**
 * How long the console takes in Debian's Chromium, over a sample account with months of history: the first view with the
 * processor slowed four times, and each screen after a click on its link. The exit code is 1 if a limit is missed.
 */

const rounds = Number(process.env["BENCH_ROUNDS"] ?? 10)
const slowing = 4
/** Milliseconds. */
const firstViewLimit = 1_000
const screenLimit = 300

/** The names of the links, in the order of the clicks. The first view is the screen of today, so that its link comes last. */
const screens = [
  "Inbox",
  "Leads",
  "Meetings",
  "Campaigns",
  "Reports",
  "Content",
  "Knowledge",
  "Simulation",
  "Jobs",
  "Developers",
  "Settings",
  "Today"
]

/** Makes the sample account, and returns its token. */
const sampleToken = (databaseUrl: string) =>
  Effect.promise(async () => {
    const size = ["--days", process.env["BENCH_DAYS"] ?? "30", "--contacted", process.env["BENCH_CONTACTED"] ?? "150"]
    const { stdout } = await promisify(execFile)(process.execPath, ["launch/gateway.js", "sample", ...size], {
      env: { ...process.env, LOG_LEVEL: "WARN", DATABASE_URL: databaseUrl }
    })
    const token = /^pgw_\S+$/m.exec(stdout)?.[0]
    if (token === undefined) throw new Error(`The sample has no token:\n${stdout}`)
    return token
  })

interface Judged {
  readonly name: string
  readonly limit: number
  readonly timings: ReadonlyArray<Timing>
}

const lineOf = ({ limit, name, timings }: Judged) => {
  const millis = timings.map((timing) => timing.millis)
  return [
    name,
    figure(median(timings.map(({ heading }) => heading))),
    figure(median(millis)),
    figure(percentile95(millis)),
    String(limit),
    figure(median(timings.map(({ calls }) => calls))),
    percentile95(millis) <= limit ? "held" : "MISSED"
  ]
}

/** Everything that one newcomer sees: a slowed first view, and a walk through all screens at full speed. */
const measure = (origin: string, token: string) =>
  Effect.gen(function* () {
    const browser = yield* Effect.acquireRelease(Effect.promise(launchBrowser), (running) =>
      Effect.promise(() => running.close())
    )
    return yield* Effect.promise(async (): Promise<ReadonlyArray<Judged>> => {
      const cookie = await signedInCookie(browser, origin, token)
      const firstViews: Array<Timing> = []
      const clicks = new Map<string, Array<Timing>>(screens.map((name) => [name, []]))
      // The first round warms the gateway up, and counts for nothing.
      for (let round = 0; round <= rounds; round++) {
        const slow = await newcomer(browser, { origin, cookie, slowing })
        await slow.goto(`${origin}/console/`)
        const first = await settled(slow)
        await slow.context().close()
        if (round > 0) firstViews.push(first)

        const page = await newcomer(browser, { origin, cookie, slowing: 1 })
        await page.goto(`${origin}/console/`)
        await settled(page)
        for (const name of screens) {
          await page.getByRole("link", { name, exact: true }).first().click()
          const timing = await settled(page)
          if (round > 0) clicks.get(name)?.push(timing)
        }
        await page.context().close()
      }
      return [
        { name: `first view, processor ÷ ${slowing}`, limit: firstViewLimit, timings: firstViews },
        ...[...clicks].map(([name, timings]) => ({ name, limit: screenLimit, timings }))
      ]
    })
  })

/** A gateway of this run, or one that runs already at `CONSOLE_URL` with an account whose token is `CONSOLE_TOKEN`. */
const gatewayToMeasure = Effect.gen(function* () {
  const running = process.env["CONSOLE_URL"]
  if (running !== undefined) return { url: running, token: process.env["CONSOLE_TOKEN"] ?? "" }
  const server = yield* startServer
  const database = yield* makeDatabase(server, "console")
  yield* Console.error("the sample account is being made")
  const token = yield* sampleToken(database.url)
  const { url } = yield* startGateway(database)
  return { url, token }
})

const program = Effect.gen(function* () {
  const { token, url } = yield* gatewayToMeasure
  const judged = yield* measure(url, token)
  yield* Console.log(
    [
      conditions(),
      "",
      table(
        ["milliseconds until it is complete", "heading", "median", "p95", "limit of p95", "calls", ""],
        judged.map(lineOf)
      )
    ].join("\n")
  )
  const isMissed = judged.some(({ limit, timings }) => percentile95(timings.map(({ millis }) => millis)) > limit)
  if (isMissed) process.exitCode = 1
})

NodeRuntime.runMain(Effect.scoped(program))
