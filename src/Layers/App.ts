import { NodeContext } from "@effect/platform-node"
import { Effect, Layer, Logger, Option, Redacted } from "effect"
import { chatAppLineProvisioningJob } from "../Services/ChatApp/ChatAppLines.ts"
import { UploadLimit } from "../Services/Files/CustomerFiles.ts"
import { leadExportJob } from "../Services/LeadFiles/LeadExports.ts"
import { leadImportJob } from "../Services/LeadFiles/LeadImports.ts"
import { MailDomain } from "../Services/Leads/LeadEmails.ts"
import { ReplyReaderLayer } from "../Services/Replies/ReplyReader.ts"
import { WriterLayer } from "../Services/Writing/Writer.ts"
import { AllTools } from "../Tools/AllTools.ts"
import { AccessTokensPostgres } from "./Accounts/AccessTokensPostgres.ts"
import { AccountProfilePostgres } from "./Accounts/AccountProfilePostgres.ts"
import { AccountsPostgres } from "./Accounts/AccountsPostgres.ts"
import { firstStart } from "./Accounts/FirstStart.ts"
import { BlacklistPostgres } from "./Blacklist/BlacklistPostgres.ts"
import { returnArchivedCampaignLeadsHandler } from "./Campaigns/ArchivedCampaignLeads.ts"
import { CampaignLookupPostgres } from "./Campaigns/CampaignLookupPostgres.ts"
import { CampaignsPostgres } from "./Campaigns/CampaignsPostgres.ts"
import { Channels, channelEndpoints } from "./Channels.ts"
import { chatAppRecurring, chatAppTaskHandlers } from "./ChatApp/ChatAppTasks.ts"
import { ConversationsPostgres } from "./Conversations/ConversationsPostgres.ts"
import { conversationRecurring, conversationTasks } from "./Conversations/MessageMeanings.ts"
import { AccountEventsPostgres } from "./Events/AccountEventsPostgres.ts"
import { NotificationsPostgres } from "./Events/NotificationsPostgres.ts"
import { webhookDispatcherLayer } from "./Events/Webhooks/Dispatcher.ts"
import { webhookRetention } from "./Events/Webhooks/Retention.ts"
import { WebhooksPostgres } from "./Events/WebhooksPostgres.ts"
import { CustomerFilesPostgres } from "./Files/CustomerFilesPostgres.ts"
import { JobsPostgres } from "./Jobs/JobsPostgres.ts"
import { LeadExportsPostgres } from "./LeadFiles/LeadExportsPostgres.ts"
import { layer as LeadFileReaderLayer } from "./LeadFiles/LeadFileReader.ts"
import { LeadImportsPostgres } from "./LeadFiles/LeadImportsPostgres.ts"
import { LeadEmailsPostgres } from "./Leads/LeadEmailsPostgres.ts"
import { LeadSearchPostgres } from "./Leads/LeadSearchPostgres.ts"
import { LeadsPostgres } from "./Leads/LeadsPostgres.ts"
import { ReferralsPostgres } from "./Leads/ReferralsPostgres.ts"
import { MailReading } from "./Mail/MailLayers.ts"
import { mailRecurring, mailTasks } from "./Mail/MailTasks.ts"
import { meetingRecurring, meetingTasks } from "./Meetings/MeetingReminders.ts"
import { MeetingsPostgres } from "./Meetings/MeetingsPostgres.ts"
import { migrate } from "./Migrations.ts"
import { EmbeddingsConfigured } from "./Models/Embeddings/Live.ts"
import { LanguageModelConfigured } from "./Models/LanguageModel/LanguageModelConfigured.ts"
import { LanguageUsagePostgres } from "./Models/LanguageUsagePostgres.ts"
import { outcomeRecurring, outcomeTasks } from "./Outcomes/CheckIns.ts"
import { LeadQuestionsPostgres } from "./Outcomes/LeadQuestionsPostgres.ts"
import { OutcomesPostgres } from "./Outcomes/OutcomesPostgres.ts"
import { TouchLoop } from "./Outreach/ClaimTouches.ts"
import { makeComposeTouchHandler } from "./Outreach/ComposeTouch.ts"
import { LeadSchedulePostgres } from "./Outreach/LeadSchedulePostgres.ts"
import { lostTouches } from "./Outreach/LostTouches.ts"
import { SendGuardPostgres } from "./Outreach/SendGuardPostgres.ts"
import { TouchLedgerPostgres } from "./Outreach/TouchLedgerPostgres.ts"
import { unscheduledLeadsReport } from "./Outreach/UnscheduledLeads.ts"
import { acquire } from "./Platform/EmbeddedPostgres.ts"
import { serverLayer } from "./Platform/Http/Server.ts"
import { jobEngineLayer } from "./Platform/Jobs/Engine.ts"
import { migrateEngine } from "./Platform/Jobs/EngineSchema.ts"
import { TaskQueuePostgres } from "./Platform/Jobs/TaskQueue.ts"
import { MetricsLive } from "./Platform/Metrics.ts"
import { OutboundHttpNode } from "./Platform/Outbound/OutboundHttp.ts"
import { OutboundPolicy } from "./Platform/Outbound/OutboundPolicy.ts"
import { DatabaseLayer, DatabaseLocation } from "./Platform/Postgres/Database.ts"
import { Settings, SettingsLive } from "./Platform/Settings.ts"
import { makeIsSampled, TracingLive } from "./Platform/Tracing.ts"
import { PresentationsPostgres } from "./Presentations/PresentationsPostgres.ts"
import { ProspectingConfigPostgres } from "./Prospecting/ProspectingConfigPostgres.ts"
import { makeReadReplyHandler } from "./Replies/ReadReply.ts"
import { TimingPostgres, timingRecurring, timingTasks } from "./Timing/TimingPostgres.ts"
import { voiceRecurring, voiceTaskHandlers } from "./Voice/VoiceTasks.ts"

