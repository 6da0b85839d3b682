import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { htmlNote } from "../../src/Layers/Crm/Calling/JsonPath.ts"
import { Timestamp } from "../../src/Services/Core/Timestamp.ts"
import { eventNote } from "../../src/Services/Crm/ConversationNotes.ts"
import {
  dealTitle,
  type FieldDefinition,
  fieldNamed,
  filledIn,
  isNewEnd,
  isSent,
  isWritten,
  leadNote,
  mergeFields,
  minimumStatuses,
  nextStage,
  stageOf,
  statusesFrom,
  takesBrl,
  takesValue
} from "../../src/Services/Crm/CrmRules.ts"
import { LeadStatus } from "../../src/Services/Leads/Ids.ts"

const field = fc.constantFrom("name", "email", "phone", "=origem")
const fields = fc.dictionary(field, fc.constantFrom("", "ours", "theirs", "new"))

describe("the minimum status", () => {
  it("ranks as the tool lists them, with Closed above, and without the other four", () => {
    assert.deepStrictEqual(statusesFrom("Interested"), ["Interested", "Closed"])
    assert.deepStrictEqual(statusesFrom("Pending"), [...minimumStatuses, "Closed"])
    assert.isUndefined(statusesFrom(undefined))
  })

  it("keeps nobody back where there is none, nor who is there already", () => {
    for (const status of LeadStatus.literals) {
      assert.isTrue(isSent(status, undefined, false))
      for (const minimum of minimumStatuses) assert.isTrue(isSent(status, minimum, true))
    }
    for (const status of ["Frozen", "Unqualified", "Rejected", "Gatekeeper"] as const) {
      assert.isFalse(isSent(status, "Pending", false))
    }
    assert.isFalse(isSent("NotInterested", "Interested", false))
    assert.isTrue(isSent("Closed", "Interested", false))
  })
})

describe("what is written over a record", () => {
  it("never blanks, never touches what somebody changed, and fills what is empty", () => {
    fc.assert(
      fc.property(fields, fields, fields, (current, written, wanted) => {
        const { changes } = mergeFields(current, written, wanted)
        for (const [name, value] of Object.entries(changes)) {
          assert.strictEqual(value, wanted[name])
          assert.notStrictEqual(value, "")
          const there = current[name] ?? ""
          assert.isTrue(there === written[name] || (there === "" && written[name] === undefined))
        }
        for (const [name, value] of Object.entries(wanted)) {
          if (value !== "" && (current[name] ?? "") === "" && written[name] === undefined) {
            assert.strictEqual(changes[name], value)
          }
        }
      })
    )
  })

  it("is nothing the second time", () => {
    fc.assert(
      fc.property(fields, fields, fields, (current, written, wanted) => {
        const first = mergeFields(current, written, wanted)
        const then = { ...current, ...first.changes }
        assert.deepStrictEqual(mergeFields(then, first.written, wanted).changes, {})
        if (Object.keys(wanted).every((name) => first.written[name] === wanted[name] || wanted[name] === "")) {
          assert.isTrue(isWritten(first.written, wanted))
        }
      })
    )
  })
})

const named = (...names: ReadonlyArray<string>) => names.map((name, index) => ({ id: `${index + 1}`, name }))

describe("the stage of a deal", () => {
  it.each([
    [["Novo", "Contato confirmado", "Interessado", "Reunião agendada"], "Confirmed", false, 1],
    [["Novo", "Contato confirmado", "Interessado", "Reunião agendada"], "Interested", false, 2],
    [["Novo", "Contato confirmado", "Interessado", "Reunião agendada"], "Interested", true, 3],
    [["New", "Contacted", "Qualified", "Demo"], "Interested", false, 2],
    [["New", "Contacted", "Qualified", "Demo"], "Confirmed", true, 3],
    [["Nuevo", "Contactado", "Interesado", "Cita"], "Interested", false, 2],
    [["Nuevo", "Contactado", "Interesado", "Cita"], "Cold", true, 3],
    [["Um", "Dois"], "Interested", true, undefined],
    [["Novo", "Desinteressado"], "Interested", false, undefined],
    [["Novo", "Interessado"], "Cold", false, undefined]
  ] as const)("in %j of %s (meeting: %s) is %s", (names, status, hasMeeting, place) => {
    assert.strictEqual(stageOf(named(...names), { status, hasMeeting }), place)
  })

  it("goes forward only, and only from where it was put", () => {
    const stages = named("Novo", "Confirmado", "Interessado", "Proposta")
    const interested = { status: "Interested", hasMeeting: false } as const
    assert.strictEqual(nextStage(stages, "1", "1", interested), "3")
    assert.isUndefined(nextStage(stages, "4", "4", interested))
    assert.isUndefined(nextStage(stages, "3", "3", interested))
    // Somebody moved it.
    assert.isUndefined(nextStage(stages, "2", "1", interested))
    assert.isUndefined(nextStage(stages, undefined, "1", interested))
  })
})

