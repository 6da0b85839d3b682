import { Context, type Effect } from "effect"
import type { Transient } from "../../Errors.ts"

/**
 * Converts texts to vectors that represent their meaning. Without an embedding service, the gateway searches by words
 * only.
 */
export class Embeddings extends Context.Tag("Embeddings")<
  Embeddings,
  {
    /** The model's name. Vectors of different models cannot be compared. Undefined without a service. */
    readonly model: string | undefined
    /** Returns one vector of length one per text, in the same order. Takes at most 64 texts. */
    readonly embed: (texts: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<Float32Array>, Transient>
  }
>() {}
