import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Context, Deferred, Effect, Fiber, Layer, Schema, SchemaAST } from "effect"
import { AccountEventsPostgres } from "../../src/Layers/Events/AccountEventsPostgres.ts"
import { eventsPersonalData } from "../../src/Layers/Events/PersonalData.ts"
import { makeErase } from "../../src/Layers/Leads/Erasure/LeadErasure.ts"
import { FileReferencesOfRooms } from "../../src/Layers/Platform/FileReferences.ts"
import { PersonalDataOfRooms } from "../../src/Layers/Platform/PersonalData.ts"
import { DatabaseLayer, DatabaseLocation } from "../../src/Layers/Platform/Postgres/Database.ts"
import type { Caller } from "../../src/Services/Core/Calls/Caller.ts"
import { UnitOfWork } from "../../src/Services/Core/Calls/UnitOfWork.ts"
import { Timestamp } from "../../src/Services/Core/Timestamp.ts"
import {
  AccountEvents,
  AccountEventView,
  type EventType,
  eventData,
  eventTypes,
  type NewAccountEvent
} from "../../src/Services/Events/AccountEvents.ts"
import { LeadId } from "../../src/Services/Leads/Ids.ts"
import { isLockAwaited } from "../support/logs/LockWaits.ts"
import { as, makeAccount } from "../support/TestAccount.ts"
import { TestDatabaseLocation } from "../support/TestDatabase.ts"

/** With a session for each of many writers. */
const Location = Layer.map(TestDatabaseLocation, (context) =>
  Context.add(context, DatabaseLocation, { ...Context.get(context, DatabaseLocation), poolSize: 24 })
)

const TestLayer = AccountEventsPostgres.pipe(Layer.provideMerge(DatabaseLayer), Layer.provide(Location))

const supportEvent = (number: number): NewAccountEvent => ({
  type: "support_request_answered",
  data: { support_request_id: number }
})

const importEvent = (number: number): NewAccountEvent => ({
  type: "import_finished",
  data: { lead_import_id: number, status: "finished", created_count: 1, duplicate_count: 0, invalid_count: 0 }
})

const append = (event: NewAccountEvent) => Effect.flatMap(AccountEvents, (events) => events.append(event))

const appendMany = (list: ReadonlyArray<NewAccountEvent>) =>
  Effect.flatMap(AccountEvents, (events) => events.appendMany(list))

const read = (options: Partial<Parameters<AccountEvents["Type"]["read"]>[0]> = {}) =>
  Effect.flatMap(AccountEvents, (events) => events.read({ since: 0, types: [], limit: 50, ...options }))

const numberOf = (event: AccountEventView): number =>
  event.type === "support_request_answered"
    ? event.data.support_request_id
    : event.type === "import_finished"
      ? event.data.lead_import_id
      : -1

const makeLead = (caller: Caller["Type"], name: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const rows = yield* sql<{ readonly lead_id: number }>`
      insert into lead (account_id, name, status, pipeline_state)
      values (${caller.accountId}, ${name}, 'Cold', 'in_pipeline') returning lead_id`
    return LeadId.make(rows[0]?.lead_id ?? 0)
  })

