import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { useRef, useState } from "react"
import { callTool } from "../../calls/Call.ts"
import { type LeadQuery, type LeadRow, readLeads } from "../../calls/LeadPages.ts"
import { useTexts } from "../../i18n/Messages.tsx"
import { Button } from "../../parts/Button.tsx"
import { Dialog } from "../../parts/dialogs/Dialog.tsx"
import { showToast } from "../../parts/dialogs/Toasts.ts"
import { ErrorNote } from "../../parts/States.tsx"
import { type BulkAction, type BulkResult, countOutcomes, mostBulkLeads, runBulk } from "./BulkActions.ts"
import { BulkPreview } from "./BulkPreview.tsx"

/** The leads that a person selected, or all that a filter finds. */
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

/** Returns the leads of a target. Those of a filter are read before the action changes which leads it finds. */
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

/** The input that the person must give before the action. */
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
      const latest = await runBulk(action, leadIds, input, { isDryRun: false, signal, onProgress })
      const all = new Map([...(results ?? []), ...latest.map((result) => [result.leadId, result] as const)])
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

/** The progress of reading the leads, or of trying the action on them. */
const ReadingProgress = ({
  checkedCount,
  isRead,
  readCount,
  total
}: {
  readonly checkedCount: number
  readonly isRead: boolean
  readonly readCount: number
  readonly total: number
}) => {
  const { t } = useTexts()
  const done = isRead ? checkedCount : readCount
  const text = t(isRead ? "leads.bulk.checking" : "leads.bulk.reading", { done, total })
  return <Progress done={done} total={total} text={text} />
}

/** The outcome of the action for each lead, or the expected one. */
const Outcomes = ({
  isDone,
  leads,
  results
}: {
  readonly isDone: boolean
  readonly leads: ReadonlyArray<LeadRow>
  readonly results: ReadonlyArray<BulkResult>
}) => {
  const { t } = useTexts()
  return (
    <>
      <h3>{t(isDone ? "leads.bulk.report" : "leads.bulk.previewTitle")}</h3>
      <BulkPreview isDone={isDone} leads={leads} results={results} />
    </>
  )
}

/** A button that only closes, and one that runs the action on the shown number of leads. */
const Choice = ({
  again,
  close,
  label,
  text
}: {
  readonly label: string
  readonly close: () => void
  readonly text: string
  readonly again: (() => void) | undefined
}) => (
  <>
    <Button onClick={close}>{label}</Button>
    <Button kind="primary" writes disabled={again === undefined} onClick={again}>
      {text}
    </Button>
  </>
)

const idsOf = (
  results: ReadonlyArray<BulkResult> | undefined,
  outcomes: ReadonlyArray<BulkResult["outcome"]>
): ReadonlyArray<number> =>
  results?.flatMap(({ leadId, outcome }) => (outcomes.includes(outcome) ? [leadId] : [])) ?? []

interface BulkProps {
  readonly action: BulkAction
  readonly target: BulkTarget
  readonly campaigns: ReadonlyArray<Campaign>
  readonly onClose: () => void
  readonly onDone: () => void
}

/** Reads the leads, tries the action on each, and does it when the person says so. */
const useBulk = ({ action, campaigns, onClose, onDone, target }: BulkProps) => {
  const { t } = useTexts()
  const [reason, setReason] = useState("")
  const [campaign, setCampaign] = useState(String(campaigns[0]?.campaign_id ?? ""))
  const act = useAct(action, { reason: reason.trim(), campaign })
  const isActing = act.mutation.isPending
  const targetLeads = useTargetLeads(target)
  const leads = targetLeads.query.data?.leads
  const preview = usePreview(action, leads, campaign, act.results === undefined && !isActing)
  return {
    act,
    inputs: { action, campaign, campaigns, reason, setCampaign, setReason },
    leads,
    preview,
    stage: isActing ? "acting" : act.results === undefined ? "preview" : "report",
    targetLeads,
    run: (leadIds: ReadonlyArray<number>) =>
      act.mutation.mutate(leadIds, {
        onSuccess: (results) => {
          const { changes, refused, skipped } = countOutcomes(results)
          if (refused + skipped > 0) return
          showToast({ text: t("leads.bulk.done", { count: changes }) })
          onDone()
        }
      }),
    /** Calls that are running are finished, and then reported. */
    close: () => {
      if (isActing) act.stop()
      else if (act.results === undefined) onClose()
      else onDone()
    }
  } as const
}

const Buttons = ({ bulk, props }: { readonly bulk: ReturnType<typeof useBulk>; readonly props: BulkProps }) => {
  const { t } = useTexts()
  const { act, inputs, preview, run, stage } = bulk
  if (stage === "acting") return <Button onClick={act.stop}>{t("leads.bulk.stop")}</Button>
  if (stage === "report") {
    const unfinished = idsOf(act.results, ["refused", "skipped"])
    return (
      <Choice
        label={t("common.close")}
        close={props.onDone}
        text={t("leads.bulk.again", { count: unfinished.length })}
        again={unfinished.length === 0 ? undefined : () => run(unfinished)}
      />
    )
  }
  const changing = idsOf(preview.query.data, ["changes"])
  const isReady = changing.length > 0 && (props.action !== "pause" || inputs.reason.trim() !== "")
  return (
    <Choice
      label={t("common.cancel")}
      close={props.onClose}
      text={preview.query.data === undefined ? t("common.loading") : t("leads.bulk.act", { count: changing.length })}
      again={isReady ? () => run(changing) : undefined}
    />
  )
}

const Body = ({ bulk, size }: { readonly bulk: ReturnType<typeof useBulk>; readonly size: number }) => {
  const { t } = useTexts()
  const { act, inputs, leads, preview, stage, targetLeads } = bulk
  if (stage === "acting") return <Progress {...act.progress} text={t("leads.bulk.progress", act.progress)} />
  if (stage === "report") return <Outcomes isDone leads={leads ?? []} results={act.results ?? []} />
  const hasFailed = targetLeads.query.error !== null || preview.query.error !== null
  return (
    <>
      <Inputs {...inputs} />
      {preview.query.data !== undefined ? (
        <Outcomes isDone={false} leads={leads ?? []} results={preview.query.data} />
      ) : hasFailed ? null : (
        <ReadingProgress
          checkedCount={preview.checkedCount}
          isRead={leads !== undefined}
          readCount={targetLeads.readCount}
          total={size}
        />
      )}
    </>
  )
}

/** The dialog shows what an action would do to each lead, runs it, and reports failures. */
export const BulkDialog = (props: BulkProps) => {
  const { t } = useTexts()
  const { action, target } = props
  const bulk = useBulk(props)
  const { data } = bulk.targetLeads.query
  const error = bulk.targetLeads.query.error ?? bulk.preview.query.error ?? bulk.act.mutation.error
  const size = "leads" in target ? target.leads.length : Math.min(target.total, mostBulkLeads)
  return (
    <Dialog isDrawer title={t(`leads.bulk.${action}.title`, { count: size })} onClose={bulk.close}>
      <p className="soft">{t(`leads.bulk.${action}.text`)}</p>
      {data?.isWhole === false ? (
        <p className="small soft">{t("leads.bulk.part", { count: mostBulkLeads, total: data.total })}</p>
      ) : null}
      <Body bulk={bulk} size={size} />
      {error === null ? null : <ErrorNote error={error} />}
      <div className="dialog-actions">
        <Buttons bulk={bulk} props={props} />
      </div>
    </Dialog>
  )
}
