import "../Platform/Threads/BehindCalls.ts"
import { Effect } from "effect"
import type { Presentation } from "../../Services/Presentations/PresentationPages.ts"
import { servePool } from "../Platform/Threads/ThreadProgram.ts"
import { loadTypeface } from "./PdfCanvas.ts"
import { presentationPdf } from "./PresentationPdf.ts"

const typeface = Effect.runSync(Effect.cached(loadTypeface))

// Runs in a thread of its own: a document takes some fifty milliseconds of work, and many are asked for at once.
servePool<Presentation, Uint8Array>(async (presentation) => {
  const bytes = await Effect.runPromise(Effect.flatMap(typeface, (loaded) => presentationPdf(presentation, loaded)))
  // A copy of its own: the bytes of small buffers lie in one that others use.
  const reply = new Uint8Array(bytes)
  return { reply, transfer: [reply.buffer] }
})
