import { Duration } from "effect"

/** Limits on the cost of one lead file. Sizes are in bytes. */
export interface LeadFileLimits {
  readonly textBytes: number
  /** Limits on an uploaded workbook, and on the sum of its unpacked parts. */
  readonly workbookBytes: number
  readonly unpackedBytes: number
  readonly zipEntries: number
  /**
   * The largest ratio of unpacked to packed size of a large zip entry. Deflate reaches 1 032, real sheets 5 to 100.
   */
  readonly zipRatio: number
  readonly rows: number
  /** The largest row of a delimited file. */
  readonly recordBytes: number
  readonly workerHeapMegabytes: number
  /** The longest time for a batch of rows in the worker. The first batch includes all of the parsing. */
  readonly batchTimeout: Duration.Duration
  /** The number of workbooks that this process reads at the same time. Others wait. */
  readonly workbooksAtOnce: number
}

const mebibyte = 1024 * 1024

export const defaultLimits: LeadFileLimits = {
  textBytes: 256 * mebibyte,
  workbookBytes: 64 * mebibyte,
  unpackedBytes: 150 * mebibyte,
  zipEntries: 1000,
  zipRatio: 300,
  rows: 1_000_000,
  recordBytes: 64 * 1024,
  workerHeapMegabytes: 768,
  batchTimeout: Duration.seconds(60),
  workbooksAtOnce: 2
}
