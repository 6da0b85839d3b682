import { askedForm } from "./AskedFields.ts"
import { heardIn, isChat, isForMaker, isUnsure, secondVersion, takesBackBefore, withoutGreeting } from "./Audience.ts"
import { phonesIn } from "./MaterialContacts.ts"
import { isAsk, kindOf } from "./MaterialLabels.ts"
import { type Statement, statementsOf } from "./MaterialText.ts"
import { pageOffer } from "./PageOffer.ts"
import type { BriefStatement } from "./Rules/BriefRule.ts"

/** "A page for teams: a free guide": the label orders a page, and what is behind it is what the page offers. */
const isPageLabel = (label: string): boolean =>
  /\b(?:p[áa]gina|page|landing|site|website|sitio)\b/i.test(label) &&
  !/\b(?:form|formul[aá]rio|fields?|campos?|footer|order|orden|ordem)\b/i.test(label)

/** A statement as the rules read it, for visitors. */
export const asWritten = (statement: Statement, isOwn: boolean): BriefStatement => ({
  ...statement,
  isOwn,
  kind: statement.label === "" ? undefined : kindOf(statement.label),
  isOrder: false,
  isDenial: false,
  offer: ""
})

/** "A site for the office Ferraz & Kuhn, founded in 2006": what an order says of the business behind its name. */
const behindName = (order: string, name: string): string => {
  const at = name === "" ? -1 : order.indexOf(name)
  const tail = at < 0 ? "" : order.slice(at + name.length)
  if (!/^,\s/.test(tail)) return ""
  const clauses = tail.slice(2).split(/,\s/)
  const end = clauses.findIndex((clause) => isForMaker(clause))
  const remainder = clauses.slice(0, end < 0 ? undefined : end).join(", ")
  return remainder === "" || /\b(?:onde|donde|where|que|with|com|con)\b/.test(remainder) ? "" : `${name}, ${remainder}`
}

/** What the owner wrote, parted into what visitors may read and what is said to who makes the site. */
export const heardStatements = (
  description: string,
  isCapture: boolean,
  name: string
): ReadonlyArray<BriefStatement> => {
  const statementList: Array<BriefStatement> = []
  const statements = statementsOf(description)
  // A page's fields are no texts of it.
  const rest = isCapture ? askedForm(statements).rest : statements.map(({ text }) => text)
  statements.forEach((statement, at) => {
    const text = withoutGreeting(rest[at] ?? "")
    const each = asWritten({ ...statement, text }, true)
    const { isItem, kind } = each
    if (text === "" || (kind === undefined && isChat(text))) return
    const isData = isItem || kind === "questions" || kind === "quotes" || kind === "slogan"
    // "The order on the page: intro, prices, team" lists parts of the site.
    const isBelowOrder = kind === undefined && each.label !== "" && isForMaker(each.label) && !isPageLabel(each.label)
    if (!isBelowOrder && (isData ? !isAsk(text) : !isForMaker(text))) {
      statementList.push(each)
      return
    }
    const { isAboutBefore, isDenial, orders, visible } = isBelowOrder
      ? { isAboutBefore: false, isDenial: false, orders: text, visible: "" }
      : heardIn(text)
    // "That flyer has the old address. Don't put it."
    if (isAboutBefore) statementList.pop()
    const named = isCapture ? "" : behindName(text, name)
    if (named !== "") statementList.push({ ...each, text: named })
    if (visible !== "" && (!isCapture || orders === "")) statementList.push({ ...each, text: visible })
    if (visible !== "" && orders === "") return
    const order = isCapture || orders === "" ? text : orders
    statementList.push({
      ...each,
      text: order,
      isOrder: true,
      isDenial,
      offer: isCapture && !isDenial ? pageOffer(order) : ""
    })
  })
  return statementList
}

interface SortedStatements {
  readonly statements: ReadonlyArray<BriefStatement>
  readonly unclear: ReadonlyArray<string>
}

/** Without what its writer is not sure of. What is taken back gives way to what is said instead. */
export const sureStatements = (all: ReadonlyArray<BriefStatement>): SortedStatements => {
  const statements: Array<BriefStatement> = []
  const unclear: Array<string> = []
  for (const statement of all) {
    if (statement.isOrder && takesBackBefore(statement.text)) {
      const before = statements.pop()
      if (before !== undefined) unclear.push(before.text)
    }
    if (statement.isOrder || !isUnsure(statement.text)) {
      statements.push(statement)
      continue
    }
    const withdrawn = takesBackBefore(statement.text) ? statements.pop() : undefined
    if (withdrawn !== undefined) unclear.push(withdrawn.text)
    const second = secondVersion(statement.text)
    const clause = second?.split(/,\s/).findLast((part) => phonesIn(part).length > 0)
    if (clause !== undefined) statements.push({ ...statement, text: clause })
    else unclear.push(statement.text)
  }
  return { statements, unclear }
}
