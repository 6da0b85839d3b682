import { execFile } from "node:child_process"
import { Effect } from "effect"
import { type CheckResult, passed, warning } from "../../../Services/Core/Outside/CheckResult.ts"
import { onOneLine, printable } from "./PrintedText.ts"

const limitMillis = 15_000
const longestVersion = 120

/** Checks a program by starting it so that it prints its version. It gets no environment variables of this process. */
export const checkProgram = (program: string, args: ReadonlyArray<string>, fix: string): Effect.Effect<CheckResult> =>
  Effect.async((resume) => {
    const child = execFile(
      program,
      [...args],
      { env: { PATH: "/usr/bin:/bin" }, timeout: limitMillis, killSignal: "SIGKILL", maxBuffer: 256 * 1024 },
      (error, output) => {
        const version = printable(onOneLine(output).trim()).slice(0, longestVersion)
        resume(
          Effect.succeed(
            error === null
              ? passed(`${program}: ${version}`)
              : warning(`${program} is installed but does not run.`, fix)
          )
        )
      }
    )
    return Effect.sync(() => child.kill("SIGKILL"))
  })
