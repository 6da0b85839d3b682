import { useInfiniteQuery, useMutation } from "@tanstack/react-query"
import { useState } from "react"
import { callTool } from "../../calls/Call.ts"
import { errorText } from "../../calls/ErrorText.ts"
import { filePathOf } from "../../calls/Files.ts"
import { useAction } from "../../calls/Queries.ts"
import type { AnswerOf } from "../../calls/Tools.ts"
import { useTexts } from "../../i18n/Messages.tsx"
import { Badge } from "../../parts/Badge.tsx"
import { Button } from "../../parts/Button.tsx"
import { Card } from "../../parts/Card.tsx"
import { showToast } from "../../parts/dialogs/Toasts.ts"
import { FurtherPages } from "../../parts/FurtherPages.tsx"
import { Answer, Empty } from "../../parts/States.tsx"
import { Time } from "../../parts/Time.tsx"

type Entry = AnswerOf<"list_audit_entries">["entries"][number]

const valueOf = (value: unknown): string => (typeof value === "string" ? value : (JSON.stringify(value) ?? "—"))

const useEntries = (isOnlyChanges: boolean) =>
  useInfiniteQuery({
    queryKey: ["list_audit_entries", "list", isOnlyChanges],
    queryFn: async ({ pageParam, signal }) =>
      await callTool(
        "list_audit_entries",
        { limit: 50, only_changes: isOnlyChanges, ...(pageParam === "" ? {} : { cursor: pageParam }) },
        { signal }
      ),
    initialPageParam: "",
    getNextPageParam: (last) => last.next_cursor ?? undefined,
    placeholderData: (previous) => previous
  })

const EntryLine = ({ entry }: { readonly entry: Entry }) => {
  const { t } = useTexts()
  const isDone = entry.outcome === "Success"
  return (
    <li className="line">
      <div className="grow">
        <div className="row wrap">
          <span className="line-name code">{entry.tool}</span>
          <Badge
            text={isDone ? t("settings.audit.done") : (entry.reason ?? entry.outcome)}
            tone={isDone ? "good" : "warn"}
          />
        </div>
        {entry.changes.map(({ after, before, setting }) => (
          <div key={setting} className="small soft line-detail">
            <span className="code">{setting}</span>: {valueOf(before)} → {valueOf(after)}
          </div>
        ))}
        <div className="small faint truncate">
          {t("settings.audit.token", { id: entry.token_id ?? "—" })} · {entry.argument_names.join(", ")}
        </div>
      </div>
      <span className="faint small line-end">
        <Time at={entry.at} />
      </span>
    </li>
  )
}

/** Checks the whole log, as many calls as that takes. */
const useCheck = () => {
  const texts = useTexts()
  const { t } = texts
  return useMutation({
    mutationFn: async () => {
      let checked = 0
      let after: number | null = null
      do {
        const answer: AnswerOf<"verify_audit_log"> = await callTool(
          "verify_audit_log",
          after === null ? {} : { after_position: after }
        )
        checked += answer.checked_entries
        if (!answer.is_intact) return { isIntact: false, checked }
        after = answer.next_position
      } while (after !== null)
      return { isIntact: true, checked }
    },
    onSuccess: ({ checked, isIntact }) =>
      showToast({
        text: t(isIntact ? "settings.audit.intact" : "settings.audit.broken", { count: checked }),
        isError: !isIntact
      }),
    onError: (error) => showToast({ text: errorText(texts, error), isError: true, error })
  })
}

/** The audit log of the last 90 days: writes, and who made them. */
export const Audit = () => {
  const { t } = useTexts()
  const [isOnlyChanges, setIsOnlyChanges] = useState(false)
  const entries = useEntries(isOnlyChanges)
  const check = useCheck()
  const [file, setFile] = useState<AnswerOf<"export_audit_log">>()
  const exportLog = useAction("export_audit_log", { onDone: setFile })
  const list = entries.data?.pages.flatMap((page) => page.entries) ?? []
  return (
    <div className="stack">
      <div className="row wrap">
        <button
          type="button"
          className="chip"
          aria-pressed={isOnlyChanges}
          onClick={() => setIsOnlyChanges(!isOnlyChanges)}
        >
          {t("settings.audit.onlyChanges")}
        </button>
        <span className="grow" />
        <Button icon="check" isBusy={check.isPending} onClick={() => check.mutate()}>
          {t("settings.audit.verify")}
        </Button>
        <Button icon="download" writes isBusy={exportLog.isRunning} onClick={() => exportLog.run({})}>
          {t("settings.audit.export")}
        </Button>
        {file === undefined ? null : (
          <a href={filePathOf(file.download_url)} download>
            {file.file_name}
          </a>
        )}
      </div>
      <Card title={t("settings.audit")} isFlush>
        <Answer of={entries} lines={8}>
          {() =>
            list.length === 0 ? (
              <Empty icon="book" title={t("settings.audit.empty")} />
            ) : (
              <>
                <ul className="lines">
                  {list.map((entry) => (
                    <EntryLine key={`${entry.at} ${entry.request_id} ${entry.tool}`} entry={entry} />
                  ))}
                </ul>
                <FurtherPages query={entries} text={t("common.older")} />
              </>
            )
          }
        </Answer>
      </Card>
    </div>
  )
}
