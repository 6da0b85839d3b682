import * as fs from "node:fs/promises"
import * as path from "node:path"
import { Clock, Duration, Effect, Option, Schema } from "effect"
import { type BackupError, systemError } from "../../Services/Backups/BackupError.ts"
import { fromMillis, plusSeconds, type Timestamp } from "../../Services/Core/Timestamp.ts"
import { ErasureRecord, ErasureRecords } from "../../Services/Leads/Erasure/ErasureRecords.ts"
import { DatabasePools } from "../Platform/Postgres/Database.ts"

const ledgerFile = "erasures.jsonl"
const RecordJson = Schema.parseJson(ErasureRecord)

/** A transaction that erases may commit this many seconds after the time that it records. */
const overlapSeconds = 900
const startOfTime = fromMillis(0)

const linesOf = (directory: string): Promise<string> =>
  fs.readFile(path.join(directory, ledgerFile), "utf8").catch((cause: unknown) => {
    if (cause instanceof Error && "code" in cause && cause.code === "ENOENT") return ""
    throw cause
  })

/** The recorded erasures. A line that a crash truncated is skipped, because the gateway writes that erasure again. */
export const readLedger = (directory: string): Effect.Effect<ReadonlyArray<ErasureRecord>, BackupError> =>
  Effect.map(
    Effect.tryPromise({ try: () => linesOf(directory), catch: systemError("The list of erasures cannot be read") }),
    (text) => text.split("\n").flatMap((line) => Option.toArray(Schema.decodeOption(RecordJson)(line)))
  )

/** Erasures that may be missing in the database's state at `instant`. */
export const missingAt = (records: ReadonlyArray<ErasureRecord>, instant: Timestamp): ReadonlyArray<ErasureRecord> => {
  const from = plusSeconds(instant, -overlapSeconds)
  return records.filter(({ at }) => at >= from)
}

/** Appends records, and returns once they are on disk. */
export const appendToLedger = (directory: string, records: ReadonlyArray<ErasureRecord>) =>
  Effect.tryPromise({
    try: async () => {
      await fs.mkdir(directory, { recursive: true, mode: 0o700 })
      const handle = await fs.open(path.join(directory, ledgerFile), "a", 0o600)
      try {
        const lines = records.map((record) => Schema.encodeSync(RecordJson)(record))
        // The leading line break ends a line that a crash truncated.
        await handle.appendFile(`\n${lines.join("\n")}\n`)
        await handle.sync()
      } finally {
        await handle.close()
      }
    },
    catch: systemError("Erasures cannot be recorded next to the backups")
  })

/** Identifies the erasure, regardless of the record's other fields. */
const keyOf = (record: ErasureRecord): string =>
  record.kind === "erasure"
    ? `${record.account_id} ${record.lead_id}`
    : `${record.account_id} ${record.kind} ${record.contact_digest}`

/**
 * Creates an effect that copies new erasure records from the database to the folder of the backups. A restore repeats
 * them from there. The effect returns how many were new.
 */
export const makeErasureCopier = Effect.fnUntraced(function* (directory: string) {
  const records = yield* ErasureRecords
  const present = yield* readLedger(directory)
  const copiedKeys = new Set(present.map(keyOf))
  let latest = present.reduce((newest, { at }) => (at > newest ? at : newest), startOfTime)
  return Effect.gen(function* () {
    // The newest record may be later than now, because the clock of a test account may be ahead.
    const now = fromMillis(yield* Clock.currentTimeMillis)
    const from = latest === startOfTime ? startOfTime : plusSeconds(latest < now ? latest : now, -overlapSeconds)
    const added = (yield* records.since(from)).filter((record) => !copiedKeys.has(keyOf(record)))
    if (added.length > 0) yield* appendToLedger(directory, added)
    for (const record of added) {
      copiedKeys.add(keyOf(record))
      if (record.at > latest) latest = record.at
    }
    return added.length
  })
})

const pauseAfterLook = "5 seconds"
/** A commit of another process may have gone unnoticed, so records are copied at least this often. */
const longestPause = "1 minute"

/** Copies erasures within seconds of their commit, for as long as the gateway runs. */
export const followErasures = Effect.fnUntraced(function* (directory: string) {
  const { activity } = yield* DatabasePools
  const news = yield* Effect.makeLatch(true)
  yield* Effect.acquireRelease(
    Effect.sync(() => activity.listen(() => news.unsafeOpen())),
    (stop) => Effect.sync(stop)
  )
  const [copier, readAgain] = yield* Effect.cachedInvalidateWithTTL(makeErasureCopier(directory), Duration.infinity)
  const look = Effect.flatten(copier).pipe(
    Effect.catchAllCause((cause) =>
      // The write may have failed in the middle of a line.
      Effect.zipRight(Effect.logError("Erasures are not recorded next to the backups", cause), readAgain)
    )
  )
  yield* news.await.pipe(
    Effect.timeoutOption(longestPause),
    Effect.zipRight(news.close),
    Effect.zipRight(look),
    Effect.zipRight(Effect.sleep(pauseAfterLook)),
    Effect.forever
  )
})
