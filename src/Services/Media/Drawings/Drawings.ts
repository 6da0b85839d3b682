import { Context, Effect, Schema } from "effect"
import type { NotFound, Refused, Transient } from "../../../Errors.ts"
import type { Caller } from "../../Core/Calls/Caller.ts"
import type { JobId } from "../../Jobs/Ids.ts"
import * as JobHandler from "../../Jobs/JobHandler.ts"
import { generationFields } from "../Generation.ts"
import { DrawingId } from "../Ids.ts"

/** The request, as it is stored with the drawing. */
export const DrawingRequest = Schema.Struct({
  caption: Schema.NullOr(Schema.String),
  reference: Schema.NullOr(Schema.String),
  /** The drawing that this one changes. */
  previousId: Schema.NullOr(DrawingId)
})
export type DrawingRequest = typeof DrawingRequest.Type

export const DrawingView = Schema.Struct({
  drawing_id: DrawingId,
  ...generationFields,
  image_url: Schema.NullOr(Schema.String).annotations({ description: "The drawing as PNG, once it is finished." }),
  svg_url: Schema.NullOr(Schema.String).annotations({ description: "The same as SVG, which browsers save." }),
  kind: Schema.NullOr(
    Schema.Literal(
      "graph",
      "chart",
      "table",
      "grid",
      "wireframe",
      "shapes",
      "world",
      "states",
      "gantt",
      "timeline",
      "venn",
      "quadrants"
    )
  ).annotations({ description: "What was drawn: world is a map of countries, states a tile map of Brazil." }),
  title: Schema.NullOr(Schema.String),
  caption: Schema.NullOr(Schema.String),
  previous_drawing_id: Schema.NullOr(DrawingId).annotations({ description: "The drawing that this one changed." }),
  width: Schema.NullOr(Schema.Int),
  height: Schema.NullOr(Schema.Int)
})
export type DrawingView = typeof DrawingView.Type

export interface DrawingPage {
  readonly drawings: ReadonlyArray<DrawingView>
  readonly total: number
}

export class Drawings extends Context.Tag("Drawings")<
  Drawings,
  {
    /** Refused if the drawing to change is not finished. Call it in a transaction. */
    readonly start: (
      prompt: string,
      request: DrawingRequest
    ) => Effect.Effect<{ readonly drawingId: DrawingId; readonly jobId: JobId }, NotFound | Refused | Transient, Caller>
    readonly get: (id: DrawingId) => Effect.Effect<DrawingView, NotFound | Transient, Caller>
    /** Newest first. Pages count from 1. */
    readonly list: (options: {
      readonly page: number
      readonly pageSize: number
    }) => Effect.Effect<DrawingPage, Transient, Caller>
    readonly run: (job: JobHandler.RunningJob) => Effect.Effect<void, JobHandler.JobError, Caller>
  }
>() {}

export const drawingKind = "drawing_generation"

export const drawingJob = JobHandler.make(drawingKind, {
  timeout: "15 minutes",
  run: (job) => Effect.flatMap(Drawings, (drawings) => drawings.run(job))
})
