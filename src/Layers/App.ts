import { NodeContext } from "@effect/platform-node"
import { Effect, FiberRef, Layer, Logger, Option, pipe, Redacted } from "effect"
import { groupSlug } from "../Api/SkillGuide.ts"
import { KnownScopes } from "../Services/Accounts/Tokens/KnownScopes.ts"
import type { Caller } from "../Services/Core/Calls/Caller.ts"
import { PaidTools } from "../Services/Core/Calls/PaidTools.ts"
import { IntegrationModes } from "../Services/Core/Outside/IntegrationModes.ts"
import { OutsideHealthLive } from "../Services/Core/Outside/OutsideHealth.ts"
import { ProviderModelsLive } from "../Services/Core/Outside/ProviderModels.ts"
import { processesOf, sessionsOfServer } from "../Services/Core/WorkerProcesses.ts"
import { ToolGroups } from "../Services/Mcp/ToolGroups.ts"
import { AllTools } from "../Tools/AllTools.ts"
import type { ServicesOf } from "../Tools/Core/Catalog.ts"
import { PlatformTools } from "../Tools/PlatformTools.ts"
import { AccountsRoom } from "./Accounts/Accounts.ts"
import { AdsRoom } from "./Ads/Ads.ts"
import { BackupSettings } from "./Backups/BackupSettings.ts"
import { BackupsRoom } from "./Backups/Backups.ts"
import { walArchiving } from "./Backups/Copies/WalArchive.ts"
import { refuseUnfinishedRestore } from "./Backups/UnfinishedRestore.ts"
import { BlacklistRoom } from "./Blacklist/Blacklist.ts"
import { CalendarRoom } from "./Calendar/Calendar.ts"
import { CampaignsRoom } from "./Campaigns/Campaigns.ts"
import { CapturePagesRoom } from "./CapturePages/CapturePages.ts"
import { ChatAppRoom } from "./ChatApp/ChatApp.ts"
import { CompaniesRoom } from "./Companies/Companies.ts"
import { ConnectionsRoom } from "./Connections/Connections.ts"
import { ConsoleRoom } from "./Console/Console.ts"
import { consoleAccess } from "./Console/ConsoleAccess.ts"
import { consoleLane } from "./Console/ConsoleLane.ts"
import { ConversationsRoom } from "./Conversations/Conversations.ts"
import { CrmRoom } from "./Crm/Crm.ts"
import { EventsRoom } from "./Events/Events.ts"
import { eventStreamLane } from "./Events/Streams/EventStreamLane.ts"
import { FilesRoom } from "./Files/Files.ts"
import { JobsRoom } from "./Jobs/Jobs.ts"
import { KnowledgeRoom } from "./Knowledge/Knowledge.ts"
import { LeadFilesRoom } from "./LeadFiles/LeadFiles.ts"
import { LeadSourceRoom } from "./LeadSource/LeadSource.ts"
import { LeadsRoom } from "./Leads/Leads.ts"
import { LearningsRoom } from "./Learnings/Learnings.ts"
import { MailRoom } from "./Mail/Mail.ts"
import { McpRoom } from "./Mcp/Mcp.ts"
import { mcpLane } from "./Mcp/McpServing.ts"
import { MediaRoom } from "./Media/Media.ts"
import { MeetingsRoom } from "./Meetings/Meetings.ts"
import { MembersRoom } from "./Members/Members.ts"
import { ModelsRoom } from "./Models/Models.ts"
import { OutcomesRoom } from "./Outcomes/Outcomes.ts"
import { OutreachRoom } from "./Outreach/Outreach.ts"
import { acquire } from "./Platform/EmbeddedPostgres.ts"
import { EventLoopLive } from "./Platform/Fairness/BackgroundScheduler.ts"
import { FileReferencesOfRooms } from "./Platform/FileReferences.ts"
import { bearerAccess } from "./Platform/Http/CallerAccess.ts"
import type { LaneOptions, RequestLane, ServedTools } from "./Platform/Http/Server.ts"
import { jobEngineLayer } from "./Platform/Jobs/Engine.ts"
import { migrateEngine } from "./Platform/Jobs/EngineSchema.ts"
import { TaskQueuePostgres } from "./Platform/Jobs/TaskQueue.ts"
import type { Check } from "./Platform/Operators/Check.ts"
import { machineChecks } from "./Platform/Operators/MachineChecks.ts"
import { OutboundHttpNode } from "./Platform/Outbound/OutboundHttp.ts"
import { OutboundPolicy } from "./Platform/Outbound/OutboundPolicy.ts"
import { PersonalDataOfRooms } from "./Platform/PersonalData.ts"
import { distribute, hasWorkers } from "./Platform/Postgres/cluster/Distribution.ts"
import { DatabaseLayer, DatabaseLocation, migrateWith } from "./Platform/Postgres/Database.ts"
import { makeDatabaseChecks, replicaChecks } from "./Platform/Postgres/DatabaseChecks.ts"
import { DryRunsPostgres } from "./Platform/Postgres/DryRunsPostgres.ts"
import { inOrder } from "./Platform/Postgres/Migration.ts"
import { platformMigration } from "./Platform/Postgres/PlatformMigration.ts"
import { ActivityExchange } from "./Platform/Postgres/pool/CommitSignalExchange.ts"
import * as Room from "./Platform/Room.ts"
import { SealingLive, sealingKeys } from "./Platform/Sealing.ts"
import { loadSettings, Settings, SettingsLive } from "./Platform/Settings.ts"
import type { SettingsLoader } from "./Platform/SettingsReport.ts"
import { makeIsSampled, TracingLive } from "./Platform/Tracing.ts"
import { readProcessors } from "./Platform/Workers/Processors.ts"
import { PresentationsRoom } from "./Presentations/Presentations.ts"
import { ProspectingRoom } from "./Prospecting/Prospecting.ts"
import { ProspectingFilesRoom } from "./ProspectingFiles/ProspectingFiles.ts"
import { ReferenceRoom } from "./Reference/Reference.ts"
import { RepliesRoom } from "./Replies/Replies.ts"
import { ReportsRoom } from "./Reports/Reports.ts"
import { SchedulerRoom } from "./Scheduler/Scheduler.ts"
import { SenderDomainsRoom } from "./SenderDomains/SenderDomains.ts"
import { SimulationRoom } from "./Simulation/Simulation.ts"
import { SupportRoom } from "./Support/Support.ts"
import { TestAccountsRoom } from "./TestAccounts/TestAccounts.ts"
import { TimingRoom } from "./Timing/Timing.ts"
import { VoiceRoom } from "./Voice/Voice.ts"
import { WebSearchRoom } from "./WebSearch/WebSearch.ts"
import { WebsitesRoom } from "./Websites/Websites.ts"
import { WritingRoom } from "./Writing/Writing.ts"

