import { Effect, Stream } from "effect"
import { CustomerFiles, CustomerFileView } from "../../Services/Files/CustomerFiles.ts"
import { ErasureReceipt, FoundPerson, People } from "../../Services/Leads/Erasure/People.ts"
import { emailProblems, phoneProblems } from "../../Services/Text/ContactDetails.ts"
import * as Param from "../Core/Param.ts"
import * as Tool from "../Core/Tool.ts"
import { unlessBlank } from "./LeadParams.ts"

const contact = {
  email: Param.optional(Param.text("The person's e-mail address.", { minLength: 1, maxLength: 320 })),
  phone: Param.optional(
    Param.text("The person's phone number, best with + and the country code.", { minLength: 1, maxLength: 100 })
  )
}

const contactRefusals = [...emailProblems, ...phoneProblems, "contact_missing"] as const

const findPerson = Tool.make("find_person", {
  kind: "read",
  openWorld: false,
  description:
    "Counts everything that the account holds about a person, by place: leads with the address or the number and their records, and all other records and files that name the person.",
  parameters: contact,
  returns: FoundPerson,
  errors: { Refused: contactRefusals },
  example: { email: "rui.prado@client.example" },
  run: Tool.via(People, (people, { email, phone }) => people.find({ email, phone }))
})

const exportPerson = Tool.make("export_person", {
  kind: "write",
  idempotent: false,
  openWorld: false,
  description:
    "Writes everything that the account holds about a person as a file of the account: one JSON object per record. Anyone who has the file's address can download it, until it is removed. erase_person removes it too.",
  parameters: contact,
  returns: CustomerFileView,
  errors: { Refused: [...contactRefusals, "storage_full"] },
  transaction: "several",
  passesOnWords: false,
  example: { email: "rui.prado@client.example" },
  run: Effect.fnUntraced(function* ({ email, phone }) {
    const people = yield* People
    const files = yield* CustomerFiles
    return yield* files.write({
      fileName: "person.jsonl",
      mediaType: "application/jsonl",
      bytes: Stream.encodeText(people.lines({ email, phone }))
    })
  })
})

const erasePerson = Tool.make("erase_person", {
  kind: "destructive",
  idempotent: true,
  openWorld: false,
  description:
    "Erases a person from the account permanently: leads with the address or the number, and the person from all other records and files. The receipt counts what was deleted and redacted, and says what is kept and what is left to do. The contacts cannot be registered again.",
  parameters: {
    ...contact,
    reason: Param.optional(
      Param.text("Why, for the audit log; names, addresses and numbers in it are removed.", { maxLength: 500 })
    )
  },
  returns: ErasureReceipt,
  errors: { Refused: [...contactRefusals, "person_of_account"] },
  passesOnWords: false,
  example: { email: "rui.prado@client.example", reason: "Asked to be forgotten" },
  run: Tool.via(People, (people, { email, phone, reason }) => people.erase({ email, phone }, unlessBlank(reason)))
})

/** The tools about personal data. */
export const platformPeople = [findPerson, exportPerson, erasePerson] as const
