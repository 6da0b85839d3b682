import { ofLeads, type PersonalData } from "../Platform/PersonalData.ts"

/** Embeddings of messages. Without the words, they do not show who is named. */
export const conversationsPersonalData: PersonalData = {
  forget: (sql, { accountId, email }) =>
    sql`
      delete from message_embedding where account_id = ${accountId} and email_message_id in (
        select email_message_id from email_message
        where account_id = ${accountId} and direction = 'inbound' and from_address = ${email})`,
  forgetInRelated: (sql, person, related) => {
    const inText = person.patterns.person
    const where = ofLeads(sql, person, related)
    return sql`
      delete from message_embedding where account_id = ${person.accountId} and (
        email_message_id in (select email_message_id from email_message where ${where}
          and (subject ~* ${inText} or body_text ~* ${inText}))
        or chatapp_message_id in (select chatapp_message_id from chatapp_message where ${where}
          and body ~* ${inText}))`
  }
}
