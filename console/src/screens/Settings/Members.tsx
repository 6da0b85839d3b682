import { useAction, useTool } from "../../calls/Queries.ts"
import type { AnswerOf } from "../../calls/Tools.ts"
import { useFormDialog } from "../../form/useFormDialog.tsx"
import { useTexts } from "../../i18n/Messages.tsx"
import { Avatar } from "../../parts/Avatar.tsx"
import { Badge } from "../../parts/Badge.tsx"
import { Button, IconButton } from "../../parts/Button.tsx"
import { Card } from "../../parts/Card.tsx"
import { Menu } from "../../parts/dialogs/Menu.tsx"
import { Answer } from "../../parts/States.tsx"
import { Time } from "../../parts/Time.tsx"

type Member = AnswerOf<"list_members">["members"][number]

const Actions = ({ id, member }: { readonly member: Member; readonly id: number }) => {
  const { t } = useTexts()
  const [dialog, open] = useFormDialog()
  const { name } = member
  const welcome = useAction("resend_member_welcome", { done: () => t("settings.members.welcomed") })
  const remove = useAction("remove_member", {
    confirm: () => ({
      title: t("settings.members.remove.title", { name }),
      body: t("settings.members.remove.text"),
      action: t("settings.members.remove")
    }),
    done: () => t("settings.members.removed")
  })
  return (
    <>
      <Menu trigger={<IconButton icon="more" label={t("settings.actions", { name })} />}>
        {({ Item, Line }) => (
          <>
            <Item
              icon="edit"
              writes
              text={t("settings.edit")}
              onSelect={() =>
                open({
                  tool: "update_member",
                  fixed: { member_id: id },
                  present: { ...member },
                  submitLabel: t("common.save"),
                  doneText: t("common.saved")
                })
              }
            />
            <Item
              icon="send"
              writes
              text={t("settings.members.welcome")}
              onSelect={() => welcome.run({ member_id: id, channel: member.email === null ? "ChatApp" : "Both" })}
            />
            <Line />
            <Item
              icon="trash"
              writes
              isDangerous
              text={t("settings.members.remove")}
              onSelect={() => remove.run({ name_or_phone: member.phone ?? name })}
            />
          </>
        )}
      </Menu>
      {dialog}
    </>
  )
}

export const Members = () => {
  const { t } = useTexts()
  const members = useTool("list_members", {})
  const [dialog, open] = useFormDialog()
  return (
    <Card
      title={t("settings.members")}
      isFlush
      actions={
        <Button
          kind="primary"
          icon="plus"
          writes
          onClick={() =>
            open({ tool: "add_member", submitLabel: t("settings.members.add"), doneText: t("settings.members.added") })
          }
        >
          {t("settings.members.add")}
        </Button>
      }
    >
      <Answer of={members} lines={4}>
        {(answer) => (
          <ul className="lines">
            {answer.members.map((member) => (
              <li key={member.member_id ?? 0} className="line">
                <Avatar name={member.name} />
                <div className="grow">
                  <div className="row wrap">
                    <span className="line-name">{member.name}</span>
                    {member.is_owner ? <Badge text={t("settings.members.owner")} tone="accent" /> : null}
                  </div>
                  <div className="small soft truncate">
                    {[member.email, member.phone].filter((part) => part !== null).join(" · ")}
                  </div>
                </div>
                <span className="faint small line-end">
                  <Time at={member.added_at} />
                </span>
                {member.member_id === null || member.is_owner ? null : (
                  <Actions member={member} id={member.member_id} />
                )}
              </li>
            ))}
          </ul>
        )}
      </Answer>
      {dialog}
    </Card>
  )
}
