import { spawn } from "node:child_process"
import { once } from "node:events"
import * as fs from "node:fs/promises"
import * as net from "node:net"
import * as os from "node:os"
import * as path from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import type { TestProject } from "vitest/node"
import { Gateway } from "../../typescript/src/index.ts"
import { fillAccount } from "./fillAccount.ts"

declare module "vitest" {
  interface ProvidedContext {
    readonly gateway: {
      readonly url: string
      readonly token: string
      /** Where its data is, for commands of the operator. */
      readonly directory: string
    }
  }
}

const root = path.resolve(import.meta.dirname, "../../..")

export const freePort = async (): Promise<number> => {
  const server = net.createServer().listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  server.close()
  return address !== null && typeof address === "object" ? address.port : 0
}

const isReady = async (url: string): Promise<boolean> => {
  try {
    return (await fetch(`${url}/health/ready`)).ok
  } catch {
    return false
  }
}

/** A first start compiles the gateway, which takes a while on a busy machine. */
const mostWaits = 3_000

/** One gateway for all tests, as an operator runs it: a separate process with its own database. */
export default async ({ provide }: TestProject) => {
  const directory = await fs.mkdtemp(path.join(os.tmpdir(), "gateway-clients-"))
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const gateway = spawn(process.execPath, ["launch/gateway.js", "serve"], {
    cwd: root,
    env: {
      PATH: process.env["PATH"],
      HOME: process.env["HOME"],
      DATA_DIR: directory,
      PORT: `${port}`,
      OUTBOUND_ALLOW_LOOPBACK: "true"
    },
    stdio: ["ignore", "ignore", "pipe"]
  })
  let complaints = ""
  gateway.stderr.on("data", (chunk: Buffer) => {
    complaints = `${complaints}${chunk.toString("utf8")}`.slice(-5_000)
  })
  for (let wait = 0; !(await isReady(url)); wait++) {
    if (gateway.exitCode !== null || wait > mostWaits) {
      gateway.kill("SIGKILL")
      throw new Error(`The gateway did not start:\n${complaints}`)
    }
    await pause(100)
  }
  const token = (await fs.readFile(path.join(directory, "owner-token"), "utf8")).trim()
  await fillAccount(new Gateway({ url, token }))
  provide("gateway", { url, token, directory })
  return async () => {
    gateway.kill("SIGTERM")
    if (gateway.exitCode === null) await once(gateway, "exit")
    await fs.rm(directory, { recursive: true, force: true, maxRetries: 5 })
  }
}
