import { parentPort } from "node:worker_threads"
import { type DocumentJob, DocumentRefused, type DocumentReply } from "./DocumentMessages.ts"
import { htmlBlocks } from "./HtmlBlocks.ts"
import { officeBlocks } from "./OfficeBlocks.ts"
import { pdfBlocks } from "./PdfBlocks.ts"

// Runs in a worker thread of its own, with bounded memory, and is ended when it takes too long.

const blocksOf = async ({ bytes, format }: DocumentJob) => {
  const content = Buffer.from(bytes)
  switch (format) {
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
    (blocks) => port.postMessage({ kind: "blocks", blocks } satisfies DocumentReply),
    // Whatever a parser throws, it throws at the document.
    (error: unknown) =>
      port.postMessage({
        kind: "failed",
        reason: error instanceof DocumentRefused ? error.reason : "document_broken"
      } satisfies DocumentReply)
  )
})
