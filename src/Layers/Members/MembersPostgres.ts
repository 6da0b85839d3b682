import { SqlClient } from "@effect/sql/SqlClient"
import { Clock, Effect, Either, Layer, Option } from "effect"
import { notFound, refused } from "../../Errors.ts"
import { AccountPhones } from "../../Services/Accounts/AccountPhones.ts"
import type { AccountId, Plan } from "../../Services/Accounts/Ids.ts"
import { AccessTokens } from "../../Services/Accounts/Tokens/AccessTokens.ts"
import { type Confirmation, stricter } from "../../Services/Accounts/Tokens/TokenBounds.ts"
import { ChatAppNotices } from "../../Services/ChatApp/ChatAppNotices.ts"
import { Caller } from "../../Services/Core/Calls/Caller.ts"
import { fromMillis, now, type Timestamp } from "../../Services/Core/Timestamp.ts"
import { AccountNotices } from "../../Services/Mail/AccountNotices.ts"
import { mailDigest, StrangerMails } from "../../Services/Mail/StrangerMails.ts"
import type { MemberId, MemberWelcomeId, WelcomeChannel } from "../../Services/Members/Ids.ts"
import { memberMeant } from "../../Services/Members/MemberMatch.ts"
import {
  accessLinkDays,
  Members,
  type MemberView,
  mostMembers,
  mostMemberTokens
} from "../../Services/Members/Members.ts"
import { accessLinkToken, readAccessLink, welcomeChat, welcomeMail } from "../../Services/Members/MemberWelcome.ts"
import { normalisePhone } from "../../Services/Text/ContactDetails.ts"
import { languageOf } from "../../Services/Text/Language.ts"
import { makeFindCountry } from "../Accounts/Sql.ts"
import { fromSql, single } from "../Platform/Postgres/Sql.ts"
import { Settings } from "../Platform/Settings.ts"
import { peopleOf } from "./MemberRows.ts"

const phoneTaken = refused(
  "phone_taken",
  "A person of an account has this phone number already.",
  "Send another number. Each person has a separate one.",
  { parameter: "phone_number" }
)

const tooManyMembers = refused(
  "too_many_members",
  `The account has ${mostMembers} members.`,
  "Remove one with remove_member first.",
  { maximum: mostMembers }
)

const noAddress = (id: MemberId) =>
  refused("member_without_email", "The member has no e-mail address.", "Add one with update_member.", { member_id: id })

const makeMemberServices = Effect.gen(function* () {
  const sql = yield* SqlClient
  const phones = yield* AccountPhones
  const mails = yield* AccountNotices
  const strangers = yield* StrangerMails
  const chats = yield* ChatAppNotices
  const tokens = yield* AccessTokens
  const findCountry = yield* makeFindCountry
  const { baseUrl } = yield* Settings
  return { baseUrl, chats, findCountry, mails, phones, sql, strangers, tokens }
})
type MemberServices = Effect.Effect.Success<typeof makeMemberServices>

