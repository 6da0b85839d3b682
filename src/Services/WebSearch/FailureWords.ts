import type { WebSearchFailure } from "./WebSearch.ts"

/** Explains to the account why a search engine gave no usable answer. */
export const searchFailures: { readonly [F in WebSearchFailure]: string } = {
  credentials_rejected: "The search engine does not accept the platform's key; its operator has to renew it.",
  quota_exhausted: "The platform's plan with the search engine is used up.",
  rate_limited: "The search engine was asked too often; search again in some minutes.",
  json_not_enabled: "The search engine answers pages only: its operator has to allow the format json in its settings.",
  request_rejected: "The search engine rejected the question.",
  unavailable: "The search engine could not be reached; search again in some minutes.",
  timed_out: "The search engine did not answer in time; search again in some minutes.",
  answer_unreadable: "The search engine answered something unreadable."
}
