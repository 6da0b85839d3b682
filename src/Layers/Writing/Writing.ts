import { Layer } from "effect"
import { WriterLayer } from "../../Services/Writing/Writer.ts"
import * as Room from "../Platform/Room.ts"
import { InstructionReportsPostgres } from "./InstructionReportsPostgres.ts"

/** The room that writes messages. */
export const WritingRoom = Room.make({ layer: Layer.merge(WriterLayer, InstructionReportsPostgres) })
