import { execFile } from "node:child_process"
import * as path from "node:path"
import { promisify } from "node:util"

const run = promisify(execFile)
const root = path.resolve(import.meta.dirname, "../../..")

const gateway = async (directory: string, args: ReadonlyArray<string>): Promise<string> => {
  const { stdout } = await run(process.execPath, ["launch/gateway.js", ...args], {
    cwd: root,
    env: { PATH: process.env["PATH"], HOME: process.env["HOME"], DATA_DIR: directory, LOG_LEVEL: "OFF" }
  })
  return stdout
}

const matchOf = (pattern: RegExp, text: string): string => {
  const match = pattern.exec(text)?.[0]
  if (match === undefined) throw new Error(`Unexpected output:\n${text}`)
  return match
}

/** Makes an account on the running gateway, as its operator does, and returns its token. */
export const makeAccount = async (directory: string, name: string): Promise<string> => {
  const created = await gateway(directory, ["account", "create", "--name", name, "--plan", "paid"])
  const account = matchOf(/\d+/, created)
  return matchOf(/pgw_\S+/, await gateway(directory, ["token", "create", "--account", account, "--label", name]))
}