/** The database that the settings name, or a server of the gateway's own. */
const LocationLive = Layer.scoped(
  DatabaseLocation,
  Effect.gen(function* () {
    const { databaseUrl, dataDir, poolSize } = yield* Settings
    if (Option.isSome(databaseUrl))
      return { connection: { connectionString: Redacted.value(databaseUrl.value) }, poolSize }
    const { database, host, port, user } = yield* acquire({ dataDir: `${dataDir}/postgres` })
    return { connection: { database, host, port, user }, poolSize }
  })
)

/** JSON lines on standard output, from the level that the settings ask for. */
const LoggingLive = Layer.unwrapEffect(
  Effect.map(Settings, ({ logLevel }) => Layer.merge(Logger.json, Logger.minimumLogLevel(logLevel)))
)

const MigratedDatabase = Layer.effectDiscard(Effect.zipRight(migrate, migrateEngine)).pipe(
  Layer.provideMerge(DatabaseLayer),
  Layer.provideMerge(LocationLive)
)

const Foundation = Layer.mergeAll(LoggingLive, TracingLive).pipe(
  Layer.provideMerge(SettingsLive),
  Layer.provideMerge(NodeContext.layer)
)

/** The database with the tables' accounts and tokens: what the operator's commands need. */
export const Operations = Layer.mergeAll(AccountsPostgres, AccessTokensPostgres).pipe(
  Layer.provideMerge(MigratedDatabase),
  Layer.provideMerge(Foundation)
)

/** What single services take from the settings. */
const Tuning = Layer.unwrapEffect(
  Effect.map(Settings, ({ mailDomain, outboundAllowLoopback, uploadLimit }) =>
    Layer.mergeAll(
      Layer.succeed(MailDomain, mailDomain),
      Layer.succeed(UploadLimit, uploadLimit),
      Layer.effect(
        OutboundPolicy,
        Effect.map(OutboundPolicy, (policy) => ({ ...policy, allowLoopback: outboundAllowLoopback }))
      )
    )
  )
)

