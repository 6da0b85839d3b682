import * as Room from "../Platform/Room.ts"
import { CapturePagesLive } from "./CapturePagesLive.ts"

/** The room of lead-capture pages: websites of that type, and their results. */
export const CapturePagesRoom = Room.make({ layer: CapturePagesLive })
