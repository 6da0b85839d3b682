import { describe, expect, it } from "vitest"
import { LeadId } from "../../src/Services/Leads/Ids.ts"
import { completionOf, filledFields, type PersonDetails } from "../../src/Services/Leads/LeadCompletion.ts"

const nothing: PersonDetails = {
  name: null,
  email: null,
  phone: null,
  company: null,
  linkedin_url: null,
  city: null,
  state: null,
  country: null,
  job_title: null,
  website: null,
  background: null
}
const noClaims = { emailOwner: undefined, phoneOwner: undefined, isErased: false }
const other = LeadId.make(9)

const reasonsOf = (existing: Partial<PersonDetails>, details: Partial<PersonDetails>, claims = {}) =>
  completionOf({ ...nothing, ...existing }, { ...nothing, ...details }, { ...noClaims, ...claims }).notFilled.map(
    ({ field, lead_id, reason }) => `${field} ${reason} ${lead_id}`
  )
const filledOf = (existing: Partial<PersonDetails>, details: Partial<PersonDetails>, claims = {}) =>
  filledFields(completionOf({ ...nothing, ...existing }, { ...nothing, ...details }, { ...noClaims, ...claims }))

describe("what an existing lead gets", () => {
  it("are values for its empty fields", () => {
    expect(filledOf({ email: "a@x.com", company: " " }, { email: "a@x.com", phone: "+55", company: "X" })).toEqual([
      "phone",
      "company"
    ])
  })

  it("is not another value of a field that has one", () => {
    expect(filledOf({ company: "X", name: "Ana" }, { company: "Y", name: "Bia" })).toEqual([])
    expect(reasonsOf({ company: "X", name: "Ana" }, { company: "Y", name: "Bia" })).toEqual([
      "name has_another_value null",
      "company has_another_value null"
    ])
    expect(reasonsOf({ company: "Clínica" }, { company: "CLINICA" })).toEqual([])
  })

  it("is not a contact of another lead or of an erased person", () => {
    expect(reasonsOf({ email: "a@x.com" }, { phone: "+55" }, { phoneOwner: other })).toEqual([
      "phone belongs_to_another_lead 9"
    ])
    expect(reasonsOf({ phone: "+1" }, { phone: "+55" }, { phoneOwner: other })).toEqual([
      "phone belongs_to_another_lead 9"
    ])
    expect(reasonsOf({ email: "a@x.com" }, { phone: "+55", company: "X" }, { isErased: true })).toEqual([
      "phone person_erased null"
    ])
  })

  it("is not a part of another place", () => {
    expect(reasonsOf({ city: "Recife" }, { city: "Olinda", state: "PE" })).toEqual([
      "city has_another_value null",
      "state other_place null"
    ])
    expect(filledOf({ city: "Recife" }, { city: "RECIFE", state: "PE" })).toEqual(["state"])
  })
})
