import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { errorText } from "../../calls/ErrorText.ts"
import { useTexts } from "../../i18n/Messages.tsx"
import { Badge } from "../../parts/Badge.tsx"
import { Button } from "../../parts/Button.tsx"
import { Dialog } from "../../parts/Dialog.tsx"
import { Answer, ErrorNote } from "../../parts/States.tsx"
import { showToast } from "../../parts/Toasts.ts"
import { type BulkAction, type BulkResult, runBulk } from "./BulkActions.ts"
import type { LeadRow } from "./LeadRow.ts"

const tones = { changes: "good", unchanged: "neutral", refused: "bad" } as const

const Preview = ({
  leads,
  results
}: {
  readonly leads: ReadonlyArray<LeadRow>
  readonly results: ReadonlyArray<BulkResult>
}) => {
  const texts = useTexts()
  const byId = new Map(results.map((result) => [result.leadId, result]))
  return (
    <ul className="preview">
      {leads.map((lead) => {
        const result = byId.get(lead.lead_id)
        return (
          <li key={lead.lead_id} className="row spread">
            <span className="truncate">
              {lead.name} <span className="faint">{lead.company}</span>
              {result?.error === undefined ? null : (
                <span className="faint small"> {errorText(texts, result.error)}</span>
              )}
            </span>
            {result === undefined ? null : (
              <Badge text={texts.t(`leads.bulk.outcome.${result.outcome}`)} tone={tones[result.outcome]} />
            )}
          </li>
        )
      })}
    </ul>
  )
}

/** Shows what an action would do to each lead, and does it. */
export const BulkDialog = ({
  action,
  campaigns,
  leads,
  onClose,
  onDone
}: {
  readonly action: BulkAction
  readonly leads: ReadonlyArray<LeadRow>
  readonly campaigns: ReadonlyArray<{ readonly campaign_id: number; readonly name: string }>
  readonly onClose: () => void
  readonly onDone: () => void
}) => {
  const { t } = useTexts()
  const client = useQueryClient()
  const [reason, setReason] = useState("")
  const [campaign, setCampaign] = useState(String(campaigns[0]?.campaign_id ?? ""))
  const [doneCount, setDoneCount] = useState(0)
  const ids = leads.map((lead) => lead.lead_id)
  const preview = useQuery({
    queryKey: ["bulk", action, ids, action === "move" ? campaign : ""],
    queryFn: async () => await runBulk(action, ids, { reason: t("leads.bulk.preview"), campaign }, true),
    staleTime: 0,
    gcTime: 0
  })
  const act = useMutation({
    mutationFn: async () => await runBulk(action, ids, { reason: reason.trim(), campaign }, false, setDoneCount),
    onSuccess: async (results) => {
      const count = results.filter(({ outcome }) => outcome === "changes").length
      showToast({ text: t("leads.bulk.done", { count }) })
      await client.invalidateQueries()
      onDone()
    }
  })
  const changes = preview.data?.filter(({ outcome }) => outcome === "changes").length ?? 0
  const needsReason = action === "pause"
  return (
    <Dialog isDrawer title={t(`leads.bulk.${action}.title`, { count: leads.length })} onClose={onClose}>
      <p className="soft">{t(`leads.bulk.${action}.text`)}</p>
      {needsReason ? (
        <div className="field">
          <label htmlFor="bulk-reason">{t("leads.bulk.reason")}</label>
          <input
            id="bulk-reason"
            className="input"
            value={reason}
            onChange={(event) => setReason(event.target.value)}
          />
        </div>
      ) : null}
      {action === "move" ? (
        <div className="field">
          <label htmlFor="bulk-campaign">{t("leads.column.campaign")}</label>
          <select
            id="bulk-campaign"
            className="input"
            value={campaign}
            onChange={(event) => setCampaign(event.target.value)}
          >
            {campaigns.map(({ campaign_id, name }) => (
              <option key={campaign_id} value={String(campaign_id)}>
                {name}
              </option>
            ))}
          </select>
        </div>
      ) : null}
      <h3>{t("leads.bulk.previewTitle")}</h3>
      <Answer of={preview} lines={6}>
        {(results) => <Preview leads={leads} results={results} />}
      </Answer>
      {act.error === null ? null : <ErrorNote error={act.error} />}
      <div className="dialog-actions">
        <Button onClick={onClose}>{t("common.cancel")}</Button>
        <Button
          kind="primary"
          writes
          isBusy={act.isPending}
          disabled={changes === 0 || (needsReason && reason.trim() === "")}
          onClick={() => act.mutate()}
        >
          {act.isPending
            ? t("leads.bulk.progress", { done: doneCount, total: ids.length })
            : preview.data === undefined
              ? t("common.loading")
              : t("leads.bulk.act", { count: changes })}
        </Button>
      </div>
    </Dialog>
  )
}
