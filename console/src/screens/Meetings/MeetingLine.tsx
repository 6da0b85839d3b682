import { Link } from "@tanstack/react-router"
import { useState } from "react"
import { useAction } from "../../calls/Queries.ts"
import type { AnswerOf } from "../../calls/Tools.ts"
import { SchemaForm } from "../../form/SchemaForm.tsx"
import { useTexts } from "../../i18n/Messages.tsx"
import { type Tone, ValueBadge } from "../../parts/Badge.tsx"
import { Button, IconButton } from "../../parts/Button.tsx"
import { Dialog } from "../../parts/dialogs/Dialog.tsx"
import { Menu } from "../../parts/dialogs/Menu.tsx"
import { Icon } from "../../parts/Icon.tsx"
import { Time } from "../../parts/Time.tsx"
import type { TimeStyle } from "../../parts/TimeText.ts"
import { useNow } from "../../parts/useNow.ts"

export type Meeting = AnswerOf<"list_lead_meetings">["meetings"][number]

const tones: Readonly<Record<string, Tone>> = Object.fromEntries([
  ["scheduled", "cool"],
  ["confirmed", "good"],
  ["held", "accent"],
  ["no_show", "bad"]
])

const isWebAddress = (address: string): boolean => URL.canParse(address) && /^https?:/.test(address)

const Actions = ({ meeting }: { readonly meeting: Meeting }) => {
  const { t } = useTexts()
  const now = useNow()
  const [open, setOpen] = useState<"cancel" | "attendance">()
  const confirm = useAction("confirm_lead_meeting", { done: () => t("meetings.confirm.done") })
  const fixed = { meeting_id: meeting.meeting_id }
  const isOver = Date.parse(meeting.ends_at) < now
  const hasBegun = Date.parse(meeting.starts_at) < now
  const close = () => setOpen(undefined)
  return (
    <>
      {meeting.meeting_url !== null && isWebAddress(meeting.meeting_url) && !isOver ? (
        <a className="button" href={meeting.meeting_url} target="_blank" rel="noopener noreferrer">
          <Icon name="external" />
          {t("meetings.join")}
        </a>
      ) : null}
      {isOver || meeting.customer_accepted_at !== null ? null : (
        <Button writes icon="check" isBusy={confirm.isRunning} onClick={() => confirm.run(fixed)}>
          {t("meetings.confirm")}
        </Button>
      )}
      <Menu trigger={<IconButton icon="more" label={t("meetings.more", { name: meeting.lead_name })} />}>
        {({ Item }) => (
          <>
            <Item
              writes
              icon="edit"
              text={t(hasBegun ? "meetings.attendance" : "meetings.note")}
              onSelect={() => setOpen("attendance")}
            />
            {isOver ? null : (
              <Item writes isDangerous icon="close" text={t("meetings.cancel")} onSelect={() => setOpen("cancel")} />
            )}
          </>
        )}
      </Menu>
      {open === "attendance" ? (
        <Dialog isDrawer title={t(hasBegun ? "meetings.attendance" : "meetings.note")} onClose={close}>
          <SchemaForm
            tool="update_lead_meeting_attendance"
            fixed={fixed}
            fields={hasBegun ? ["has_lead_attended", "has_customer_attended", "notes"] : ["notes"]}
            submitLabel={t("common.save")}
            doneText={t("common.saved")}
            onDone={close}
            onCancel={close}
          />
        </Dialog>
      ) : null}
      {open === "cancel" ? (
        <Dialog isDrawer title={t("meetings.cancel")} onClose={close}>
          <SchemaForm
            tool="cancel_lead_meeting"
            fixed={fixed}
            submitLabel={t("meetings.cancel")}
            doneText={t("meetings.cancel.done")}
            confirm={{
              title: t("meetings.cancel.title", { name: meeting.lead_name }),
              body: t("meetings.cancel.text")
            }}
            onDone={close}
            onCancel={close}
          />
        </Dialog>
      ) : null}
    </>
  )
}

/** A meeting: its time, its lead, and the possible actions. */
export const MeetingLine = ({ look, meeting }: { readonly meeting: Meeting; readonly look: TimeStyle }) => (
  <li className="line meeting" data-status={meeting.status}>
    <span className="meeting-time num">
      <Time at={meeting.starts_at} look={look} />
    </span>
    <div className="grow">
      <div className="row wrap">
        <Link className="line-name" to="/leads/$leadId" params={{ leadId: String(meeting.lead_id) }}>
          {meeting.lead_name}
        </Link>
        <ValueBadge kind="meeting_status" value={meeting.status} tones={tones} />
      </div>
      <div className="faint small truncate">{meeting.title}</div>
      {meeting.notes === null ? null : <div className="soft small text">{meeting.notes}</div>}
    </div>
    {meeting.status === "cancelled" ? null : (
      <div className="row">
        <Actions meeting={meeting} />
      </div>
    )}
  </li>
)
