import { execFile } from "node:child_process"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { gatewayCommand } from "../processes/GatewayProcess.ts"

interface Ended {
  readonly code: number
  readonly output: string
  readonly errors: string
}

export type BackupEnvironment = Readonly<Record<string, string>>

/** The environment of a command: none of the test's own settings. */
export const environmentOf = (settings: BackupEnvironment) => ({
  PATH: process.env["PATH"],
  HOME: process.env["HOME"],
  NO_COLOR: "1",
  ...settings
})

/** Runs `gateway backup` as an operator does. */
export const backup = (settings: BackupEnvironment, ...args: ReadonlyArray<string>) =>
  Effect.async<Ended>((resume) => {
    const [program, ...leading] = gatewayCommand
    execFile(program, [...leading, "backup", ...args], { env: environmentOf(settings) }, (error, output, errors) => {
      const code = error === null ? 0 : typeof error.code === "number" ? error.code : -1
      resume(Effect.succeed({ code, output, errors }))
    })
  })

/** The name of the backup that `create` made. */
export const nameIn = ({ code, errors, output }: Ended): string => {
  assert.strictEqual(code, 0, errors)
  return /^(\d{8}T\d{6}Z-[0-9a-f]{8})\b/m.exec(output)?.[1] ?? assert.fail(output)
}
