import { AccessTokensGroup } from "./Accounts/AccessTokens.ts"
import { AccountSettingsGroup } from "./Accounts/AccountSettings.ts"
import { AdsPlatformGroup } from "./Ads/AdsPlatform.ts"
import { BlacklistGroup } from "./Blacklist/Blacklist.ts"
import { CalendarGroup } from "./Calendar/Calendar.ts"
import { CampaignsGroup } from "./Campaigns/Campaigns.ts"
import { LeadCapturePagesGroup } from "./CapturePages/CapturePages.ts"
import { ChatAppLineGroup } from "./ChatApp/ChatAppLine.ts"
import { ConversationsGroup } from "./Conversations/Conversations.ts"
import * as Catalog from "./Core/Catalog.ts"
import { CrmIntegrationsGroup } from "./Crm/CrmIntegrations.ts"
import { EventsAndWebhooksGroup } from "./Events/EventsAndWebhooks.ts"
import { CustomerFilesGroup } from "./Files/CustomerFiles.ts"
import { LeadOperationsGroup } from "./Groups/LeadOperations.ts"
import { LeadsGroup } from "./Groups/Leads.ts"
import { SessionGroup } from "./Groups/Session.ts"
import { BackgroundJobsGroup } from "./Jobs/BackgroundJobs.ts"
import { BusinessKnowledgeGroup } from "./Knowledge/BusinessKnowledge.ts"
import { ProspectingLearningsGroup } from "./Learnings/ProspectingLearnings.ts"
import { MediaGroup } from "./Media/Media.ts"
import { MeetingsGroup } from "./Meetings/Meetings.ts"
import { MembersGroup } from "./Members/Members.ts"
import { OutcomesGroup } from "./Outcomes/Outcomes.ts"
import { ProspectingConfigurationGroup } from "./Prospecting/ProspectingConfiguration.ts"
import { ProspectingFilesGroup } from "./ProspectingFiles/ProspectingFiles.ts"
import { SuggestionsAndLookupsGroup } from "./Reference/SuggestionsAndLookups.ts"
import { ReportsGroup } from "./Reports/Reports.ts"
import { SchedulingToolGroup } from "./Scheduler/SchedulingTool.ts"
import { ProspectingSimulationGroup } from "./Simulation/ProspectingSimulation.ts"
import { IncidentsGroup } from "./Support/Incidents.ts"
import { SupportGroup } from "./Support/Support.ts"
import { TimingIntelligenceGroup } from "./Timing/TimingIntelligence.ts"
import { VoiceCallsGroup } from "./Voice/VoiceCalls.ts"
import { OnlineSearchGroup } from "./WebSearch/OnlineSearch.ts"
import { WebsitesGroup } from "./Websites/Websites.ts"

/** All groups of product tools. A group that is not listed here does not exist. */
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
  ChatAppLineGroup,
  BusinessKnowledgeGroup,
  SuggestionsAndLookupsGroup,
  BlacklistGroup,
  ProspectingConfigurationGroup,
  ProspectingSimulationGroup,
  ProspectingFilesGroup,
  ProspectingLearningsGroup,
  ReportsGroup,
  AccountSettingsGroup,
  MembersGroup,
  AccessTokensGroup,
  EventsAndWebhooksGroup,
  CrmIntegrationsGroup,
  SchedulingToolGroup,
  CalendarGroup,
  AdsPlatformGroup,
  WebsitesGroup,
  LeadCapturePagesGroup,
  MediaGroup,
  OnlineSearchGroup,
  SupportGroup,
  IncidentsGroup,
  CustomerFilesGroup,
  BackgroundJobsGroup
])
