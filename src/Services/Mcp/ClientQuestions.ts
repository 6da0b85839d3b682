import { Context, type Effect, type Option } from "effect"
import type { Transient } from "../../Errors.ts"
import type { Caller } from "../Core/Calls/Caller.ts"
import type { Timestamp } from "../Core/Timestamp.ts"

/** The call that a question belongs to. An answer only applies to this call. */
export interface QuestionedCall {
  readonly tool: string
  /** A digest of its arguments. */
  readonly digest: string
}

/** A question that was stored. Its id is random, so no one can guess it. */
export interface OpenQuestion {
  readonly id: string
  readonly expiresAt: Timestamp
}

/**
 * Questions to the person who uses a client or the console. Another process may receive the answer, so they are in the
 * database. Each belongs to the account and token of its call, and expires after ten minutes.
 */
export class ClientQuestions extends Context.Tag("ClientQuestions")<
  ClientQuestions,
  {
    /** Stores the question. The answer must contain its id. */
    readonly open: (call: QuestionedCall) => Effect.Effect<OpenQuestion, Transient, Caller>
    /** Whether the question is about this call, has not expired and was not used before. If so, it is now used. */
    readonly use: (question: string, call: QuestionedCall) => Effect.Effect<boolean, Transient, Caller>
    /** Stores the answer for the process that waits for it. False if there is no such question. */
    readonly answer: (question: string, answer: unknown) => Effect.Effect<boolean, Transient, Caller>
    /** The answer, once it has arrived. */
    readonly answered: (question: string) => Effect.Effect<Option.Option<unknown>, Transient, Caller>
  }
>() {}
