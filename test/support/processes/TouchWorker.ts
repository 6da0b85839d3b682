import { Clock, Duration, Effect, Layer, Logger, LogLevel, Option, Redacted } from "effect"
import { BlacklistPostgres } from "../../../src/Layers/Blacklist/BlacklistPostgres.ts"
import { CampaignLookupPostgres } from "../../../src/Layers/Campaigns/CampaignLookupPostgres.ts"
import { ChatAppSettings } from "../../../src/Layers/ChatApp/ChatAppSettings.ts"
import { makeLiveChatApp } from "../../../src/Layers/ChatApp/Graph/GraphChatApp.ts"
import { ChatAppOutboxPostgres, ChatAppTiming } from "../../../src/Layers/ChatApp/Sending/ChatAppOutbox.ts"
import { ChatAppOpeningsPostgres } from "../../../src/Layers/ChatApp/Sending/ChatAppSpend.ts"
import { AccountEventsPostgres } from "../../../src/Layers/Events/AccountEventsPostgres.ts"
import { NotificationsPostgres } from "../../../src/Layers/Events/NotificationsPostgres.ts"
import { CustomerFilesPostgres } from "../../../src/Layers/Files/CustomerFilesPostgres.ts"
import { LeadsPostgres } from "../../../src/Layers/Leads/LeadsPostgres.ts"
import { SentFolder } from "../../../src/Layers/Mail/Imap/ImapSentFolder.ts"
import { MailSettings } from "../../../src/Layers/Mail/MailSettings.ts"
import { mailTasks } from "../../../src/Layers/Mail/MailTasks.ts"
import { MailOutboxPostgres } from "../../../src/Layers/Mail/Outbox/MailOutboxPostgres.ts"
import { SmtpMail, SmtpTiming } from "../../../src/Layers/Mail/Smtp/SmtpMail.ts"
import { LanguageModelConfigured } from "../../../src/Layers/Models/LanguageModel/LanguageModelConfigured.ts"
import { LanguageUsagePostgres } from "../../../src/Layers/Models/LanguageUsagePostgres.ts"
import { ModelOutagesPostgres } from "../../../src/Layers/Models/ModelOutagesPostgres.ts"
import { LeadQuestionsPostgres } from "../../../src/Layers/Outcomes/LeadQuestionsPostgres.ts"
import { touchLoop } from "../../../src/Layers/Outreach/ClaimTouches.ts"
import { makeComposeTouchHandler } from "../../../src/Layers/Outreach/Composing/ComposeTouch.ts"
import { TouchComposerLive } from "../../../src/Layers/Outreach/Composing/TouchComposerLive.ts"
import { SendGuardPostgres } from "../../../src/Layers/Outreach/SendGuardPostgres.ts"
import { TouchLedgerPostgres } from "../../../src/Layers/Outreach/TouchLedgerPostgres.ts"
import { EventLoopLive } from "../../../src/Layers/Platform/Fairness/BackgroundScheduler.ts"
import { jobEngineLayer } from "../../../src/Layers/Platform/Jobs/Engine.ts"
import { handle, type TaskHandler } from "../../../src/Layers/Platform/Jobs/TaskHandler.ts"
import { TaskQueuePostgres } from "../../../src/Layers/Platform/Jobs/TaskQueue.ts"
import { OutboundHttpNode } from "../../../src/Layers/Platform/Outbound/OutboundHttp.ts"
import { PersonalDataOfRooms } from "../../../src/Layers/Platform/PersonalData.ts"
import { DatabaseLayer, DatabaseLocation } from "../../../src/Layers/Platform/Postgres/Database.ts"
import { ProspectingConfigPostgres } from "../../../src/Layers/Prospecting/ProspectingConfigPostgres.ts"
import { SenderIdentityPostgres } from "../../../src/Layers/SenderDomains/SenderIdentityPostgres.ts"
import { TimingPostgres } from "../../../src/Layers/Timing/TimingPostgres.ts"
import { VoiceCallCompletionLive } from "../../../src/Layers/Voice/Calls/CallCompletion.ts"
import { VoiceTiming } from "../../../src/Layers/Voice/Calls/CallDurations.ts"
import { makeElevenLabs } from "../../../src/Layers/Voice/Providers/ElevenLabs.ts"
import { voiceTaskHandlers } from "../../../src/Layers/Voice/VoiceTasks.ts"
import { ChatApp } from "../../../src/Services/ChatApp/ChatApp.ts"
import { ChatAppOutbox } from "../../../src/Services/ChatApp/ChatAppMessages.ts"
import { MailDomain } from "../../../src/Services/Leads/Email/LeadEmails.ts"
import { OutboundHttp } from "../../../src/Services/Outbound/OutboundHttp.ts"
import { placeVoiceCall, sendChatAppMessage } from "../../../src/Services/Outreach/OutreachTasks.ts"
import { Voice } from "../../../src/Services/Voice/Voice.ts"
import { WriterLayer } from "../../../src/Services/Writing/Writer.ts"
import { localSmtp } from "../channels/MailFixtures.ts"
import { type Fault, faultLayers } from "../checks/FaultPoints.ts"
import { EarlyServices } from "../EarlyServices.ts"
import { SealingOfTests } from "../SealingOfTests.ts"
import { TestSettings } from "../TestSettings.ts"

