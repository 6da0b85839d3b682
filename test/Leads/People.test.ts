import { SqlClient } from "@effect/sql/SqlClient"
import { assert, describe, layer, it as pureTest } from "@effect/vitest"
import { Effect, Layer, Schema, Stream } from "effect"
import { rooms } from "../../src/Layers/App.ts"
import { PeoplePostgres } from "../../src/Layers/Leads/Erasure/PeoplePostgres.ts"
import { isSetting } from "../../src/Layers/Leads/Erasure/PersonScan.ts"
import { PersonalDataOfRooms } from "../../src/Layers/Platform/PersonalData.ts"
import { type AccountTable, accountTables } from "../../src/Layers/Platform/Postgres/AccountTables.ts"
import { Caller } from "../../src/Services/Core/Calls/Caller.ts"
import { CustomerFiles, CustomerFileView } from "../../src/Services/Files/CustomerFiles.ts"
import { everywherePatterns } from "../../src/Services/Leads/Erasure/LeadErasure.ts"
import { ErasureReceipt, FoundPerson } from "../../src/Services/Leads/Erasure/People.ts"
import * as Catalog from "../../src/Tools/Core/Catalog.ts"
import * as Tool from "../../src/Tools/Core/Tool.ts"
import { platformPeople } from "../../src/Tools/Leads/PlatformPeople.ts"
import { recordsOfAccount, rowsOfLead } from "../support/AllRecords.ts"
import { fillTables } from "../support/checks/AnyRows.ts"
import { insertLead, leadServicesWith } from "../support/leads/LeadServices.ts"
import { as, callTool, makeAccount } from "../support/TestAccount.ts"
import { answerOf } from "../support/ToolAnswer.ts"

const Services = PeoplePostgres.pipe(
  Layer.provide(Layer.succeed(PersonalDataOfRooms, rooms.personalData)),
  Layer.provideMerge(leadServicesWith(rooms.personalData))
)

const catalog = Catalog.make([Tool.group("Platform", "Data of people.", [...platformPeople])])

const find = (args: object) => Effect.flatMap(answerOf(catalog, "find_person", args), Schema.decodeUnknown(FoundPerson))
const erase = (args: object) =>
  Effect.flatMap(answerOf(catalog, "erase_person", args), Schema.decodeUnknown(ErasureReceipt))

const person = { name: "Zulmira Quaresma", email: "zulmira@q.example", phone: "+5511912345678" }
const saying = "Fale com Zulmira Quaresma, zulmira@q.example ou (11) 91234-5678."
const traces = /zulmira|quaresma|91234-?5678/i

/** Writes the text into a column of each row, unless a check, a key or a reference forbids it. Returns whether it did. */
const planted = (table: AccountTable, column: string, kind: "text" | "list" | "json", text: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const { accountId } = yield* Caller
    const of = sql(column)
    const value =
      kind === "text"
        ? sql`${text}`
        : kind === "list"
          ? sql`array[${text}::text]`
          : sql`case jsonb_typeof(${of}) when 'object' then ${of} || jsonb_build_object('of', ${text}::text)
              when 'array' then ${of} || jsonb_build_array(${text}::text) else jsonb_build_array(${text}::text) end`
    const rows = yield* Effect.option(
      sql.withTransaction(
        sql`update ${sql(table.name)} set ${of} = ${value} where account_id = ${accountId} returning 1 as one`
      )
    )
    return rows._tag === "Some" && rows.value.length > 0
  })

/** What a file is, and where it is found, is not a stranger's to write. */
const notPlanted = new Set(["customer_file.media_type", "customer_file.download_key"])

const plantEverywhere = Effect.gen(function* () {
  const sql = yield* SqlClient
  const columns: Array<string> = []
  for (const table of yield* accountTables(sql)) {
    if (isSetting(table)) continue
    const all = [
      ...table.texts.map((column) => [column, "text"] as const),
      ...table.lists.map((column) => [column, "list"] as const),
      ...table.json.map((column) => [column, "json"] as const)
    ]
    for (const [column, kind] of all) {
      const place = `${table.name}.${column}`
      if (!notPlanted.has(place) && (yield* planted(table, column, kind, saying))) columns.push(place)
    }
  }
  return columns
})

const columnsWithTraces = Effect.gen(function* () {
  const sql = yield* SqlClient
  const columns = yield* sql<{ readonly table: string; readonly column: string; readonly type: string }>`
    select quote_ident(c.table_schema) || '.' || quote_ident(c.table_name) as table, quote_ident(c.column_name) as column,
      c.data_type as type
    from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
    where t.table_type = 'BASE TABLE' and c.table_schema not in ('pg_catalog', 'information_schema')
      and c.data_type in ('text', 'character varying', 'json', 'jsonb', 'bytea', 'ARRAY', 'tsvector', 'USER-DEFINED')`
  const places: Array<string> = []
  for (const { column, table, type } of columns) {
    const text = type === "bytea" ? `encode(${column}, 'escape')` : `${column}::text`
    const rows = yield* sql.unsafe<{ readonly value: string | null }>(`select ${text} as value from ${table}`)
    if (rows.some(({ value }) => value !== null && traces.test(value))) places.push(`${table}.${column}`)
  }
  return places
})

const file = (name: string, text: string) =>
  Effect.flatMap(CustomerFiles, (files) =>
    files.write({ fileName: name, bytes: Stream.make(Buffer.from(text, "utf8")) })
  ).pipe(Effect.map(({ customer_file_id }) => customer_file_id))

