import { spawn } from "node:child_process"
import { Effect } from "effect"
import { DatabaseLocation } from "../../../src/Layers/Platform/Postgres/Database.ts"

/** The location of the test's database, for a separate process. */
export const ownConnection = Effect.map(DatabaseLocation, ({ connection: { database, host, port, user } }) => ({
  host: host ?? "",
  port: port ?? 0,
  user: user ?? "",
  database: database ?? ""
}))

/** Runs a program that may kill itself, with its order. Returns whether it was killed. */
export const isKilled = (entry: string, order: object) =>
  Effect.promise(
    () =>
      new Promise<boolean>((resolve) =>
        spawn(process.execPath, [entry, JSON.stringify(order)], { stdio: ["ignore", "ignore", "inherit"] }).once(
          "exit",
          (_, signal) => resolve(signal === "SIGKILL")
        )
      )
  )
