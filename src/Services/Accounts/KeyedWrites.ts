import { Context, type Effect, type Option, Schema } from "effect"
import {
  commonReasons,
  NotFound,
  outcomeUnknownReason,
  Permanent,
  Refused,
  type ToolError,
  type Transient
} from "../../Errors.ts"
import type { CallMode } from "../Core/Calls/CallMode.ts"

/** The lifetime of a key in milliseconds. */
export const keyLifetime = 24 * 3_600_000

/** A failure that is the tool's answer, so that a repeated call gets it again. After others the key is free. */
const KeptFailure = Schema.Union(NotFound, Refused, Permanent)
type KeptFailure = typeof KeptFailure.Type

/** The stored answer of a write: the handler's value, or its failure. */
export type KeptAnswer = { readonly value: unknown } | { readonly failure: KeptFailure }

const StoredAnswer = Schema.parseJson(
  Schema.Union(Schema.Struct({ failure: KeptFailure }), Schema.Struct({ value: Schema.Unknown }))
)
const encodeFailure = Schema.encodeSync(KeptFailure)
const decodeStored = Schema.decodeUnknownOption(StoredAnswer)

/** Plan and passing trouble are not the tool's answer: the same call may succeed later. */
export const isKept = (failure: ToolError): failure is KeptFailure =>
  failure._tag === "NotFound" || failure._tag === "Refused" || failure._tag === "Permanent"

const databaseReasons: ReadonlySet<string> = new Set([...commonReasons.Transient, outcomeUnknownReason])

/** Whether the database refused a statement. Of a call with several transactions, earlier ones may be committed. */
export const isDatabaseTrouble = (failure: ToolError): boolean =>
  failure._tag === "Transient" && databaseReasons.has(failure.reason)

export const storedAnswer = (answer: KeptAnswer): string =>
  JSON.stringify("failure" in answer ? { failure: encodeFailure(answer.failure) } : { value: answer.value })

export const keptAnswer = (stored: string): Option.Option<KeptAnswer> => decodeStored(stored)

/** The same text for the same call: arguments that were decoded to the same values, whatever their order and spelling. */
export const fingerprintOf = (tool: string, args: { readonly [name: string]: unknown }): string =>
  JSON.stringify([tool, Object.entries(args).sort(([one], [other]) => (one < other ? -1 : 1))])

/** Writes that their callers named by a key, so that a repeated one is not done again. */
export class KeyedWrites extends Context.Tag("KeyedWrites")<
  KeyedWrites,
  {
    /** The mode of one call with this key. */
    readonly modeOf: (key: string) => CallMode
    /** Drops keys older than a day. Returns the names of the dropped partitions. */
    readonly keep: Effect.Effect<ReadonlyArray<string>, Transient>
  }
>() {}
