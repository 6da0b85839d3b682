import { constants } from "node:fs"
import { access, statfs } from "node:fs/promises"
import { createServer } from "node:net"
import * as path from "node:path"
import { Effect } from "effect"
import {
  type CheckResult,
  failed,
  judgeDiskSpace,
  passed,
  skipped,
  warning
} from "../../../Services/Core/Outside/CheckResult.ts"
import { at } from "../AnswerPaths.ts"
import { loadSettings } from "../Settings.ts"
import type { Check } from "./Check.ts"

const isThere = (file: string, mode: number): Promise<boolean> =>
  access(file, mode).then(
    () => true,
    () => false
  )

/** Returns the folder, or its nearest parent that exists. */
const nearestFolder = async (folder: string): Promise<string> => {
  const parent = path.dirname(folder)
  return parent === folder || (await isThere(folder, constants.F_OK)) ? folder : nearestFolder(parent)
}

/** Checks whether `DATA_DIR` can be written to, and how much space it has. */
export const checkDisk = (dataDir: string): Effect.Effect<CheckResult> =>
  Effect.promise(async () => {
    const folder = await nearestFolder(path.resolve(dataDir))
    if (!(await isThere(folder, constants.W_OK))) {
      return failed(
        `${folder} cannot be written to.`,
        `Make it writable for this user, or set DATA_DIR to another folder.`
      )
    }
    const { bavail, blocks, bsize } = await statfs(folder)
    return judgeDiskSpace(bavail * bsize, blocks * bsize, folder)
  })

const listenMillis = 5000

/** Returns the code of the error why the address cannot be listened on; undefined if it can. */
const listenProblem = (host: string, port: number) =>
  Effect.async<string | undefined>((resume) => {
    const server = createServer()
    server.once("error", (error: NodeJS.ErrnoException) => resume(Effect.succeed(error.code ?? error.name)))
    server.listen({ host, port, exclusive: true }, () => server.close(() => resume(Effect.succeed(undefined))))
    return Effect.sync(() => server.close())
  })

/** Returns the version of the gateway that listens on the port; undefined if another program has it. */
const gatewayVersion = (host: string, port: number): Effect.Effect<string | undefined> =>
  Effect.promise(async (signal) => {
    const name = host === "0.0.0.0" || host === "" ? "127.0.0.1" : host === "::" ? "[::1]" : host
    try {
      const response = await fetch(`http://${name}:${port}/health/live`, {
        signal: AbortSignal.any([signal, AbortSignal.timeout(listenMillis)])
      })
      const version = at(await response.json(), "server_version")
      return typeof version === "string" ? version : undefined
    } catch {
      return undefined
    }
  })

export const checkPort = (host: string, port: number, setting: string): Effect.Effect<CheckResult> =>
  Effect.gen(function* () {
    if (port === 0) return skipped(`${setting} is 0: a free port is chosen.`)
    const problem = yield* listenProblem(host, port)
    if (problem === undefined) return passed(`${host}:${port} is free.`)
    if (problem !== "EADDRINUSE") {
      return failed(
        `${host}:${port} cannot be listened on (${problem}).`,
        problem === "EACCES" ? `Set ${setting} to a port above 1023.` : "Check the address: this machine must have it."
      )
    }
    const version = yield* gatewayVersion(host, port)
    return version === undefined
      ? failed(`Another program listens on ${host}:${port}.`, `Stop it, or set ${setting} to another port.`)
      : passed(`A gateway (${version}) listens on ${host}:${port}.`)
  })

const portCheck = Effect.flatMap(loadSettings, ({ host, port }) => checkPort(host, port, "PORT"))

const operationsCheck = Effect.flatMap(loadSettings, ({ host, operations, operationsToken }) => {
  if (operations !== undefined) return checkPort(operations.host, operations.port, "OPERATIONS_PORT")
  const isPublic = !/^(127\.|localhost$|::1$)/.test(host)
  return Effect.succeed(
    isPublic && operationsToken._tag === "None"
      ? warning(
          "Anyone who reaches the gateway can read its metrics.",
          "Set OPERATIONS_PORT to a separate port, or OPERATIONS_TOKEN."
        )
      : skipped("OPERATIONS_PORT is not set: metrics are on PORT.")
  )
})

export const machineChecks: ReadonlyArray<Check> = [
  { name: "disk", run: Effect.flatMap(loadSettings, ({ dataDir }) => checkDisk(dataDir)) },
  { name: "port", run: portCheck },
  { name: "port.operations", run: operationsCheck }
]
