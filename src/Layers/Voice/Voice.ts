import { Effect, Layer } from "effect"
import { Voice } from "../../Services/Voice/Voice.ts"
import * as Room from "../Platform/Room.ts"
import { VoiceCallsPostgres } from "./Calls/VoiceCallsPostgres.ts"
import { VoiceQueuePostgres } from "./Calls/VoiceQueuePostgres.ts"
import { voiceMigration } from "./Migrations.ts"
import { voicePersonalData } from "./PersonalData.ts"
import { voiceChecks } from "./VoiceChecks.ts"
import { VoiceConfigured } from "./VoiceConfigured.ts"
import { voiceEndpoints } from "./VoiceEndpoints.ts"
import { loadVoiceSettings } from "./VoiceSettings.ts"
import { voiceRecurring, voiceTaskHandlers } from "./VoiceTasks.ts"

/** The room of telephone calls. */
export const VoiceRoom = Room.make({
  migrations: [voiceMigration],
  early: VoiceQueuePostgres,
  layer: Layer.merge(VoiceCallsPostgres, VoiceConfigured),
  tasks: Effect.succeed(voiceTaskHandlers),
  recurring: voiceRecurring,
  endpoints: voiceEndpoints,
  modes: Effect.map(Voice, ({ mode }) => ({ voice: mode })),
  personalData: voicePersonalData,
  settings: [loadVoiceSettings],
  checks: voiceChecks
})
