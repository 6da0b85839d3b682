import { type ChildProcess, spawn } from "node:child_process"
import * as fs from "node:fs/promises"
import { createServer } from "node:net"
import { Effect, Schedule } from "effect"

/** A server under test, in a separate process. */
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
  /** Arguments of `node`. */
  readonly args: ReadonlyArray<string>
  /** In addition to `PORT`. */
  readonly env: Readonly<Record<string, string>>
}

/** Starts a server that listens on `PORT` and answers `/health/live`, while the scope is open. */
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

/** Processor time of a process in microseconds; 0 if it has ended. Linux only. */
export const processorMicros = async (pid: number): Promise<number> => {
  const stat = await fs.readFile(`/proc/${pid}/stat`, "utf8").catch(() => "")
  // The text in brackets is the program's name, which may contain blanks.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) * microsPerTick
}

const memoryOf = async (pid: number, kind: "VmHWM" | "VmRSS"): Promise<number> => {
  const status = await fs.readFile(`/proc/${pid}/status`, "utf8")
  return Number(new RegExp(`${kind}:\\s+(\\d+) kB`).exec(status)?.[1] ?? Number.NaN) * 1024
}

/** The peak resident memory of a process in bytes. Linux only. */
export const peakResidentBytes = (pid: number): Promise<number> => memoryOf(pid, "VmHWM")

/** The current resident memory. */
export const residentBytes = (pid: number): Promise<number> => memoryOf(pid, "VmRSS")