/** The locations of a touch worker's database and providers. */
export interface TouchWorld {
  readonly connection: {
    readonly host: string
    readonly port: number
    readonly user: string
    readonly database: string
  }
  readonly smtpPort: number
  /** Answers `HEAD /<Message-ID>` with 200 for a message that the mail server accepted, otherwise with 404. */
  readonly sentMailUrl: string
  readonly chatAppUrl: string
  readonly voiceUrl: string
}

/** Placeholder voices, keys and numbers. */
export const voiceApiKey = "xi-of-the-touch-worker"

const engineTiming = {
  heartbeat: Duration.millis(100),
  deadAfter: Duration.seconds(1),
  poll: Duration.millis(100),
  stop: Duration.seconds(5),
  longestRestart: Duration.millis(200)
}

/** A Monday at noon far in the future: within every send window, and follow-ups never become due. */
const monday = Date.parse("2091-03-05T12:00:00Z")
/** A Monday in the past: what follows a call that is dialed then is due. */
const pastMonday = Date.parse("2026-03-02T15:00:00Z")

const handledAt =
  (millis: number) =>
  <R>(handler: TaskHandler<R>): TaskHandler<R> => {
    const clock: Clock.Clock = Object.assign(Clock.make(), {
      unsafeCurrentTimeMillis: () => millis,
      currentTimeMillis: Effect.succeed(millis)
    })
    return { ...handler, run: (stored, info) => Effect.withClock(handler.run(stored, info), clock) }
  }

const voiceHandlers = voiceTaskHandlers.map((handler) =>
  handler.task.name === placeVoiceCall.name ? handledAt(pastMonday)(handler) : handler
)

const sendHandler = handle(sendChatAppMessage, (message, { attempt, maxAttempts }) =>
  Effect.flatMap(ChatAppOutbox, (outbox) => outbox.deliver(message, { isLast: attempt >= maxAttempts }))
)

/** Looks up messages in the list of the test's mail server, like in a sent folder. */
const sentMail = (url: string) =>
  Layer.succeed(SentFolder, {
    has: (messageId) =>
      Effect.promise(async () => {
        const response = await fetch(`${url}/${encodeURIComponent(messageId)}`, { method: "HEAD" })
        return Option.some(response.status === 200)
      })
  })

const smtpTiming = { connect: Duration.seconds(1), message: Duration.seconds(1), idle: Duration.seconds(30) }

const chatAppSettings = (apiUrl: string): typeof ChatAppSettings.Service => ({
  credentials: Option.none(),
  apiUrl,
  dialogUrl: "https://signup.example/dialog",
  prices: { marketing: "0.35", utility: "0.04", authentication: "0.04", service: "0" },
  opening: { template: "prospecting_opening", category: "marketing" }
})

const ChatAppOverHttp = Layer.effect(
  ChatApp,
  Effect.flatMap(ChatAppSettings, (settings) =>
    makeLiveChatApp(settings, {
      accessToken: Redacted.make("access"),
      appSecret: Redacted.make("secret"),
      appId: "1",
      verifyToken: Redacted.make("verify"),
      phoneNumberIds: [],
      signupConfigId: Option.none()
    })
  )
)

