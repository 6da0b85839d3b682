import { useAction } from "../../calls/Queries.ts"
import type { AnswerOf } from "../../calls/Tools.ts"
import type { DialogForm } from "../../form/useFormDialog.tsx"
import { useTexts } from "../../i18n/Messages.tsx"
import { IconButton } from "../../parts/Button.tsx"
import { Menu } from "../../parts/dialogs/Menu.tsx"

type Subscription = AnswerOf<"list_webhook_subscriptions">["subscriptions"][number]

export const WebhookActions = ({
  open,
  showSecret,
  subscription
}: {
  readonly subscription: Subscription
  readonly open: (form: DialogForm) => void
  readonly showSecret: (value: string) => void
}) => {
  const { t } = useTexts()
  const fixed = { subscription_id: subscription.subscription_id }
  const test = useAction("test_webhook_subscription", { done: () => t("developers.webhooks.test.done") })
  const change = useAction("update_webhook_subscription", { done: () => t("common.saved") })
  const rotate = useAction("rotate_webhook_secret", {
    confirm: () => ({
      title: t("developers.webhooks.rotate.title"),
      body: t("developers.webhooks.rotate.text"),
      action: t("developers.webhooks.rotate")
    }),
    onDone: ({ signing_secret }) => showSecret(signing_secret)
  })
  const remove = useAction("delete_webhook_subscription", {
    confirm: () => ({
      title: t("developers.webhooks.delete.title"),
      body: t("developers.webhooks.delete.text"),
      action: t("developers.webhooks.delete")
    }),
    done: () => t("developers.webhooks.delete.done")
  })
  const edit = (): DialogForm => ({
    tool: "update_webhook_subscription",
    fixed,
    fields: ["url", "event_types", "description"],
    present: { ...subscription },
    showsCatalogHelp: true,
    submitLabel: t("developers.webhooks.edit"),
    doneText: t("common.saved")
  })
  const filter = (): DialogForm => ({
    tool: "set_webhook_filter",
    fixed,
    showsCatalogHelp: true,
    submitLabel: t("developers.webhooks.filter"),
    doneText: t("common.saved")
  })
  const replay = (): DialogForm => ({
    tool: "replay_webhook_events",
    fixed,
    fields: ["since", "until", "event_types", "only_failed"],
    showsCatalogHelp: true,
    submitLabel: t("developers.webhooks.replay"),
    doneText: t("developers.webhooks.replay.done")
  })
  const isOn = subscription.is_active
  return (
    <Menu trigger={<IconButton icon="more" label={t("developers.actions", { name: subscription.url })} kind="plain" />}>
      {({ Item, Line }) => (
        <>
          <Item icon="play" writes text={t("developers.webhooks.test")} onSelect={() => test.run(fixed)} />
          <Item icon="refresh" writes text={t("developers.webhooks.replay")} onSelect={() => open(replay())} />
          <Item icon="edit" writes text={t("developers.webhooks.edit")} onSelect={() => open(edit())} />
          <Item icon="filter" writes text={t("developers.webhooks.filter")} onSelect={() => open(filter())} />
          <Item
            icon={isOn ? "pause" : "play"}
            writes
            text={t(isOn ? "developers.webhooks.switchOff" : "developers.webhooks.switchOn")}
            onSelect={() => change.run({ ...fixed, is_active: !isOn })}
          />
          <Line />
          <Item
            icon="undo"
            writes
            isDangerous
            text={t("developers.webhooks.rotate")}
            onSelect={() => rotate.run(fixed)}
          />
          <Item
            icon="trash"
            writes
            isDangerous
            text={t("developers.webhooks.delete")}
            onSelect={() => remove.run(fixed)}
          />
        </>
      )}
    </Menu>
  )
}