/** The rooms that every other room builds on. */
const ground = pipe(
  AccountsRoom,
  Room.next(JobsRoom),
  Room.next(EventsRoom),
  Room.next(FilesRoom),
  Room.next(ModelsRoom),
  Room.next(BlacklistRoom)
)

/** The rooms of prospecting: whom to contact, when, and with which words. */
const prospecting = pipe(
  ProspectingRoom,
  Room.next(CampaignsRoom),
  Room.next(LeadsRoom),
  Room.next(LeadFilesRoom),
  Room.next(KnowledgeRoom),
  Room.next(ProspectingFilesRoom),
  Room.next(TimingRoom),
  Room.next(RepliesRoom),
  Room.next(WritingRoom),
  Room.next(OutreachRoom)
)

/** The channels to leads. Each uses the real provider if credentials for it are configured. */
const channels = pipe(SenderDomainsRoom, Room.next(MailRoom), Room.next(ChatAppRoom), Room.next(VoiceRoom))

/** The rooms of prospecting's results. */
const results = pipe(
  MeetingsRoom,
  Room.next(OutcomesRoom),
  Room.next(ConversationsRoom),
  Room.next(PresentationsRoom),
  Room.next(McpRoom)
)

/** The rooms of outside services that accounts connect. */
const connected = pipe(
  ConnectionsRoom,
  Room.next(CrmRoom),
  Room.next(LeadSourceRoom),
  Room.next(SchedulerRoom),
  Room.next(CalendarRoom),
  Room.next(AdsRoom)
)

/** The rooms of the account's members, and of its contact with the operators. */
const service = pipe(MembersRoom, Room.next(SupportRoom))

/** The rooms of reference data and reports. */
const insight = pipe(ReferenceRoom, Room.next(SimulationRoom), Room.next(LearningsRoom), Room.next(ReportsRoom))

