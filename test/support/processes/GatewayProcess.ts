import { type ChildProcess, spawn } from "node:child_process"
import * as fs from "node:fs/promises"
import * as net from "node:net"
import * as os from "node:os"
import * as path from "node:path"
import { type Duration, Effect, Schedule } from "effect"

/** The gateway as operators run it: a separate process with an embedded database. */
export interface GatewayProcess {
  readonly process: ChildProcess
  readonly baseUrl: string
  readonly output: () => string
}

export const freePort = Effect.async<number>((resume) => {
  const server = net.createServer()
  server.listen(0, "127.0.0.1", () => {
    const address = server.address()
    const port = address !== null && typeof address === "object" ? address.port : 0
    server.close(() => resume(Effect.succeed(port)))
  })
})

export const temporaryDirectory = Effect.acquireRelease(
  Effect.promise(() => fs.mkdtemp(path.join(os.tmpdir(), "gateway-main-"))),
  (directory) => Effect.promise(() => fs.rm(directory, { recursive: true, force: true, maxRetries: 5 }))
)

const exited = (child: ChildProcess) =>
  Effect.async<void>((resume) => {
    if (child.exitCode !== null || child.signalCode !== null) return resume(Effect.void)
    child.once("exit", () => resume(Effect.void))
  })

/** The program and its first arguments, before those of a command. */
export const gatewayCommand = [process.execPath, "launch/gateway.js"] as const

/** Starts the gateway and waits until it is ready. Closing the scope stops it and waits for its end. */
export const startGateway = (
  dataDir: string,
  environment: Readonly<Record<string, string>> = {},
  [program, ...args]: readonly [string, ...ReadonlyArray<string>] = [...gatewayCommand, "serve"]
) =>
  Effect.gen(function* () {
    const port = yield* freePort
    const child = spawn(program, args, {
      env: { PATH: process.env["PATH"], HOME: process.env["HOME"], DATA_DIR: dataDir, PORT: `${port}`, ...environment },
      stdio: ["ignore", "pipe", "pipe"]
    })
    let output = ""
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (chunk: Buffer) => {
        output = `${output}${chunk.toString("utf8")}`.slice(-20_000)
      })
    }
    const gateway: GatewayProcess = { process: child, baseUrl: `http://127.0.0.1:${port}`, output: () => output }
    yield* Effect.addFinalizer(() =>
      Effect.zipRight(
        Effect.sync(() => child.kill("SIGTERM")),
        exited(child)
      )
    )
    yield* Effect.promise(() =>
      fetch(`${gateway.baseUrl}/health/ready`).then(
        ({ status }) => status,
        () => 0
      )
    ).pipe(
      Effect.repeat({
        until: (status) => status === 200 || child.exitCode !== null,
        schedule: Schedule.spaced("100 millis")
      }),
      Effect.timeoutFail({ duration: "110 seconds", onTimeout: () => new Error(`not ready:\n${output}`) })
    )
    if (child.exitCode !== null) return yield* Effect.fail(new Error(`The gateway ended:\n${output}`))
    return gateway
  })

/** Repeats a request until the expected answer arrives, at most for `limit`. */
export const until =
  <A>(isExpected: (answer: A) => boolean, limit: Duration.DurationInput) =>
  <E, R>(ask: Effect.Effect<A, E, R>) =>
    ask.pipe(
      Effect.filterOrFail(isExpected, () => "not yet" as const),
      Effect.retry({ while: (error) => error === "not yet", schedule: Schedule.spaced("20 millis") }),
      Effect.timeout(limit)
    )

/** Kills the process as in a crash, and waits until it is gone. */
export const killHard = ({ process: child }: GatewayProcess) =>
  Effect.zipRight(
    Effect.sync(() => child.kill("SIGKILL")),
    exited(child)
  )

export const ownerToken = (dataDir: string) =>
  Effect.promise(async () => (await fs.readFile(path.join(dataDir, "owner-token"), "utf8")).trim())

/** Calls a tool of the running gateway. A refused connection has status 0. */
export const callOver = (gateway: GatewayProcess, token: string, tool: string, args: object = {}) =>
  Effect.promise(async (): Promise<{ readonly status: number; readonly body: Record<string, unknown> }> => {
    try {
      const response = await fetch(`${gateway.baseUrl}/rest/v1/tools/${tool}`, {
        method: "POST",
        headers: { Authorization: `Bearer ${token}` },
        body: JSON.stringify(args)
      })
      const body: unknown = await response.json()
      return { status: response.status, body: typeof body === "object" && body !== null ? { ...body } : {} }
    } catch {
      return { status: 0, body: {} }
    }
  })
