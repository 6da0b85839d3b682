import { WriterLayer } from "../../Services/Writing/Writer.ts"
import * as Room from "../Platform/Room.ts"

/** The words of messages. */
export const WritingRoom = Room.make({ layer: WriterLayer })
