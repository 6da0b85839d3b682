import { Effect, Layer } from "effect"
import { Embeddings } from "../../../Services/Models/Embeddings.ts"

export const noEmbeddings = Embeddings.of({ model: undefined, embed: () => Effect.succeed([]) })

/** No service tells meanings: searches compare words alone, and say so. */
export const NoEmbeddings = Layer.succeed(Embeddings, noEmbeddings)
