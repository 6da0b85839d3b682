import "../Platform/Threads/BehindCalls.ts"
import { passagesOf } from "../../Services/Knowledge/Passages.ts"
import { textBlocks } from "../../Services/Knowledge/TextBlocks.ts"
import { decodePage } from "../../Services/Text/Web/PageCharset.ts"
import { servePool } from "../Platform/Threads/ThreadProgram.ts"
import { type PageText, pageTextOf } from "./PageText.ts"

/** The bytes of a page as received. */
export interface PageBytes {
  readonly bytes: ArrayBuffer
  readonly contentType: string
}

// Runs in a worker thread, because the pages are untrusted input.
servePool<PageBytes, PageText>(({ bytes, contentType }) => {
  const text = decodePage(new Uint8Array(bytes), contentType)
  const reply = contentType.startsWith("text/plain")
    ? { title: "", date: null, passages: passagesOf(textBlocks(text)).slice(0, 300) }
    : pageTextOf(text)
  return Promise.resolve({ reply })
})
