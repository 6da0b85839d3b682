import { assert, it } from "@effect/vitest"
import { Effect, Layer, Option, Redacted } from "effect"
import { MailAccess } from "../../../src/Layers/Mail/Access/MailAccess.ts"
import { SentFolder, SentFolderImap } from "../../../src/Layers/Mail/Imap/ImapSentFolder.ts"
import { MailSettings } from "../../../src/Layers/Mail/MailSettings.ts"
import { localImap, localSmtp } from "../../support/channels/MailFixtures.ts"
import { hasDovecot, makeLocalDovecot } from "../../support/providers/LocalDovecot.ts"
import { localHttpServer } from "../../support/servers/LocalHttpServer.ts"

/** Says whose a token is, as RFC 7662 has it. */
const introspection = (accepted: () => string) =>
  localHttpServer((request, response) => {
    const chunks: Array<Buffer> = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("end", () => {
      const token = new URLSearchParams(Buffer.concat(chunks).toString()).get("token")
      const active = token === accepted()
      response.writeHead(200, { "content-type": "application/json" })
      response.end(JSON.stringify(active ? { active, username: "gateway" } : { active }))
    })
  })

const test = hasDovecot ? it.scopedLive : it.scopedLive.skip

test("Dovecot takes the token that its introspection server knows, and another one is asked for when it does not", () =>
  Effect.gen(function* () {
    let accepted = "access-1"
    const { url } = yield* introspection(() => accepted)
    const dovecot = yield* makeLocalDovecot({ introspectionUrl: `${url}/introspect` })
    yield* dovecot.append(Buffer.from("Message-ID: <1@mail.example>\r\nSubject: Hello\r\n\r\nHello"), "Sent")
    let token = "access-1"
    const refused: Array<string> = []
    const access = MailAccess.of({
      accessToken: Effect.sync(() => Option.some(Redacted.make(token))),
      reject: (rejected) => Effect.sync(() => void refused.push(Redacted.value(rejected)))
    })
    const mailbox = localImap(dovecot.port, { sentMailbox: "Sent" })
    const settings = { ...localSmtp(1), imap: Option.some(mailbox) }
    const isSent = (id: string) =>
      Effect.flatMap(SentFolder, ({ has }) => has(id)).pipe(
        Effect.provide(SentFolderImap.pipe(Layer.provide(Layer.succeed(MailSettings, settings)))),
        Effect.provideService(MailAccess, access)
      )
    assert.deepStrictEqual(yield* isSent("<1@mail.example>"), Option.some(true))
    assert.deepStrictEqual(yield* isSent("<2@mail.example>"), Option.some(false))

    accepted = "access-2"
    const failure = yield* Effect.flip(isSent("<1@mail.example>"))
    assert.deepInclude(failure, { _tag: "Transient", reason: "sent_mail_unavailable" })
    assert.deepStrictEqual(refused, ["access-1"])
    token = "access-2"
    assert.deepStrictEqual(yield* isSent("<1@mail.example>"), Option.some(true))
  }))
