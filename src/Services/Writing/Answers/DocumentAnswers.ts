import { say } from "../../Messages/Messages.ts"
import type { Language } from "../../Text/Language.ts"
import type { HandedDocument, WritingBrief } from "../WritingBrief.ts"

const introductionOf = ({ kind, purpose }: HandedDocument, language: Language): string =>
  purpose === "presentation"
    ? say(language, "documents.presentation")
    : kind === undefined
      ? say(language, "documents.here_any")
      : say(language, `documents.here.${kind}`)

/** The parts of a message about the documents that the lead asked for. */
export const documentParagraphs = ({ documents, language }: WritingBrief): ReadonlyArray<string> => {
  if (documents === undefined) return []
  const lines = documents.documents.map((document) => `${introductionOf(document, language)} ${document.url}`)
  if (documents.missing.length === 0) return lines
  return [...lines, say(language, lines.length === 0 ? "documents.missing" : "documents.rest_missing")]
}
