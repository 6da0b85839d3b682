import { Layer } from "effect"
import { SimulatedHostCalendarPostgres } from "../../src/Layers/Calendar/sandbox/SimulatedHostCalendarPostgres.ts"
import { chatAppFileReferences } from "../../src/Layers/ChatApp/PersonalData.ts"
import { ChatAppQueuePostgres } from "../../src/Layers/ChatApp/Sending/ChatAppQueuePostgres.ts"
import { NotificationsPostgres } from "../../src/Layers/Events/NotificationsPostgres.ts"
import { JobRecordsPostgres } from "../../src/Layers/Jobs/JobRecordsPostgres.ts"
import { BusinessSetupPostgres } from "../../src/Layers/Knowledge/BusinessSetupPostgres.ts"
import { leadFilesFileReferences } from "../../src/Layers/LeadFiles/PersonalData.ts"
import { CampaignLeadsPostgres } from "../../src/Layers/Leads/CampaignLeadsPostgres.ts"
import { leadFileReferences } from "../../src/Layers/Leads/Erasure/PersonalData.ts"
import { MailQueuePostgres } from "../../src/Layers/Mail/Outbox/MailQueuePostgres.ts"
import { StrangerMailsPostgres } from "../../src/Layers/Mail/Outbox/StrangerMailsPostgres.ts"
import { mediaFileReferences } from "../../src/Layers/Media/FileReferences.ts"
import { MeetingNoticesPostgres } from "../../src/Layers/Meetings/MeetingNoticesPostgres.ts"
import { sandboxLanguageModel } from "../../src/Layers/Models/sandbox/LanguageModelSandbox.ts"
import { AnswerDeliveriesPostgres } from "../../src/Layers/Outcomes/AnswerDeliveriesPostgres.ts"
import { PendingTouchesPostgres } from "../../src/Layers/Outreach/PendingTouchesPostgres.ts"
import { FileReferencesOfRooms } from "../../src/Layers/Platform/FileReferences.ts"
import { ProspectingSetupPostgres } from "../../src/Layers/Prospecting/ProspectingSetupPostgres.ts"
import { VoiceQueuePostgres } from "../../src/Layers/Voice/Calls/VoiceQueuePostgres.ts"
import { InstructionReportsPostgres } from "../../src/Layers/Writing/InstructionReportsPostgres.ts"
import { LanguageModel } from "../../src/Services/Models/LanguageModel.ts"

/**
 * Services that rooms may need of later ones, as in the gateway: those on the database alone, and references to files.
 */
export const EarlyServices = Layer.mergeAll(
  AnswerDeliveriesPostgres,
  BusinessSetupPostgres,
  CampaignLeadsPostgres,
  ChatAppQueuePostgres,
  InstructionReportsPostgres.pipe(Layer.provide(Layer.succeed(LanguageModel, sandboxLanguageModel))),
  JobRecordsPostgres,
  MailQueuePostgres,
  MeetingNoticesPostgres,
  NotificationsPostgres,
  PendingTouchesPostgres,
  ProspectingSetupPostgres,
  SimulatedHostCalendarPostgres,
  StrangerMailsPostgres,
  VoiceQueuePostgres,
  Layer.succeed(FileReferencesOfRooms, [
    leadFileReferences,
    leadFilesFileReferences,
    chatAppFileReferences,
    mediaFileReferences
  ])
)
