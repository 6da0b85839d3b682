import { randomBytes } from "node:crypto"
import { Cause, Effect, Either, Exit, Layer, Option, Redacted, type Schedule } from "effect"
import type {
  Credentials,
  CrmAdapter,
  CrmClient,
  CrmFailure,
  CrmRecord,
  NewCrmRecord
} from "../../../src/Layers/Crm/Calling/CrmAdapter.ts"
import { makeCrmClients } from "../../../src/Layers/Crm/Calling/CrmSending.ts"
import { CrmTransport } from "../../../src/Layers/Crm/Calling/CrmTransport.ts"
import { OutboundHttpNode } from "../../../src/Layers/Platform/Outbound/OutboundHttp.ts"
import { OutboundPolicy } from "../../../src/Layers/Platform/Outbound/OutboundPolicy.ts"
import { fromMillis } from "../../../src/Services/Core/Timestamp.ts"
import type { CrmKind } from "../../../src/Services/Crm/Ids.ts"
import { OutboundHttp } from "../../../src/Services/Outbound/OutboundHttp.ts"

/** CRMs over the network, including servers on this machine, because the person who runs the check chose the server. */
export const CrmOverHttp = Layer.effect(
  CrmTransport,
  Effect.map(OutboundHttp, ({ request }) =>
    CrmTransport.of({ mode: "live", request: (_, outbound) => request(outbound) })
  )
).pipe(
  Layer.provide(OutboundHttpNode),
  Layer.provide(
    Layer.effect(
      OutboundPolicy,
      Effect.map(OutboundPolicy, (policy) => ({ ...policy, allowLoopback: true }))
    )
  )
)

/** A request to a server, and what was wrong with its answer. */
export interface CheckedLine {
  readonly what: string
  readonly trouble: string | undefined
}

class Wrong {
  readonly _tag = "Wrong"
  constructor(readonly detail: string) {}
}

const dayMillis = 86_400_000

const expect = (holds: boolean, detail: string): Effect.Effect<void, Wrong> =>
  holds ? Effect.void : Effect.fail(new Wrong(detail))

const troubleOf = (cause: Cause.Cause<CrmFailure | Wrong>): string =>
  Option.match(Cause.failureOption(cause), {
    onNone: () => "it broke",
    onSome: (failure) => (failure._tag === "Wrong" ? failure.detail : `the CRM answers ${failure.kind}`)
  })

/** The same CRM on another server, with the same path. */
export const atOrigin = (adapter: CrmAdapter, origin: string): CrmAdapter => ({
  ...adapter,
  baseUrl: (credentials) => {
    const { pathname } = new URL(adapter.baseUrl(credentials))
    return `${origin}${pathname === "/" ? "" : pathname}`
  }
})

/**
 * Checks the gateway's requests on a server: records are created, found, read, changed, given progress and closed, one
 * by one and many at once. They are left there, with names that say what they are.
 */
