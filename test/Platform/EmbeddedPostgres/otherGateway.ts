import { Effect, Schema } from "effect"
import { acquire } from "../../../src/Layers/Platform/EmbeddedPostgres.ts"

const Options = Schema.parseJson(
  Schema.Struct({
    dataDir: Schema.String,
    settings: Schema.Record({ key: Schema.String, value: Schema.Union(Schema.String, Schema.Number, Schema.Boolean) })
  })
)

// Run by a test in a separate process. It opens the database of a data directory and reports once it is up.
const [, , options] = process.argv
Effect.runFork(
  Schema.decodeUnknown(Options)(options).pipe(
    Effect.flatMap((decoded) => acquire(decoded)),
    Effect.tap(() => Effect.sync(() => process.stdout.write("up"))),
    Effect.zipRight(Effect.never),
    Effect.scoped
  )
)
