import "../Platform/Threads/BehindCalls.ts"
import { Effect } from "effect"
import type { Presentation } from "../../Services/Presentations/PresentationPages.ts"
import { servePool } from "../Platform/Threads/ThreadProgram.ts"
import { loadTypeface } from "./PdfCanvas.ts"
import { presentationPdf } from "./PresentationPdf.ts"

const typeface = Effect.runSync(Effect.cached(loadTypeface))

// Runs in a worker thread, because a document takes about 50 ms and many are requested at once.
servePool<Presentation, Uint8Array>(async (presentation) => {
  const bytes = await Effect.runPromise(Effect.flatMap(typeface, (loaded) => presentationPdf(presentation, loaded)))
  // Copied, because small buffers share their memory with others.
  const reply = new Uint8Array(bytes)
  return { reply, transfer: [reply.buffer] }
})
