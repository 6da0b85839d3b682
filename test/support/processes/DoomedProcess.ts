import { spawn } from "node:child_process"
import { Effect } from "effect"
import { DatabaseLocation } from "../../../src/Layers/Platform/Postgres/Database.ts"

/** Where the test's database is, as a process of its own is told. */
export const ownConnection = Effect.map(DatabaseLocation, ({ connection: { database, host, port, user } }) => ({
  host: host ?? "",
  port: port ?? 0,
  user: user ?? "",
  database: database ?? ""
}))

/** Runs a program that may kill itself, with what it is to do, to its end; answers whether it did. */
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