export const checkServer = Effect.fnUntraced(function* (
  adapter: CrmAdapter,
  credentials: Credentials,
  /** A new record may not be searchable at once. */
  patience: Schedule.Schedule<unknown>
) {
  const clients = yield* makeCrmClients
  const { client } = yield* clients(adapter, credentials, { isWaitedFor: true })
  if (client === undefined) return [{ what: "records", trouble: "these credentials can only be written with" }]
  const lines: Array<CheckedLine> = []
  const check = <A>(what: string, ask: Effect.Effect<A, CrmFailure | Wrong>) =>
    Effect.map(Effect.exit(ask), (exit): A | undefined => {
      lines.push({ what, trouble: Exit.isSuccess(exit) ? undefined : troubleOf(exit.cause) })
      return Exit.isSuccess(exit) ? exit.value : undefined
    })
  const eventually = <A, E>(ask: Effect.Effect<A, E>) => Effect.retry(ask, patience)
  const began = Date.now()
  const run = randomBytes(4).toString("hex")
  let number = 0
  const someone = () => {
    const id = `${run}${++number}`
    return {
      key: `pgw${id.padStart(17, "0")}`,
      companyKey: `pgw${id.padStart(17, "c")}`,
      company: { name: `Prospecting check ${id}`, domain: `check-${id}.example` },
      person: {
        name: `Prospecting Check${id}`,
        email: `check@check-${id}.example`,
        phone: `+55119${`${Number.parseInt(run, 16) + number}`.slice(-8).padStart(8, "1")}`,
        job_title: "Diretora"
      },
      title: `Prospecting check - Check ${id} #${number}`
    }
  }
  type Someone = ReturnType<typeof someone>
  const record = (fields: NewCrmRecord["fields"], key: string, of: Partial<NewCrmRecord> = {}): NewCrmRecord => ({
    fields,
    key,
    companyId: undefined,
    personId: undefined,
    pipelineId: undefined,
    ownerId: undefined,
    ...of
  })
  const there = Effect.fnUntraced(function* (kind: CrmKind, id: string) {
    const record = yield* client.read(kind, id, [])
    return yield* Option.match(record, {
      onNone: () => Effect.fail(new Wrong("what was made is not there")),
      onSome: (read: CrmRecord) => Effect.succeed(read)
    })
  })
  const isFound = (ids: ReadonlyArray<string>, id: string) =>
    expect(ids.length === 1 && ids[0] === id, `found ${ids.length}, and not the one that was made alone`)

  yield* check(
    "the credentials name an account",
    Effect.flatMap(client.check, ({ identity }) => expect(identity !== "", "it names none"))
  )
  const pipelines = yield* check(
    "there is a pipeline with stages",
    Effect.tap(client.pipelines, ([first]) => expect((first?.stages.length ?? 0) > 0, "there is none"))
  )
  const pipeline = pipelines?.[0]
  const [firstStage, secondStage] = pipeline?.stages ?? []
  yield* check("custom fields are told", client.customFields)
  yield* check(
    "nobody has an address that nobody has",
    Effect.flatMap(client.ownerByEmail(`nobody@check-${run}.example`), (owner) =>
      expect(Option.isNone(owner), "somebody has")
    )
  )

  const bring = Effect.fnUntraced(function* (one: Someone) {
    const companyId = yield* check("a company is made", client.create("company", record(one.company, one.companyKey)))
    if (companyId === undefined) return undefined
    yield* check(
      "a company is found by its name",
      eventually(
        Effect.flatMap(client.find("company", { ...one.company, key: one.companyKey }), (ids) =>
          isFound(ids, companyId)
        )
      )
    )
    const personId = yield* check(
      "a person is made",
      client.create("person", record(one.person, one.key, { companyId }))
    )
    if (personId === undefined) return undefined
    const { email, name, phone } = one.person
    yield* check(
      "a person is found by the address",
      eventually(
        Effect.flatMap(client.find("person", { email, name, key: one.key, companyId }), (ids) => isFound(ids, personId))
      )
    )
    yield* check(
      "a person is found by the phone",
      eventually(
        Effect.flatMap(client.find("person", { phone, name, key: one.key, companyId }), (ids) => isFound(ids, personId))
      )
    )
    const dealId = yield* check(
      "a deal is made in the first stage",
      client.create(
        "deal",
        record({ title: one.title, ...(firstStage === undefined ? {} : { stage: firstStage.id }) }, one.key, {
          companyId,
          personId,
          pipelineId: pipeline?.id
        })
      )
    )
    if (dealId === undefined) return undefined
    yield* check(
      "a deal is found by its title",
      eventually(
        Effect.flatMap(client.findDeals(one.title, { personId, companyId, key: one.key }), (ids) =>
          isFound(ids, dealId)
        )
      )
    )
    return { companyId, personId, dealId }
  })

  const first = yield* bring(someone())
  if (first !== undefined) {
    yield* check(
      "an open deal stands in its stage",
      Effect.flatMap(there("deal", first.dealId), ({ fields, state }) =>
        expect(
          state === "open" && (firstStage === undefined || fields["stage"] === firstStage.id),
          `it is ${state ?? "nothing"} in ${fields["stage"] ?? "no stage"}`
        )
      )
    )
    if (secondStage !== undefined) {
      yield* check(
        "a deal moves forward",
        Effect.zipRight(
          client.update("deal", first.dealId, { stage: secondStage.id }),
          Effect.flatMap(there("deal", first.dealId), ({ fields }) =>
            expect(fields["stage"] === secondStage.id, "it stayed where it was")
          )
        )
      )
    }
    yield* check(
      "a person's name changes",
      Effect.zipRight(
        client.update("person", first.personId, { name: `Prospecting Check${run} Souza` }),
        Effect.flatMap(there("person", first.personId), ({ fields }) =>
          expect(fields["name"] === `Prospecting Check${run} Souza`, `it is ${fields["name"] ?? "none"}`)
        )
      )
    )
    yield* check(
      "a note and a meeting are added",
      Effect.zipRight(
        client.addNote({
          key: `pgw${run}`.padEnd(20, "0"),
          text: "Prospecting check: a note.\nIts second line.",
          of: first
        }),
        client.addNote({
          key: `pgw${run}`.padEnd(20, "1"),
          text: "Prospecting check: a meeting.",
          meeting: {
            title: `Prospecting check ${run}`,
            startsAt: fromMillis(began + dayMillis),
            endsAt: fromMillis(began + dayMillis + 1_800_000)
          },
          of: first
        })
      )
    )
  }
  const closed = Effect.fnUntraced(function* (outcome: "won" | "lost", value: string | undefined) {
    const one = outcome === "won" && first !== undefined ? first : yield* bring(someone())
    if (one === undefined) return
    yield* check(
      `a deal that is ${outcome} is known as that, and told of`,
      Effect.gen(function* () {
        yield* client.close(one.dealId, { outcome, reason: "Prospecting check", value, pipelineId: pipeline?.id })
        const { state } = yield* there("deal", one.dealId)
        yield* expect(state === outcome, `it is ${state ?? "nothing"}`)
        yield* eventually(
          Effect.flatMap(client.closedSince(fromMillis(began - dayMillis)), (deals) =>
            expect(
              deals.some((deal) => deal.id === one.dealId && deal.outcome === outcome),
              "the list of what was closed lacks it"
            )
          )
        )
      })
    )
  })
  yield* closed("won", "1500")
  yield* closed("lost", undefined)

  yield* checkBatches(client, check, [someone(), someone(), someone()], eventually, pipeline?.id, firstStage?.id)

  const wrong: Credentials = new Map(
    [...credentials].map(([name, value]) => [
      name,
      ["url", "database", "username"].includes(name) ? value : Redacted.make(`${Redacted.value(value)}0`)
    ])
  )
  const stranger = yield* clients(adapter, wrong, { isWaitedFor: true })
  if (stranger.client !== undefined) {
    yield* check(
      "a wrong key is refused as one",
      Effect.flatMap(Effect.either(stranger.client.check), (answer) =>
        expect(
          Either.isLeft(answer) && ["unauthorized", "forbidden"].includes(answer.left.kind),
          Either.isLeft(answer) ? `it answers ${answer.left.kind}` : "it is taken"
        )
      )
    )
  }
  return lines
})

