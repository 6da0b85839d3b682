import { followVoiceCallHandler, voiceCallTending } from "./CallPolling.ts"
import { placeVoiceCallHandler } from "./Dialing.ts"

/** The background work of telephone calls. */
export const voiceTaskHandlers = [placeVoiceCallHandler, followVoiceCallHandler, voiceCallTending.handler]
export const voiceRecurring = [voiceCallTending.recurring]
