import { Effect, Schema } from "effect"
import { Drawings, DrawingView } from "../../Services/Media/Drawings/Drawings.ts"
import { DrawingId } from "../../Services/Media/Ids.ts"
import * as Param from "../Core/Param.ts"
import * as Tool from "../Core/Tool.ts"
import { begunSchema, pagesFromOne, promptParam, referenceParam } from "./MediaParams.ts"

export const generateDrawing = Tool.make("generate_drawing", {
  kind: "write",
  idempotent: false,
  openWorld: true,
  description:
    "Makes a drawing in the background: a diagram, chart, funnel, table, grid of cards, wireframe, shapes, a map of countries or of Brazilian states. Data in the prompt is drawn as it stands: label: number, arrows (A -> B), lists, tables and Mermaid. With drawing_id that drawing is changed, as a new one with an id of its own.",
  parameters: {
    prompt: promptParam("What to draw, or what to change of drawing_id; in any language, at most 8 000 characters."),
    caption: Param.optional(Param.text("A line below the drawing.", { maxLength: 300 })),
    reference_image_url: referenceParam("Absolute https address of a picture that is shown with the drawing."),
    drawing_id: Param.optional(Param.id(DrawingId, "A finished drawing to change; it stays as it is."))
  },
  returns: begunSchema({ drawing_id: DrawingId }),
  errors: {
    NotFound: ["drawing_not_found"],
    Refused: ["drawing_not_finished", "reference_url_invalid", "too_many_jobs", "too_many_references"]
  },
  runsInBackground: true,
  example: {
    prompt: "Bar chart of meetings by month: January: 12, February: 18, March: 25",
    caption: "Source: reports"
  },
  run: Effect.fnUntraced(function* (args) {
    const drawings = yield* Drawings
    const { drawingId, jobId } = yield* drawings.start(args.prompt, {
      caption: args.caption ?? null,
      reference: args.reference_image_url?.trim() ?? null,
      previousId: args.drawing_id ?? null
    })
    return { drawing_id: drawingId, job_id: jobId, status: "queued" as const }
  })
})

export const getDrawing = Tool.make("get_drawing", {
  kind: "read",
  openWorld: false,
  description: "Tells how far a drawing is and, once it is finished, where it can be seen and downloaded as SVG.",
  parameters: { drawing_id: Param.id(DrawingId, "The drawing, as generate_drawing answered it.") },
  returns: DrawingView,
  errors: { NotFound: ["drawing_not_found"] },
  example: { drawing_id: 2 },
  run: Tool.via(Drawings, (drawings, { drawing_id }) => drawings.get(drawing_id))
})

export const listDrawings = Tool.make("list_drawings", {
  kind: "read",
  openWorld: false,
  description: "Lists the drawings that were asked for, newest first, with how far each is and where it can be seen.",
  parameters: pagesFromOne,
  returns: Tool.page({ drawings: Schema.Array(DrawingView) }),
  example: { page: 1, page_size: 10 },
  run: Tool.pageVia(Drawings, (drawings, page) => drawings.list(page))
})