layer(TestLayer, { excludeTestServices: true })("the feed", (it) => {
  it.effect("pages through all events once, oldest first, and ends where it began when there is nothing new", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      yield* me(appendMany([1, 2, 3, 4, 5].map(supportEvent)))
      const first = yield* me(read({ limit: 2 }))
      const second = yield* me(read({ limit: 2, since: first.nextCursor }))
      const third = yield* me(read({ limit: 2, since: second.nextCursor }))
      const fourth = yield* me(read({ limit: 2, since: third.nextCursor }))
      assert.deepStrictEqual(
        [first, second, third, fourth].map(({ events, hasMore }) => [events.map(numberOf), hasMore]),
        [
          [[1, 2], true],
          [[3, 4], true],
          [[5], false],
          [[], false]
        ]
      )
      assert.strictEqual(fourth.nextCursor, third.nextCursor)
      const beyond = yield* me(read({ since: third.nextCursor + 1000 }))
      assert.deepStrictEqual(beyond, { events: [], hasMore: false, nextCursor: third.nextCursor + 1000 })
    })
  )

  it.effect("of one account has nothing of another's", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      const other = as(yield* makeAccount())
      yield* other(append(supportEvent(1)))
      assert.deepStrictEqual(yield* me(read()), { events: [], hasMore: false, nextCursor: 0 })
    })
  )

  it.effect("with types answers these alone, and goes on behind the others", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      yield* me(appendMany([supportEvent(1), importEvent(2), supportEvent(3), importEvent(4), supportEvent(5)]))
      const all = yield* me(read())
      const none = yield* me(read({ types: ["meeting_booked"] }))
      assert.deepStrictEqual(none, { events: [], hasMore: false, nextCursor: all.nextCursor })
      const page = yield* me(read({ types: ["import_finished"], limit: 1 }))
      assert.deepStrictEqual([page.events.map(numberOf), page.hasMore], [[2], true])
      assert.strictEqual(page.nextCursor, all.events[1]?.cursor)
      const rest = yield* me(read({ types: ["import_finished"], limit: 1, since: page.nextCursor }))
      assert.deepStrictEqual([rest.events.map(numberOf), rest.hasMore], [[4], false])
      assert.strictEqual(rest.nextCursor, all.nextCursor)
      const both = yield* me(read({ types: ["import_finished", "support_request_answered"] }))
      assert.deepStrictEqual(both.events.map(numberOf), [1, 2, 3, 4, 5])
    })
  )

  it.effect("has what happened in the caller's transaction, and nothing of one that was undone", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      const unit = yield* UnitOfWork
      yield* Effect.flip(unit.write(Effect.zipRight(me(append(supportEvent(1))), Effect.fail("changed my mind"))))
      yield* unit.write(me(append(supportEvent(2))))
      assert.deepStrictEqual((yield* me(read())).events.map(numberOf), [2])
    })
  )

  it.effect("does not show an event before the one that was appended first is committed", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      const unit = yield* UnitOfWork
      const isAppended = yield* Deferred.make<void>()
      const mayCommit = yield* Deferred.make<void>()
      const first = yield* Effect.fork(
        unit.write(
          me(append(supportEvent(1))).pipe(
            Effect.zipRight(Deferred.succeed(isAppended, undefined)),
            Effect.zipRight(Deferred.await(mayCommit))
          )
        )
      )
      yield* Deferred.await(isAppended)
      const second = yield* Effect.fork(unit.write(me(append(supportEvent(2)))))
      // Until the database says that the second one waits for the first.
      yield* Effect.repeat(isLockAwaited, { until: (isAwaited) => isAwaited })
      assert.deepStrictEqual((yield* me(read())).events, [])
      yield* Deferred.succeed(mayCommit, undefined)
      yield* Fiber.join(first)
      yield* Fiber.join(second)
      assert.deepStrictEqual((yield* me(read())).events.map(numberOf), [1, 2])
    })
  )

  it.effect("under 20 writers: a reader that follows next_cursor misses nothing and sees nothing twice", () =>
    Effect.gen(function* () {
      const callers = [yield* makeAccount(), yield* makeAccount()]
      const writers = 20
      const perWriter = 60
      const unit = yield* UnitOfWork

      const write = (writer: number) =>
        Effect.forEach(
          Array.from({ length: perWriter }, (_, index) => writer * perWriter + index),
          (number) =>
            Effect.forEach(callers, (caller) =>
              // Now and then a transaction takes longer than those that began after it, or is undone.
              unit
                .write(
                  as(caller)(append(number % 2 === 0 ? supportEvent(number) : importEvent(number))).pipe(
                    Effect.zipRight(number % 7 === 0 ? Effect.sleep("3 millis") : Effect.void),
                    Effect.zipRight(number % 11 === 0 ? Effect.fail("undone") : Effect.void)
                  )
                )
                .pipe(
                  Effect.catchIf(
                    (error) => error === "undone",
                    () => Effect.void
                  )
                )
            ),
          { discard: true }
        )

      const follow = (
        caller: Caller["Type"],
        isOver: Deferred.Deferred<void>,
        limit: number,
        types: ReadonlyArray<AccountEventView["type"]>
      ) =>
        Effect.gen(function* () {
          const seen: Array<number> = []
          let cursor = 0
          while (true) {
            const wasOver = yield* Deferred.isDone(isOver)
            const page = yield* as(caller)(read({ since: cursor, limit, types }))
            seen.push(...page.events.map(numberOf))
            if (wasOver && page.nextCursor === cursor) return seen
            cursor = page.nextCursor
          }
        })

      const isOver = yield* Deferred.make<void>()
      const readers = yield* Effect.forEach(callers, (caller) =>
        Effect.fork(
          Effect.all([follow(caller, isOver, 7, []), follow(caller, isOver, 5, ["import_finished"])], {
            concurrency: 2
          })
        )
      )
      yield* Effect.forEach(
        Array.from({ length: writers }, (_, writer) => writer),
        write,
        { concurrency: writers }
      )
      yield* Deferred.succeed(isOver, undefined)

      const expected = Array.from({ length: writers * perWriter }, (_, number) => number).filter((n) => n % 11 !== 0)
      const ascending = (numbers: ReadonlyArray<number>) => numbers.toSorted((a, b) => a - b)
      for (const reader of readers) {
        const [all, imports] = yield* Fiber.join(reader)
        assert.deepStrictEqual(ascending(all), expected)
        assert.deepStrictEqual(
          ascending(imports),
          expected.filter((number) => number % 2 === 1)
        )
      }
    })
  )
})