type Check = <A>(what: string, ask: Effect.Effect<A, CrmFailure | Wrong>) => Effect.Effect<A | undefined>

/** The same with three records at a time, if the CRM accepts many in one call. */
const checkBatches = Effect.fnUntraced(function* (
  { batches }: CrmClient,
  check: Check,
  people: ReadonlyArray<{
    readonly key: string
    readonly companyKey: string
    readonly company: { readonly name: string; readonly domain: string }
    readonly person: { readonly name: string; readonly email: string; readonly phone: string }
    readonly title: string
  }>,
  eventually: <A, E>(ask: Effect.Effect<A, E>) => Effect.Effect<A, E>,
  pipelineId: string | undefined,
  stage: string | undefined
) {
  const { addNotes, create, find, read } = batches ?? {}
  if (create === undefined) return
  const bare = { companyId: undefined, personId: undefined, pipelineId, ownerId: undefined }
  const createRecords = (kind: CrmKind, records: ReadonlyArray<NewCrmRecord>) =>
    check(
      `many of kind ${kind} are made at once`,
      Effect.flatMap(create.run(kind, records), (results) =>
        Effect.forEach(results, (result) =>
          Either.isRight(result)
            ? Effect.succeed(result.right)
            : Effect.fail(new Wrong(`one of them: ${result.left.kind}`))
        )
      )
    )
  const companies = yield* createRecords(
    "company",
    people.map(({ company, companyKey }) => ({ ...bare, fields: company, key: companyKey }))
  )
  if (companies === undefined) return
  const persons = yield* createRecords(
    "person",
    people.map(({ key, person }, index) => ({ ...bare, fields: person, key, companyId: companies[index] }))
  )
  if (persons === undefined) return
  const deals = yield* createRecords(
    "deal",
    people.map(({ key, title }, index) => ({
      ...bare,
      fields: { title, ...(stage === undefined ? {} : { stage }) },
      key,
      companyId: companies[index],
      personId: persons[index]
    }))
  )
  const areThere = (
    searchResults: ReadonlyArray<Either.Either<ReadonlyArray<string>, CrmFailure>>,
    ids: ReadonlyArray<string>
  ) =>
    searchResults.every(
      (each, index) => Either.isRight(each) && each.right.length === 1 && each.right[0] === ids[index]
    )
      ? Effect.void
      : Effect.fail(new Wrong("others were found, or none"))
  if (find !== undefined) {
    yield* check(
      "many companies are found at once",
      eventually(
        Effect.flatMap(
          find.run(
            "company",
            people.map(({ company, companyKey }) => ({ ...company, key: companyKey }))
          ),
          (searchResults) => areThere(searchResults, companies)
        )
      )
    )
    yield* check(
      "many people are found at once",
      eventually(
        Effect.flatMap(
          find.run(
            "person",
            people.map(({ key, person }) => ({ ...person, key }))
          ),
          (searchResults) => areThere(searchResults, persons)
        )
      )
    )
  }
  if (read !== undefined && deals !== undefined) {
    yield* check(
      "many deals are read at once",
      Effect.flatMap(
        read.run(
          "deal",
          deals.map((id) => ({ id, ownKeys: [] }))
        ),
        (searchResults) =>
          expect(
            searchResults.every(
              (each) => Either.isRight(each) && Option.isSome(each.right) && each.right.value.state === "open"
            ),
            "not all of them are there and open"
          )
      )
    )
  }
  if (addNotes !== undefined && deals !== undefined) {
    yield* check(
      "many notes are added at once",
      Effect.flatMap(
        addNotes.run(
          "deal",
          deals.map((dealId, index) => ({
            key: `pgw-many-${dealId}`.slice(-16).padEnd(20, `${index}`),
            text: "Prospecting check: one of many.",
            of: { dealId, personId: undefined, companyId: undefined }
          }))
        ),
        (results) => expect(results.every(Either.isRight), "not all of them")
      )
    )
  }
})