layer(Services, { excludeTestServices: true })("erasing a person", (it) => {
  it.effect("leaves nothing in any column of any table, wherever a text can be", () =>
    Effect.gen(function* () {
      const caller = yield* makeAccount()
      const me = as(caller)
      yield* recordsOfAccount(caller)
      const other = yield* me(insertLead({ name: "Rui Prado" }))
      yield* rowsOfLead(caller, other)
      const withoutRows = yield* fillTables(caller.accountId)
      const columns = yield* me(plantEverywhere)
      // Logs that are written behind calls, and what rooms delete as a whole.
      assert.deepStrictEqual(withoutRows, [
        "audit_entry",
        "call_usage",
        "keyed_write",
        "message_embedding",
        "request_entry"
      ])
      assert.isAbove(columns.length, 350)
      for (const place of [
        "business_passage.body",
        "email_message.body_text",
        "lead.background",
        "sandbox_crm_record.body"
      ]) {
        assert.include(columns, place)
      }
      const named = yield* me(file("notes.txt", saying))
      const others = yield* me(file("others.txt", "Fale com outra pessoa."))
      const lead = yield* me(insertLead(person))
      yield* rowsOfLead(caller, lead)

      const findings = yield* me(find({ email: "Zulmira@Q.example" }))
      assert.deepStrictEqual(findings.leads, [{ lead_id: lead, name: person.name }])
      assert.include(findings.files, named)
      assert.isAbove(findings.mentions.length, 20)
      const exported = yield* me(
        Effect.flatMap(
          answerOf(catalog, "export_person", { email: person.email }),
          Schema.decodeUnknown(CustomerFileView)
        )
      )
      assert.isAbove(exported.size_bytes, 10_000)

      const receipt = yield* me(erase({ email: person.email, phone: "11 91234-5678", reason: `For ${person.email}` }))
      assert.deepStrictEqual(yield* columnsWithTraces, [])
      assert.deepStrictEqual(receipt.leads, [lead])
      assert.includeMembers([...receipt.deleted_files], [named, exported.customer_file_id])
      assert.notInclude(receipt.deleted_files, others)
      assert.deepStrictEqual(
        receipt.redacted.map(({ place }) => place),
        findings.mentions.map(({ place }) => place)
      )
      assert.deepInclude(receipt.deleted, { place: "lead", records: 1 })

      const again = yield* me(find({ email: person.email, phone: person.phone }))
      assert.deepInclude(again, { leads: [], mentions: [], records_of_leads: [], files: [] })
      const sql = yield* SqlClient
      const tombstones = yield* sql`
        select from lead_tombstone t join account a using (account_id)
        where contact_digest in (contact_digest(a.tombstone_key, 'email', ${person.email}),
          contact_digest(a.tombstone_key, 'phone', ${person.phone}))`
      assert.lengthOf(tombstones, 2)
    })
  )

  it.effect("changes nothing of other people with similar contacts, nor of another account", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const me = as(yield* makeAccount())
      const stranger = as(yield* makeAccount())
      const background = "mariana@x.example, ana@x.example.org, (21) 91234-5678, 91234-5678, 55119123456789 e Ana."
      const other = yield* me(
        insertLead({ name: "Eva", email: "mariana@x.example", phone: "+5521912345678", background })
      )
      yield* me(insertLead({ name: "Ana", email: "ana@x.example", phone: "+5511912345678" }))
      yield* stranger(insertLead({ name: "Ana", email: "ana@x.example", background: "ana@x.example" }))
      const receipt = yield* me(erase({ email: "ana@x.example" }))
      assert.lengthOf(receipt.leads, 1)
      assert.deepStrictEqual(yield* sql`select email, phone, background from lead where lead_id = ${other}`, [
        { email: "mariana@x.example", phone: "+5521912345678", background }
      ])
      assert.lengthOf(yield* sql`select from lead where email = 'ana@x.example' and background = 'ana@x.example'`, 1)
    })
  )

  it.effect("says what a CRM was told, and leaves the account's own people alone", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const caller = yield* makeAccount()
      const me = as(caller)
      const lead = yield* me(insertLead({ name: "Ivo Melo", email: "ivo@melo.example" }))
      yield* sql`
        insert into crm_link (account_id, crm, crm_account, lead_id, kind, state, external_id)
        values (${caller.accountId}, 'pipedrive', '1', ${lead}, 'person', 'linked', '77')`
      const receipt = yield* me(erase({ email: "ivo@melo.example" }))
      assert.deepStrictEqual(receipt.left_to_do, [
        { where: "pipedrive", what: "Delete the person there.", reference: "77" }
      ])
      const [owner] = yield* sql<{ readonly email: string }>`
        select email from account where account_id = ${caller.accountId}`
      const refusal = yield* Effect.flip(me(callTool(catalog, "erase_person", { email: owner?.email })))
      assert.deepInclude(refusal, { _tag: "Refused", reason: "person_of_account" })
      for (const [args, reason] of [
        [{}, "contact_missing"],
        [{ email: "nobody" }, "invalid_email"],
        [{ phone: "12" }, "invalid_phone"]
      ] as const) {
        const refused = yield* Effect.flip(me(callTool(catalog, "erase_person", args)))
        assert.deepInclude(refused, { _tag: "Refused", reason })
      }
    })
  )
})

describe("the patterns of a person", () => {
  const { numbers } = everywherePatterns([{ name: "Ana", email: null, phone: "+5511912345678" }])
  pureTest("have the number with and without the country, as numbers have it", () => {
    assert.deepStrictEqual(numbers, ["5511912345678", "11912345678"])
  })
})
