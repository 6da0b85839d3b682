import { type ChildProcess, spawn } from "node:child_process"
import { createInterface } from "node:readline"
import { Effect } from "effect"

/** Sends orders to separate processes as lines of JSON. Returns the signal that ended each. All end with the scope. */
export const orderedProcesses = (entry: string) =>
  Effect.gen(function* () {
    const children = new Set<ChildProcess>()
    yield* Effect.addFinalizer(() => Effect.sync(() => children.forEach((child) => child.kill("SIGKILL"))))
    return (order: object) =>
      Effect.promise(async () => {
        const child = spawn(process.execPath, [entry], { stdio: ["pipe", "ignore", "inherit"] })
        children.add(child)
        const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()))
        child.stdin.write(`${JSON.stringify(order)}\n`)
        await ended
        return child.signalCode
      })
  })

/** A separate process that answers each line with one line. It ends with the scope. */
export const talkingProcess = (entry: string) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(() => spawn(process.execPath, [entry], { stdio: ["pipe", "pipe", "inherit"] })),
      (child) => Effect.sync(() => child.kill("SIGKILL"))
    ),
    (child) => {
      const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
      return {
        ask: (line: string) =>
          Effect.promise(async () => {
            child.stdin.write(`${line}\n`)
            const answer = await lines.next()
            return answer.done === true ? "" : answer.value
          })
      }
    }
  )
