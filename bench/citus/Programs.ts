import { spawnSync } from "node:child_process"
import { existsSync } from "node:fs"
import * as path from "node:path"
import { fileURLToPath } from "node:url"

/**
 * The folder with the programs of a Postgres with the extension: `given`, or this machine's Postgres, for which the
 * extension is built if `given` is its source.
 */
export const programsOf = (folder: string): string => {
  if (existsSync(path.join(folder, "postgres"))) return folder
  if (!existsSync(path.join(folder, "configure"))) throw new Error(`${folder} has neither postgres nor a source.`)
  const script = fileURLToPath(new URL("./build.sh", import.meta.url))
  const { status, stdout } = spawnSync("bash", [script, folder], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"]
  })
  if (status !== 0) throw new Error("The extension could not be built.")
  return stdout.trim()
}
