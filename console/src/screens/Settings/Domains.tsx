import { useState } from "react"
import { useAction, useTool } from "../../calls/Queries.ts"
import type { AnswerOf } from "../../calls/Tools.ts"
import { useFormDialog } from "../../form/useFormDialog.tsx"
import { useTexts } from "../../i18n/Messages.tsx"
import { Badge, type Tone, ValueBadge } from "../../parts/Badge.tsx"
import { Button } from "../../parts/Button.tsx"
import { Card } from "../../parts/Card.tsx"
import { CopyButton } from "../../parts/CopyButton.tsx"
import { Answer } from "../../parts/States.tsx"

type Domain = AnswerOf<"setup_custom_domain">

const statusTones: Readonly<Record<string, Tone>> = { verified: "good", pending: "warn", lapsed: "bad" }
const recordTones: Readonly<Record<string, Tone>> = { ok: "good", missing: "warn", wrong: "bad", conflicting: "bad" }

const isDomain = (answer: unknown): answer is Domain =>
  typeof answer === "object" && answer !== null && "records_published_by" in answer

const Records = ({ domain }: { readonly domain: Domain }) => {
  const { t, valueText } = useTexts()
  return (
    <Card
      title={domain.domain ?? t("settings.domains")}
      isFlush
      actions={<ValueBadge kind="domain_status" value={domain.status} tones={statusTones} />}
    >
      <ul className="lines">
        {domain.records.map((record) => (
          <li key={`${record.type} ${record.name} ${record.purpose}`} className="line dns-record">
            <div className="grow stack">
              <div className="row wrap">
                <Badge text={record.type} />
                <span className="line-name">{valueText("dns_purpose", record.purpose)}</span>
                <ValueBadge kind="dns_state" value={record.state} tones={recordTones} />
              </div>
              <div className="row">
                <code className="dns-text grow">{record.name}</code>
                <CopyButton text={record.name} name={t("settings.domains.name")} />
              </div>
              <div className="row">
                <code className="dns-text grow">{record.value}</code>
                <CopyButton text={record.value} name={t("settings.domains.value")} />
              </div>
              {record.advice === null ? null : (
                <p className="small soft" lang="en">
                  {record.advice}
                </p>
              )}
            </div>
          </li>
        ))}
      </ul>
    </Card>
  )
}

/** The sender domain, and the records that the account must publish for it. */
export const Domains = () => {
  const { t } = useTexts()
  const settings = useTool("get_email_settings", {})
  const [domain, setDomain] = useState<Domain>()
  const [dialog, open] = useFormDialog()
  const look = useAction("setup_custom_domain", { onDone: setDomain })
  const take = (answer: unknown) => {
    if (isDomain(answer)) setDomain(answer)
  }
  return (
    <div className="stack-lg">
      <Card
        title={t("settings.sender")}
        actions={
          <>
            <Button icon="refresh" writes isBusy={look.isRunning} onClick={() => look.run({ action: "verify" })}>
              {t("settings.domains.verify")}
            </Button>
            <Button
              icon="plus"
              kind="primary"
              writes
              onClick={() =>
                open({
                  tool: "setup_custom_domain",
                  fixed: { action: "activate" },
                  showsCatalogHelp: true,
                  submitLabel: t("settings.domains.add"),
                  onDone: take
                })
              }
            >
              {t("settings.domains.add")}
            </Button>
          </>
        }
      >
        <Answer of={settings} lines={2}>
          {({ sender_address }) => (
            <>
              <strong>{sender_address}</strong>
              <p className="small soft">{t("settings.domains.text")}</p>
            </>
          )}
        </Answer>
      </Card>
      {domain === undefined ? null : <Records domain={domain} />}
      {dialog}
    </div>
  )
}
