import { execFileSync } from "node:child_process"
import * as path from "node:path"

/** Debian's Python has the packages of Debian, which another one on the path does not see. */
export const python = ["/usr/bin/python3", "python3"].find((program) => {
  try {
    execFileSync(program, ["-c", "import httpx, pytest"], { stdio: "ignore" })
    return true
  } catch {
    return false
  }
})

/** A shell's command with the package of this folder on Python's path. */
export const withPython = (command: string): string =>
  `export PYTHONPATH=${path.resolve(import.meta.dirname, "../../python/src")}; ${command}`