/** What stands directly on the database, and the ways to the outside. */
const Base = Layer.mergeAll(
  JobsPostgres,
  NotificationsPostgres,
  BlacklistPostgres,
  CampaignLookupPostgres,
  LeadFileReaderLayer,
  OutboundHttpNode,
  AccountEventsPostgres
).pipe(Layer.provideMerge(Layer.merge(AccountProfilePostgres, CustomerFilesPostgres)), Layer.provideMerge(Tuning))

/** What prospecting stands on, beside the leads. */
const Outreach = Layer.mergeAll(
  SendGuardPostgres,
  TouchLedgerPostgres,
  LanguageUsagePostgres,
  ProspectingConfigPostgres,
  Layer.merge(WriterLayer, ReplyReaderLayer).pipe(Layer.provideMerge(LanguageModelConfigured))
)

/** The services that tools and background work use, on whatever queue of tasks. */
export const DomainOnQueue = Layer.mergeAll(
  LeadEmailsPostgres,
  LeadSearchPostgres,
  LeadExportsPostgres,
  LeadImportsPostgres,
  LeadSchedulePostgres,
  ReferralsPostgres,
  PresentationsPostgres,
  CampaignsPostgres,
  MeetingsPostgres,
  OutcomesPostgres,
  LeadQuestionsPostgres,
  TimingPostgres,
  ConversationsPostgres,
  WebhooksPostgres
).pipe(
  Layer.provideMerge(EmbeddingsConfigured),
  Layer.provideMerge(Channels),
  Layer.provideMerge(Outreach),
  Layer.provideMerge(LeadsPostgres),
  Layer.provideMerge(Base)
)

/** The same, with the queue that the engine works. */
export const Domain = DomainOnQueue.pipe(Layer.provideMerge(TaskQueuePostgres))

/** All that is done in the background, whoever does it. */
export const backgroundWork = Effect.gen(function* () {
  return {
    tasks: [
      yield* makeComposeTouchHandler,
      yield* makeReadReplyHandler,
      lostTouches.handler,
      unscheduledLeadsReport.handler,
      ...mailTasks,
      ...chatAppTaskHandlers,
      ...voiceTaskHandlers,
      ...meetingTasks,
      ...outcomeTasks,
      ...timingTasks,
      ...conversationTasks,
      returnArchivedCampaignLeadsHandler,
      webhookRetention.handler
    ],
    jobs: [leadImportJob, leadExportJob, chatAppLineProvisioningJob],
    recurring: [
      lostTouches.recurring,
      unscheduledLeadsReport.recurring,
      ...mailRecurring,
      ...chatAppRecurring,
      ...voiceRecurring,
      ...meetingRecurring,
      ...outcomeRecurring,
      ...timingRecurring,
      ...conversationRecurring,
      webhookRetention.recurring
    ]
  }
})

/** Does the tasks and jobs that calls and other work leave behind. */
export const Engine = Layer.unwrapEffect(
  Effect.gen(function* () {
    const settings = yield* Settings
    const { jobConcurrency } = settings
    const isSampled = makeIsSampled(settings)
    const engine = jobEngineLayer({
      ...(yield* backgroundWork),
      concurrency: { quick: 4 * jobConcurrency, long: jobConcurrency },
      isSampled
    })
    return Layer.merge(engine, webhookDispatcherLayer({ isSampled }))
  })
)

/** What the platform does of its own accord: contact leads that are due, and read the mailbox. */
const Prospecting = Layer.merge(TouchLoop, MailReading)

/** Services and background work. */
const Workers = Engine.pipe(Layer.provideMerge(Domain), Layer.provideMerge(Operations))

/** The gateway: all tiers, listening. */
export const App = serverLayer(AllTools, channelEndpoints).pipe(
  Layer.provide(Layer.effectDiscard(firstStart)),
  Layer.provide(MetricsLive),
  Layer.provide(Prospecting),
  Layer.provide(Workers)
)
