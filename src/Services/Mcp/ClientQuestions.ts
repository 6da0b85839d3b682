import { Context, type Effect, type Option } from "effect"
import type { Transient } from "../../Errors.ts"
import type { Caller } from "../Core/Caller.ts"

/** The call that a question is about: an answer holds for no other one. */
export interface AskedCall {
  readonly tool: string
  /** Of its arguments. */
  readonly digest: string
}

/**
 * Questions to the person before a client. The answer may reach another process than the one that asked, so that they
 * stand in the database; each is bound to the account and the token that it was asked of, and holds for ten minutes.
 */
export class ClientQuestions extends Context.Tag("ClientQuestions")<
  ClientQuestions,
  {
    /** Notes the question; answers the name under which its answer has to come. */
    readonly open: (call: AskedCall) => Effect.Effect<string, Transient, Caller>
    /** Whether the question was asked about this very call, still holds, and was not used before: then it is used now. */
    readonly use: (question: string, call: AskedCall) => Effect.Effect<boolean, Transient, Caller>
    /** Keeps the answer for whoever waits for it; false where nobody asked. */
    readonly answer: (question: string, answer: unknown) => Effect.Effect<boolean, Transient, Caller>
    /** What was answered, as soon as it is there. */
    readonly answered: (question: string) => Effect.Effect<Option.Option<unknown>, Transient, Caller>
  }
>() {}
