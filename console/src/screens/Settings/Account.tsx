import { useTool } from "../../calls/Queries.ts"
import { useSession } from "../../calls/Session.ts"
import { useFormDialog } from "../../form/useFormDialog.tsx"
import { useTexts } from "../../i18n/Messages.tsx"
import { Badge } from "../../parts/Badge.tsx"
import { Button } from "../../parts/Button.tsx"
import { Card } from "../../parts/Card.tsx"
import { Answer } from "../../parts/States.tsx"

const Profile = () => {
  const { t, valueText } = useTexts()
  const session = useSession()
  const account = useTool("whoami", {})
  const [dialog, open] = useFormDialog()
  const save = { submitLabel: t("common.save"), doneText: t("common.saved") }
  return (
    <Card
      title={t("settings.profile")}
      actions={
        <>
          <Button
            writes
            onClick={() => open({ tool: "update_user_name", initial: { name: account.data?.name }, ...save })}
          >
            {t("settings.rename")}
          </Button>
          <Button writes onClick={() => open({ tool: "set_timezone", showsCatalogHelp: true, ...save })}>
            {t("settings.timeZone")}
          </Button>
        </>
      }
    >
      <Answer of={account} lines={6}>
        {(one) => (
          <dl className="facts">
            <dt>{t("fields.name")}</dt>
            <dd>{one.name}</dd>
            <dt>{t("fields.email")}</dt>
            <dd>{one.email ?? "—"}</dd>
            <dt>{t("fields.phone")}</dt>
            <dd>{one.phone ?? "—"}</dd>
            <dt>{t("settings.plan")}</dt>
            <dd>{valueText("plan", one.plan)}</dd>
            <dt>{t("settings.timeZone")}</dt>
            <dd>{session?.account.time_zone}</dd>
            <dt>{t("settings.language")}</dt>
            <dd>{one.language}</dd>
          </dl>
        )}
      </Answer>
      {dialog}
    </Card>
  )
}

const Mail = () => {
  const { t } = useTexts()
  const settings = useTool("get_email_settings", {})
  const [dialog, open] = useFormDialog()
  return (
    <Card
      title={t("settings.mail")}
      actions={
        <Button
          writes
          icon="edit"
          onClick={() =>
            open({
              tool: "update_email_settings",
              present: { ...settings.data },
              showsCatalogHelp: true,
              submitLabel: t("common.save"),
              doneText: t("common.saved")
            })
          }
        >
          {t("settings.edit")}
        </Button>
      }
    >
      <Answer of={settings} lines={4}>
        {(one) => (
          <dl className="facts">
            <dt>{t("settings.sender")}</dt>
            <dd>{one.sender_address}</dd>
            <dt>{t("settings.platformAddress")}</dt>
            <dd>{one.email_address}</dd>
            <dt>{t("fields.email_display_name")}</dt>
            <dd>{one.display_name ?? "—"}</dd>
          </dl>
        )}
      </Answer>
      {dialog}
    </Card>
  )
}

const Notices = () => {
  const { t } = useTexts()
  const notices = useTool("get_notification_emails", {})
  const [dialog, open] = useFormDialog()
  const emails = notices.data?.emails ?? []
  return (
    <Card
      title={t("settings.notices")}
      actions={
        <Button
          writes
          icon="edit"
          onClick={() =>
            open({
              tool: "update_notification_emails",
              initial: { emails: emails.map(({ email }) => email) },
              showsCatalogHelp: true,
              submitLabel: t("common.save"),
              doneText: t("common.saved")
            })
          }
        >
          {t("settings.edit")}
        </Button>
      }
    >
      <Answer of={notices} lines={3}>
        {() =>
          emails.length === 0 ? (
            <p className="faint small">{t("settings.notices.none")}</p>
          ) : (
            <ul className="stack">
              {emails.map(({ email, is_confirmed }) => (
                <li key={email} className="row spread wrap">
                  <span className="truncate">{email}</span>
                  <Badge
                    text={t(is_confirmed ? "settings.confirmed" : "settings.unconfirmed")}
                    tone={is_confirmed ? "good" : "warn"}
                  />
                </li>
              ))}
            </ul>
          )
        }
      </Answer>
      {dialog}
    </Card>
  )
}

export const Account = () => (
  <div className="columns">
    <Profile />
    <Mail />
    <Notices />
  </div>
)
