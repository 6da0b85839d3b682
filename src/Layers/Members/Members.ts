import { Effect } from "effect"
import * as Room from "../Platform/Room.ts"
import { accessEndpoint } from "./AccessLink.ts"
import { MembersPostgres } from "./MembersPostgres.ts"
import {
  memberMakersMigration,
  membersMigration,
  openedWelcomesMigration,
  provedMembersMigration
} from "./Migrations.ts"

/** The room of the people who share an account with its owner. */
export const MembersRoom = Room.make({
  migrations: [membersMigration, memberMakersMigration, provedMembersMigration, openedWelcomesMigration],
  layer: MembersPostgres,
  endpoints: Effect.map(accessEndpoint, (endpoint) => [endpoint])
})
