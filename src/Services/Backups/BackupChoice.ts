import { type Timestamp, toMillis } from "../Core/Timestamp.ts"
import type { BackupManifest } from "./BackupManifest.ts"

const newestFirst = (backups: ReadonlyArray<BackupManifest>): ReadonlyArray<BackupManifest> =>
  [...backups].sort((one, other) => (one.name < other.name ? 1 : -1))

/** The backups beyond the newest `keep`. */
export const surplus = (backups: ReadonlyArray<BackupManifest>, keep: number): ReadonlyArray<BackupManifest> =>
  newestFirst(backups).slice(Math.max(keep, 1))

/** The newest backup from which the write-ahead log leads to the instant. */
export const startFor = (backups: ReadonlyArray<BackupManifest>, instant: Timestamp): BackupManifest | undefined =>
  newestFirst(backups).find(({ kind, snapshot_at }) => kind === "base" && snapshot_at <= instant)

/** Whether it is time for the next backup. */
export const isDue = (backups: ReadonlyArray<BackupManifest>, nowMillis: number, everyHours: number): boolean => {
  const [newest] = newestFirst(backups)
  return newest === undefined || nowMillis - toMillis(newest.started_at) >= everyHours * 3_600_000
}

/** The position of a segment in the log, regardless of its timeline. */
const placeOf = (segment: string): string => segment.slice(8)

/**
 * Archived segments that no backup needs, because all of them start later. Histories of timelines are small and stay.
 * Without a backup, all segments stay.
 */
export const unneededSegments = (
  archived: ReadonlyArray<string>,
  backups: ReadonlyArray<BackupManifest>
): ReadonlyArray<string> => {
  const starts = backups.flatMap(({ wal }) => (wal === null ? [] : [placeOf(wal.first)])).sort()
  const [oldest] = starts
  if (oldest === undefined) return []
  return archived.filter((name) => /^[0-9A-F]{24}\.gz$/.test(name) && placeOf(name.slice(0, 24)) < oldest)
}

/** Archived files that recovery from the backup needs: segments from its first one on, and histories of timelines. */
export const neededFiles = (archived: ReadonlyArray<string>, first: string): ReadonlyArray<string> =>
  archived.filter((name) =>
    /^[0-9A-F]{24}\.gz$/.test(name)
      ? placeOf(name.slice(0, 24)) >= placeOf(first)
      : /^[0-9A-F]{8}\.history\.gz$/.test(name)
  )

const hexadecimal = (value: bigint): string => value.toString(16).toUpperCase().padStart(8, "0")

/** A position in the log, written `0/1A2B3C4D`, in bytes. */
const bytesOf = (position: string): bigint => {
  const [high = "", low = ""] = position.split("/")
  return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`)
}

/** The names of the segments from the one with the byte `start` to the one with the last byte before `end`. */
export const segmentsBetween = (
  timeline: number,
  start: string,
  end: string,
  segmentBytes: number
): ReadonlyArray<string> => {
  const size = BigInt(segmentBytes)
  const perLog = 0x1_0000_0000n / size
  const first = bytesOf(start) / size
  const last = (bytesOf(end) - 1n) / size
  return Array.from({ length: Number(last - first) + 1 }, (_, index) => {
    const number = first + BigInt(index)
    return `${hexadecimal(BigInt(timeline))}${hexadecimal(number / perLog)}${hexadecimal(number % perLog)}`
  })
}
