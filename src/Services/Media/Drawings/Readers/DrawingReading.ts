import type { DrawingModel } from "../DrawingModel.ts"
import type { DrawingNotes } from "../DrawingNotes.ts"

/**
 * A drawing that shows everything in its prompt. Otherwise the reason why there is none, and the words that would be
 * missing.
 */
export type DrawingReading =
  | {
      readonly _tag: "Read"
      readonly model: DrawingModel
      /** Wishes of the prompt that the drawing does not carry out. */
      readonly undone: ReadonlyArray<string>
    }
  | {
      readonly _tag: "Unread"
      readonly reason: keyof Pick<
        DrawingNotes,
        "notShown" | "contradicts" | "noData" | "noFloorPlan" | "notClear" | "notChanged"
      >
      readonly words: ReadonlyArray<string>
    }
