import { Effect, Layer } from "effect"
import * as Room from "../Platform/Room.ts"
import { AccessTokensPostgres } from "./AccessTokensPostgres.ts"
import { AccountPhonesPostgres } from "./AccountPhonesPostgres.ts"
import { AccountProfilePostgres } from "./AccountProfilePostgres.ts"
import { AccountSettingsPostgres } from "./AccountSettingsPostgres.ts"
import { AccountsPostgres } from "./AccountsPostgres.ts"
import { AuditLogPostgres } from "./AuditLogPostgres.ts"
import { auditRetention } from "./AuditRetention.ts"
import { CallLimitsPostgres } from "./CallLimitsPostgres.ts"
import { accountCommands } from "./Commands.ts"
import { confirmationEndpoint, confirmationTask, ownConfirmationTask } from "./ConfirmAddress.ts"
import { keyedWriteRetention } from "./KeyedWriteRetention.ts"
import { KeyedWritesPostgres } from "./KeyedWritesPostgres.ts"
import { ManagedTokensPostgres } from "./ManagedTokensPostgres.ts"
import {
  accountsMigration,
  claimedEmailMigration,
  confirmedAddressesMigration,
  derivedOffsetMigration,
  keyedWritesMigration,
  managedTokensMigration,
  provedPhonesMigration,
  tokenMakersMigration
} from "./Migrations.ts"
import { accountsPersonalData } from "./PersonalData.ts"

/** Accounts, what they say of themselves, and who may act for them. */
export const AccountsRoom = Room.make({
  migrations: [
    accountsMigration,
    tokenMakersMigration,
    provedPhonesMigration,
    derivedOffsetMigration,
    claimedEmailMigration,
    confirmedAddressesMigration,
    keyedWritesMigration,
    managedTokensMigration
  ],
  layer: Layer.mergeAll(
    AccountsPostgres,
    AccessTokensPostgres,
    AccountProfilePostgres,
    AccountSettingsPostgres,
    AccountPhonesPostgres,
    CallLimitsPostgres,
    AuditLogPostgres,
    KeyedWritesPostgres,
    Layer.provide(ManagedTokensPostgres, AccessTokensPostgres)
  ),
  tasks: Effect.succeed([confirmationTask, ownConfirmationTask, auditRetention.handler, keyedWriteRetention.handler]),
  recurring: [auditRetention.recurring, keyedWriteRetention.recurring],
  personalData: accountsPersonalData,
  endpoints: Effect.map(confirmationEndpoint, (endpoint) => [endpoint]),
  commands: accountCommands
})
