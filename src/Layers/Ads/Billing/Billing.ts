import { Clock, Effect, Option } from "effect"
import { refused } from "../../../Errors.ts"
import type { BillingItem } from "../../../Services/Ads/AdsModel.ts"
import { brlOf } from "../../../Services/Ads/AdsMoney.ts"
import { billingInstant } from "../../../Services/Ads/BillingDates.ts"
import type { BillingSection } from "../../../Services/Ads/Ids.ts"
import { Caller } from "../../../Services/Core/Calls/Caller.ts"
import { at, numberAt, textAt } from "../../Platform/AnswerPaths.ts"
import { toolError } from "../Calling/AdsFailure.ts"
import type { AdsPlatform } from "../Calling/AdsPlatform.ts"
import type { CampaignRow } from "../Campaigns/CampaignRows.ts"
import type { makeGoLive } from "../Campaigns/GoLive.ts"

const months = [
  "JANUARY",
  "FEBRUARY",
  "MARCH",
  "APRIL",
  "MAY",
  "JUNE",
  "JULY",
  "AUGUST",
  "SEPTEMBER",
  "OCTOBER",
  "NOVEMBER",
  "DECEMBER"
]
const firstYear = 2019

const empty: BillingItem = {
  id: null,
  name: null,
  status: null,
  type: null,
  amount_brl: null,
  served_brl: null,
  currency: null,
  time_zone: null,
  starts_at: null,
  ends_at: null,
  url: null
}

const text = (value: unknown, ...path: ReadonlyArray<string | number>): string | null =>
  textAt(value, ...path).slice(0, 500) || null

const start = (value: unknown, zone: string, ...path: ReadonlyArray<string | number>) =>
  billingInstant(textAt(value, ...path), zone, "start")

const end = (value: unknown, zone: string, ...path: ReadonlyArray<string | number>) =>
  billingInstant(textAt(value, ...path), zone, "end")

const money = (value: unknown, ...path: ReadonlyArray<string | number>): number | null => {
  const micros = numberAt(value, ...path)
  return micros === undefined ? null : brlOf(micros)
}

type Query = readonly [query: (row: CampaignRow) => string, item: (row: unknown, zone: string) => BillingItem]

const queries: { readonly [S in Exclude<BillingSection, "Invoices">]: Query } = {
  AccountInfo: [
    () =>
      "SELECT customer.id, customer.descriptive_name, customer.status, customer.currency_code, customer.time_zone FROM customer",
    (row) => {
      const customer = at(row, "customer")
      return {
        ...empty,
        id: text(customer, "id"),
        name: text(customer, "descriptiveName"),
        status: text(customer, "status"),
        currency: text(customer, "currencyCode"),
        time_zone: text(customer, "timeZone")
      }
    }
  ],
  AccountBudgets: [
    () =>
      "SELECT account_budget.id, account_budget.name, account_budget.status, account_budget.approved_spending_limit_micros, account_budget.amount_served_micros, account_budget.approved_start_date_time, account_budget.approved_end_date_time FROM account_budget",
    (row, zone) => {
      const budget = at(row, "accountBudget")
      return {
        ...empty,
        id: text(budget, "id"),
        name: text(budget, "name"),
        status: text(budget, "status"),
        amount_brl: money(budget, "approvedSpendingLimitMicros"),
        served_brl: money(budget, "amountServedMicros"),
        starts_at: start(budget, zone, "approvedStartDateTime"),
        ends_at: end(budget, zone, "approvedEndDateTime")
      }
    }
  ],
  BillingSetups: [
    () =>
      "SELECT billing_setup.id, billing_setup.status, billing_setup.payments_account_info.payments_account_name, billing_setup.start_date_time, billing_setup.end_date_time FROM billing_setup",
    (row, zone) => {
      const setup = at(row, "billingSetup")
      return {
        ...empty,
        id: text(setup, "id"),
        name: text(setup, "paymentsAccountInfo", "paymentsAccountName"),
        status: text(setup, "status"),
        starts_at: start(setup, zone, "startDateTime"),
        ends_at: end(setup, zone, "endDateTime")
      }
    }
  ],
  Proposals: [
    () =>
      "SELECT account_budget_proposal.id, account_budget_proposal.proposed_name, account_budget_proposal.status, account_budget_proposal.proposal_type, account_budget_proposal.proposed_spending_limit_micros, account_budget_proposal.creation_date_time FROM account_budget_proposal",
    (row, zone) => {
      const proposal = at(row, "accountBudgetProposal")
      return {
        ...empty,
        id: text(proposal, "id"),
        name: text(proposal, "proposedName"),
        status: text(proposal, "status"),
        type: text(proposal, "proposalType"),
        amount_brl: money(proposal, "proposedSpendingLimitMicros"),
        starts_at: start(proposal, zone, "creationDateTime")
      }
    }
  ],
  CampaignBudgets: [
    ({ externalId }) =>
      `SELECT campaign_budget.id, campaign_budget.name, campaign_budget.status, campaign_budget.delivery_method, campaign_budget.amount_micros FROM campaign WHERE campaign.id = ${externalId ?? "0"}`,
    (row) => {
      const budget = at(row, "campaignBudget")
      return {
        ...empty,
        id: text(budget, "id"),
        name: text(budget, "name"),
        status: text(budget, "status"),
        type: text(budget, "deliveryMethod"),
        amount_brl: money(budget, "amountMicros")
      }
    }
  ]
}

