import * as Room from "../Platform/Room.ts"
import { BackupSettings, loadBackupSettings } from "./BackupSettings.ts"
import { backupFigures, backupLoops } from "./Schedule.ts"

/** Backups of the gateway, which it makes while it runs. */
export const BackupsRoom = Room.make({
  layer: BackupSettings.layer,
  loops: backupLoops,
  figures: backupFigures,
  settings: [loadBackupSettings]
})