/** The room that finds new leads. */
const sources = CompaniesRoom

/** The rooms that make and find content for the account. */
const content = pipe(MediaRoom, Room.next(WebSearchRoom), Room.next(WebsitesRoom), Room.next(CapturePagesRoom))

/** The gateway's rooms. A tier has at most fifteen. A room comes after those that its layer requires. */
export const rooms = pipe(
  ground,
  Room.next(prospecting),
  Room.next(channels),
  Room.next(results),
  Room.next(insight),
  Room.next(sources),
  Room.next(service),
  Room.next(connected),
  Room.next(content),
  Room.next(ConsoleRoom),
  Room.next(BackupsRoom),
  Room.next(TestAccountsRoom)
)

/**
 * The migrations. A migration that is not released yet may be edited. A released one is fixed (a test checks its
 * checksum), and a change to it is a new migration with a higher number of `releases`.
 */
export const migrations = inOrder([platformMigration, ...rooms.migrations])

/** Reads and checks every setting. */
export const settingsLoaders: ReadonlyArray<SettingsLoader> = [loadSettings, sealingKeys, ...rooms.settings]

/** The checks of `gateway doctor`. */
export const doctorChecks: Effect.Effect<ReadonlyArray<Check>> = Effect.map(
  makeDatabaseChecks(migrations.length, ({ workers }) => processesOf(workers, readProcessors())),
  (databaseChecks) => [...databaseChecks, ...replicaChecks, ...machineChecks, ...rooms.checks]
)

/**
 * Applies all migrations, and distributes new tables on a cluster. Gateways that start at the same time wait for each
 * other.
 */
export const migrate = migrateWith(migrations, Effect.whenEffect(distribute, hasWorkers))

/** The database of the settings, or an embedded server. */
const LocationLive = Layer.scoped(
  DatabaseLocation,
  Effect.gen(function* () {
    const { databaseUrl, dataDir, poolSize, replicaLag, replicaUrl, workers } = yield* Settings
    const at = (url: Redacted.Redacted) => ({ connectionString: Redacted.value(url) })
    if (Option.isSome(databaseUrl)) {
      const replica = Option.map(replicaUrl, (url) => ({ connection: at(url), longestLagSeconds: replicaLag }))
      return { connection: at(databaseUrl.value), poolSize, replica: Option.getOrUndefined(replica) }
    }
    const archiving = yield* Effect.provide(walArchiving, BackupSettings.layer)
    const sessions = sessionsOfServer(processesOf(workers, readProcessors()), poolSize)
    const { database, host, port, user } = yield* acquire({
      dataDir: `${dataDir}/postgres`,
      settings: { max_connections: sessions, ...archiving }
    })
    return { connection: { database, host, port, user }, poolSize }
  })
)

/** Logs JSON lines to standard error, from the configured level on. Standard output is for the results of commands. */
const LoggingLive = Layer.unwrapEffect(
  Effect.map(Settings, ({ logLevel }) =>
    Layer.merge(
      Logger.replace(Logger.defaultLogger, Logger.withConsoleError(Logger.jsonLogger)),
      Logger.minimumLogLevel(logLevel)
    )
  )
)

/** Loops that a layer starts belong to no request, so they are not traced. */
export const untraced = Layer.locally(FiberRef.currentTracerEnabled, false)

/** The database after all migrations. */
const upgraded = <E, R>(before: Effect.Effect<void, E, R>) =>
  untraced(Layer.effectDiscard(Effect.all([before, migrate, migrateEngine]))).pipe(
    Layer.provideMerge(DatabaseLayer),
    Layer.provideMerge(LocationLive)
  )

const MigratedDatabase = upgraded(refuseUnfinishedRestore)

const Foundation = Layer.mergeAll(LoggingLive, TracingLive, EventLoopLive).pipe(
  Layer.provideMerge(SettingsLive),
  Layer.provideMerge(NodeContext.layer)
)

/** Only the settings. */
export const Configured = Foundation

/** The settings and the location of the database, without migrations. */
export const Located = LocationLive.pipe(Layer.provideMerge(Foundation))

/** The database as it is, for `gateway migrate --plan`. */
export const UnmigratedDatabase = DatabaseLayer.pipe(Layer.provideMerge(Located))

