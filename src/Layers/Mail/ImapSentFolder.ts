import { Context, Effect, type Option } from "effect"
import type { Transient } from "../../Errors.ts"

/** Where the server files what was sent. */
export class SentFolder extends Context.Reference<SentFolder>()("SentFolder", {
  defaultValue: () => ({
    /** Whether a message is there; nothing where there is no such folder to look into. */
    has: (_messageId: string): Effect.Effect<Option.Option<boolean>, Transient> => Effect.succeedNone
  })
}) {}