const invoiceOf = (invoice: unknown, zone: string): BillingItem => ({
  ...empty,
  id: text(invoice, "id"),
  type: text(invoice, "type"),
  amount_brl: money(invoice, "totalAmountMicros"),
  currency: text(invoice, "currencyCode"),
  starts_at: start(invoice, zone, "serviceDateRange", "startDate"),
  ends_at: end(invoice, zone, "serviceDateRange", "endDate"),
  url: text(invoice, "pdfUrl")
})

const checkedPeriod = Effect.fnUntraced(function* (
  section: BillingSection,
  { month, year }: { readonly year: number | undefined; readonly month: number | undefined }
) {
  if (section !== "Invoices") {
    const stray = year === undefined ? (month === undefined ? undefined : "month") : "year"
    return stray === undefined
      ? { year: 0, month: 0 }
      : yield* refused(
          "parameter_not_taken",
          `The section ${section} takes no ${stray}.`,
          `Leave ${stray} out, or ask for Invoices.`,
          { parameter: stray }
        )
  }
  for (const [parameter, value] of [
    ["year", year],
    ["month", month]
  ] as const) {
    if (value === undefined) {
      return yield* refused("parameter_missing", `Invoices need a ${parameter}.`, "Send year and month.", { parameter })
    }
  }
  const now = new Date(yield* Clock.currentTimeMillis)
  if ((year ?? 0) < firstYear || (year ?? 0) > now.getUTCFullYear() + 1) {
    return yield* refused(
      "out_of_range",
      `year must be between ${firstYear} and ${now.getUTCFullYear()}.`,
      "Send a year that was.",
      { parameter: "year", minimum: firstYear, maximum: now.getUTCFullYear() }
    )
  }
  return { year: year ?? 0, month: month ?? 0 }
})

/** Reads what the account's client account owes, and how it is billed. */
export const makeBilling = (platform: AdsPlatform, goLive: ReturnType<typeof makeGoLive>) =>
  Effect.fnUntraced(function* (
    row: CampaignRow,
    section: BillingSection,
    given: { readonly year: number | undefined; readonly month: number | undefined }
  ) {
    const { accountId } = yield* Caller
    const { month, year } = yield* checkedPeriod(section, given)
    const customer = yield* goLive.storedCustomer(accountId)
    if (Option.isNone(customer) || (section === "CampaignBudgets" && row.externalId === null)) {
      return { items: [], note: "Nothing of it is at the ads platform yet: that begins when it is funded." }
    }
    const { customerId, timeZone } = customer.value
    if (section !== "Invoices") {
      const [query, item] = queries[section]
      const { rows } = yield* Effect.mapError(platform.search(customerId, query(row)), toolError)
      return { items: rows.slice(0, 200).map((each) => item(each, timeZone)), note: null }
    }
    const setups = yield* Effect.mapError(
      platform.search(customerId, "SELECT billing_setup.id, billing_setup.status FROM billing_setup"),
      toolError
    )
    const approved = setups.rows.find((each) => textAt(each, "billingSetup", "status") === "APPROVED")
    if (approved === undefined) return { items: [], note: "The account has no approved billing, and so no invoices." }
    const invoices = yield* Effect.mapError(
      platform.invoices(customerId, {
        billingSetup: `customers/${customerId}/billingSetups/${textAt(approved, "billingSetup", "id")}`,
        issueYear: `${year}`,
        issueMonth: months[month - 1] ?? "JANUARY"
      }),
      toolError
    )
    return {
      items: invoices.slice(0, 200).map((each) => invoiceOf(each, timeZone)),
      note: invoices.length === 0 ? "No invoice was issued in that month." : null
    }
  })
