import { Effect } from "effect"
import { RequestRefused } from "../Errors.ts"
import { idempotencyKeyOf } from "../Services/Accounts/IdempotencyKey.ts"
import { KeyedWrites } from "../Services/Accounts/KeyedWrites.ts"
import type { CallMode } from "../Services/Core/CallMode.ts"
import type { Tool } from "../Tools/Core/Tool.ts"

/** What the headers of a call say about how it runs, as they came. */
export interface ModeHeaders {
  readonly idempotencyKey: string | undefined
}

/** How a write shall run, other than plainly. */
export interface RequestedMode {
  readonly key: string
}

/** Reads have no mode: repeating one does no harm. */
export const requestedMode = (
  { kind }: Pick<Tool<unknown>, "kind">,
  { idempotencyKey }: ModeHeaders
): RequestedMode | RequestRefused | undefined => {
  if (kind === "read" || idempotencyKey === undefined) return undefined
  const key = idempotencyKeyOf(idempotencyKey)
  return key instanceof RequestRefused ? key : { key }
}

/** The services that run calls in modes. */
export type CallModes = KeyedWrites

/** The mode of one call. */
export const callModeOf = ({ key }: RequestedMode): Effect.Effect<CallMode, never, CallModes> =>
  Effect.map(KeyedWrites, ({ modeOf }) => modeOf(key))
