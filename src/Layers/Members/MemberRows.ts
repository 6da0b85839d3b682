import type { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"
import type { Transient } from "../../Errors.ts"
import type { AccountId } from "../../Services/Accounts/Ids.ts"
import type { Timestamp } from "../../Services/Core/Timestamp.ts"
import type { MemberId, WelcomeChannel } from "../../Services/Members/Ids.ts"
import type { MemberView } from "../../Services/Members/Members.ts"
import { type WelcomeMessage, welcomeOf } from "../../Services/Members/MemberWelcomes.ts"
import { fromSql } from "../Platform/Postgres/Sql.ts"

interface PersonRow {
  readonly member_id: MemberId | null
  readonly name: string
  readonly phone: string | null
  readonly email: string | null
  readonly added_at: Timestamp
  readonly access_tokens: number
}

interface WelcomeRow extends WelcomeMessage {
  readonly member_id: MemberId
  readonly channel: WelcomeChannel
}

/** The owner and the members of the account, or one of the members. */
export const peopleOf = (
  sql: SqlClient,
  accountId: AccountId,
  only?: MemberId
): Effect.Effect<ReadonlyArray<MemberView>, Transient> =>
  Effect.gen(function* () {
    const people = yield* sql<PersonRow>`
      select null::bigint as member_id, a.name, a.phone, a.email, a.created_at as added_at, 0 as access_tokens
      from account a where a.account_id = ${accountId} and ${only ?? null}::bigint is null
      union all
      select m.member_id, m.name, m.phone, m.email, m.created_at, (
        select count(*) from access_token k
        where k.account_id = m.account_id and k.member_id = m.member_id and k.made_by = 'member' and k.revoked_at is null
          and (k.expires_at is null or k.expires_at > instant()))
      from member m where m.account_id = ${accountId} and m.member_id = coalesce(${only ?? null}, m.member_id)
      order by member_id nulls first`
    const welcomes = yield* sql<WelcomeRow>`
      select distinct on (w.member_id, w.channel) w.member_id, w.channel, w.failure_reason as failure,
        coalesce(e.status, c.status) as status, coalesce(e.failure_reason, c.failure_reason) as message_failure,
        coalesce(e.sent_at, c.occurred_at) as sent_at, w.created_at as queued_at
      from member_welcome w
        left join email_message e on e.account_id = w.account_id and e.email_message_id = w.email_message_id
        left join chatapp_message c on c.account_id = w.account_id and c.chatapp_message_id = w.chatapp_message_id
      where w.account_id = ${accountId} and w.member_id = coalesce(${only ?? null}, w.member_id)
      order by w.member_id, w.channel, w.member_welcome_id desc`
    return people.map((person): MemberView => {
      const latest = (channel: WelcomeChannel) => {
        const found = welcomes.find((welcome) => welcome.member_id === person.member_id && welcome.channel === channel)
        return found === undefined ? null : welcomeOf(found)
      }
      return {
        ...person,
        is_owner: person.member_id === null,
        welcome_email: latest("Email"),
        welcome_chatapp: latest("ChatApp")
      }
    })
  }).pipe(fromSql())
