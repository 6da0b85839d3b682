import { Duration } from "effect"

/** Bounds of what one lead file may cost. Sizes are in bytes. */
export interface LeadFileLimits {
  readonly textBytes: number
  /** A workbook as it was uploaded, and all its parts unpacked. */
  readonly workbookBytes: number
  readonly unpackedBytes: number
  readonly zipEntries: number
  /** Unpacked to packed size of one zip entry of some size; deflate reaches 1 032, real sheets 5 to 100. */
  readonly zipRatio: number
  readonly rows: number
  /** One row of a delimited file. */
  readonly recordBytes: number
  readonly workerHeapMegabytes: number
  /** How long the worker may take for a batch of rows; the first includes all of the parsing. */
  readonly batchTimeout: Duration.Duration
  /** Workbooks read at the same time in this process; others wait. */
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
