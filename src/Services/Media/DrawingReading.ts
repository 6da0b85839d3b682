import type { DrawingModel } from "./DrawingModel.ts"
import type { DrawingNotes } from "./DrawingNotes.ts"

/** A drawing that shows all that its prompt says; else why there is none, and the words that it would not show. */
export type DrawingReading =
  | {
      readonly _tag: "Read"
      readonly model: DrawingModel
      /** Wishes of the prompt that the drawing does not fulfil. */
      readonly undone: ReadonlyArray<string>
    }
  | {
      readonly _tag: "Unread"
      readonly reason: keyof Pick<DrawingNotes, "notShown" | "noData" | "noFloorPlan" | "notClear" | "notChanged">
      readonly words: ReadonlyArray<string>
    }
