import { Effect, Schema } from "effect"
import { refused } from "../../Errors.ts"
import { emailOf, nameOf } from "../../Services/Accounts/AccountSettings.ts"
import { MemberId } from "../../Services/Members/Ids.ts"
import { accessLinkDays, Members, MemberView, RemovedMember } from "../../Services/Members/Members.ts"
import { emailProblems, phoneProblems } from "../../Services/Text/ContactDetails.ts"
import * as Param from "../Core/Param.ts"
import * as Tool from "../Core/Tool.ts"

const listMembers = Tool.make("list_members", {
  kind: "read",
  openWorld: false,
  description: "Lists who shares the account: its owner first, then the members, each with what became of its welcome.",
  parameters: {},
  returns: Schema.Struct({ members: Schema.Array(MemberView) }),
  example: {},
  run: Effect.fnUntraced(function* () {
    const members = yield* Members
    return { members: yield* members.list }
  })
})

const addMember = Tool.make("add_member", {
  kind: "write",
  idempotent: true,
  openWorld: true,
  description: `Adds a person who shares the whole account with its owner. The person is welcomed on the messaging app, from the account's own line, and with an address by mail too: each welcome has a link that gives an access token of the person's own within ${accessLinkDays} days. With an address the person gets copies of the notices of interested and confirmed leads. Queued is not sent: see welcome_email and welcome_chatapp. A phone number belongs to one person of all accounts.`,
  parameters: {
    name: Param.text("The person's name.", { minLength: 1, maxLength: 120 }),
    phone_number: Param.text("In international format, such as +5511987654321.", { minLength: 1, maxLength: 100 }),
    email: Param.optional(Param.text("Where the person gets the welcome and copies of notices.", { maxLength: 1000 }))
  },
  returns: MemberView,
  errors: {
    Refused: [
      ...emailProblems,
      ...phoneProblems,
      "name_unsuitable",
      "phone_taken",
      "too_many_mails",
      "too_many_members"
    ]
  },
  example: { name: "Marina Costa", phone_number: "+55 11 98765-0199", email: "marina@souza.example" },
  run: Effect.fnUntraced(function* ({ email, name, phone_number }) {
    const members = yield* Members
    return yield* members.add({
      name: yield* nameOf("name", name),
      phone: phone_number,
      email: email === undefined || email.trim() === "" ? undefined : yield* emailOf("email", email)
    })
  })
})

const updateMember = Tool.make("update_member", {
  kind: "write",
  idempotent: true,
  openWorld: true,
  description:
    "Changes a member's name or e-mail address; what is left out stays. A blank address takes it away; a new one is sent a welcome with a link to access.",
  parameters: {
    member_id: Param.id(MemberId, "The member, from list_members."),
    name: Param.optional(Param.text("The person's name.", { minLength: 1, maxLength: 120 })),
    email: Param.optional(Param.text("The new address; blank takes it away.", { maxLength: 1000 }))
  },
  returns: MemberView,
  errors: {
    NotFound: ["member_not_found"],
    Refused: [...emailProblems, ...phoneProblems, "name_unsuitable", "nothing_to_change", "too_many_mails"]
  },
  example: { member_id: 1, name: "Marina Costa Lima" },
  run: Effect.fnUntraced(function* ({ email, member_id, name }) {
    if (email === undefined && name === undefined) {
      return yield* refused("nothing_to_change", "The call changes nothing.", "Send name, email or both.")
    }
    const members = yield* Members
    return yield* members.update(member_id, {
      name: name === undefined ? undefined : yield* nameOf("name", name),
      email: email === undefined ? undefined : email.trim() === "" ? null : yield* emailOf("email", email)
    })
  })
})

const resendMemberWelcome = Tool.make("resend_member_welcome", {
  kind: "write",
  // Once the first one has been sent, a repeated call sends another.
  idempotent: false,
  openWorld: true,
  description:
    "Welcomes a member again, by mail, on the messaging app, or both, with a new link to access. One that still waits to be sent is not queued twice. Queued is not sent: see welcome_email and welcome_chatapp of the answer, and later list_members.",
  parameters: {
    member_id: Param.id(MemberId, "The member, from list_members."),
    channel: Param.withDefault(Param.oneOf(["Email", "ChatApp", "Both"], "By which way."), "Both")
  },
  returns: MemberView,
  errors: { NotFound: ["member_not_found"], Refused: ["member_without_email", "too_many_mails"] },
  example: { member_id: 1, channel: "Both" },
  run: Effect.fnUntraced(function* ({ channel, member_id }) {
    const members = yield* Members
    return yield* members.resend(member_id, channel === "Both" ? ["ChatApp", "Email"] : [channel])
  })
})

const removeMember = Tool.make("remove_member", {
  kind: "destructive",
  idempotent: true,
  openWorld: false,
  description:
    "Removes a member, by whole name or phone number: tokens, programs and links that the member made, sent or consented to end at once, and the answer lists them, and what is queued for the member is not sent. A name that several people have, or part of one, is refused with the candidates. The owner cannot be removed.",
  parameters: {
    name_or_phone: Param.text("The whole name, or the phone number in any spelling.", { minLength: 1, maxLength: 200 })
  },
  returns: RemovedMember,
  errors: { NotFound: ["member_not_found"], Refused: ["member_ambiguous", "owner_cannot_be_removed"] },
  example: { name_or_phone: "Rafael Lima" },
  run: Effect.fnUntraced(function* ({ name_or_phone }) {
    const members = yield* Members
    return yield* members.remove(name_or_phone)
  })
})

export const MembersGroup = Tool.group("Members", "The people who share the account with its owner.", [
  addMember,
  listMembers,
  removeMember,
  resendMemberWelcome,
  updateMember
])
