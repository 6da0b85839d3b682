import "../../Platform/Threads/BehindCalls.ts"
import { type MessagePort, parentPort } from "node:worker_threads"
import type { ImportRow } from "../../../Services/LeadFiles/ImportRow.ts"
import { refuseWideLinks } from "./LinkedCells.ts"
import { unpackedWorkbook } from "./UnpackedWorkbook.ts"
import {
  malformedWorkbook,
  type WorkbookJob,
  WorkbookRefused,
  type WorkbookReply,
  type WorkbookRequest
} from "./WorkbookMessages.ts"
import { workbookRows } from "./WorkbookRows.ts"

// Runs in a worker thread with bounded memory, because the parser is synchronous and keeps a whole sheet in memory.

const batchRows = 1000
const batchCells = 50_000

const open = async (job: WorkbookJob): Promise<Iterator<ImportRow, void>> => {
  const bytes = Buffer.from(job.bytes)
  if (job.format === "xls") {
    refuseWideLinks(bytes)
    // Code pages of Excel 95 and older.
    const [{ set_cptable }, codePages] = await Promise.all([
      import("@e965/xlsx"),
      import("@e965/xlsx/dist/cpexcel.full.mjs")
    ])
    set_cptable(codePages)
    return workbookRows(bytes, job.format, job.limits.rows)
  }
  return workbookRows(await unpackedWorkbook(bytes, job.limits), job.format, job.limits.rows)
}

const nextBatch = (rows: Iterator<ImportRow, void>): ReadonlyArray<ImportRow> => {
  const batch: Array<ImportRow> = []
  for (let cells = 0; batch.length < batchRows && cells < batchCells; ) {
    const next = rows.next()
    if (next.done) break
    batch.push(next.value)
    cells += next.value.cells.length
  }
  return batch
}

const serve = (port: MessagePort) => {
  let job: WorkbookJob | undefined
  let rows: Iterator<ImportRow, void> | undefined
  const reply = async (): Promise<WorkbookReply> => {
    try {
      if (job === undefined) throw new Error("There is no job to work on.")
      rows ??= await open(job)
      return { kind: "rows", rows: nextBatch(rows) }
    } catch (error) {
      // Every error of the parser is caused by the file.
      return { kind: "refused", refusal: (error instanceof WorkbookRefused ? error : malformedWorkbook()).refusal }
    }
  }
  port.on("message", (request: WorkbookRequest) => {
    if (request === "next") void reply().then((answer) => port.postMessage(answer))
    else job = request
  })
}

if (parentPort !== null) serve(parentPort)
