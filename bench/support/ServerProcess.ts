import { type ChildProcess, spawn } from "node:child_process"
import * as fs from "node:fs/promises"
import { createServer } from "node:net"
import { Effect, Schedule } from "effect"

/** A server under test, in a process of its own. */
export interface ServerProcess {
  readonly name: string
  readonly pid: number
  readonly url: string
}

const freePort = Effect.async<number>((resume) => {
  const probe = createServer()
  probe.listen(0, "127.0.0.1", () => {
    const address = probe.address()
    probe.close(() => resume(Effect.succeed(address !== null && typeof address === "object" ? address.port : 0)))
  })
})

const stop = (child: ChildProcess) =>
  Effect.async<void>((resume) => {
    if (child.exitCode !== null || child.signalCode !== null) return resume(Effect.void)
    child.once("exit", () => resume(Effect.void))
    child.kill("SIGTERM")
  }).pipe(Effect.timeoutOption("30 seconds"), Effect.zipRight(Effect.sync(() => child.kill("SIGKILL"))))

interface ServerOptions {
  readonly name: string
  /** As `node` takes them. */
  readonly args: ReadonlyArray<string>
  /** Beside `PORT`. */
  readonly env: Readonly<Record<string, string>>
}

/** Starts a server that listens on `PORT` and answers `/health/live`, for as long as the scope is open. */
export const startProcess = ({ args, env, name }: ServerOptions) =>
  Effect.gen(function* () {
    const port = yield* freePort
    const child = yield* Effect.acquireRelease(
      Effect.sync(() =>
        spawn(process.execPath, args, {
          env: { ...process.env, NODE_ENV: "production", ...env, PORT: String(port) },
          stdio: ["ignore", "ignore", "inherit"]
        })
      ),
      stop
    )
    const url = `http://127.0.0.1:${port}`
    yield* Effect.tryPromise(async () => {
      if (child.exitCode !== null) return
      const { ok } = await fetch(`${url}/health/live`)
      if (!ok) throw new Error(`${name} is not live`)
    }).pipe(Effect.retry(Schedule.spaced("50 millis").pipe(Schedule.upTo("180 seconds"))), Effect.orDie)
    if (child.exitCode !== null || child.pid === undefined) {
      return yield* Effect.dieMessage(`${name} ended before it listened`)
    }
    return { name, pid: child.pid, url } satisfies ServerProcess
  })

const microsPerTick = 10_000

/** Processor time that a process has used, in microseconds; 0 for one that has ended. Linux only. */
export const processorMicros = async (pid: number): Promise<number> => {
  const stat = await fs.readFile(`/proc/${pid}/stat`, "utf8").catch(() => "")
  // What stands in brackets is the program's name, which may have blanks in it.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) * microsPerTick
}

const memoryOf = async (pid: number, kind: "VmHWM" | "VmRSS"): Promise<number> => {
  const status = await fs.readFile(`/proc/${pid}/status`, "utf8")
  return Number(new RegExp(`${kind}:\\s+(\\d+) kB`).exec(status)?.[1] ?? Number.NaN) * 1024
}

/** The most memory that a process has had resident, in bytes. Linux only. */
export const peakResidentBytes = (pid: number): Promise<number> => memoryOf(pid, "VmHWM")

/** What it has resident now. */
export const residentBytes = (pid: number): Promise<number> => memoryOf(pid, "VmRSS")
