import { spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as fc from "fast-check"
import { convertIcsCalendar } from "ts-ics"
import { parseRaw } from "../../src/Layers/Mail/MailParser/ParseMail.ts"
import { composeMail } from "../../src/Layers/Mail/Smtp/ComposedMail.ts"
import { Timestamp } from "../../src/Services/Core/Timestamp.ts"
import {
  type Invitation,
  invitationText,
  longestAnswer,
  readInvitationAnswer
} from "../../src/Services/Mail/Invitations.ts"
import { outgoing } from "../support/channels/MailFixtures.ts"
import { hasRadicale, localRadicale } from "../support/providers/LocalRadicale.ts"

const invitation: Invitation = {
  method: "REQUEST",
  uid: "gate1@mail.example",
  sequence: 2,
  stampedAt: Timestamp.make("2026-11-22T10:00:00Z"),
  startsAt: Timestamp.make("2026-12-10T13:00:00Z"),
  endsAt: Timestamp.make("2026-12-10T13:30:00Z"),
  summary: "Reunião com Ana; preços, prazos",
  url: "https://meet.example/abc",
  organizer: { name: "Helena Prado", address: "ondas@mail.example" },
  attendee: { name: "Ana Souza", address: "ana@acme.example" }
}

const reply = (partstat: string, more = "") =>
  [
    "BEGIN:VCALENDAR",
    "PRODID:-//Google Inc//Google Calendar 70.9054//EN",
    "VERSION:2.0",
    "METHOD:REPLY",
    "BEGIN:VEVENT",
    "DTSTART:20261210T130000Z",
    "DTEND:20261210T133000Z",
    "DTSTAMP:20261122T120000Z",
    "ORGANIZER;CN=Helena:mailto:ondas@mail.example",
    "UID:gate1@mail.example",
    `ATTENDEE;CUTYPE=INDIVIDUAL;ROLE=REQ-PARTICIPANT;PARTSTAT=${partstat};CN=Ana;X-NUM-GUESTS=0:mailto:Ana@acme.example`,
    "SEQUENCE:2",
    ...(more === "" ? [] : [more]),
    "END:VEVENT",
    "END:VCALENDAR"
  ].join("\r\n")

/** Debian's calendar program. Without it, its test is skipped by name. */
const hasKhal = spawnSync("khal", ["--version"]).status === 0

/** A calendar of the program `khal` in a separate folder. It takes files and lists the events of a month. */
const khalIn = (folder: string) => {
  const config = path.join(folder, "config")
  mkdirSync(path.join(folder, "meetings"))
  writeFileSync(
    config,
    [
      `[calendars]\n[[meetings]]\npath = ${path.join(folder, "meetings")}`,
      "[locale]\ntimeformat = %H:%M\ndateformat = %Y-%m-%d\nlongdateformat = %Y-%m-%d",
      "datetimeformat = %Y-%m-%d %H:%M\nlongdatetimeformat = %Y-%m-%d %H:%M",
      "local_timezone = UTC\ndefault_timezone = UTC",
      `[sqlite]\npath = ${path.join(folder, "khal.db")}`,
      "[default]\ndefault_calendar = meetings\n"
    ].join("\n")
  )
  const run = (...args: ReadonlyArray<string>): string =>
    spawnSync("khal", ["-c", config, ...args], {
      encoding: "utf8",
      env: { ...process.env, LC_ALL: "C.UTF-8", XDG_CACHE_HOME: folder, XDG_CONFIG_HOME: folder }
    }).stdout
  return {
    take: (...texts: ReadonlyArray<string>) => {
      const files = texts.map((text, index) => {
        const file = path.join(folder, `${index}.ics`)
        writeFileSync(file, text)
        return file
      })
      run("import", "--batch", "-a", "meetings", ...files)
    },
    list: () =>
      run(
        "list",
        "--day-format",
        "",
        "--format",
        "{uid}|{title}|{start-long}|{end-long}|{status}|{location}",
        "2026-12-01",
        "30d"
      )
        .trim()
        .split("\n")
        .map((line) => line.split("|").map((part) => part.trim()))
  }
}

describe("invitations by mail", () => {
  it.skipIf(!hasKhal)("are one event of a calendar program, which moves and is called off by its id", () => {
    const folder = mkdtempSync(path.join(tmpdir(), "khal-"))
    try {
      const khal = khalIn(folder)
      const moved = {
        ...invitation,
        sequence: 3,
        startsAt: Timestamp.make("2026-12-11T15:00:00Z"),
        endsAt: Timestamp.make("2026-12-11T15:30:00Z")
      }
      khal.take(invitationText(invitation), invitationText(moved))
      const event = [invitation.uid, invitation.summary, "2026-12-11 15:00", "2026-12-11 15:30"]
      assert.deepStrictEqual(khal.list(), [[...event, "CONFIRMED", invitation.url ?? ""]])
      khal.take(invitationText({ ...moved, sequence: 4, method: "CANCEL" }))
      assert.deepStrictEqual(khal.list(), [[...event, "CANCELLED", invitation.url ?? ""]])
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })

  it.scopedLive.skipIf(!hasRadicale)("are one event of a CalDAV server, which moves and is called off there", () =>
    Effect.gen(function* () {
      const calendar = yield* localRadicale
      const name = "meeting.ics"
      /** The server's version: it parses the file with a different library and writes it again. */
      const storedEvent = Effect.map(calendar.get(name), (text) => {
        const [event, ...others] = convertIcsCalendar(undefined, text).events ?? []
        assert.isEmpty(others)
        return {
          uid: event?.uid,
          sequence: event?.sequence,
          from: event?.start.date.toISOString(),
          to: event?.end?.date.toISOString(),
          summary: event?.summary,
          location: event?.location,
          status: event?.status,
          organizer: event?.organizer?.email.toLowerCase(),
          attendees: event?.attendees?.map(({ email, name, partstat }) => [email, name, partstat])
        }
      })
      const expectedEvent = (one: Invitation) => ({
        uid: one.uid,
        sequence: one.sequence,
        from: new Date(one.startsAt).toISOString(),
        to: new Date(one.endsAt).toISOString(),
        summary: one.summary,
        location: one.url,
        status: one.method === "CANCEL" ? "CANCELLED" : "CONFIRMED",
        organizer: one.organizer.address,
        attendees: [[one.attendee.address, one.attendee.name, "NEEDS-ACTION"]]
      })
      const day = (date: string) => calendar.between(`${date}T000000Z`, `${date}T235959Z`)
      const moved: Invitation = {
        ...invitation,
        sequence: 3,
        startsAt: Timestamp.make("2026-12-11T15:00:00Z"),
        endsAt: Timestamp.make("2026-12-11T15:30:00Z"),
        attendee: { name: 'Ana "Nina" Souza; Ltda, 東京 😀', address: "ana@acme.example" }
      }
      assert.strictEqual(yield* calendar.put(name, invitationText(invitation)), 201)
      assert.deepStrictEqual<object>(yield* storedEvent, expectedEvent(invitation))
      assert.deepStrictEqual([yield* day("20261210"), yield* day("20261211")], [[name], []])
      assert.strictEqual(yield* calendar.put(name, invitationText(moved)), 201)
      const read = yield* storedEvent
      assert.deepStrictEqual<object>({ ...read, attendees: [] }, { ...expectedEvent(moved), attendees: [] })
      assert.deepStrictEqual([yield* day("20261210"), yield* day("20261211")], [[], [name]])
      const off: Invitation = { ...moved, sequence: 4, method: "CANCEL" }
      assert.strictEqual(yield* calendar.put(name, invitationText(off)), 201)
      assert.deepInclude(yield* storedEvent, { uid: invitation.uid, sequence: 4, status: "CANCELLED" })
      // The same id under another file name is not a second event.
      assert.strictEqual(yield* calendar.put("other.ics", invitationText(invitation)), 409)
    })
  )

  it("are parsed correctly by another library, whatever the names and titles are", () => {
    const anyText = fc.string({ unit: "grapheme", maxLength: 200 })
    fc.assert(
      fc.property(anyText, anyText, fc.nat(1000), fc.boolean(), (summary, name, sequence, isOff) => {
        const text = invitationText({
          ...invitation,
          method: isOff ? "CANCEL" : "REQUEST",
          sequence,
          summary: `T ${summary}`,
          attendee: { name, address: "ana@acme.example" }
        })
        for (const line of text.split("\r\n")) assert.isAtMost(Buffer.byteLength(line), 75)
        const read = convertIcsCalendar(undefined, text)
        const [event] = read.events ?? []
        assert.strictEqual(read.method, isOff ? "CANCEL" : "REQUEST")
        assert.lengthOf(read.events ?? [], 1)
        assert.strictEqual(event?.uid, "gate1@mail.example")
        // The server leaves out a sequence of zero.
        assert.strictEqual(event?.sequence ?? 0, sequence)
        assert.strictEqual(event?.start.date.toISOString(), "2026-12-10T13:00:00.000Z")
        assert.strictEqual(event?.organizer?.email.toLowerCase(), "ondas@mail.example")
        assert.deepStrictEqual(
          event?.attendees?.map(({ email, partstat }) => [email, partstat]),
          [["ana@acme.example", "NEEDS-ACTION"]]
        )
        assert.strictEqual(event?.status, isOff ? "CANCELLED" : "CONFIRMED")
      }),
      { numRuns: 60 }
    )
  })

  it("keep their words", () => {
    const [event] = convertIcsCalendar(undefined, invitationText(invitation)).events ?? []
    assert.strictEqual(event?.summary, invitation.summary)
    assert.strictEqual(event?.location, invitation.url)
  })

  it("are answered: who, to what, and how", () => {
    assert.deepStrictEqual(readInvitationAnswer(reply("ACCEPTED")), {
      uid: "gate1@mail.example",
      sequence: 2,
      stampedAt: Date.parse("2026-11-22T12:00:00Z"),
      attendee: "ana@acme.example",
      answer: "accepted"
    })
    assert.strictEqual(readInvitationAnswer(reply("declined"))?.answer, "declined")
    assert.strictEqual(readInvitationAnswer(reply("TENTATIVE"))?.answer, "tentative")
  })

  it.effect("are in a mail as RFC 6047 defines it, and are parsed from the answering mail", () =>
    Effect.gen(function* () {
      const text = invitationText(invitation)
      const raw = yield* composeMail(outgoing({ invitation: { method: "REQUEST", text } }))
      assert.match(raw.toString(), /content-type: text\/calendar; charset=utf-8; method=REQUEST/i)
      const sent = yield* parseRaw(raw)
      assert.isUndefined(sent.invitationAnswer)
      const inviteFile = sent.attachments.find(({ fileName }) => fileName === "invite.ics")
      assert.strictEqual(Buffer.from(inviteFile?.bytes ?? "").toString(), text)

      const back = yield* composeMail(outgoing({ invitation: { method: "REQUEST", text: reply("DECLINED") } }))
      const read = yield* parseRaw(back)
      assert.deepInclude<object>(read.invitationAnswer ?? {}, {
        uid: "gate1@mail.example",
        answer: "declined",
        sequence: 2
      })
    })
  )

  it("nothing else is an answer, and parsing never takes long", () => {
    const second = "ATTENDEE;PARTSTAT=ACCEPTED:mailto:eve@evil.example"
    for (const text of [
      "",
      "BEGIN:VCALENDAR",
      reply("NEEDS-ACTION"),
      reply("DELEGATED"),
      reply("ACCEPTED", second),
      reply("ACCEPTED").replace("METHOD:REPLY", "METHOD:REQUEST"),
      reply("ACCEPTED").replace("UID:gate1@mail.example", "X-UID:none"),
      reply("ACCEPTED").replace("mailto:Ana@acme.example", "mailto:nobody"),
      invitationText(invitation),
      "BEGIN:VCALENDAR\r\n".repeat(3000),
      `BEGIN:VCALENDAR\r\nMETHOD:REPLY\r\nX:${"a".repeat(longestAnswer)}`
    ]) {
      assert.isUndefined(readInvitationAnswer(text), text.slice(0, 60))
    }
    fc.assert(
      fc.property(fc.string({ maxLength: 400 }), fc.nat(600), (noise, at) => {
        const text = reply("ACCEPTED")
        const read = readInvitationAnswer(`${text.slice(0, at)}${noise}${text.slice(at)}`)
        if (read !== undefined) assert.include(["accepted", "tentative", "declined"], read.answer)
      }),
      { numRuns: 200 }
    )
  })
})
