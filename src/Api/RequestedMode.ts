import { Context } from "effect"
import { RequestRefused } from "../Errors.ts"
import { idempotencyKeyOf } from "../Services/Accounts/IdempotencyKey.ts"
import { KeyedWrites } from "../Services/Accounts/KeyedWrites.ts"
import type { CallMode } from "../Services/Core/Calls/CallMode.ts"
import { DryRuns, dryRunInvalid, dryRunWithKey } from "../Services/Core/Calls/DryRuns.ts"
import type { Tool } from "../Tools/Core/Tool.ts"

/** The headers that select the mode of a call, as they were received. */
export interface ModeHeaders {
  readonly idempotencyKey: string | undefined
  readonly dryRun: string | undefined
}

/** The header by which a caller only tries a write. */
export const dryRunHeader = "dry-run"

/** The requested mode of a write: with an idempotency key, or as a dry run. */
export type RequestedMode = { readonly _tag: "Keyed"; readonly key: string } | { readonly _tag: "DryRun" }

/** Reads have no mode, because repeating them is harmless. */
export const requestedMode = (
  { kind }: Pick<Tool<unknown>, "kind">,
  { dryRun, idempotencyKey }: ModeHeaders
): RequestedMode | RequestRefused | undefined => {
  if (kind === "read") return undefined
  if (dryRun !== undefined && dryRun !== "true") return dryRunInvalid
  if (idempotencyKey === undefined) return dryRun === undefined ? undefined : { _tag: "DryRun" }
  if (dryRun !== undefined) return dryRunWithKey
  const key = idempotencyKeyOf(idempotencyKey)
  return key instanceof RequestRefused ? key : { _tag: "Keyed", key }
}

/** The services that run calls in modes. */
export type CallModes = KeyedWrites | DryRuns

export const callModeOf = (requested: RequestedMode, modes: Context.Context<CallModes>): CallMode =>
  requested._tag === "DryRun"
    ? Context.get(modes, DryRuns).makeMode()
    : Context.get(modes, KeyedWrites).modeOf(requested.key)
