import { type ErrorReasons, type Refused, refused, type Transient, transient } from "../../Errors.ts"
import { type OutboundFailure, outboundTransient, outboundTransients, urlRefusals } from "./OutboundHttp.ts"

/** The reasons for which a file from a caller's URL cannot be fetched, apart from its size. */
export const fetchReasons = {
  Refused: [...urlRefusals, "url_host_not_found", "url_not_trusted", "url_unreadable", "url_answered_error"],
  Transient: [...outboundTransients, "url_host_unavailable"]
} satisfies ErrorReasons

/** The error for a caller whose URL could not be fetched. `tooLarge` is used if the response was too large. */
export const fetchFailure = (failure: OutboundFailure, tooLarge: Refused): Refused | Transient => {
  switch (failure.reason) {
    case "response_too_large":
      return tooLarge
    case "host_not_found":
      return refused("url_host_not_found", "The host that the URL names does not exist.", "Check the URL's host name.")
    case "tls_failed":
      return refused(
        "url_not_trusted",
        "No trusted connection to the URL's host could be made.",
        "The host needs a valid TLS certificate."
      )
    case "response_unreadable":
      return refused("url_unreadable", "The URL's host answered something unreadable.", "Upload the content itself.")
    case "connection_failed":
    case "timed_out":
      return outboundTransient(failure, "The URL's host")
  }
}

const isPassing = (status: number): boolean => status >= 500 || status === 429 || status === 408

/** The error for a caller whose URL returned a status other than 200. */
export const unsuccessfulStatus = (status: number): Refused | Transient =>
  isPassing(status)
    ? transient("url_host_unavailable", `The URL's host answered with status ${status}.`, 5)
    : refused(
        "url_answered_error",
        `The URL's host answered with status ${status} instead of a file.`,
        "Check that the URL opens without signing in.",
        { status }
      )