/** The services for the operators' commands. */
export const Operations = pipe(
  AccountsRoom,
  Room.next(JobsRoom),
  Room.next(EventsRoom),
  Room.next(SenderDomainsRoom),
  Room.next(SupportRoom)
).layer.pipe(
  Layer.provideMerge(rooms.early),
  Layer.provideMerge(Layer.merge(TaskQueuePostgres, SealingLive)),
  Layer.provideMerge(MigratedDatabase),
  Layer.provideMerge(Foundation)
)

const OutboundLive = OutboundHttpNode.pipe(
  Layer.provideMerge(
    Layer.effect(
      OutboundPolicy,
      Effect.gen(function* () {
        const { outboundAllowLoopback } = yield* Settings
        return { ...(yield* OutboundPolicy), allowLoopback: outboundAllowLoopback }
      })
    )
  )
)

const servedGroups = [...AllTools.groups, ...PlatformTools.groups]

/** The services that tools and background work use. The caller provides the task queue. */
export const DomainOnQueue = Layer.mergeAll(
  DryRunsPostgres,
  Layer.effect(IntegrationModes, rooms.modes),
  Layer.succeed(
    PaidTools,
    AllTools.entries.filter(({ tool }) => tool.requiresPaidPlan).map(({ tool }) => tool.name)
  ),
  Layer.succeed(
    ToolGroups,
    AllTools.groups.map(({ name }) => ({ slug: groupSlug(name), name }))
  ),
  Layer.succeed(KnownScopes, {
    groups: new Set(servedGroups.map(({ name }) => groupSlug(name))),
    tools: new Set(servedGroups.flatMap(({ tools }) => tools.map(({ name }) => name)))
  })
).pipe(
  Layer.provideMerge(rooms.layer),
  Layer.provideMerge(rooms.early),
  Layer.provideMerge(
    Layer.mergeAll(
      OutboundLive,
      OutsideHealthLive,
      ProviderModelsLive,
      SealingLive,
      Layer.succeed(PersonalDataOfRooms, rooms.personalData),
      Layer.succeed(FileReferencesOfRooms, rooms.fileReferences)
    )
  )
)

/** All services, with the job engine's task queue. */
export const Domain = DomainOnQueue.pipe(Layer.provideMerge(TaskQueuePostgres))

/** The services without background work, for a database that was just restored. */
export const Restored = untraced(Domain).pipe(Layer.provideMerge(upgraded(Effect.void)), Layer.provideMerge(Foundation))

/** Runs the tasks and jobs that calls and other work enqueue. */
export const Engine = Layer.unwrapEffect(
  Effect.gen(function* () {
    const settings = yield* Settings
    const { jobConcurrency } = settings
    return jobEngineLayer({
      tasks: yield* rooms.tasks,
      jobs: rooms.jobs,
      recurring: rooms.recurring,
      concurrency: { quick: 8 * jobConcurrency, long: jobConcurrency },
      isSampled: makeIsSampled(settings)
    })
  })
)

/**
 * All services and background work. The loops are not traced, because they mostly find nothing to do. The work that
 * they find is traced.
 */
export const Workers = untraced(Layer.merge(Layer.scopedDiscard(rooms.loops), ActivityExchange)).pipe(
  Layer.provideMerge(Engine),
  Layer.provideMerge(untraced(Domain)),
  Layer.provideMerge(MigratedDatabase),
  Layer.provideMerge(Foundation)
)

/** The kinds of access to the tools in addition to bearer tokens. */
export const gatewayAccesses = Effect.all([consoleAccess])

/** The handlers of MCP, event streams and the console. They are tried before the router. */
export const gatewayLanes =
  <R>(tools: ServedTools<R | Caller>) =>
  (options: LaneOptions) =>
    Effect.gen(function* () {
      const accesses = [yield* bearerAccess, ...(yield* gatewayAccesses)]
      const lanes = [
        yield* mcpLane<R>(tools)(options),
        yield* eventStreamLane(accesses)(options),
        yield* consoleLane<R>(tools)(options)
      ]
      const lane: RequestLane = (request, response) => lanes.some((each) => each(request, response))
      return lane
    })

/** The two catalogs that gateways serve. */
export const servedTools: ServedTools<ServicesOf<typeof AllTools> | ServicesOf<typeof PlatformTools>> = {
  product: AllTools,
  platform: PlatformTools
}
