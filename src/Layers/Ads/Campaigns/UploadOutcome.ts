import { listAt, textAt } from "../../Platform/AnswerPaths.ts"

export type UploadStatus = "done" | "partial" | "failed"

const outcomes: { readonly [status: string]: UploadStatus } = {
  SUCCESS: "done",
  PARTIAL_SUCCESS: "partial",
  FAILED: "failed"
}

/** What a status of the platform means. Undefined while it processes the upload. */
export const outcomeOfStatus = (status: string): UploadStatus | undefined => outcomes[status]

/** What became of an upload to the Data Manager, and the platform's reason for what it left out. */
export const uploadOutcome = (answer: unknown) => {
  const [destinationStatus] = listAt(answer, "requestStatusPerDestination")
  return {
    status: outcomeOfStatus(textAt(destinationStatus, "requestStatus")),
    reason: textAt(listAt(destinationStatus, "errorInfo", "errorCounts")[0], "reason")
  }
}
