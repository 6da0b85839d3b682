import { Effect, Layer } from "effect"
import * as Room from "../Platform/Room.ts"
import { AccountClosurePostgres, accountRemoval } from "./AccountClosurePostgres.ts"
import { AccountPhonesPostgres } from "./AccountPhonesPostgres.ts"
import { AccountProfilePostgres } from "./AccountProfilePostgres.ts"
import { AccountSettingsPostgres } from "./AccountSettingsPostgres.ts"
import { AccountsPostgres } from "./AccountsPostgres.ts"
import { AuditLogPostgres } from "./AuditLogPostgres.ts"
import { CallLimitsPostgres } from "./CallLimitsPostgres.ts"
import { accountCommands } from "./Commands.ts"
import { confirmationEndpoint, confirmationTask, ownConfirmationTask } from "./ConfirmAddress.ts"
import { keyedWriteRetention } from "./KeyedWriteRetention.ts"
import { KeyedWritesPostgres } from "./KeyedWritesPostgres.ts"
import { auditRetention, requestRetention } from "./LogRetention.ts"
import {
  accountClosureMigration,
  accountsMigration,
  auditChainMigration,
  claimedEmailMigration,
  confirmedAddressesMigration,
  derivedOffsetMigration,
  keyedWritesMigration,
  managedTokensMigration,
  provedPhonesMigration,
  requestLogMigration,
  takenKeysMigration,
  tokenMakersMigration
} from "./Migrations.ts"
import { accountsPersonalData } from "./PersonalData.ts"
import { RequestLogPostgres } from "./RequestLogPostgres.ts"
import { AccessTokensPostgres } from "./Tokens/AccessTokensPostgres.ts"
import { ManagedTokensPostgres } from "./Tokens/ManagedTokensPostgres.ts"

/** The room of accounts: their settings, tokens and logs. */
export const AccountsRoom = Room.make({
  migrations: [
    accountsMigration,
    tokenMakersMigration,
    provedPhonesMigration,
    derivedOffsetMigration,
    claimedEmailMigration,
    confirmedAddressesMigration,
    keyedWritesMigration,
    managedTokensMigration,
    requestLogMigration,
    auditChainMigration,
    accountClosureMigration,
    takenKeysMigration
  ],
  layer: Layer.mergeAll(
    AccountsPostgres,
    AccessTokensPostgres,
    AccountClosurePostgres,
    AccountProfilePostgres,
    AccountSettingsPostgres,
    AccountPhonesPostgres,
    CallLimitsPostgres,
    AuditLogPostgres,
    KeyedWritesPostgres,
    RequestLogPostgres,
    Layer.provide(ManagedTokensPostgres, AccessTokensPostgres)
  ),
  tasks: Effect.succeed([
    confirmationTask,
    ownConfirmationTask,
    auditRetention.handler,
    keyedWriteRetention.handler,
    requestRetention.handler,
    accountRemoval.handler
  ]),
  recurring: [
    auditRetention.recurring,
    keyedWriteRetention.recurring,
    requestRetention.recurring,
    accountRemoval.recurring
  ],
  personalData: accountsPersonalData,
  endpoints: Effect.map(confirmationEndpoint, (endpoint) => [endpoint]),
  commands: accountCommands
})
