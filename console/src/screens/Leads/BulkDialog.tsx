import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { useRef, useState } from "react"
import { callTool } from "../../calls/Call.ts"
import { type LeadQuery, type LeadRow, readLeads } from "../../calls/LeadPages.ts"
import { useTexts } from "../../i18n/Messages.tsx"
import { Button } from "../../parts/Button.tsx"
import { Dialog } from "../../parts/Dialog.tsx"
import { ErrorNote } from "../../parts/States.tsx"
import { showToast } from "../../parts/Toasts.ts"
import { type BulkAction, type BulkResult, countOutcomes, mostBulkLeads, runBulk } from "./BulkActions.ts"
import { BulkPreview } from "./BulkPreview.tsx"

/** Leads that a person chose, or all that a filter finds. */
export type BulkTarget =
  | { readonly leads: ReadonlyArray<LeadRow> }
  | { readonly query: LeadQuery; readonly total: number }

interface Campaign {
  readonly campaign_id: number
  readonly name: string
}

const Progress = ({ done, text, total }: { readonly done: number; readonly total: number; readonly text: string }) => (
  <div className="stack" role="status">
    <span className="small soft">{text}</span>
    <progress className="bulk-progress" value={done} max={Math.max(total, 1)} aria-label={text} />
  </div>
)

/** The leads of a target. Those of a filter are read in pages, before anything changes what it finds. */
const useTargetLeads = (target: BulkTarget) => {
  const [readCount, setReadCount] = useState(0)
  const query = useQuery({
    queryKey: ["bulk leads", target],
    queryFn: async ({ signal }) => {
      if ("leads" in target) return { leads: target.leads, total: target.leads.length, isWhole: true }
      return await readLeads({
        readPage: async (page, page_size) =>
          await callTool("search_leads", { ...target.query, page, page_size }, { signal }),
        mostLeads: mostBulkLeads,
        onProgress: setReadCount
      })
    },
    staleTime: Infinity,
    gcTime: 0
  })
  return { query, readCount }
}

/** Tries the action on each lead, without consequences. */
const usePreview = (
  action: BulkAction,
  leads: ReadonlyArray<LeadRow> | undefined,
  campaign: string,
  isEnabled: boolean
) => {
  const { t } = useTexts()
  const [checkedCount, setCheckedCount] = useState(0)
  const ids = leads?.map(({ lead_id }) => lead_id) ?? []
  const query = useQuery({
    queryKey: ["bulk", action, ids, action === "move" ? campaign : ""],
    queryFn: async ({ signal }) => {
      setCheckedCount(0)
      const input = { reason: t("leads.bulk.preview"), campaign }
      return await runBulk(action, ids, input, { isDryRun: true, signal, onProgress: setCheckedCount })
    },
    enabled: isEnabled && leads !== undefined,
    staleTime: Infinity,
    gcTime: 0
  })
  return { query, checkedCount }
}

/** What the person has to say before the action. */
const Inputs = ({
  action,
  campaign,
  campaigns,
  reason,
  setCampaign,
  setReason
}: {
  readonly action: BulkAction
  readonly campaign: string
  readonly campaigns: ReadonlyArray<Campaign>
  readonly reason: string
  readonly setCampaign: (campaign: string) => void
  readonly setReason: (reason: string) => void
}) => {
  const { t } = useTexts()
  if (action === "pause") {
    return (
      <div className="field">
        <label htmlFor="bulk-reason">{t("leads.bulk.reason")}</label>
        <input id="bulk-reason" className="input" value={reason} onChange={(event) => setReason(event.target.value)} />
      </div>
    )
  }
  if (action !== "move") return null
  return (
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
  )
}

/** Does the action, in one or more runs. Those that failed or were not reached can be tried again. */
const useAct = (action: BulkAction, input: { readonly reason: string; readonly campaign: string }) => {
  const client = useQueryClient()
  const [results, setResults] = useState<ReadonlyMap<number, BulkResult>>()
  const [progress, setProgress] = useState({ done: 0, total: 0 })
  const stopping = useRef<AbortController>(undefined)
  const mutation = useMutation({
    mutationFn: async (leadIds: ReadonlyArray<number>) => {
      const controller = new AbortController()
      stopping.current = controller
      setProgress({ done: 0, total: leadIds.length })
      const onProgress = (done: number) => setProgress({ done, total: leadIds.length })
      const { signal } = controller
      const found = await runBulk(action, leadIds, input, { isDryRun: false, signal, onProgress })
      const all = new Map([...(results ?? []), ...found.map((result) => [result.leadId, result] as const)])
      setResults(all)
      await client.invalidateQueries()
      return [...all.values()]
    }
  })
  return {
    mutation,
    progress,
    results: results === undefined ? undefined : [...results.values()],
    stop: () => stopping.current?.abort()
  }
}

