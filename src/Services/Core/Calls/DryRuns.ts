import { Context } from "effect"
import { badRequest, RequestRefused, type Transient, transient } from "../../../Errors.ts"
import type { CallMode } from "./CallMode.ts"

/** The longest time that a dry run holds its locks, in seconds. */
export const dryRunSeconds = 10

/** Runs a write in a transaction that is rolled back. */
export class DryRuns extends Context.Tag("DryRuns")<DryRuns, { readonly makeMode: () => CallMode }>() {}

/** The error of a dry run that needs an answer from an external service to a request that would change something. */
export const dryRunUnsupported = (tool: string, service: string): RequestRefused =>
  new RequestRefused({
    status: 422,
    type: "DryRunUnsupported",
    error: `${tool} cannot be tried: its answer depends on what ${service} answers to a change.`,
    detail: "Nothing was done. Leave out the header Dry-Run to do it."
  })

export const dryRunInvalid = badRequest(
  "DryRunInvalid",
  "The header Dry-Run cannot be used.",
  "Send true, or leave it out."
)

export const dryRunWithKey = badRequest(
  "DryRunInvalid",
  "A dry run takes no Idempotency-Key.",
  "Leave out one of the two headers. A dry run does nothing, so it can be repeated."
)

export const dryRunTooLong = (): Transient =>
  transient("dry_run_timed_out", `The dry run took longer than ${dryRunSeconds} seconds and was undone.`, 5)
