import * as fs from "node:fs/promises"
import * as path from "node:path"
import { Effect } from "effect"
import { type BackupError, backupError, systemError } from "../../Services/Backups/BackupError.ts"
import { processes } from "../Platform/EmbeddedPostgres/OperatingSystem.ts"

/** The prefix of folders in which a restore works. A remaining folder belongs to an interrupted one. */
export const restoringPrefix = "restoring-"

const server = "postgres"

/** The process of the server that uses a database's folder, if it runs. */
export const serverOf = (folder: string): Effect.Effect<number | undefined, BackupError> =>
  Effect.gen(function* () {
    const text = yield* Effect.promise(() =>
      fs.readFile(path.join(folder, "cluster", "postmaster.pid"), "utf8").catch(() => "")
    )
    const pid = Number(/^\d+/.exec(text)?.[0] ?? 0)
    const all = yield* Effect.mapError(processes, ({ message }) => backupError("failed", message))
    return pid > 0 && (all.get(pid) ?? "").includes("cluster_name=") ? pid : undefined
  })

const isSame = async (file: string, content: string | undefined): Promise<boolean> =>
  content !== undefined && (await fs.readFile(file)).toString("base64") === content

/**
 * Checks that a restore may write to the data directory, and removes the remains of an interrupted restore. The
 * directory may contain the backup's keys and the folder of the backups. With `keepsDatabase`, it may also contain an
 * embedded database.
 */
export const checkDataDirectory = Effect.fnUntraced(function* (
  dataDir: string,
  backups: string,
  files: Readonly<Record<string, string>>,
  keepsDatabase: boolean
) {
  const entries = yield* Effect.tryPromise({
    try: async () => {
      await fs.mkdir(dataDir, { recursive: true })
      return await fs.readdir(dataDir)
    },
    catch: systemError(`${dataDir} cannot be used`)
  })
  for (const entry of entries) {
    const place = path.resolve(dataDir, entry)
    if (backups === place || backups.startsWith(`${place}${path.sep}`)) continue
    if (keepsDatabase && entry === server) continue
    const running = yield* serverOf(entry.startsWith(restoringPrefix) ? path.join(place, server) : place)
    if (running !== undefined) {
      return yield* backupError(
        "in_use",
        `${dataDir} is in use: the process ${running} serves the database in it. Stop the gateway first, or choose another DATA_DIR.`
      )
    }
    if (entry.startsWith(restoringPrefix)) {
      yield* Effect.promise(() => fs.rm(place, { recursive: true, force: true, maxRetries: 5 }))
      continue
    }
    const same = yield* Effect.promise(() => isSame(place, files[entry]).catch(() => false))
    if (!same) {
      return yield* backupError(
        "not_empty",
        `${dataDir} is not empty: it has ${entry}. A restore overwrites nothing. Move its content away, or choose another DATA_DIR.`
      )
    }
  }
})

/** Writes files from base64, readable only by their owner. Files that exist already have the same content. */
export const placeFiles = (folder: string, files: Readonly<Record<string, string>>) =>
  Effect.tryPromise({
    try: async () => {
      for (const [name, content] of Object.entries(files)) {
        const draft = path.join(folder, `${restoringPrefix}${name}`)
        await fs.rm(draft, { force: true })
        const handle = await fs.open(draft, "wx", 0o600)
        await handle.writeFile(Buffer.from(content, "base64"))
        await handle.sync()
        await handle.close()
        await fs.rename(draft, path.join(folder, name))
      }
    },
    catch: systemError("The keys cannot be written")
  })
