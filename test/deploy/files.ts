import { spawnSync } from "node:child_process"
import * as fs from "node:fs"
import * as path from "node:path"
import { parseAllDocuments } from "yaml"
import { settingList } from "../../src/Layers/Platform/SettingSources.ts"

export const root = path.resolve(import.meta.dirname, "../..")

export const textOf = (file: string): string => fs.readFileSync(path.join(root, file), "utf8")

export const isThere = (file: string): boolean => fs.existsSync(path.join(root, file))

/** The documents of a YAML file. Fails on duplicate keys and other faults. */
export const yamlOf = (file: string): ReadonlyArray<unknown> =>
  parseAllDocuments(textOf(file)).map((document) => {
    if (document.errors.length > 0) throw new Error(`${file}: ${document.errors.join(" ")}`)
    return document.toJS() as unknown
  })

/** The value at a path of names and positions; undefined if there is none. */
export const at = (value: unknown, ...steps: ReadonlyArray<string | number>): unknown =>
  steps.reduce<unknown>(
    (parent, step) =>
      typeof parent === "object" && parent !== null ? (Reflect.get(parent, step) as unknown) : undefined,
    value
  )

export const entriesOf = (value: unknown): ReadonlyArray<readonly [string, unknown]> =>
  typeof value === "object" && value !== null ? Object.entries(value) : []

export const listOf = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])

const settingNames = new Set(settingList.flatMap(({ isSecret, name }) => (isSecret ? [name, `${name}_FILE`] : [name])))

/** Variables that no setting reads. `NODE_ENV` is one of Node's packages. */
export const unknownSettings = (names: ReadonlyArray<string>): ReadonlyArray<string> =>
  names.filter((name) => !settingNames.has(name) && name !== "NODE_ENV")

/** Whether a program is installed. Tests that need one are skipped by name without it. */
export const hasProgram = (program: string, ...args: ReadonlyArray<string>): boolean =>
  spawnSync(program, args.length === 0 ? ["--version"] : args, { stdio: "ignore" }).error === undefined

/** The code and the whole output of a program. */
export const judge = (
  program: string,
  args: ReadonlyArray<string>,
  environment: Readonly<Record<string, string>> = {}
) => {
  const { status, stderr, stdout } = spawnSync(program, args, {
    cwd: root,
    encoding: "utf8",
    timeout: 60_000,
    env: { PATH: process.env["PATH"], HOME: process.env["HOME"], ...environment }
  })
  return { code: status, output: `${stdout}${stderr}` }
}
