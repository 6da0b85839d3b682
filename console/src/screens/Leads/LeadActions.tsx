import { useNavigate } from "@tanstack/react-router"
import { callTool } from "../../calls/Call.ts"
import { useAction } from "../../calls/Queries.ts"
import { type DialogForm, useFormDialog } from "../../form/useFormDialog.tsx"
import { useTexts } from "../../i18n/Messages.tsx"
import { Button, IconButton } from "../../parts/Button.tsx"
import { Menu } from "../../parts/dialogs/Menu.tsx"
import type { Lead } from "./NextStep.tsx"

/** The forms of a lead, by the menu's item. */
const useForms = (
  lead: Lead
): Readonly<Record<"pause" | "edit" | "outcome" | "return" | "recover" | "date", DialogForm>> => {
  const { t } = useTexts()
  const fixed = { lead_id: lead.lead_id }
  return {
    pause: { tool: "pause_lead_prospecting", fixed, submitLabel: t("leads.pause"), doneText: t("leads.pause.done") },
    edit: {
      tool: "update_lead",
      fixed,
      present: { ...lead },
      submitLabel: t("leads.edit"),
      doneText: t("common.saved")
    },
    outcome: { tool: "register_lead_outcome", fixed, submitLabel: t("leads.outcome"), doneText: t("common.saved") },
    return: {
      tool: "return_lead_to_pipeline",
      fixed,
      submitLabel: t("leads.return"),
      doneText: t("leads.return.done")
    },
    recover: {
      tool: "recover_lead_to_pipeline",
      fixed,
      submitLabel: t("leads.recover"),
      doneText: t("leads.return.done")
    },
    date: {
      tool: "reschedule_lead_touch",
      fixed: { lead_ids: String(lead.lead_id) },
      fields: ["next_touch_date", "preferred_channel"],
      submitLabel: t("leads.date"),
      doneText: t("common.saved")
    }
  }
}

export const LeadActions = ({ lead, write }: { readonly lead: Lead; readonly write: () => void }) => {
  const { t } = useTexts()
  const navigate = useNavigate()
  const forms = useForms(lead)
  const [dialog, open] = useFormDialog()
  const args = { lead_id: lead.lead_id }
  const resume = useAction("resume_lead_prospecting", { done: () => t("leads.resume.done") })
  const takeOver = useAction("take_over_lead", {
    done: () => t("leads.takeOver.done"),
    undo: async () => await callTool("recover_lead_to_pipeline", args, { idempotencyKey: crypto.randomUUID() })
  })
  const stop = useAction("stop_lead", {
    confirm: () => ({
      title: t("leads.stop.title", { name: lead.name }),
      body: t("leads.stop.text"),
      action: t("leads.stop")
    }),
    done: () => t("leads.stop.done"),
    undo: async () => await callTool("recover_lead_to_pipeline", args, { idempotencyKey: crypto.randomUUID() })
  })
  const erase = useAction("delete_lead", {
    confirm: () => ({
      title: t("leads.delete.title", { name: lead.name }),
      body: t("leads.delete.text"),
      action: t("leads.delete")
    }),
    done: () => t("leads.delete.done"),
    onDone: () => void navigate({ to: "/leads" })
  })
  const state = lead.pipeline_state
  return (
    <>
      <Button icon="send" kind="primary" writes disabled={lead.email === null} onClick={write}>
        {t("leads.write")}
      </Button>
      {state === "user_controlled" || state === "finished" ? (
        <Button icon="undo" writes disabled={lead.unsubscribed_at !== null} onClick={() => open(forms.recover)}>
          {t("leads.recover")}
        </Button>
      ) : state === "pending_review" ? (
        <Button icon="undo" writes onClick={() => open(forms.return)}>
          {t("leads.return")}
        </Button>
      ) : (
        <Button icon="hand" writes isBusy={takeOver.isRunning} onClick={() => takeOver.run(args)}>
          {t("leads.takeOver")}
        </Button>
      )}
      <Menu trigger={<IconButton icon="more" label={t("common.more")} kind="plain" />}>
        {({ Item, Line }) => (
          <>
            {lead.is_paused ? (
              <Item icon="play" writes text={t("leads.resume")} onSelect={() => resume.run(args)} />
            ) : (
              <Item icon="pause" writes text={t("leads.pause")} onSelect={() => open(forms.pause)} />
            )}
            <Item icon="clock" writes text={t("leads.date")} onSelect={() => open(forms.date)} />
            <Item icon="edit" writes text={t("leads.edit")} onSelect={() => open(forms.edit)} />
            <Item icon="star" writes text={t("leads.outcome")} onSelect={() => open(forms.outcome)} />
            <Line />
            <Item icon="stop" writes isDangerous text={t("leads.stop")} onSelect={() => stop.run(args)} />
            <Item icon="trash" writes isDangerous text={t("leads.delete")} onSelect={() => erase.run(args)} />
          </>
        )}
      </Menu>
      {dialog}
    </>
  )
}
