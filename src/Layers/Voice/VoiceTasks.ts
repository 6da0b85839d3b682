import { followVoiceCallHandler, voiceCallTending } from "./Calls/CallPolling.ts"
import { placeVoiceCallHandler } from "./Calls/Dialing.ts"

/** The background tasks of telephone calls. */
export const voiceTaskHandlers = [placeVoiceCallHandler, followVoiceCallHandler, voiceCallTending.handler]
export const voiceRecurring = [voiceCallTending.recurring]
