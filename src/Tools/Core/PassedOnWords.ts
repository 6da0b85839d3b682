import { Effect } from "effect"
import type { Transient } from "../../Errors.ts"
import type { Caller } from "../../Services/Core/Calls/Caller.ts"
import { AgentConversation } from "../../Services/Events/AgentConversation.ts"
import type { Fields } from "./Param.ts"

/** True for names of parameters in which callers pass on the words of the owner or a member. */
const isOfWords = (name: string): boolean =>
  name === "answer_text" ||
  name === "owner_context" ||
  name === "notes" ||
  name === "reason" ||
  /(?:^|_)instructions(?:_|$)/.test(name)

/** Returns the parameters of a tool that contain words of the owner or a member. */
export const wordParameters = (parameters: Fields): ReadonlyArray<string> =>
  Object.entries(parameters).flatMap(([name, { enum: values, type }]) =>
    type === "string" && values === undefined && isOfWords(name) ? [name] : []
  )

/** Adds the words of a call to the stored conversation with the agent. */
export const noteWords = (
  names: ReadonlyArray<string>,
  args: { readonly [name: string]: unknown }
): Effect.Effect<void, Transient, Caller> => {
  const words = names.flatMap((name) => {
    const value = args[name]
    return typeof value === "string" && value.trim() !== "" ? [value.trim()] : []
  })
  if (words.length === 0) return Effect.void
  return Effect.flatMap(AgentConversation, (conversation) =>
    conversation.note({ channel: "tool", words: words.join("\n") })
  )
}
