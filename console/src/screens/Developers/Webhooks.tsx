import { Link, useSearch } from "@tanstack/react-router"
import { useTool } from "../../calls/Queries.ts"
import type { AnswerOf } from "../../calls/Tools.ts"
import { type DialogForm, useFormDialog } from "../../form/useFormDialog.tsx"
import { useTexts } from "../../i18n/Messages.tsx"
import { Badge } from "../../parts/Badge.tsx"
import { Button } from "../../parts/Button.tsx"
import { Card } from "../../parts/Card.tsx"
import { Icon } from "../../parts/Icon.tsx"
import { Answer, Empty } from "../../parts/States.tsx"
import { Time } from "../../parts/Time.tsx"
import { Attempts } from "./Attempts.tsx"
import { useSecret } from "./SecretDialog.tsx"
import { WebhookActions } from "./WebhookActions.tsx"

type Subscription = AnswerOf<"list_webhook_subscriptions">["subscriptions"][number]

const Health = ({ subscription }: { readonly subscription: Subscription }) => {
  const { t, valueText } = useTexts()
  const { consecutive_failures, date_last_failure, date_last_success, last_failure_reason } = subscription
  if (consecutive_failures > 0 && date_last_failure !== null) {
    return (
      <span className="webhook-failing">
        {t("developers.webhooks.failing", { count: consecutive_failures })} <Time at={date_last_failure} />
        {last_failure_reason === null ? null : ` · ${valueText("webhook_failure", last_failure_reason)}`}
      </span>
    )
  }
  if (date_last_success === null) return <span className="faint">{t("developers.webhooks.nothingSent")}</span>
  return (
    <span className="soft">
      {t("developers.webhooks.delivered")} <Time at={date_last_success} />
    </span>
  )
}

const SubscriptionLine = ({
  isCurrent,
  open,
  showSecret,
  subscription
}: {
  readonly subscription: Subscription
  readonly isCurrent: boolean
  readonly open: (form: DialogForm) => void
  readonly showSecret: (value: string) => void
}) => {
  const { t, valueText } = useTexts()
  const { event_types, is_active, subscription_id, url } = subscription
  const types = event_types?.map((type) => valueText("event_type", type)).join(", ")
  return (
    <li className="line" data-current={isCurrent}>
      <span className="line-mark" data-tone={subscription.consecutive_failures > 0 ? "bad" : undefined}>
        <Icon name="send" />
      </span>
      <div className="grow">
        <div className="row wrap">
          <Link
            className="line-name code truncate"
            to="/developers/$section"
            params={{ section: "webhooks" }}
            search={{ subscription: subscription_id }}
            resetScroll={false}
          >
            {url}
          </Link>
          <Badge
            text={
              is_active
                ? t("developers.webhooks.on")
                : valueText("webhook_disabled", subscription.disabled_reason ?? "owner")
            }
            tone={is_active ? "good" : "warn"}
          />
        </div>
        <div className="small soft line-detail">
          {[subscription.description, types ?? t("developers.webhooks.allEvents")]
            .filter((part) => part !== null)
            .join(" · ")}
        </div>
        <div className="small line-detail">
          <Health subscription={subscription} />
        </div>
      </div>
      <WebhookActions subscription={subscription} open={open} showSecret={showSecret} />
    </li>
  )
}

/** The webhook subscriptions, their health, and their deliveries. */
export const Webhooks = () => {
  const { t } = useTexts()
  const { subscription: current } = useSearch({ from: "/shell/developers/$section" })
  const subscriptions = useTool("list_webhook_subscriptions", {})
  const secret = useSecret(t("developers.webhooks.secret"), "signing_secret")
  const [dialog, open] = useFormDialog(secret.take)
  const add = (
    <Button
      icon="plus"
      kind="primary"
      writes
      onClick={() =>
        open({
          tool: "create_webhook_subscription",
          showsCatalogHelp: true,
          submitLabel: t("developers.webhooks.add")
        })
      }
    >
      {t("developers.webhooks.add")}
    </Button>
  )
  return (
    <div className="stack-lg">
      <Card title={t("developers.webhooks.subscriptions")} isFlush actions={add}>
        <Answer of={subscriptions} lines={4}>
          {(answer) =>
            answer.subscriptions.length === 0 ? (
              <Empty icon="send" title={t("developers.webhooks.empty")} text={t("developers.webhooks.empty.text")} />
            ) : (
              <ul className="lines">
                {answer.subscriptions.map((one) => (
                  <SubscriptionLine
                    key={one.subscription_id}
                    subscription={one}
                    isCurrent={one.subscription_id === current}
                    open={open}
                    showSecret={secret.show}
                  />
                ))}
              </ul>
            )
          }
        </Answer>
      </Card>
      <Attempts subscriptions={subscriptions.data?.subscriptions ?? []} />
      {dialog}
      {secret.dialog}
    </div>
  )
}