/** Shows what an action would do to each lead, does it, and says what did not work. */
export const BulkDialog = ({
  action,
  campaigns,
  onClose,
  onDone,
  target
}: {
  readonly action: BulkAction
  readonly target: BulkTarget
  readonly campaigns: ReadonlyArray<Campaign>
  readonly onClose: () => void
  readonly onDone: () => void
}) => {
  const { t } = useTexts()
  const [reason, setReason] = useState("")
  const [campaign, setCampaign] = useState(String(campaigns[0]?.campaign_id ?? ""))
  const act = useAct(action, { reason: reason.trim(), campaign })
  const isActing = act.mutation.isPending
  const chosen = useTargetLeads(target)
  const leads = chosen.query.data?.leads
  const preview = usePreview(action, leads, campaign, act.results === undefined && !isActing)
  const size = "leads" in target ? target.leads.length : Math.min(target.total, mostBulkLeads)
  const changing = preview.query.data?.filter(({ outcome }) => outcome === "changes").map(({ leadId }) => leadId) ?? []
  const unfinished =
    act.results?.filter(({ outcome }) => outcome === "refused" || outcome === "skipped").map(({ leadId }) => leadId) ??
    []
  const run = (leadIds: ReadonlyArray<number>) =>
    act.mutation.mutate(leadIds, {
      onSuccess: (results) => {
        const { changes, refused, skipped } = countOutcomes(results)
        if (refused + skipped > 0) return
        showToast({ text: t("leads.bulk.done", { count: changes }) })
        onDone()
      }
    })
  const close = () => {
    // What is on its way is finished, and then reported.
    if (isActing) act.stop()
    else if (act.results === undefined) onClose()
    else onDone()
  }
  const error = chosen.query.error ?? preview.query.error ?? act.mutation.error
  const isPart = chosen.query.data?.isWhole === false
  return (
    <Dialog isDrawer title={t(`leads.bulk.${action}.title`, { count: size })} onClose={close}>
      <p className="soft">{t(`leads.bulk.${action}.text`)}</p>
      {isPart ? (
        <p className="small soft">
          {t("leads.bulk.part", { count: mostBulkLeads, total: chosen.query.data?.total ?? 0 })}
        </p>
      ) : null}
      {act.results === undefined && !isActing ? (
        <Inputs {...{ action, campaign, campaigns, reason, setCampaign, setReason }} />
      ) : null}
      {isActing ? (
        <Progress {...act.progress} text={t("leads.bulk.progress", act.progress)} />
      ) : act.results !== undefined ? (
        <>
          <h3>{t("leads.bulk.report")}</h3>
          <BulkPreview isDone leads={leads ?? []} results={act.results} />
        </>
      ) : (
        <>
          <h3>{t("leads.bulk.previewTitle")}</h3>
          {preview.query.data !== undefined ? (
            <BulkPreview leads={leads ?? []} results={preview.query.data} />
          ) : error === null ? (
            <Progress
              done={leads === undefined ? chosen.readCount : preview.checkedCount}
              total={size}
              text={t(leads === undefined ? "leads.bulk.reading" : "leads.bulk.checking", {
                done: leads === undefined ? chosen.readCount : preview.checkedCount,
                total: size
              })}
            />
          ) : null}
        </>
      )}
      {error === null ? null : <ErrorNote error={error} />}
      <div className="dialog-actions">
        {isActing ? (
          <Button onClick={act.stop}>{t("leads.bulk.stop")}</Button>
        ) : act.results === undefined ? (
          <>
            <Button onClick={onClose}>{t("common.cancel")}</Button>
            <Button
              kind="primary"
              writes
              disabled={changing.length === 0 || (action === "pause" && reason.trim() === "")}
              onClick={() => run(changing)}
            >
              {preview.query.data === undefined ? t("common.loading") : t("leads.bulk.act", { count: changing.length })}
            </Button>
          </>
        ) : (
          <>
            <Button onClick={onDone}>{t("common.close")}</Button>
            <Button kind="primary" writes disabled={unfinished.length === 0} onClick={() => run(unfinished)}>
              {t("leads.bulk.again", { count: unfinished.length })}
            </Button>
          </>
        )}
      </div>
    </Dialog>
  )
}
