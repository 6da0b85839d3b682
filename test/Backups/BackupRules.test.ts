import { assert, describe, it } from "@effect/vitest"
import { targetOf } from "../../src/Layers/Backups/Copies/PostgresPrograms.ts"
import { entryOf } from "../../src/Layers/Backups/Copies/TarFiles.ts"
import {
  isDue,
  neededFiles,
  segmentsBetween,
  startFor,
  surplus,
  unneededSegments
} from "../../src/Services/Backups/BackupChoice.ts"
import { type BackupManifest, differences, nameOf } from "../../src/Services/Backups/BackupManifest.ts"
import { canOpen } from "../../src/Services/Backups/SealingKeys.ts"
import { Timestamp } from "../../src/Services/Core/Timestamp.ts"

const hour = (number: number) => Timestamp.make(`2027-01-01T${String(number).padStart(2, "0")}:00:00Z`)

const backupOf = (startedAt: Timestamp, first: string | null): BackupManifest => ({
  format: 1,
  kind: first === null ? "dump" : "base",
  name: nameOf(startedAt, "0123abcd"),
  started_at: startedAt,
  snapshot_at: startedAt,
  gateway_version: "1.0.0",
  postgres_version: 18,
  wal: first === null ? null : { first, last: first, restore_point: "point" },
  files: [],
  tables: []
})

const segment = (number: number) => `0000000100000000000000${number.toString(16).toUpperCase().padStart(2, "0")}`

const three = [backupOf(hour(2), segment(9)), backupOf(hour(1), segment(4)), backupOf(hour(3), segment(20))]

describe("the choice of backups", () => {
  it("keeps the newest, and at least one", () => {
    assert.deepStrictEqual(
      surplus(three, 2).map(({ started_at }) => started_at),
      [hour(1)]
    )
    assert.strictEqual(surplus(three, 0).length, 2)
    assert.deepStrictEqual(surplus([], 3), [])
  })

  it("starts a recovery from the newest backup of the server's files before the time", () => {
    const withDump = [...three, backupOf(hour(4), null)]
    assert.strictEqual(startFor(withDump, hour(5))?.started_at, hour(3))
    assert.strictEqual(startFor(withDump, hour(3))?.started_at, hour(3))
    assert.strictEqual(startFor(withDump, hour(2))?.started_at, hour(2))
    assert.isUndefined(startFor(withDump, hour(0)))
  })

  it("is due when the newest is old enough, or there is none", () => {
    const now = Date.parse("2027-01-01T05:00:00Z")
    assert.isTrue(isDue([], now, 24))
    assert.isTrue(isDue(three, now, 2))
    assert.isFalse(isDue(three, now, 3))
  })
})

describe("segments of the log", () => {
  it("are those from the byte at the start to the last one before the end", () => {
    const size = 16 * 1024 * 1024
    assert.deepStrictEqual(segmentsBetween(1, "0/2000028", "0/2000120", size), ["000000010000000000000002"])
    // The end of a segment is the start of the next one, which has no byte yet.
    assert.deepStrictEqual(segmentsBetween(1, "0/2000028", "0/3000000", size), ["000000010000000000000002"])
    assert.deepStrictEqual(segmentsBetween(10, "0/FE000000", "1/1000001", size), [
      "0000000A00000000000000FE",
      "0000000A00000000000000FF",
      "0000000A0000000100000000",
      "0000000A0000000100000001"
    ])
  })

  it("are removed once all backups start later, on whatever timeline, and histories stay", () => {
    const archived = [3, 4, 5].map((number) => `${segment(number)}.gz`)
    const ofOtherTimeline = `00000002${segment(3).slice(8)}.gz`
    assert.deepStrictEqual(
      unneededSegments([...archived, "00000002.history.gz", ofOtherTimeline, "notes.txt"], three),
      [`${segment(3)}.gz`, ofOtherTimeline]
    )
    assert.deepStrictEqual(unneededSegments(archived, [backupOf(hour(1), null)]), [])
    assert.deepStrictEqual(unneededSegments(archived, []), [])
  })

  it("are needed from the backup's first one on", () => {
    const archived = [...[3, 4, 5].map((number) => `${segment(number)}.gz`), "00000002.history.gz", `${segment(6)}.tmp`]
    assert.deepStrictEqual(neededFiles(archived, segment(4)), [
      `${segment(4)}.gz`,
      `${segment(5)}.gz`,
      "00000002.history.gz"
    ])
  })
})

it("digests differ by table, with what is missing, added, or has other rows", () => {
  const table = (name: string, rows: string, digest: string) => ({ table: name, rows, digest })
  const expected = [table("a", "1", "x"), table("b", "2", "y"), table("c", "3", "z")]
  assert.deepStrictEqual(differences(expected, expected), [])
  assert.deepStrictEqual(differences(expected, [table("a", "1", "q"), table("b", "5", "y"), table("d", "0", "")]), [
    "a has other rows",
    "b has 5 rows instead of 2",
    "c is missing",
    "d is not in the backup"
  ])
})

it("a gateway opens what was sealed with its key, its previous key, or the key of the file that is restored", () => {
  assert.isTrue(canOpen({ current: undefined, previous: undefined }, "key"))
  assert.isTrue(canOpen({ current: "key", previous: undefined }, "key"))
  assert.isTrue(canOpen({ current: "new", previous: "key" }, "key"))
  assert.isFalse(canOpen({ current: "new", previous: undefined }, "key"))
})

it("programs get the database from variables, with a password that no list of processes shows", () => {
  assert.deepStrictEqual(targetOf("postgres://me:p%40ss@db.example:6432/gate%20way?sslmode=require"), {
    PGHOST: "db.example",
    PGPORT: "6432",
    PGUSER: "me",
    PGPASSWORD: "p@ss",
    PGDATABASE: "gate way",
    PGSSLMODE: "require"
  })
  assert.deepStrictEqual(targetOf("postgres://me@/gateway?host=/run/postgresql&port=5433"), {
    PGHOST: "/run/postgresql",
    PGPORT: "5433",
    PGUSER: "me",
    PGDATABASE: "gateway"
  })
})

/** A header as `BASE_BACKUP` writes it. */
const header = (name: string, type: string, size = "00000000012") => {
  const block = Buffer.alloc(512)
  block.write(name, 0)
  block.write(`${size}\0`, 124)
  block.write(type, 156)
  block.write("        ", 148)
  const sum = block.reduce((total, byte) => total + byte, 0)
  block.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148)
  return block
}

describe("headers of an archive", () => {
  it("name files and folders", () => {
    assert.deepStrictEqual(entryOf(header("base/1/112", "0")), { name: "base/1/112", kind: "file", bytes: 10 })
    assert.deepStrictEqual(entryOf(header("./pg_wal/", "5", "00000000000")), {
      name: "pg_wal",
      kind: "folder",
      bytes: 0
    })
    assert.isUndefined(entryOf(Buffer.alloc(512)))
  })

  it("are refused where they lead out of the folder, link, or are damaged", () => {
    for (const name of ["/etc/passwd", "../outside", "base/../../outside"]) {
      assert.throws(() => entryOf(header(name, "0")), /outside/)
    }
    for (const type of ["1", "2", "3", "x"]) assert.throws(() => entryOf(header("base/1", type)), /link or a device/)
    const damaged = header("base/1/112", "0")
    damaged[2] = 65
    assert.throws(() => entryOf(damaged), /damaged/)
  })
})
