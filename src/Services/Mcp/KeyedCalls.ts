import { Context, type Effect } from "effect"
import type { Transient } from "../../Errors.ts"
import type { Caller } from "../Core/Caller.ts"
import type { AskedCall } from "./ClientQuestions.ts"

/** What is known of a key that a caller gave a write. */
export type KeyedCall =
  /** Nobody used it: it is this call's now. */
  | { readonly _tag: "Begun" }
  /** The same call was made, and this is what it answered. */
  | { readonly _tag: "Answered"; readonly answer: string }
  /** The same call is under way, here or in another process. */
  | { readonly _tag: "Running" }
  /** The same call began, and the process that made it went away: what it did is not known. */
  | { readonly _tag: "Lost" }
  /** Another call has it. */
  | { readonly _tag: "Taken" }

/** Keys that callers give writes, so that one that is sent again because its answer got lost is not done again. */
export class KeyedCalls extends Context.Tag("KeyedCalls")<
  KeyedCalls,
  {
    readonly begin: (key: string, call: AskedCall) => Effect.Effect<KeyedCall, Transient, Caller>
    readonly answered: (key: string, answer: string) => Effect.Effect<void, Transient, Caller>
    /** Nothing was done: the key is free again. */
    readonly release: (key: string) => Effect.Effect<void, Transient, Caller>
    /** Removes the keys of all accounts that are older than a day. */
    readonly forgetOld: Effect.Effect<void, Transient>
  }
>() {}
