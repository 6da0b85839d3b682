import { Duration, Effect, Layer, Option, Schema } from "effect"
import { BlacklistPostgres } from "../../src/Layers/Blacklist/BlacklistPostgres.ts"
import { NotificationsPostgres } from "../../src/Layers/Events/NotificationsPostgres.ts"
import { CustomerFilesPostgres } from "../../src/Layers/Files/CustomerFilesPostgres.ts"
import { SentFolder } from "../../src/Layers/Mail/Imap/ImapSentFolder.ts"
import { MailSettings } from "../../src/Layers/Mail/MailSettings.ts"
import { mailTasks } from "../../src/Layers/Mail/MailTasks.ts"
import { MailOutboxPostgres } from "../../src/Layers/Mail/Outbox/MailOutboxPostgres.ts"
import { SmtpMail, SmtpTiming } from "../../src/Layers/Mail/Smtp/SmtpMail.ts"
import { SendGuardPostgres } from "../../src/Layers/Outreach/SendGuardPostgres.ts"
import { TouchLedgerPostgres } from "../../src/Layers/Outreach/TouchLedgerPostgres.ts"
import { EventLoopLive } from "../../src/Layers/Platform/Fairness/BackgroundScheduler.ts"
import { jobEngineLayer } from "../../src/Layers/Platform/Jobs/Engine.ts"
import { TaskQueuePostgres } from "../../src/Layers/Platform/Jobs/TaskQueue.ts"
import { DatabaseLayer, DatabaseLocation } from "../../src/Layers/Platform/Postgres/Database.ts"
import { SenderIdentityPostgres } from "../../src/Layers/SenderDomains/SenderIdentityPostgres.ts"
import { MailDomain } from "../../src/Services/Leads/Email/LeadEmails.ts"
import { localSmtp } from "../support/channels/MailFixtures.ts"
import { EarlyServices } from "../support/EarlyServices.ts"
import { SealingOfTests } from "../support/SealingOfTests.ts"
import { TestSettings } from "../support/TestSettings.ts"

const timing = {
  heartbeat: Duration.millis(100),
  deadAfter: Duration.seconds(1),
  poll: Duration.millis(200),
  stop: Duration.seconds(5),
  longestRestart: Duration.millis(200)
}

const Order = Schema.parseJson(
  Schema.Struct({
    connection: Schema.Struct({ host: Schema.String, port: Schema.Int, user: Schema.String, database: Schema.String }),
    smtpPort: Schema.Int,
    /** Answers 200 for a message that the server accepted, otherwise 404. */
    ledgerUrl: Schema.String
  })
)

/** Asks the test's server, which records everything that it accepts. */
const ledgerFolder = (url: string) =>
  Layer.succeed(SentFolder, {
    has: (messageId) =>
      Effect.promise(async () => {
        const response = await fetch(`${url}/${encodeURIComponent(messageId)}`)
        return Option.some(response.status === 200)
      })
  })

/** An engine that sends mail over SMTP, until it is killed or its scope ends. */
export const mailerLayer = ({ connection, ledgerUrl, smtpPort }: typeof Order.Type) =>
  jobEngineLayer({
    tasks: mailTasks,
    jobs: [],
    concurrency: { quick: 8, long: 1 },
    timing,
    isSampled: () => false
  }).pipe(
    Layer.provide(EventLoopLive),
    Layer.provide(MailOutboxPostgres),
    Layer.provide(
      Layer.mergeAll(
        SmtpMail.pipe(
          Layer.provide(ledgerFolder(ledgerUrl)),
          Layer.provide(Layer.succeed(MailSettings, localSmtp(smtpPort, { connections: 4, filesSent: true }))),
          Layer.provide(
            Layer.succeed(SmtpTiming, {
              connect: Duration.seconds(1),
              message: Duration.seconds(1),
              idle: Duration.seconds(30)
            })
          )
        ),
        BlacklistPostgres,
        CustomerFilesPostgres,
        Layer.provide(SenderIdentityPostgres, SealingOfTests),
        SendGuardPostgres,
        TouchLedgerPostgres,
        TaskQueuePostgres,
        NotificationsPostgres,
        Layer.succeed(MailDomain, "mail.example")
      )
    ),
    Layer.provide(TestSettings),
    Layer.provide(EarlyServices),
    Layer.provide(DatabaseLayer),
    Layer.provide(Layer.succeed(DatabaseLocation, { connection, poolSize: 6 }))
  )

const [, script, order] = process.argv
if (script === import.meta.filename && order !== undefined) {
  void Effect.runPromise(Effect.flatMap(Schema.decode(Order)(order), (decoded) => Layer.launch(mailerLayer(decoded))))
}
