import { spawnSync } from "node:child_process"
import { existsSync } from "node:fs"
import * as path from "node:path"
import { fileURLToPath } from "node:url"

/**
 * The folder of the programs of a Postgres with the extension: `given` itself, or that of this machine's Postgres, for which
 * it is built where `given` is a folder with its source.
 */
export const programsOf = (given: string): string => {
  if (existsSync(path.join(given, "postgres"))) return given
  if (!existsSync(path.join(given, "configure"))) throw new Error(`${given} has neither postgres nor a source.`)
  const script = fileURLToPath(new URL("./build.sh", import.meta.url))
  const { status, stdout } = spawnSync("bash", [script, given], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"]
  })
  if (status !== 0) throw new Error("The extension could not be built.")
  return stdout.trim()
}
