import { drawingKind } from "../../Services/Media/Drawings/Drawings.ts"
import { imageKind } from "../../Services/Media/Images.ts"
import { videoKind } from "../../Services/Media/Videos.ts"
import * as Tool from "../Core/Tool.ts"
import { generateDrawing, getDrawing, listDrawings } from "./Drawings.ts"
import { generateImage, getImage, listImages } from "./Images.ts"
import { createVideo, editVideo, getVideo, listVideos } from "./Videos.ts"

export const MediaGroup = Tool.group(
  "Media",
  "Images, drawings and videos that are made from a description.",
  [
    generateImage,
    getImage,
    listImages,
    generateDrawing,
    getDrawing,
    listDrawings,
    createVideo,
    editVideo,
    getVideo,
    listVideos
  ],
  [drawingKind, imageKind, videoKind]
)
