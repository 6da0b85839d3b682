import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useMemo, useState } from "react"
import { send } from "../../../calls/Call.ts"
import { CallError } from "../../../calls/CallError.ts"
import { useSession } from "../../../calls/Session.ts"
import type { ToolDocument } from "../../../form/Catalog.ts"
import { argumentsOf, type Draft, type Field, fieldsOf } from "../../../form/Schema.ts"
import { numberText } from "../../../i18n/Formats.ts"
import { useTexts } from "../../../i18n/Messages.tsx"
import { Badge, type Tone, ValueBadge } from "../../../parts/Badge.tsx"
import { Card } from "../../../parts/Card.tsx"
import { Code } from "../../../parts/Code.tsx"
import { CopyButton } from "../../../parts/CopyButton.tsx"
import { confirmDestructive } from "../../../parts/dialogs/Confirm.ts"
import { Empty, ErrorNote, Skeleton } from "../../../parts/States.tsx"
import { CallSample } from "./CallSample.tsx"
import { SchemaOutline } from "./SchemaOutline.tsx"
import { ToolFields } from "./ToolFields.tsx"

const kindTones: Readonly<Record<string, Tone>> = { read: "good", write: "accent", destructive: "bad" }

type Initial = Readonly<Record<string, string | number | boolean>>

const draftOf = (fields: ReadonlyArray<Field>, initial: Initial): Draft =>
  Object.fromEntries(fields.map(({ defaultValue, name }) => [name, String(initial[name] ?? defaultValue)]))

type Arguments = Readonly<Record<string, unknown>>

/** The arguments of the call. Optional ones with their default are left out, as a program would. */
const argumentsFor = (fields: ReadonlyArray<Field>, draft: Draft, zone: string): Arguments => {
  const defaults = new Map(fields.filter(({ isRequired }) => !isRequired).map((one) => [one.name, one.defaultValue]))
  return Object.fromEntries(
    Object.entries(argumentsOf(fields, draft, zone)).filter(([name, value]) => defaults.get(name) !== String(value))
  )
}

interface Result {
  readonly text: string
  readonly millis: number
  readonly isDryRun: boolean
  readonly requestId: string
}

/** Calls a tool as its document says, and measures how long the answer took. */
const useCall = (tool: ToolDocument, args: Arguments) => {
  const { t } = useTexts()
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (isDryRun: boolean): Promise<Result | undefined> => {
      const question = {
        title: t("developers.tools.confirm", { tool: tool.name }),
        body: tool.description,
        action: t("developers.tools.call")
      }
      const isConfirmed = tool.kind === "destructive" && !isDryRun
      const confirmation = isConfirmed ? await confirmDestructive({ tool: tool.name, args, ...question }) : undefined
      if (isConfirmed && confirmation === undefined) return undefined
      let requestId = ""
      const began = performance.now()
      const answer = await send<unknown>("POST", `/console/api${tool.routes.post}`, args, {
        isDryRun,
        ...(tool.kind === "read" ? {} : { idempotencyKey: crypto.randomUUID() }),
        ...(confirmation === undefined ? {} : { confirmation }),
        onRequestId: (id) => {
          requestId = id
        }
      })
      return { text: JSON.stringify(answer, null, 2), millis: performance.now() - began, isDryRun, requestId }
    },
    onSuccess: async (result) => {
      if (result !== undefined && tool.kind !== "read" && !result.isDryRun) await client.invalidateQueries()
    }
  })
}

const AnswerBox = ({ call }: { readonly call: ReturnType<typeof useCall> }) => {
  const { locale, t } = useTexts()
  if (call.isPending) return <Skeleton lines={6} />
  if (call.error !== null) {
    const fields = call.error instanceof CallError ? call.error.details.fields : {}
    return (
      <div className="stack">
        <ErrorNote error={call.error} />
        {Object.keys(fields).length === 0 ? null : (
          <Code isJson label={t("developers.tools.answer")} text={JSON.stringify(fields, null, 2)} />
        )}
      </div>
    )
  }
  if (call.data === undefined) {
    return <Empty icon="play" title={t("developers.tools.notCalled")} text={t("developers.tools.notCalled.text")} />
  }
  const { isDryRun, millis, requestId, text } = call.data
  return (
    <div className="stack">
      <div className="row wrap small faint" role="status">
        <Badge text={t("developers.tools.ok")} tone="good" />
        {isDryRun ? <Badge text={t("developers.tools.undone")} tone="warn" /> : null}
        <span className="num">{t("developers.tools.millis", { millis: numberText(Math.round(millis), locale) })}</span>
        <span className="grow truncate code">{requestId}</span>
        <CopyButton text={text} name={t("developers.tools.answer")} />
      </div>
      <Code isJson label={t("developers.tools.answer")} text={text} />
    </div>
  )
}

const Reasons = ({ tool }: { readonly tool: ToolDocument }) => {
  const { t } = useTexts()
  const types = Object.entries(tool.reasons)
  if (types.length === 0) return null
  return (
    <details className="reasons">
      <summary>{t("developers.tools.errors")}</summary>
      <dl className="facts">
        {types.map(([type, reasons]) => (
          <div key={type} className="reason-row">
            <dt className="code">{type}</dt>
            <dd className="code">{reasons.join(", ")}</dd>
          </div>
        ))}
      </dl>
    </details>
  )
}

/** One tool: its form, the same call for programs, and the answer next to its schema. */
export const ToolPanel = ({ initial, tool }: { readonly tool: ToolDocument; readonly initial: Initial }) => {
  const { t } = useTexts()
  const zone = useSession()?.account.time_zone ?? "UTC"
  const fields = useMemo(() => fieldsOf(tool.parameters), [tool])
  const [draft, setDraft] = useState<Draft>(() => draftOf(fields, initial))
  const args = argumentsFor(fields, draft, zone)
  const call = useCall(tool, args)
  return (
    <div className="stack-lg">
      <header className="stack">
        <div className="row wrap">
          <h2 className="tool-title code">{tool.name}</h2>
          <ValueBadge kind="tool_kind" value={tool.kind} tones={kindTones} />
          {tool.requires_paid_plan ? <Badge text={t("developers.tools.paid")} /> : null}
          {tool.runs_in_background ? <Badge text={t("developers.tools.background")} tone="cool" /> : null}
        </div>
        <p className="soft tool-text" lang="en">
          {tool.description}
        </p>
      </header>
      <div className="tool-call">
        <Card title={t("developers.tools.parameters")}>
          <ToolFields
            tool={tool}
            fields={fields}
            draft={draft}
            error={call.error}
            isBusy={call.isPending}
            set={(name, value) => setDraft((before) => ({ ...before, [name]: value }))}
            run={(isDryRun) => call.mutate(isDryRun)}
          />
        </Card>
        <CallSample tool={tool} args={args} />
      </div>
      <div className="tool-answer">
        <Card title={t("developers.tools.answer")}>
          <AnswerBox call={call} />
        </Card>
        <Card title={t("developers.tools.schema")} isFlush>
          <SchemaOutline schema={tool.output_schema} />
          <Reasons tool={tool} />
        </Card>
      </div>
    </div>
  )
}