const makeMemberChanges = ({ baseUrl, chats, mails, sql, strangers, tokens }: MemberServices) => {
  /** Locks the account, so that changes of its members wait for each other. */
  const lock = (accountId: AccountId) =>
    sql`select from account where account_id = ${accountId} for no key update`.pipe(fromSql())

  const find = Effect.fnUntraced(function* (accountId: AccountId, id: MemberId) {
    const [member] = yield* peopleOf(sql, accountId, id)
    return member ?? (yield* notFound("member", "member_id", id))
  })

  /** Returns the member after a change. */
  const changed = (accountId: AccountId, id: MemberId) =>
    Effect.map(peopleOf(sql, accountId, id), (members) => single(members))

  const welcome = Effect.fnUntraced(function* (accountId: AccountId, id: MemberId, channel: WelcomeChannel) {
    const at = yield* now
    const { confirmation, expiresAt, memberId } = yield* tokens.inheritance
    const rows = yield* sql<{
      readonly welcomeId: MemberWelcomeId
      readonly name: string
      readonly phone: string
      readonly email: string | null
      readonly account: string
      readonly language: string
      readonly key: Uint8Array
    }>`
      with welcome as (
        insert into member_welcome (account_id, member_id, channel, created_at, confirmation, token_ends_at,
          sent_by_member_id)
        values (${accountId}, ${id}, ${channel}, ${at}, ${confirmation}, ${expiresAt}, ${memberId}) returning member_welcome_id
      )
      select w.member_welcome_id as "welcomeId", m.name, m.phone, m.email, a.name as account,
        a.language_key as language, a.mail_key as key
      from welcome w cross join member m join account a on a.account_id = m.account_id
      where m.account_id = ${accountId} and m.member_id = ${id}`.pipe(fromSql())
    const { account, email, key, language, name, phone, welcomeId } = single(rows)
    const facts = {
      name,
      account,
      link: `${baseUrl}/access/${accessLinkToken(key, accountId, welcomeId)}`,
      days: accessLinkDays
    }
    const isWelcome = sql`account_id = ${accountId} and member_welcome_id = ${welcomeId}`
    if (channel === "ChatApp") {
      const text = welcomeChat(languageOf(language), facts)
      const messageId = yield* chats.queue(accountId, { phone, name, text })
      yield* sql`update member_welcome set chatapp_message_id = ${messageId} where ${isWelcome}`.pipe(fromSql())
      return
    }
    const mail = welcomeMail(languageOf(language), facts)
    if (email !== null) {
      yield* strangers.reserve(accountId, [{ to: email, text: mailDigest(mail.subject, mail.text) }])
    }
    const queued =
      email === null ? Option.none<number>() : yield* mails.queue(accountId, { to: email, ...mail, isReserved: true })
    yield* Option.match(queued, {
      onSome: (messageId) => sql`update member_welcome set email_message_id = ${messageId} where ${isWelcome}`,
      onNone: () => sql`update member_welcome set failure_reason = 'address_not_writable' where ${isWelcome}`
    }).pipe(fromSql())
  })

  /** Cancels queued mail to an address, unless the address may still receive it for another reason. */
  const withdrawMail = Effect.fnUntraced(function* (accountId: AccountId, address: string) {
    const others = yield* sql`
      select from account a where a.account_id = ${accountId} and (lower(a.email) = ${address}
        or exists (select from notification_address n where n.account_id = a.account_id and n.email = ${address})
        or exists (select from prospecting_config p where p.account_id = a.account_id
          and lower(p.notification_email) = ${address})
        or exists (select from member m where m.account_id = a.account_id and m.email = ${address}))`.pipe(fromSql())
    if (others.length === 0) yield* mails.withdraw(accountId, address)
  })

  /** Ends the tokens that the member made, and the unused links that the member sent to others. */
  const endAccess = Effect.fnUntraced(function* (accountId: AccountId, id: MemberId) {
    const ended = yield* tokens.endOfMember(id)
    const links = yield* sql<{ readonly id: MemberId; readonly label: string }>`
      update member_welcome w set used_at = instant() from member m
      where w.account_id = ${accountId} and w.sent_by_member_id = ${id} and w.used_at is null and w.member_id <> ${id}
        and m.account_id = w.account_id and m.member_id = w.member_id
      returning m.member_id as id, m.name as label`.pipe(fromSql())
    return [...ended, ...links.map((link) => ({ kind: "welcome_link" as const, ...link }))]
  })

  return { lock, find, changed, welcome, withdrawMail, endAccess }
}
type MemberChanges = ReturnType<typeof makeMemberChanges>

const changeMembers = (
  { chats, findCountry, phones, sql, tokens }: MemberServices,
  { changed, endAccess, find, lock, welcome, withdrawMail }: MemberChanges
): Pick<typeof Members.Service, "list" | "add" | "remove" | "update"> => ({
  list: Effect.flatMap(Caller, ({ accountId }) => peopleOf(sql, accountId)).pipe(Effect.withSpan("Members.list")),

  add: Effect.fn("Members.add")(function* ({ email, name, phone }) {
    const { accountId } = yield* Caller
    const { e164 } = yield* Either.mapLeft(
      normalisePhone(phone, yield* findCountry(accountId)),
      ({ message, reason }) =>
        refused(reason, message, "Send phone_number in international format, such as +5511987654321.", {
          parameter: "phone_number"
        })
    )
    yield* lock(accountId)
    const counted = yield* sql<{ readonly members: number }>`
      select count(*) as members from member where account_id = ${accountId}`.pipe(fromSql())
    if (single(counted).members >= mostMembers) return yield* tooManyMembers
    if (!(yield* phones.claim(accountId, e164))) return yield* phoneTaken
    const { confirmation, memberId } = yield* tokens.inheritance
    const rows = yield* sql<{ readonly id: MemberId }>`
      insert into member (account_id, name, phone, email, created_at, confirmation, added_by_member_id)
      values (${accountId}, ${name}, ${e164}, ${email ?? null}, ${yield* now}, ${confirmation}, ${memberId}) returning member_id as id`.pipe(
      fromSql()
    )
    const { id } = single(rows)
    yield* welcome(accountId, id, "ChatApp")
    if (email !== undefined) yield* welcome(accountId, id, "Email")
    return yield* changed(accountId, id)
  }),

  remove: Effect.fn("Members.remove")(function* (nameOrPhone) {
    const { accountId } = yield* Caller
    yield* lock(accountId)
    const people = yield* peopleOf(sql, accountId)
    const id = yield* memberMeant(nameOrPhone, people, yield* findCountry(accountId))
    const member = yield* changed(accountId, id)
    const ended = yield* endAccess(accountId, id)
    const added = yield* sql<{ readonly member_id: MemberId; readonly name: string }>`
      select member_id, name from member
      where account_id = ${accountId} and added_by_member_id = ${id} order by member_id`.pipe(fromSql())
    yield* sql`delete from member where account_id = ${accountId} and member_id = ${id}`.pipe(fromSql())
    if (member.phone !== null) {
      yield* phones.release(accountId, member.phone)
      yield* chats.withdraw(accountId, member.phone)
    }
    if (member.email !== null) yield* withdrawMail(accountId, member.email)
    return { removed: { ...member, access_tokens: 0 }, ended, members_added: added }
  }),

  update: Effect.fn("Members.update")(function* (id, { email, name }) {
    const { accountId } = yield* Caller
    yield* lock(accountId)
    const before = yield* find(accountId, id)
    yield* sql`
      update member set name = coalesce(${name ?? null}, name),
        email = case when ${email !== undefined} then ${email ?? null} else email end
      where account_id = ${accountId} and member_id = ${id}`.pipe(fromSql())
    if (email !== undefined && email !== before.email) {
      if (before.email !== null) yield* withdrawMail(accountId, before.email)
      if (email !== null) yield* welcome(accountId, id, "Email")
    }
    return yield* changed(accountId, id)
  })
})

