import { Context, type Effect } from "effect"
import type { Transient } from "../../Errors.ts"

/** What a service tells about the meaning of texts, as vectors; a gateway without one searches by words alone. */
export class Embeddings extends Context.Tag("Embeddings")<
  Embeddings,
  {
    /** The model's name, since vectors of two models cannot be compared; undefined where there is no service. */
    readonly model: string | undefined
    /** One vector of length one for each text, in the order given: at most 64 texts. */
    readonly embed: (texts: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<Float32Array>, Transient>
  }
>() {}
