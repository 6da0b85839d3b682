import { askedForm } from "./AskedFields.ts"
import { heardIn, isChat, isForMaker, isUnsure, secondVersion, takesBackBefore, withoutGreeting } from "./Audience.ts"
import { phonesIn } from "./MaterialContacts.ts"
import { isAsk, isPageLabel, kindOf } from "./MaterialLabels.ts"
import { type Statement, statementsOf } from "./MaterialText.ts"
import { pageOffer } from "./PageOffer.ts"
import type { BriefStatement } from "./Rules/BriefRule.ts"

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

/** "The order on the page: intro, prices, team" lists parts of the site. */
const isBelowOrder = ({ kind, label }: BriefStatement): boolean =>
  kind === undefined && label !== "" && isForMaker(label) && !isPageLabel(label)

const isAllForVisitors = (statement: BriefStatement): boolean => {
  const { isItem, kind, text } = statement
  const isData = isItem || kind === "questions" || kind === "quotes" || kind === "slogan"
  return !isBelowOrder(statement) && (isData ? !isAsk(text) : !isForMaker(text))
}

/** What visitors may read of a statement that orders something, and the order. */
const partsOfOrder = (
  statement: BriefStatement,
  isCapture: boolean,
  name: string
): { readonly isAboutBefore: boolean; readonly parts: ReadonlyArray<BriefStatement> } => {
  const { text } = statement
  if (isBelowOrder(statement)) return { isAboutBefore: false, parts: [{ ...statement, isOrder: true }] }
  const { isAboutBefore, isDenial, orders, visible } = heardIn(text)
  const named = isCapture ? "" : behindName(text, name)
  const introduced = named === "" ? [] : [{ ...statement, text: named }]
  if (visible !== "" && orders === "") return { isAboutBefore, parts: [...introduced, { ...statement, text: visible }] }
  const order = isCapture || orders === "" ? text : orders
  const before = visible === "" || isCapture ? [] : [{ ...statement, text: visible }]
  const offer = isCapture && !isDenial ? pageOffer(order) : ""
  return {
    isAboutBefore,
    parts: [...introduced, ...before, { ...statement, text: order, isOrder: true, isDenial, offer }]
  }
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
    if (text === "" || (each.kind === undefined && isChat(text))) return
    if (isAllForVisitors(each)) {
      statementList.push(each)
      return
    }
    const { isAboutBefore, parts } = partsOfOrder(each, isCapture, name)
    // "That flyer has the old address. Don't put it."
    if (isAboutBefore) statementList.pop()
    statementList.push(...parts)
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
