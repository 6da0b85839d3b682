import { SqlError } from "@effect/sql/SqlError"
import { assert, describe, it } from "@effect/vitest"
import {
  databasePlace,
  describeConnectionFailure
} from "../../../../src/Layers/Platform/Postgres/pool/ConnectionFailure.ts"

const failure = (code: string | undefined, message = "x") =>
  new SqlError({ cause: Object.assign(new Error(message), code === undefined ? {} : { code }), message: "Failed" })

describe("a database that cannot be had", () => {
  it.each([
    [
      "ECONNREFUSED",
      /the database at db\.example:5433\/gateway: nothing listens there \(ECONNREFUSED\)\. Check DATABASE_URL\.$/
    ],
    ["ENOTFOUND", /no such host is known/],
    ["28P01", /refused the user's password/],
    ["3D000", /has no such database/]
  ])("is named with the cause of %s, and without the password", (code, expectedText) => {
    const text = describeConnectionFailure(failure(code), "postgres://me:hunter2@db.example:5433/gateway")
    assert.match(text, expectedText)
    assert.notInclude(text, "hunter2")
  })

  it("tells of a time-out, and what else the driver says", () => {
    const url = "postgres://me@db.example/gateway"
    assert.include(
      describeConnectionFailure(failure(undefined, "timeout exceeded when trying to connect"), url),
      "in time"
    )
    assert.include(describeConnectionFailure(failure(undefined, "something else"), url), "something else")
    assert.include(describeConnectionFailure(failure("ENOENT"), undefined), "its own database")
  })

  it("is found by socket too", () => {
    assert.strictEqual(databasePlace("postgres://me@/db?host=/var/run&port=5439"), "/var/run:5439/db")
    assert.strictEqual(databasePlace("postgres://x y"), "an address that cannot be read")
  })
})