describe("custom fields", () => {
  const definitions: ReadonlyArray<FieldDefinition> = [
    { key: "cargo", label: "Cargo", kind: "person", type: "text" },
    { key: "k1", label: "Origem", kind: "person", type: "text" },
    { key: "k2", label: "Origem", kind: "deal", type: "text" },
    { key: "k3", label: "Pontuação", kind: "deal", type: "number" }
  ]

  it("are found by key, else by label whatever its case and accents, the deal's first", () => {
    assert.strictEqual(fieldNamed(definitions, "k1")?.kind, "person")
    assert.strictEqual(fieldNamed(definitions, "ORIGEM")?.key, "k2")
    assert.strictEqual(fieldNamed(definitions, " pontuacao ")?.key, "k3")
    assert.isUndefined(fieldNamed(definitions, "Cor"))
  })

  it("take values of their type", () => {
    const number = fieldNamed(definitions, "k3")
    if (number === undefined) return assert.fail("the field is gone")
    assert.isTrue(takesValue(number, "-3.5"))
    assert.isFalse(takesValue(number, "alta"))
    assert.isFalse(takesValue({ ...number, type: "other" }, "3"))
  })

  it("hold the lead's own values, and nothing of another placeholder", () => {
    const utm = { utm_source: "google", utm_medium: "cpc", utm_campaign: "", utm_term: "", utm_content: "" }
    const lead = { status: "Cold", campaign: "$& Sul", goal: null, leadId: 7, source: "google", utm }
    assert.strictEqual(filledIn("{status}/{campaign}/{goal}/{lead_id}/{name}", lead), "Cold/$& Sul//7/{name}")
    assert.strictEqual(filledIn("{source} {utm_medium}{utm_campaign}", lead), "google cpc")
  })
})

describe("the value of a deal", () => {
  it.each([
    [undefined, true],
    ["", true],
    ["BRL", true],
    ["brl", true],
    ["USD", false]
  ])("in %j takes reais: %s", (currency, takes) => assert.strictEqual(takesBrl(currency), takes))
})

describe("the end of a deal at the CRM", () => {
  it.each([
    // Nothing was registered here.
    ["won", null, null, true],
    ["lost", "won", null, true],
    // The lead's own outcome wins.
    ["won", null, "lost", false],
    ["lost", null, "won", false],
    ["won", "lost", "won", false],
    ["lost", "won", "lost", false],
    // The echo of what the gateway wrote there.
    ["lost", "lost", "lost", false],
    ["lost", "lost", "gave_up", false],
    ["won", "won", "won", false],
    // It was reopened there.
    ["won", "lost", "lost", true],
    ["won", "lost", "gave_up", true],
    ["lost", "won", "won", true]
  ] as const)("%s after %s counts for a lead with the outcome %s: %s", (end, lastEnd, outcome, isNew) =>
    assert.strictEqual(isNewEnd(end, { lastEnd, outcome }), isNew)
  )
})

describe("the note of an event", () => {
  const at = Timestamp.make("2026-11-26T15:00:00Z")
  it("says what happened in the account's language and time", () => {
    const reply = { kind: "reply", event: "mail 1", at, channel: "Email", text: "Quanto custa?\n\n Ana\n" } as const
    assert.deepStrictEqual(
      (["pt-BR", "en", "es"] as const).map((language) => eventNote(language, -3, reply)),
      [
        "Resposta por e-mail · 2026-11-26 12:00 (UTC-3)\nQuanto custa?\n Ana",
        "Reply by email · 2026-11-26 12:00 (UTC-3)\nQuanto custa?\n Ana",
        "Respuesta por correo · 2026-11-26 12:00 (UTC-3)\nQuanto custa?\n Ana"
      ]
    )
  })

  it("has the value with its currency, the reason, and how long a call was", () => {
    const outcome = { kind: "outcome", event: "outcome 1", at, outcome: "won", text: "Bom preço", value: 1500 } as const
    assert.strictEqual(eventNote("pt-BR", 0, outcome), "Negócio ganho\nMotivo: Bom preço\nValor: R$ 1.500,00 (BRL)")
    const call = { kind: "call", event: "call 1", at, isAnswered: true, seconds: 170, text: null } as const
    assert.strictEqual(eventNote("en", 5.5, call), "Call answered (3 min) · 2026-11-26 20:30 (UTC+5:30)")
    assert.strictEqual(eventNote("en", 0, { ...call, isAnswered: false }), "Call not answered · 2026-11-26 15:00 (UTC)")
  })
})

describe("the title of a deal", () => {
  it("ends in the lead's number, however long the names are", () => {
    fc.assert(
      fc.property(fc.string(), fc.option(fc.string()), fc.nat(), (name, company, leadId) => {
        const title = dealTitle({ name, company, leadId })
        assert.isTrue(title.endsWith(` #${leadId}`))
        assert.isAtMost(title.length, 200)
      })
    )
  })
})

describe("the note of a lead", () => {
  it("is in the account's language, and what a lead wrote stays text where notes are HTML", () => {
    const lead = {
      leadId: 7,
      status: "Interested" as const,
      campaign: "Clínicas",
      goal: "Sim <img src=x onerror=alert(1)>"
    }
    assert.deepStrictEqual(
      (["pt-BR", "en", "es"] as const).map((language) =>
        leadNote(language, lead, ["Cor: azul"]).split("\n").slice(0, 2)
      ),
      [
        ["Lead #7 · Interessado", "Campanha: Clínicas"],
        ["Lead #7 · Interested", "Campaign: Clínicas"],
        ["Lead #7 · Interesado", "Campaña: Clínicas"]
      ]
    )
    assert.strictEqual(
      htmlNote(leadNote("pt-BR", lead, ["Cor: azul"])),
      "Lead #7 · Interessado<br>Campanha: Clínicas<br>Objetivo: Sim &lt;img src=x onerror=alert(1)&gt;<br>Cor: azul"
    )
  })
})
