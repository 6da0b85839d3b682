import { randomBytes } from "node:crypto"
import * as fs from "node:fs/promises"
import * as path from "node:path"
import { Clock, Effect } from "effect"
import { type BackupError, systemError } from "../../Services/Backups/BackupError.ts"
import type { BackupManifest } from "../../Services/Backups/BackupManifest.ts"
import { type BackupSettings, requiredDirectory, requiredPassphrase } from "./BackupSettings.ts"
import { makeDraft, openBackup } from "./BackupStore.ts"
import { digestDump } from "./Copies/DumpCopy.ts"
import { recoverServer } from "./Recovery.ts"
import { compareTables } from "./RestoreBackup.ts"
import { openSecrets } from "./SealedSecrets.ts"
import { openSession } from "./Sessions.ts"
import { digestTables } from "./TableDigests.ts"

/**
 * Checks the files of a backup and the passphrase, restores it into a scratch server, and compares the digests of all
 * tables.
 */
export const verifyBackup = (name: string): Effect.Effect<BackupManifest, BackupError, BackupSettings> =>
  Effect.gen(function* () {
    const [directory, passphrase] = [yield* requiredDirectory, yield* requiredPassphrase]
    const backup = yield* openBackup(directory, name)
    yield* openSecrets(passphrase, backup.manifestBytes, backup.secrets)
    const scratch = yield* makeDraft(
      directory,
      `verify-${randomBytes(4).toString("hex")}`,
      yield* Clock.currentTimeMillis
    )
    const folder = path.join(scratch, "postgres")
    yield* Effect.tryPromise({
      try: () => fs.mkdir(folder, { mode: 0o700 }),
      catch: systemError("There is no room for the scratch server")
    })
    const present =
      backup.manifest.kind === "dump"
        ? yield* digestDump(backup, folder)
        : yield* recoverServer(backup, { kind: "point" }, directory, folder, (address) =>
            Effect.scoped(Effect.flatMap(openSession(address), digestTables))
          )
    yield* compareTables(backup, present)
    return backup.manifest
  }).pipe(Effect.scoped, Effect.withSpan("Backups.verify"))
