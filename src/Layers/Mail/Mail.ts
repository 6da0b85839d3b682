import { Effect, Layer } from "effect"
import { Mail } from "../../Services/Mail/Mail.ts"
import * as Room from "../Platform/Room.ts"
import { mailCommands } from "./Access/AuthorizeMail.ts"
import { MailAccessPostgres } from "./Access/MailAccessPostgres.ts"
import { followMailbox } from "./Imap/ImapReader.ts"
import { MailCursorsPostgres } from "./Imap/MailCursors.ts"
import { judgeInboundMailTask } from "./Inbox/JudgeInboundMail.ts"
import { mailChecks } from "./MailChecks.ts"
import { MailServices, mailEndpoints } from "./MailLayers.ts"
import { MailSettingsLive, mailSettingsLoaders } from "./MailSettings.ts"
import { mailRecurring, mailTasks } from "./MailTasks.ts"
import { mailAccessMigration, mailMigration, mailRecipientsMigration } from "./Migrations.ts"
import { MailQueuePostgres } from "./Outbox/MailQueuePostgres.ts"
import { StrangerMailsPostgres } from "./Outbox/StrangerMailsPostgres.ts"
import { mailPersonalData } from "./PersonalData.ts"

/** Outgoing and incoming e-mail. */
export const MailRoom = Room.make({
  migrations: [mailMigration, mailAccessMigration, mailRecipientsMigration],
  early: Layer.merge(MailQueuePostgres, StrangerMailsPostgres),
  layer: MailServices.pipe(Layer.provideMerge(MailAccessPostgres), Layer.provideMerge(MailSettingsLive)),
  tasks: Effect.succeed([...mailTasks, judgeInboundMailTask]),
  recurring: mailRecurring,
  loops: Effect.provide(followMailbox, MailCursorsPostgres),
  endpoints: mailEndpoints,
  commands: mailCommands,
  modes: Effect.map(Mail, ({ mode }) => ({ mail: mode })),
  personalData: mailPersonalData,
  settings: mailSettingsLoaders,
  checks: mailChecks
})
