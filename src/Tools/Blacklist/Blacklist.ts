import { Effect, Schema } from "effect"
import {
  type Addition,
  Blacklist,
  BlacklistEntryView,
  blacklistReasons,
  type BlacklistEntryView as Entry
} from "../../Services/Blacklist/Blacklist.ts"
import { domainProblems, emailProblems } from "../../Services/Text/ContactDetails.ts"
import * as Param from "../Core/Param.ts"
import * as Tool from "../Core/Tool.ts"

const email = Param.text("The address, for example name@company.com.", { minLength: 1, maxLength: 320 })
const domain = Param.text("The bare domain, for example company.com: no @, no https://.", {
  minLength: 1,
  maxLength: 300
})
const phone = Param.text(
  "The number in any notation; without a country code it belongs to the account's own country.",
  { minLength: 1, maxLength: 100 }
)
const reason = Param.optional(
  Param.oneOf(
    blacklistReasons,
    "Why it is blocked. By default a new entry gets Other, and an existing entry keeps its reason."
  )
)

const AddedEntry = Schema.Struct({
  ...BlacklistEntryView.fields,
  created: Schema.Boolean.annotations({ description: "False if it was blocked already." })
})
const added = ({ created, entry }: Addition) => ({ ...entry, created })

const RemovedEntry = Schema.Struct({ ...BlacklistEntryView.fields, removed: Schema.Literal(true) })
const removed = (entry: Entry) => ({ ...entry, removed: true as const })

const addBlacklistedEmail = Tool.make("add_blacklisted_email", {
  kind: "write",
  idempotent: true,
  openWorld: false,
  description: "Blocks an e-mail address: it never gets a prospecting message. Letter case does not matter.",
  parameters: { email, reason },
  returns: AddedEntry,
  errors: { Refused: emailProblems },
  transaction: "unneeded",
  example: { email: "buyer@rival.example", reason: "Competitor" },
  run: Effect.fnUntraced(function* ({ email, reason }) {
    const blacklist = yield* Blacklist
    return added(yield* blacklist.add("email", email, reason))
  })
})

const addBlacklistedDomain = Tool.make("add_blacklisted_domain", {
  kind: "write",
  idempotent: true,
  openWorld: false,
  description: "Blocks every e-mail address at a domain. Subdomains are not included; add each of them separately.",
  parameters: { domain, reason },
  returns: AddedEntry,
  errors: { Refused: domainProblems },
  transaction: "unneeded",
  example: { domain: "rival.example", reason: "Competitor" },
  run: Effect.fnUntraced(function* ({ domain, reason }) {
    const blacklist = yield* Blacklist
    return added(yield* blacklist.add("domain", domain, reason))
  })
})

const addBlacklistedPhone = Tool.make("add_blacklisted_phone", {
  kind: "write",
  idempotent: true,
  openWorld: false,
  description:
    "Blocks a phone number: it never gets a messaging-app message or a voice call. Only the digits count. A number that cannot be completed with a country code blocks every number that ends with its digits (match: ending).",
  parameters: { phone, reason },
  returns: AddedEntry,
  errors: { Refused: ["phone_too_long", "phone_too_short"] },
  transaction: "unneeded",
  example: { phone: "+55 (11) 91234-5678", reason: "Client" },
  run: Effect.fnUntraced(function* ({ phone, reason }) {
    const blacklist = yield* Blacklist
    return added(yield* blacklist.add("phone", phone, reason))
  })
})

const removeBlacklistedEmail = Tool.make("remove_blacklisted_email", {
  kind: "destructive",
  idempotent: true,
  openWorld: false,
  description: "Unblocks an e-mail address. A block of its whole domain stays.",
  parameters: { email },
  returns: RemovedEntry,
  errors: { NotFound: ["blacklisted_email_not_found"], Refused: emailProblems },
  transaction: "unneeded",
  example: { email: "unblock-me@client.example" },
  run: Effect.fnUntraced(function* ({ email }) {
    const blacklist = yield* Blacklist
    return removed(yield* blacklist.remove("email", email))
  })
})

const removeBlacklistedDomain = Tool.make("remove_blacklisted_domain", {
  kind: "destructive",
  idempotent: true,
  openWorld: false,
  description: "Unblocks a domain. Its addresses that are blocked individually stay blocked.",
  parameters: { domain },
  returns: RemovedEntry,
  errors: { NotFound: ["blacklisted_domain_not_found"], Refused: domainProblems },
  transaction: "unneeded",
  example: { domain: "client.example" },
  run: Effect.fnUntraced(function* ({ domain }) {
    const blacklist = yield* Blacklist
    return removed(yield* blacklist.remove("domain", domain))
  })
})

const removeBlacklistedPhone = Tool.make("remove_blacklisted_phone", {
  kind: "destructive",
  idempotent: true,
  openWorld: false,
  description: "Unblocks a phone number, in any notation.",
  parameters: { phone },
  returns: RemovedEntry,
  errors: { NotFound: ["blacklisted_phone_not_found"], Refused: ["phone_too_long", "phone_too_short"] },
  transaction: "unneeded",
  example: { phone: "5511912340000" },
  run: Effect.fnUntraced(function* ({ phone }) {
    const blacklist = yield* Blacklist
    return removed(yield* blacklist.remove("phone", phone))
  })
})

const listBlacklistedEmails = Tool.make("list_blacklisted_emails", {
  kind: "read",
  openWorld: false,
  description:
    "Lists everything that is blocked (e-mail addresses, domains and phone numbers), newest first, with the reason and how often each prevented a message.",
  parameters: Param.pages({ default: 50, maximum: 200 }),
  returns: Tool.page({ entries: Schema.Array(BlacklistEntryView) }, "The size of the whole list."),
  example: { page: 0, page_size: 50 },
  run: Effect.fnUntraced(function* ({ page, page_size }) {
    const blacklist = yield* Blacklist
    const entriesPage = yield* blacklist.list({ page, pageSize: page_size })
    return { entries: entriesPage.entries, page, page_size, total: entriesPage.total }
  })
})

export const BlacklistGroup = Tool.group(
  "Blacklist",
  "Addresses, domains and numbers that prospecting never contacts.",
  [
    addBlacklistedEmail,
    addBlacklistedDomain,
    addBlacklistedPhone,
    removeBlacklistedEmail,
    removeBlacklistedDomain,
    removeBlacklistedPhone,
    listBlacklistedEmails
  ]
)
