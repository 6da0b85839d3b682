import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Layer } from "effect"
import { Dns, type DnsAnswer, type MxRecord } from "../../../Services/Outbound/Dns.ts"
import { fromSql } from "../../Platform/Postgres/Sql.ts"
import { answerOf, bareHost, noName, noRecords, unavailable } from "../DnsAnswers.ts"

const mxOf = (value: string): MxRecord => {
  const [preference = "0", host = ""] = value.trim().split(/\s+/)
  return { preference: Number.parseInt(preference, 10) || 0, host: bareHost(host) }
}

/** Answers from the zone that developers edit. */
export const makeDnsSandbox = Effect.map(SqlClient, (sql) => {
  const lookUp = <A>(name: string, type: "TXT" | "MX" | "A", read: (value: string) => A) =>
    sql<{ readonly type: string; readonly values: ReadonlyArray<string> | null }>`
        select type, record_values as "values" from sandbox_dns_record where name = ${name}`.pipe(
      fromSql(),
      Effect.map((rows): DnsAnswer<A> => {
        if (rows.length === 0) return noName
        const row = rows.find((one) => one.type === type)
        if (row === undefined) return noRecords
        return row.values === null ? unavailable : answerOf(row.values.map(read))
      }),
      Effect.catchAll(() => Effect.succeed<DnsAnswer<A>>(unavailable))
    )
  return Dns.of({
    mode: "sandbox",
    txt: (name) => lookUp(name, "TXT", (value) => value),
    mx: (name) => lookUp(name, "MX", mxOf),
    addresses: (name) => lookUp(name, "A", (value) => value)
  })
})

export const DnsSandbox = Layer.effect(Dns, makeDnsSandbox)
