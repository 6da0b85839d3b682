import { placeVoiceCallHandler } from "./Dialing.ts"
import { followVoiceCallHandler, voiceCallTending } from "./Following.ts"

/** The background work of telephone calls. */
export const voiceTaskHandlers = [placeVoiceCallHandler, followVoiceCallHandler, voiceCallTending.handler]
export const voiceRecurring = [voiceCallTending.recurring]
