import * as Room from "../Platform/Room.ts"
import { CapturePagesLive } from "./CapturePagesLive.ts"

/** Lead-capture pages: websites of that type, and what comes of them. */
export const CapturePagesRoom = Room.make({ layer: CapturePagesLive })
