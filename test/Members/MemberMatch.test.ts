import { assert, describe, it } from "@effect/vitest"
import { Either } from "effect"
import * as fc from "fast-check"
import { MemberId } from "../../src/Services/Members/Ids.ts"
import { memberMeant, type Person } from "../../src/Services/Members/MemberMatch.ts"

const member = (id: number, name: string, phone: string): Person => ({ member_id: MemberId.make(id), name, phone })
const owner: Person = { member_id: null, name: "Helena Prado", phone: "+5511987654321" }
const people = [
  owner,
  member(1, "João Souza", "+5511987650001"),
  member(2, "Ana Lima", "+5511987650002"),
  member(3, "Ana Lima", "+5511987650003"),
  member(4, "Ana Clara Dias", "+14155550123")
]

const meant = (text: string, among = people) =>
  Either.match(memberMeant(text, among, "BR"), { onLeft: ({ reason }) => reason, onRight: (id) => `${id}` })

describe("the member meant", () => {
  it.each([
    ["João Souza", "1"],
    ["  joao   SOUZA ", "1"],
    ["+55 11 98765-0001", "1"],
    ["(11) 98765-0003", "3"],
    ["+1 (415) 555-0123", "4"],
    ["Ana Lima", "member_ambiguous"],
    ["Ana", "member_ambiguous"],
    ["João", "member_ambiguous"],
    ["Souza", "member_ambiguous"],
    ["oao", "member_not_found"],
    ["Helena Prado", "owner_cannot_be_removed"],
    ["+5511987654321", "owner_cannot_be_removed"],
    ["nobody", "member_not_found"],
    ["+5511900000000", "member_not_found"],
    ["   ", "member_not_found"]
  ])("by %s is %s", (text, expected) => assert.strictEqual(meant(text), expected))

  it("is told with the candidates where several are", () => {
    const refusal = Either.getOrElse(Either.flip(memberMeant("ana lima", people, "BR")), () => undefined)
    assert.deepInclude(refusal?.fields, {
      candidates: [
        { member_id: 2, name: "Ana Lima", phone: "+5511987650002", is_owner: false },
        { member_id: 3, name: "Ana Lima", phone: "+5511987650003", is_owner: false }
      ]
    })
  })

  it("a member who shares the owner's name is told apart by the phone alone", () => {
    const among = [owner, member(9, "helena prado", "+5511987650009")]
    assert.strictEqual(meant("Helena Prado", among), "member_ambiguous")
    assert.strictEqual(meant("+5511987650009", among), "9")
  })

  it("is never the owner, and never one of several who fit", () => {
    const name = fc.constantFrom("Ana", "ana", "Ána Lima", "Ana Lima", "Bia")
    const persons = fc.array(fc.tuple(name, fc.integer({ min: 1_000_000, max: 1_000_003 })), { maxLength: 6 })
    fc.assert(
      fc.property(persons, fc.oneof(name, fc.string(), fc.constant("+5511981000001")), (rows, text) => {
        const among = [owner, ...rows.map(([own, phone], at) => member(at + 1, own, `+551198${phone}`))]
        const answer = memberMeant(text, among, "BR")
        if (Either.isLeft(answer)) return
        const found = among.find(({ member_id }) => member_id === answer.right)
        assert.isDefined(found)
        const fold = (of: string) => of.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase().trim()
        const fitting = among.filter((one) => one.phone === text || fold(one.name) === fold(text))
        assert.deepStrictEqual(fitting, [found])
      })
    )
  })
})
