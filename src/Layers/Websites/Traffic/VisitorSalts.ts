import { createHmac, randomBytes } from "node:crypto"
import { SqlClient } from "@effect/sql/SqlClient"
import { Clock, Context, Effect, Layer } from "effect"
import type { Transient } from "../../../Errors.ts"
import { UnitOfWork } from "../../../Services/Core/Calls/UnitOfWork.ts"
import type { WebsiteId } from "../../../Services/Websites/Ids.ts"
import { fromSql, single } from "../../Platform/Postgres/Sql.ts"

export type VisitorSalt = Buffer

/** A visitor's hash on this site. It cannot be linked to a person once the salt is deleted. */
export const visitorHash = (
  salt: VisitorSalt,
  websiteId: WebsiteId,
  address: string,
  userAgent: string | undefined
): string =>
  createHmac("sha256", salt)
    .update(`${websiteId}\n${address}\n${(userAgent ?? "").slice(0, 500)}`)
    .digest("hex")
    .slice(0, 32)

/** The salts with which visitors are hashed: one for each calendar day, the same in all processes. */
export class VisitorSalts extends Context.Tag("VisitorSalts")<
  VisitorSalts,
  {
    /** Returns the day's salt if it is cached. */
    readonly known: (day: string) => VisitorSalt | undefined
    readonly of: (day: string) => Effect.Effect<VisitorSalt, Transient>
    /** Deletes the salts of days that are over in every time zone, and the hashes made with them. */
    readonly forget: Effect.Effect<void, Transient>
  }
>() {}

/** Calendars of the world show two days at a time, and for an hour three. */
const mostDays = 3

/**
 * Milliseconds after the end of a UTC day when it has ended in the westernmost zone too (12 hours), plus an hour for
 * requests that are still running.
 */
const lastZone = 13 * 3_600_000

const make = Effect.map(Effect.all([SqlClient, UnitOfWork]), ([sql, unit]) => {
  const salts = new Map<string, VisitorSalt>()
  const keep = (day: string, salt: VisitorSalt): VisitorSalt => {
    salts.set(day, salt)
    for (const oldest of [...salts.keys()].sort().slice(0, -mostDays)) salts.delete(oldest)
    return salt
  }
  return VisitorSalts.of({
    known: (day) => salts.get(day),
    of: (day) =>
      Effect.suspend(() => {
        const known = salts.get(day)
        if (known !== undefined) return Effect.succeed(known)
        return sql`insert into visitor_salt (day, salt) values (${day}, ${randomBytes(32)}) on conflict do nothing`.pipe(
          Effect.zipRight(sql<{ readonly salt: Buffer }>`select salt from visitor_salt where day = ${day}`),
          fromSql(),
          Effect.map((rows) => keep(day, single(rows).salt))
        )
      }),
    forget: Effect.gen(function* () {
      const oldest = new Date((yield* Clock.currentTimeMillis) - lastZone).toISOString().slice(0, 10)
      yield* sql`delete from visitor_salt where day < ${oldest}`.pipe(fromSql())
      yield* unit
        .acrossAccounts(sql`update website_traffic_day set sketch = null where sketch is not null and day < ${oldest}`)
        .pipe(fromSql())
      for (const day of salts.keys()) if (day < oldest) salts.delete(day)
    })
  })
})

export const VisitorSaltsPostgres = Layer.effect(VisitorSalts, make)
