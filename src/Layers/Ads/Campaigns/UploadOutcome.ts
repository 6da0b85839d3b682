import { listAt, textAt } from "../../Platform/AnswerPaths.ts"

export type UploadStatus = "done" | "partial" | "failed"

const outcomes: { readonly [status: string]: UploadStatus } = {
  SUCCESS: "done",
  PARTIAL_SUCCESS: "partial",
  FAILED: "failed"
}

/** Returns the meaning of a status of the platform. Undefined while it processes the upload. */
export const outcomeOfStatus = (status: string): UploadStatus | undefined => outcomes[status]

/** Returns the result of an upload to the Data Manager, with the platform's reason if parts were left out. */
export const uploadOutcome = (answer: unknown) => {
  const [destinationStatus] = listAt(answer, "requestStatusPerDestination")
  return {
    status: outcomeOfStatus(textAt(destinationStatus, "requestStatus")),
    reason: textAt(listAt(destinationStatus, "errorInfo", "errorCounts")[0], "reason")
  }
}