const voiceSettings = (url: string) => ({
  url,
  apiKey: Redacted.make(voiceApiKey),
  agentIds: { Male: "agent_male", Female: "agent_female" },
  phoneNumberId: "phnum_1",
  webhookSecret: Option.none(),
  overridesLanguage: false
})

const Impatience = Layer.mergeAll(
  Layer.succeed(SmtpTiming, smtpTiming),
  Layer.succeed(ChatAppTiming, { abandonedAfter: 1 }),
  Layer.succeed(VoiceTiming, {
    lookAfter: () => 1,
    numberBusy: 1,
    retry: 1,
    giveUpDialing: 1800,
    giveUpFinding: 2,
    silence: 7200,
    lostTask: 120
  })
)

/** The gateway's client with a time limit of one second. */
const ImpatientHttp = Layer.effect(
  OutboundHttp,
  Effect.map(OutboundHttp, (http) => ({
    ...http,
    request: (request) => http.request({ ...request, timeout: "1 second" })
  }))
).pipe(Layer.provide(OutboundHttpNode))

const Outreach = Layer.mergeAll(
  SendGuardPostgres,
  LeadQuestionsPostgres,
  LanguageUsagePostgres,
  ModelOutagesPostgres,
  ProspectingConfigPostgres,
  TimingPostgres,
  AccountEventsPostgres,
  Layer.provide(LeadsPostgres, Layer.succeed(PersonalDataOfRooms, [])),
  WriterLayer.pipe(Layer.provide(LanguageModelConfigured))
).pipe(
  Layer.provideMerge(NotificationsPostgres),
  Layer.provideMerge(Layer.mergeAll(BlacklistPostgres, CampaignLookupPostgres, ImpatientHttp))
)

const channels = (world: TouchWorld) =>
  Layer.mergeAll(MailOutboxPostgres, ChatAppOutboxPostgres, ChatAppOpeningsPostgres, VoiceCallCompletionLive).pipe(
    Layer.provideMerge(
      Layer.mergeAll(
        SmtpMail.pipe(Layer.provide(sentMail(world.sentMailUrl))),
        ChatAppOverHttp,
        Layer.effect(Voice, makeElevenLabs(voiceSettings(world.voiceUrl)))
      )
    ),
    Layer.provideMerge(
      Layer.mergeAll(
        Layer.succeed(MailSettings, localSmtp(world.smtpPort, { connections: 4, filesSent: true })),
        Layer.succeed(ChatAppSettings, chatAppSettings(world.chatAppUrl)),
        Layer.succeed(MailDomain, "mail.example"),
        CustomerFilesPostgres,
        Layer.provide(SenderIdentityPostgres, SealingOfTests)
      )
    )
  )

const Work = Layer.unwrapEffect(
  Effect.gen(function* () {
    const compose = yield* makeComposeTouchHandler
    return jobEngineLayer({
      tasks: [handledAt(monday)(compose), ...mailTasks, sendHandler, ...voiceHandlers],
      jobs: [],
      concurrency: { quick: 6, long: 1 },
      timing: engineTiming,
      isSampled: () => false
    })
  })
)

/**
 * The touch loop and the three channels as in the gateway, with live adapters and without anything else. It claims,
 * writes and sends what is due until its scope ends.
 */
export const touchWorker = (world: TouchWorld, fault?: Fault) => {
  const faults = faultLayers(fault)
  return Layer.merge(Work, Layer.scopedDiscard(touchLoop)).pipe(
    Layer.provide(TouchComposerLive),
    Layer.provide(faults.writer),
    Layer.provide(channels(world)),
    Layer.provide(Outreach),
    Layer.provide(faults.ledger.pipe(Layer.provideMerge(TouchLedgerPostgres))),
    Layer.provide(faults.queue.pipe(Layer.provideMerge(TaskQueuePostgres))),
    Layer.provide(Layer.merge(EarlyServices, EventLoopLive)),
    Layer.provide(faults.unit.pipe(Layer.provideMerge(DatabaseLayer))),
    Layer.provide(Layer.succeed(DatabaseLocation, { connection: world.connection, poolSize: 8 })),
    Layer.provide(TestSettings),
    Layer.provide(Impatience),
    Layer.provide(Logger.minimumLogLevel(LogLevel.None))
  )
}
