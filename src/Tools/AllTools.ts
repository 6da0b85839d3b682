import { AccessTokensGroup } from "./AccessTokens.ts"
import { BackgroundJobsGroup } from "./BackgroundJobs.ts"
import { BlacklistGroup } from "./Blacklist.ts"
import { CampaignsGroup } from "./Campaigns.ts"
import * as Catalog from "./Catalog.ts"
import { ConversationsGroup } from "./Conversations.ts"
import { CustomerFilesGroup } from "./CustomerFiles.ts"
import { EventsAndWebhooksGroup } from "./EventsAndWebhooks.ts"
import { LeadOperationsGroup } from "./LeadOperations.ts"
import { LeadsGroup } from "./Leads.ts"
import { MeetingsGroup } from "./Meetings.ts"
import { MessagingAppLineGroup } from "./MessagingAppLine.ts"
import { OutcomesGroup } from "./Outcomes.ts"
import { ProspectingConfigurationGroup } from "./ProspectingConfiguration.ts"
import { SessionGroup } from "./Session.ts"
import { TimingIntelligenceGroup } from "./TimingIntelligence.ts"
import { VoiceCallsGroup } from "./VoiceCalls.ts"

/** The whole surface: a group not listed here does not exist. */
export const AllTools = Catalog.make([
  SessionGroup,
  LeadsGroup,
  LeadOperationsGroup,
  OutcomesGroup,
  MeetingsGroup,
  TimingIntelligenceGroup,
  ConversationsGroup,
  CampaignsGroup,
  VoiceCallsGroup,
  MessagingAppLineGroup,
  BlacklistGroup,
  ProspectingConfigurationGroup,
  AccessTokensGroup,
  EventsAndWebhooksGroup,
  CustomerFilesGroup,
  BackgroundJobsGroup
])
