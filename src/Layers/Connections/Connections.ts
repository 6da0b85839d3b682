import { Layer } from "effect"
import * as Room from "../Platform/Room.ts"
import { connectEndpoints } from "./ConnectEndpoints.ts"
import { ConnectionsPostgres } from "./ConnectionsPostgres.ts"
import { connectionsMigration } from "./Migrations.ts"
import { OAuthPostgres } from "./OAuthPostgres.ts"
import { RateLimitsPostgres } from "./RateLimitsPostgres.ts"

/** Accounts' connections with outside services, and their rate limits. */
export const ConnectionsRoom = Room.make({
  migrations: [connectionsMigration],
  layer: OAuthPostgres.pipe(Layer.provideMerge(Layer.merge(ConnectionsPostgres, RateLimitsPostgres))),
  endpoints: connectEndpoints
})
