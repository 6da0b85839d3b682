import { Context, type Duration, Effect } from "effect"
import { extensionOf } from "../../../Services/Files/MediaType.ts"
import { type Passage, passagesOf } from "../../../Services/Knowledge/Passages.ts"
import { startThread } from "../../Platform/Threads/Thread.ts"
import type { DocumentFailure, DocumentFormat, DocumentJob, DocumentReply } from "./DocumentMessages.ts"
import { plainBlocks } from "./PlainBlocks.ts"

/** The largest document, in bytes. */
export const maximumDocumentBytes = 50 * 1024 * 1024

/** Limits of the thread that reads a document. */
export class DocumentLimits extends Context.Reference<DocumentLimits>()("DocumentLimits", {
  defaultValue: (): { readonly timeout: Duration.DurationInput; readonly heapMegabytes: number } => ({
    timeout: "90 seconds",
    heapMegabytes: 512
  })
}) {}

/** The number of documents that this process reads at the same time. Others wait. */
export const concurrentDocuments = 2
const permits = Effect.unsafeMakeSemaphore(concurrentDocuments)

const formats: { readonly [extension: string]: DocumentFormat } = {
  docx: "docx",
  pptx: "pptx",
  xlsx: "xlsx",
  html: "html",
  htm: "html",
  pdf: "pdf"
}
const plain = new Set(["txt", "md", "markdown", "text", "csv", "tsv"])

export const documentFormat = (fileName: string, mediaType: string): DocumentFormat | "text" | undefined => {
  const extension = extensionOf(fileName)
  // The content type decides, not the file's name.
  if (mediaType === "application/pdf") return "pdf"
  if (mediaType === "text/html") return "html"
  if (mediaType === "text/plain" || mediaType === "text/markdown" || mediaType === "text/csv") return "text"
  return formats[extension] ?? (plain.has(extension) ? "text" : undefined)
}

/** A text of this size is split faster than a thread starts. */
const shortText = 16 * 1024

/** The passages of a document. It is read in a separate thread, with bounded memory and time. */
export const readDocument = (
  format: DocumentFormat | "text",
  bytes: Uint8Array
): Effect.Effect<ReadonlyArray<Passage>, DocumentFailure> => {
  if (bytes.length > maximumDocumentBytes) return Effect.fail("document_too_large")
  if (format === "text" && bytes.length <= shortText) return Effect.sync(() => passagesOf(plainBlocks(bytes)))
  const ownBytes = new ArrayBuffer(bytes.length)
  new Uint8Array(ownBytes).set(bytes)
  return permits.withPermits(1)(
    Effect.gen(function* () {
      const { heapMegabytes, timeout } = yield* DocumentLimits
      const thread = yield* startThread<DocumentJob, DocumentReply>(
        new URL("./startDocumentWorker.js", import.meta.url),
        heapMegabytes
      )
      const reply = yield* thread.ask({ format, bytes: ownBytes }, [ownBytes]).pipe(
        Effect.catchTag("ThreadEnded", ({ reason }) =>
          Effect.fail<DocumentFailure>(reason === "out_of_memory" ? "document_too_large" : "document_broken")
        ),
        Effect.timeoutFail({ duration: timeout, onTimeout: (): DocumentFailure => "reading_timed_out" })
      )
      return reply.kind === "passages" ? reply.passages : yield* Effect.fail(reply.reason)
    }).pipe(Effect.scoped)
  )
}
