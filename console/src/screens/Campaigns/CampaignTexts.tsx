import type { AnswerOf } from "../../calls/Tools.ts"
import { numberText } from "../../i18n/Formats.ts"
import { humanized, useTexts } from "../../i18n/Messages.tsx"
import { Card } from "../../parts/Card.tsx"
import { settingGroups } from "./Settings.ts"

type Campaign = AnswerOf<"get_campaign">

/** A setting as a person reads it. Undefined if it has no value. */
const useReadable = () => {
  const { locale, t, valueText } = useTexts()
  return (name: string, value: unknown): string | undefined => {
    if (typeof value === "boolean") return t(value ? "common.yes" : "common.no")
    if (typeof value === "number") return numberText(value, locale)
    if (typeof value === "string") return value === "" ? undefined : value
    if (!Array.isArray(value) || value.length === 0) return undefined
    return value.map((item) => valueText(name, String(item))).join(", ")
  }
}

const Group = ({ campaign, group }: { readonly campaign: Campaign; readonly group: keyof typeof settingGroups }) => {
  const { optional, t } = useTexts()
  const readable = useReadable()
  const values: Readonly<Record<string, unknown>> = { ...campaign }
  const rows = settingGroups[group].flatMap((name) => {
    const text = readable(name, values[name])
    return text === undefined ? [] : [{ name, text }]
  })
  return (
    <Card title={t(`campaigns.${group}`)}>
      {rows.length === 0 ? (
        <p className="faint">{t("campaigns.nothingSet")}</p>
      ) : (
        <dl className="settings-list">
          {rows.map(({ name, text }) => (
            <div key={name}>
              <dt>{optional(`fields.${name}`) ?? humanized(name)}</dt>
              <dd className="text">{text}</dd>
            </div>
          ))}
        </dl>
      )}
    </Card>
  )
}

/** The texts to the leads, the targeting, and the settings of the campaign. */
export const CampaignTexts = ({ campaign }: { readonly campaign: Campaign }) => (
  <div className="columns">
    <Group campaign={campaign} group="texts" />
    <div className="stack">
      <Group campaign={campaign} group="targeting" />
      <Group campaign={campaign} group="settings" />
    </div>
  </div>
)
