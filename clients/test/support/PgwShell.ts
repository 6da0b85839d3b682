import { spawn } from "node:child_process"
import { once } from "node:events"
import * as fs from "node:fs/promises"
import * as os from "node:os"
import * as path from "node:path"
import { setTimeout as pause } from "node:timers/promises"

const program = path.resolve(import.meta.dirname, "../../pgw/dist/pgw.js")

/** Longer than any step takes on a busy machine. */
const longestMillis = 120_000

export interface RunningProgram {
  /** What it has printed so far. */
  readonly stdout: () => string
  readonly stderr: () => string
  /** Both in the order of their arrival. */
  readonly output: () => string
  /** Waits until a text that it prints satisfies the check. */
  readonly until: (isReached: () => boolean, what: string) => Promise<void>
  /** Its exit code, when it has ended. */
  readonly ended: Promise<number | null>
  /** Ends it as Ctrl-C does. */
  readonly stop: () => Promise<void>
}

/** A person's home directory with `pgw` on the path. */
export const makePgwShell = async (variables: Readonly<Record<string, string>>) => {
  const home = await fs.mkdtemp(path.join(os.tmpdir(), "pgw-"))
  await fs.mkdir(path.join(home, "bin"))
  await fs.writeFile(path.join(home, "bin/pgw"), `#!/bin/sh\nexec "${process.execPath}" "${program}" "$@"\n`, {
    mode: 0o755
  })
  const env = { HOME: home, PATH: `${home}/bin:${process.env["PATH"]}`, ...variables }

  /** Runs a script in bash. */
  const start = (script: string): RunningProgram => {
    const child = spawn("bash", ["-c", script], { cwd: home, env, stdio: ["ignore", "pipe", "pipe"], detached: true })
    const texts = { stdout: "", stderr: "", output: "" }
    for (const name of ["stdout", "stderr"] as const) {
      child[name].on("data", (chunk: Buffer) => {
        texts[name] += chunk.toString("utf8")
        texts.output += chunk.toString("utf8")
      })
    }
    const closed = once(child, "close")
    const end = (signal: NodeJS.Signals) => {
      // The shell and what it started are one group.
      if (child.exitCode === null && child.pid !== undefined) process.kill(-child.pid, signal)
    }
    const timer = setTimeout(() => end("SIGKILL"), longestMillis)
    const ended = closed.then(() => {
      clearTimeout(timer)
      return child.exitCode
    })
    return {
      stdout: () => texts.stdout,
      stderr: () => texts.stderr,
      output: () => texts.output,
      ended,
      until: async (isReached, what) => {
        while (!isReached()) {
          if (child.exitCode !== null || child.signalCode !== null) {
            throw new Error(`It ended before ${what}:\n${texts.output}`)
          }
          await pause(50)
        }
      },
      stop: async () => {
        end("SIGINT")
        await ended
      }
    }
  }

  /** Runs a script to its end. */
  const run = async (script: string) => {
    const running = start(script)
    return { code: await running.ended, stdout: running.stdout(), stderr: running.stderr(), output: running.output() }
  }

  return { home, start, run, remove: () => fs.rm(home, { recursive: true, force: true }) }
}
