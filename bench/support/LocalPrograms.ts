import { type ChildProcess, spawn } from "node:child_process"
import * as fs from "node:fs"
import { createServer } from "node:net"
import * as path from "node:path"
import { setTimeout as pause } from "node:timers/promises"

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const probe = createServer()
    probe.once("error", () => resolve(false))
    probe.listen(port, "127.0.0.1", () => probe.close(() => resolve(true)))
  })

/** The first of so many ports in a row that no program uses. */
export const freePorts = async (count: number): Promise<number> => {
  for (let first = 21_000 + (process.pid % 1000); ; first += 16) {
    const tries = await Promise.all(Array.from({ length: count }, (_, at) => isFree(first + at)))
    if (tries.every(Boolean)) return first
  }
}

/** Waits until it is so, and fails after some time. A failure counts as not yet. */
export const until = async (name: string, isSo: () => Promise<boolean>, seconds = 120): Promise<void> => {
  const end = Date.now() + seconds * 1000
  while (Date.now() < end) {
    if (await isSo().catch(() => false)) return
    await pause(200)
  }
  throw new Error(`${name}: not within ${seconds} seconds`)
}

export const isOk = (url: string) => async () => (await fetch(url)).ok

/** Programs of a check, whose output goes to files of `directory`. */
export const localPrograms = (directory: string, root: string) => {
  const children: Array<ChildProcess> = []
  return {
    start: (program: string, args: ReadonlyArray<string>, environment: Readonly<Record<string, string>> = {}) => {
      const log = fs.openSync(path.join(directory, `${path.basename(program)}.log`), "a")
      const child = spawn(program, [...args], {
        cwd: root,
        env: { PATH: process.env["PATH"], HOME: directory, ...environment },
        stdio: ["ignore", log, log]
      })
      children.push(child)
      return child
    },
    /** Stops them, the newest first. */
    stop: async () => {
      for (const child of children.reverse()) {
        if (child.exitCode !== null || child.signalCode !== null) continue
        child.kill("SIGTERM")
        await new Promise((resolve) => child.once("exit", resolve))
      }
    }
  }
}
