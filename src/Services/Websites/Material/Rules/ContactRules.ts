import { linksIn } from "../../../Text/Web/Links.ts"
import { hoursIn } from "../HoursText.ts"
import { mailIn, phonesIn, tellsAccount, tellsAddress } from "../MaterialContacts.ts"
import { names } from "../MaterialText.ts"
import { type BriefRule, type BriefStatement, filled, ruleOf } from "./BriefRule.ts"

const holdsContact = ({ kind, label, text }: BriefStatement): boolean =>
  (kind === "contact" && !isHoursLabel(label)) ||
  mailIn(text) !== undefined ||
  phonesIn(text).length > 0 ||
  tellsAddress(text) ||
  tellsAccount(text) ||
  linksIn(text).length > 0

const isHoursLabel = (label: string): boolean =>
  names(label, /horario|hours|funcionamento|atendimento|^open|^abert|^abiert|timetable/)

const mostWordsOfContact = 9
const mostWordsOfAccount = 4

/** Whether a statement says nothing but how to reach the business: what else it says is for visitors to read. */
const isOnlyContact = ({ kind, label, text }: BriefStatement): boolean =>
  kind === "contact" ||
  (label !== "" && /^(?:tel|whats|zap|e-?mail|correo)/i.test(label)) ||
  (tellsAccount(text) && text.split(/\s+/).length <= mostWordsOfAccount) ||
  (!tellsAccount(text) && text.split(/\s+/).length <= mostWordsOfContact)

export const contactRule: BriefRule = {
  name: "contacts",
  matches: (statement) => !(statement.isOrder && statement.isDenial) && holdsContact(statement),
  take: (statement) => ({
    facts: { contacts: [statement.label === "" ? statement.text : `${statement.label}: ${statement.text}`] },
    goesOn: statement.isOrder || !isOnlyContact(statement)
  })
}

export const hoursRules: ReadonlyArray<BriefRule> = [
  {
    name: "hours below their heading, however they are written",
    matches: ({ isOrder, kind, label }) => !isOrder && kind === "contact" && isHoursLabel(label),
    take: ({ text }) => ({ facts: { hours: [text] } })
  },
  ruleOf(
    "opening hours",
    ({ isOrder, text }) => (isOrder ? undefined : filled(hoursIn(text))),
    (hours, statement) => ({
      facts: { hours, contacts: [statement.text] },
      goesOn: !isOnlyHours(statement.text, hours)
    })
  )
]

/** Most letters of a sentence that only says when it is open, besides its days and times. */
const mostOther = 14

const isOnlyHours = (text: string, hours: ReadonlyArray<string>): boolean => {
  let rest = text
  for (const each of hours) rest = rest.replace(each, " ")
  return rest.replace(/[^\p{L}\d]+/gu, "").length <= mostOther
}
