import { existsSync, readdirSync, readFileSync } from "node:fs"
import { Effect, Predicate } from "effect"
import type { Caller } from "../../src/Services/Core/Calls/Caller.ts"
import type { LeadId } from "../../src/Services/Leads/Ids.ts"
import type { RecordIds, RoomRecords } from "./leads/RoomRecords.ts"

const tools = new URL("../../src/Tools/", import.meta.url)
const tests = new URL("../", import.meta.url)

const recordsFile = (room: string): URL => new URL(`${room}/records.ts`, tests)

/** Whether a tool of the room takes an id that the room itself issues. */
const givesOutIds = (room: string): boolean =>
  readdirSync(new URL(room, tools)).some((file) =>
    new RegExp(`import \\{[^}]*\\b\\w+Id\\b[^}]*\\} from "\\.\\./\\.\\./Services/${room}/`).test(
      readFileSync(new URL(`${room}/${file}`, tools), "utf8")
    )
  )

/** Rooms whose tools take ids of their records, but which make no records for tests. */
export const roomsWithoutRecords = readdirSync(tools, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)
  .filter((room) => givesOutIds(room) && !existsSync(recordsFile(room)))

const isRoomRecords = (value: unknown): value is RoomRecords =>
  (["make", "makeRowsOfLead", "neverOfLead"] satisfies Array<keyof RoomRecords>).some((property) =>
    Predicate.hasProperty(value, property)
  )

const exportedRecords = Effect.forEach(
  readdirSync(tests).filter((room) => existsSync(recordsFile(room))),
  (room) =>
    Effect.promise(async (): Promise<RoomRecords> => {
      const file: unknown = await import(recordsFile(room).href)
      if (!Predicate.hasProperty(file, "records") || !isRoomRecords(file.records)) {
        throw new Error(`test/${room}/records.ts exports no records.`)
      }
      return file.records
    })
)

/** Makes the records of every room in the caller's account, in the order of their dependencies. */
export const recordsOfAccount = ({ accountId }: Caller["Type"]) =>
  Effect.gen(function* () {
    const idsByParameter: { [parameter: string]: RecordIds[string] } = {}
    const idOf = (parameter: string): number => {
      const id = idsByParameter[parameter]
      if (typeof id !== "number") throw new Error(`There is no record for ${parameter}: say it in needs.`)
      return id
    }
    let waiting = yield* exportedRecords
    while (waiting.length > 0) {
      const ready = waiting.filter(({ needs = [] }) =>
        needs.every((parameter) => Object.hasOwn(idsByParameter, parameter))
      )
      if (ready.length === 0) throw new Error(`No room makes ${waiting.flatMap(({ needs = [] }) => needs).join(", ")}.`)
      for (const room of ready) Object.assign(idsByParameter, yield* room.make?.(accountId, idOf) ?? Effect.succeed({}))
      waiting = waiting.filter((room) => !ready.includes(room))
    }
    const records: RecordIds = idsByParameter
    return records
  })

/** Makes a row in each table that, according to its room, has rows of a lead. */
export const rowsOfLead = ({ accountId }: Caller["Type"], leadId: LeadId) =>
  Effect.flatMap(exportedRecords, (rooms) =>
    Effect.forEach(rooms, (room) => room.makeRowsOfLead?.(accountId, leadId) ?? Effect.void, { discard: true })
  )

/** Whether its room declares that no lead can write into this column, `table.column`. */
export const isNeverOfLead = Effect.map(exportedRecords, (rooms) => {
  const columns = new Set(rooms.flatMap(({ neverOfLead = [] }) => neverOfLead))
  return (column: string): boolean => columns.has(column) || columns.has(column.replace(/\.[^.]*$/, ".*"))
})
