import * as Room from "../Platform/Room.ts"
import { consolePages } from "./ConsolePages.ts"
import { ConsoleSessionsPostgres } from "./ConsoleSessionsPostgres.ts"
import { consoleSessionsMigration } from "./Migrations.ts"

/** The product in a browser. Its page calls the same tools as every other caller. */
export const ConsoleRoom = Room.make({
  migrations: [consoleSessionsMigration],
  layer: ConsoleSessionsPostgres,
  endpoints: consolePages
})
