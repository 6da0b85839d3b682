import { createInterface } from "node:readline"
import { Effect, Layer, Schema } from "effect"
import { faultPoints } from "../../support/checks/FaultPoints.ts"
import { touchWorker } from "../../support/processes/TouchWorker.ts"

const Order = Schema.parseJson(
  Schema.Struct({
    world: Schema.Struct({
      connection: Schema.Struct({
        host: Schema.String,
        port: Schema.Int,
        user: Schema.String,
        database: Schema.String
      }),
      smtpPort: Schema.Int,
      sentMailUrl: Schema.String,
      chatAppUrl: Schema.String,
      voiceUrl: Schema.String
    }),
    fault: Schema.optional(Schema.Struct({ point: Schema.Literal(...faultPoints), nth: Schema.Int }))
  })
)

/** A touch worker in a process of its own: it waits for its order, a line of JSON, and works until it is killed. */
createInterface({ input: process.stdin }).once("line", (order) => {
  void Effect.runPromise(
    Effect.flatMap(Schema.decode(Order)(order), ({ fault, world }) => Layer.launch(touchWorker(world, fault)))
  )
})
