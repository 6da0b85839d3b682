import { numberText } from "../../i18n/Formats.ts"
import "./campaigns.css"
import { Link, useNavigate, useSearch } from "@tanstack/react-router"
import { useTool } from "../../calls/Queries.ts"
import type { AnswerOf } from "../../calls/Tools.ts"
import { humanized, useTexts } from "../../i18n/Messages.tsx"
import { Card } from "../../parts/Card.tsx"
import { Icon } from "../../parts/Icon.tsx"
import { Page } from "../../parts/Page.tsx"
import { Answer } from "../../parts/States.tsx"

type Comparison = AnswerOf<"compare_campaigns">
type Side = Comparison["campaign_a"]

const figures = [
  "total",
  "contacted",
  "replied",
  "reply_rate_pct",
  "interested",
  "meetings",
  "won",
  "won_value_brl"
] as const

const Figures = ({ comparison }: { readonly comparison: Comparison }) => {
  const { locale, t } = useTexts()
  const sides: ReadonlyArray<Side> = [comparison.campaign_a, comparison.campaign_b]
  const text = (side: Side, figure: (typeof figures)[number]): string => {
    const value = side.leads[figure]
    if (value === null) return "—"
    if (figure === "reply_rate_pct") {
      return numberText(value / 100, locale, { style: "percent", maximumFractionDigits: 1 })
    }
    return figure === "won_value_brl"
      ? numberText(value, locale, { style: "currency", currency: "BRL", maximumFractionDigits: 0 })
      : numberText(value, locale)
  }
  return (
    <div className="scroll-x" tabIndex={0} role="group" aria-label={t("campaigns.compare.figures")}>
      <table className="plain-table compare">
        <thead>
          <tr>
            <th scope="col">
              <span className="hidden-text">{t("campaigns.compare.figure")}</span>
            </th>
            {sides.map((side) => (
              <th key={side.configuration.campaign_id} scope="col" className="end">
                {side.configuration.name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {figures.map((figure) => {
            const values = sides.map((side) => side.leads[figure] ?? 0)
            const most = Math.max(...values)
            return (
              <tr key={figure}>
                <th scope="row">{t(`campaigns.compare.${figure}`)}</th>
                {sides.map((side, index) => (
                  <td
                    key={side.configuration.campaign_id}
                    className="end num"
                    data-best={most > 0 && values[index] === most}
                  >
                    {text(side, figure)}
                  </td>
                ))}
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}

const valueInWords = (value: unknown): string => {
  if (Array.isArray(value)) return value.length === 0 ? "—" : value.join(", ")
  if (typeof value === "number" || typeof value === "boolean") return String(value)
  return typeof value === "string" && value !== "" ? value : "—"
}

const Differences = ({ comparison }: { readonly comparison: Comparison }) => {
  const { optional, t } = useTexts()
  const one: Readonly<Record<string, unknown>> = { ...comparison.campaign_a.configuration }
  const other: Readonly<Record<string, unknown>> = { ...comparison.campaign_b.configuration }
  return (
    <div className="scroll-x" tabIndex={0} role="group" aria-label={t("campaigns.compare.settings")}>
      <table className="plain-table compare-settings">
        <tbody>
          {comparison.differing_fields.map((name) => (
            <tr key={name}>
              <th scope="row">{optional(`fields.${name}`) ?? humanized(name)}</th>
              <td>{valueInWords(one[name])}</td>
              <td>{valueInWords(other[name])}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** Two campaigns side by side. */
export const CompareScreen = () => {
  const { t } = useTexts()
  const search = useSearch({ from: "/shell/campaigns/compare" })
  const navigate = useNavigate({ from: "/campaigns/compare" })
  const campaigns = useTool("list_campaigns", { page_size: 100 })
  const list = campaigns.data?.campaigns ?? []
  const a = search.a ?? String(list[0]?.campaign_id ?? "")
  const b = search.b ?? String(list.find(({ campaign_id }) => String(campaign_id) !== a)?.campaign_id ?? "")
  const comparison = useTool(
    "compare_campaigns",
    { name_a: a, name_b: b },
    { enabled: a !== "" && b !== "" && a !== b }
  )
  const choice = (side: "a" | "b", value: string) => (
    <select
      className="input input-quiet"
      aria-label={t(`campaigns.compare.${side}`)}
      value={value}
      onChange={(event) => void navigate({ search: { a, b, [side]: event.target.value }, replace: true })}
    >
      {list.map((campaign) => (
        <option key={campaign.campaign_id} value={String(campaign.campaign_id)}>
          {campaign.name}
        </option>
      ))}
    </select>
  )
  return (
    <Page
      title={t("campaigns.compare")}
      back={
        <Link to="/campaigns" className="back">
          <Icon name="arrowLeft" />
          {t("campaigns.title")}
        </Link>
      }
    >
      <div className="filters">
        {choice("a", a)}
        {choice("b", b)}
      </div>
      {a === b ? (
        <p className="soft">{t("campaigns.compare.same")}</p>
      ) : (
        <Answer of={comparison} lines={8}>
          {(answer) => (
            <div className="columns">
              <Card title={t("campaigns.compare.figures")} isFlush>
                <Figures comparison={answer} />
              </Card>
              <Card title={t("campaigns.compare.settings")} isFlush>
                <Differences comparison={answer} />
              </Card>
            </div>
          )}
        </Answer>
      )}
    </Page>
  )
}
