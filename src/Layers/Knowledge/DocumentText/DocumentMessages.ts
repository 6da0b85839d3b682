import type { Passage } from "../../../Services/Knowledge/Passages.ts"

export type DocumentFormat = "docx" | "pptx" | "xlsx" | "html" | "pdf"

export interface DocumentJob {
  readonly format: DocumentFormat | "text"
  readonly bytes: ArrayBuffer
}

export type DocumentReply =
  | { readonly kind: "passages"; readonly passages: ReadonlyArray<Passage> }
  | { readonly kind: "failed"; readonly reason: DocumentFailure }

/** The reasons why a document has no readable text. */
export type DocumentFailure =
  | "document_encrypted"
  | "document_broken"
  | "document_too_large"
  | "document_without_text"
  | "reading_timed_out"
  | "format_not_supported"

/** Thrown by a parser that cannot read a document. */
export class DocumentRefused extends Error {
  constructor(readonly reason: DocumentFailure) {
    super(reason)
  }
}
