import * as Tool from "../Core/Tool.ts"
import { generateImage, getImage, listImages } from "./Images.ts"

export const MediaGroup = Tool.group("Media", "Images, drawings and videos that are made from a description.", [
  generateImage,
  getImage,
  listImages
])
