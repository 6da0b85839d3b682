import { Effect, Layer } from "effect"
import { Embeddings } from "../../../Services/Models/Embeddings.ts"

export const noEmbeddings = Embeddings.of({ model: undefined, embed: () => Effect.succeed([]) })

/** Without a service for embeddings, searches compare words only and report mode `text`. */
export const NoEmbeddings = Layer.succeed(Embeddings, noEmbeddings)