const accessLinks = (
  { phones, sql, tokens }: MemberServices,
  { changed, find, lock, welcome }: MemberChanges
): Pick<typeof Members.Service, "resend" | "openAccess"> => ({
  resend: Effect.fn("Members.resend")(function* (id, channels) {
    const { accountId } = yield* Caller
    yield* lock(accountId)
    const member = yield* find(accountId, id)
    const reachable = channels.filter((channel) => channel === "ChatApp" || member.email !== null)
    if (reachable.length === 0) return yield* noAddress(id)
    const latest = (channel: WelcomeChannel): MemberView["welcome_email"] =>
      channel === "Email" ? member.welcome_email : member.welcome_chatapp
    for (const channel of reachable) {
      if (latest(channel)?.status !== "queued") yield* welcome(accountId, id, channel)
    }
    return yield* changed(accountId, id)
  }),

  openAccess: Effect.fn("Members.openAccess")(function* (linkToken) {
    const claim = Option.getOrUndefined(readAccessLink(linkToken))
    if (claim === undefined) return Option.none()
    const { accountId, welcomeId } = claim
    const accounts = yield* sql<{ readonly key: Uint8Array; readonly name: string; readonly plan: Plan }>`
      select mail_key as key, name, plan from account where account_id = ${accountId} for no key update`.pipe(fromSql())
    const account = accounts[0]
    if (account === undefined || !claim.holds(account.key)) return Option.none()
    const at = yield* Clock.currentTimeMillis
    // The link of a newer welcome on the same channel replaces the older one.
    const found = yield* sql<{
      readonly memberId: MemberId
      readonly name: string
      readonly ofMember: Confirmation
      readonly ofLink: Confirmation
      readonly endsAt: Timestamp | null
      readonly phone: string
      readonly channel: WelcomeChannel
    }>`
      update member_welcome w set used_at = ${fromMillis(at)}, opened_at = ${fromMillis(at)} from member m
      where w.account_id = ${accountId} and w.member_welcome_id = ${welcomeId} and w.used_at is null
        and w.created_at > ${fromMillis(at - accessLinkDays * 24 * 3_600_000)}
        and m.account_id = w.account_id and m.member_id = w.member_id
        and not exists (select from member_welcome n where n.account_id = w.account_id and n.member_id = w.member_id
          and n.channel = w.channel and n.member_welcome_id > w.member_welcome_id)
      returning m.member_id as "memberId", m.name, m.confirmation as "ofMember", w.confirmation as "ofLink",
        w.token_ends_at as "endsAt", m.phone, w.channel`.pipe(fromSql())
    const member = found[0]
    if (member === undefined) return Option.none()
    const { access_tokens } = yield* changed(accountId, member.memberId)
    if (access_tokens >= mostMemberTokens) return Option.none()
    const caller = Caller.forTask(accountId, account.plan, "member-access")
    const { token } = yield* Effect.provideService(
      tokens.generate({
        label: `Member: ${member.name}`,
        expiresAt: Option.fromNullable(member.endsAt),
        confirmation: stricter(member.ofMember, member.ofLink),
        maker: { by: "member", memberId: member.memberId }
      }),
      Caller,
      caller
    )
    if (member.channel === "ChatApp") yield* phones.prove(accountId, member.phone)
    return Option.some({ token, accountName: account.name })
  })
})

const make = Effect.gen(function* () {
  const services = yield* makeMemberServices
  const memberChanges = makeMemberChanges(services)

  return Members.of({
    ...changeMembers(services, memberChanges),
    ...accessLinks(services, memberChanges)
  })
})

export const MembersPostgres = Layer.effect(Members, make)