const occurredAt = Timestamp.make("2026-03-01T09:30:00Z")

const isNewEvent = (event: {
  readonly type: EventType
  readonly data: object
  readonly occurredAt?: Timestamp | undefined
}): event is NewAccountEvent => {
  const schema: Schema.Schema.AnyNoContext = eventData[event.type]
  return Schema.is<unknown, unknown, never>(schema)(event.data)
}

/** A value that the field takes: one of its literals, or the first of some usual ones. */
const sampleOfField = (field: Schema.Schema.AnyNoContext): unknown => {
  const members = SchemaAST.isUnion(field.ast) ? field.ast.types : [field.ast]
  const literals = members.flatMap((member) => (SchemaAST.isLiteral(member) ? [member.literal] : []))
  return [1, occurredAt, "a text", true, ...literals].find(Schema.is(field))
}

/** An event of the type with data made up from its schema. */
const sampleOf = (type: EventType, leadId: number): NewAccountEvent => {
  const fields = Object.entries<Schema.Schema.AnyNoContext>(eventData[type].fields)
  const data = Object.fromEntries(
    fields.map(([name, field]) => [name, name === "lead_id" ? leadId : sampleOfField(field)])
  )
  const event = { type, data, occurredAt }
  if (!isNewEvent(event)) throw new Error(`No sample of ${type}.`)
  return event
}

layer(TestLayer, { excludeTestServices: true })("an event", (it) => {
  it.effect("of each type is answered with the schema of its type, and with its lead's name", () =>
    Effect.gen(function* () {
      const caller = yield* makeAccount()
      const me = as(caller)
      const lead_id = yield* makeLead(caller, "Ana Souza")
      const events = eventTypes.map((type) => sampleOf(type, lead_id))
      yield* me(appendMany(events))
      const page = yield* me(read())
      yield* Schema.decodeUnknown(Schema.Array(AccountEventView), { onExcessProperty: "error" })(page.events)
      assert.deepStrictEqual(
        page.events.map(({ type }) => type),
        [...eventTypes]
      )
      for (const { data } of page.events) {
        if ("lead_id" in data) assert.deepInclude(data, { lead_id, lead_name: "Ana Souza", campaign_id: null })
      }
      assert.match(page.events[0]?.id ?? "", /^evt_[0-9a-f]{32}$/)
      assert.strictEqual(new Set(page.events.map(({ id }) => id)).size, eventTypes.length)
      assert.isTrue(page.events.every((event) => event.occurred_at === occurredAt))
    })
  )

  it.effect("keeps a text of bounded length on one line", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      const subject = `one\r\ntwo\u0000${"🙂".repeat(5000)}`
      yield* me(
        append({
          type: "email_received",
          data: { lead_id: null, email_message_id: 1, from_address: null, subject }
        })
      )
      const [event] = (yield* me(read())).events
      const stored = event?.type === "email_received" ? (event.data.subject ?? "") : ""
      assert.isTrue(stored.startsWith("onetwo🙂"))
      assert.isAtMost(stored.length, 300)
      assert.isTrue(stored.isWellFormed())
    })
  )

  it.effect("tells nothing of a lead's person once the lead is erased, and stays in its place", () =>
    Effect.gen(function* () {
      const caller = yield* makeAccount()
      const me = as(caller)
      const lead_id = yield* makeLead(caller, "Ana Souza")
      const other = yield* makeLead(caller, "Rui Costa")
      yield* me(
        appendMany([
          { type: "lead_replied_email", data: { lead_id, email_message_id: 1, subject: "Ana here" } },
          { type: "lead_sent_for_human_review", data: { lead_id, reason: "Ana asks" } },
          { type: "lead_confirmed", data: { lead_id: other, channel: null } }
        ])
      )
      const before = yield* me(read())
      yield* me(Effect.flatMap(makeErase, (erase) => erase(lead_id, undefined))).pipe(
        Effect.provideService(PersonalDataOfRooms, [eventsPersonalData]),
        Effect.provideService(FileReferencesOfRooms, [])
      )
      const after = yield* me(read())
      assert.deepStrictEqual(
        after.events.map(({ cursor, id }) => [cursor, id]),
        before.events.map(({ cursor, id }) => [cursor, id])
      )
      assert.notInclude(JSON.stringify(after), "Ana")
      assert.deepInclude(after.events[0]?.data, { lead_id, lead_name: null, subject: null, email_message_id: 1 })
      assert.deepStrictEqual(after.events[2], before.events[2])
    })
  )
})
