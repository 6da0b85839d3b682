import { parentPort, workerData } from "node:worker_threads"
import type { RawRow } from "../../Services/RawRow.ts"
import { unpackedWorkbook } from "./UnpackedWorkbook.ts"
import { malformedWorkbook, type WorkbookJob, WorkbookRefused, type WorkbookReply } from "./WorkbookMessages.ts"
import { workbookRows } from "./WorkbookRows.ts"

// Runs in a worker thread of its own, with bounded memory: the parser is synchronous and holds a whole sheet.

const batchRows = 1000

const open = async (job: WorkbookJob): Promise<Iterator<RawRow, void>> => {
  const bytes = Buffer.from(job.bytes)
  if (job.format === "xls") {
    // The code pages of Excel 95 and older.
    const [{ set_cptable }, codePages] = await Promise.all([
      import("@e965/xlsx"),
      import("@e965/xlsx/dist/cpexcel.full.mjs")
    ])
    set_cptable(codePages)
    return workbookRows(bytes, job.format, job.limits.rows)
  }
  return workbookRows(await unpackedWorkbook(bytes, job.limits), job.format, job.limits.rows)
}

const nextBatch = (rows: Iterator<RawRow, void>): ReadonlyArray<RawRow> => {
  const batch: Array<RawRow> = []
  while (batch.length < batchRows) {
    const next = rows.next()
    if (next.done) break
    batch.push(next.value)
  }
  return batch
}

const port = parentPort
const job: WorkbookJob = workerData
if (port !== null) {
  let rows: Promise<Iterator<RawRow, void>> | undefined
  port.on("message", async () => {
    let reply: WorkbookReply
    try {
      rows ??= open(job)
      reply = { kind: "rows", rows: nextBatch(await rows) }
    } catch (error) {
      const { refusal } = error instanceof WorkbookRefused ? error : malformedWorkbook()
      reply = { kind: "refused", refusal }
    }
    port.postMessage(reply)
  })
}
