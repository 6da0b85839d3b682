import type { DrawingModel } from "../../../../Services/Media/Drawings/DrawingModel.ts"
import type { Canvas } from "../Canvas.ts"
import { chartContent } from "./ChartDrawing.ts"
import { type Content, type Framing, pageOf } from "./DrawingSheet.ts"
import { quadrantsContent, vennContent } from "./SetsDrawing.ts"
import { shapesContent } from "./ShapeDrawing.ts"
import { ganttContent, timelineContent } from "./SpansDrawing.ts"
import { statesContent } from "./StatesDrawing.ts"
import { gridContent, tableContent } from "./TableDrawing.ts"
import { wireframeContent } from "./WireframeDrawing.ts"

/** Modules that only some drawings need are loaded on demand. */
const contentOf = async ({ body, language }: DrawingModel): Promise<Content> => {
  switch (body.kind) {
    case "graph":
      return await (await import("./GraphDrawing.ts")).graphContent(body)
    case "world":
      return (await import("./WorldDrawing.ts")).worldContent(body, language)
    case "chart":
      return chartContent(body, language)
    case "table":
      return tableContent(body)
    case "grid":
      return gridContent(body)
    case "wireframe":
      return wireframeContent(body)
    case "shapes":
      return shapesContent(body)
    case "gantt":
      return ganttContent(body)
    case "timeline":
      return timelineContent(body)
    case "venn":
      return vennContent(body)
    case "quadrants":
      return quadrantsContent(body)
    case "states":
      return statesContent(body, language)
  }
}

export const drawing = async (model: DrawingModel, framing: Omit<Framing, "title">): Promise<Canvas> =>
  pageOf(await contentOf(model), { ...framing, title: model.title })
