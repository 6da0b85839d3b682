import { Schema } from "effect"

/** A backup could not be made, read or restored. `message` says why and what to do. */
export class BackupError extends Schema.TaggedError<BackupError>()("BackupError", {
  reason: Schema.Literal(
    "already_running",
    "backup_dir_missing",
    "backup_dir_unusable",
    "backup_not_found",
    "cluster_not_supported",
    "damaged",
    "different",
    "failed",
    "in_use",
    "not_empty",
    "passphrase_missing",
    "program_missing",
    "sealing_key_differs",
    "tables_busy",
    "time_not_covered",
    "version_differs",
    "wrong_kind",
    "wrong_passphrase"
  ),
  message: Schema.String
}) {}

export const backupError = (reason: BackupError["reason"], message: string): BackupError =>
  new BackupError({ reason, message })

/** Returns an error for an operation that the operating system failed. `what` names the operation. */
export const systemError =
  (what: string) =>
  (cause: unknown): BackupError =>
    cause instanceof BackupError
      ? cause
      : backupError("failed", `${what}: ${cause instanceof Error ? cause.message : String(cause)}`)
