import "../../Platform/Threads/BehindCalls.ts"
import { parentPort } from "node:worker_threads"
import { maximumPassages, passagesOf } from "../../../Services/Knowledge/Passages.ts"
import { type DocumentJob, DocumentRefused, type DocumentReply } from "./DocumentMessages.ts"
import { htmlBlocks } from "./HtmlBlocks.ts"
import { officeBlocks } from "./OfficeBlocks.ts"
import { pdfBlocks } from "./PdfBlocks.ts"
import { plainBlocks } from "./PlainBlocks.ts"

// Runs in a worker thread with bounded memory, which is stopped if it takes too long.

const blocksOf = async ({ bytes, format }: DocumentJob) => {
  const content = Buffer.from(bytes)
  switch (format) {
    case "text":
      return plainBlocks(content)
    case "html":
      return htmlBlocks(content.toString("utf8"))
    case "pdf":
      return pdfBlocks(bytes)
    default:
      return officeBlocks(content, format)
  }
}

const port = parentPort
port?.on("message", (job: DocumentJob) => {
  blocksOf(job).then(
    // One passage more than the limit shows that the document has too many.
    (blocks) =>
      port.postMessage({
        kind: "passages",
        passages: passagesOf(blocks).slice(0, maximumPassages + 1)
      } satisfies DocumentReply),
    // Whatever a parser throws is caused by the document.
    (error: unknown) =>
      port.postMessage({
        kind: "failed",
        reason: error instanceof DocumentRefused ? error.reason : "document_broken"
      } satisfies DocumentReply)
  )
})
