import { Effect } from "effect"
import * as Room from "../Platform/Room.ts"
import { testAccountsMigration } from "./Migrations.ts"
import { TestAccountsPostgres, testAccountSweep } from "./TestAccountsPostgres.ts"

/** The room that stores which test accounts exist. Their gateways are in TestGateways. */
export const TestAccountsRoom = Room.make({
  migrations: [testAccountsMigration],
  layer: TestAccountsPostgres,
  tasks: Effect.succeed([testAccountSweep.handler]),
  recurring: [testAccountSweep.recurring]
})
