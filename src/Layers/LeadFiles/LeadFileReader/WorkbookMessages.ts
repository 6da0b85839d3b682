import type { ImportRow } from "../../../Services/LeadFiles/ImportRow.ts"
import type { LeadFileReason } from "../../../Services/LeadFiles/LeadFile.ts"
import type { LeadFileLimits } from "./Limits.ts"

/** The first message to the worker. `bytes` is transferred, not copied. */
export interface WorkbookJob {
  readonly format: "xlsx" | "xls"
  readonly bytes: ArrayBuffer
  readonly limits: Pick<LeadFileLimits, "unpackedBytes" | "zipEntries" | "zipRatio" | "rows">
}

export interface WorkbookRefusal {
  readonly reason: LeadFileReason
  readonly message: string
  readonly detail: string
  readonly cell?: string
}

/** The reader sends the job, then `next` for each batch of rows. */
export type WorkbookRequest = WorkbookJob | "next"

/** The answer to `next`: some rows, or none at the end of the file. */
export type WorkbookReply =
  | { readonly kind: "rows"; readonly rows: ReadonlyArray<ImportRow> }
  | { readonly kind: "refused"; readonly refusal: WorkbookRefusal }

/** Thrown inside the worker, which does not use Effect. */
export class WorkbookRefused extends Error {
  readonly refusal: WorkbookRefusal
  constructor(refusal: WorkbookRefusal) {
    super(refusal.message)
    this.refusal = refusal
  }
}

export const malformedWorkbook = (): WorkbookRefused =>
  new WorkbookRefused({
    reason: "malformed_file",
    message: "The workbook is damaged and cannot be read.",
    detail: "Open it in a spreadsheet program, save it again as .xlsx or CSV, and upload that."
  })

export const passwordProtected = (): WorkbookRefused =>
  new WorkbookRefused({
    reason: "malformed_file",
    message: "The workbook is protected by a password.",
    detail: "Save a copy without the password, and upload that."
  })
