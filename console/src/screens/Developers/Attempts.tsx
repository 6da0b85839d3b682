import { useInfiniteQuery } from "@tanstack/react-query"
import { Link, useSearch } from "@tanstack/react-router"
import { callTool } from "../../calls/Call.ts"
import { useAction } from "../../calls/Queries.ts"
import type { AnswerOf } from "../../calls/Tools.ts"
import { numberText } from "../../i18n/Formats.ts"
import { useTexts } from "../../i18n/Messages.tsx"
import { Badge } from "../../parts/Badge.tsx"
import { IconButton } from "../../parts/Button.tsx"
import { Card } from "../../parts/Card.tsx"
import { FurtherPages } from "../../parts/FurtherPages.tsx"
import { Answer, Empty } from "../../parts/States.tsx"
import { Time } from "../../parts/Time.tsx"
import type { DevelopersSearch } from "./DevelopersSearch.ts"
import { toneOfStatus } from "./toneOfStatus.ts"

type Attempt = AnswerOf<"list_webhook_attempts">["attempts"][number]

const useAttempts = ({ failed, subscription }: DevelopersSearch) => {
  const args = {
    limit: 50,
    ...(subscription === undefined ? {} : { subscription_id: subscription }),
    ...(failed === true ? { only_failed: true } : {})
  }
  return useInfiniteQuery({
    queryKey: ["list_webhook_attempts", "list", args],
    queryFn: async ({ pageParam, signal }) =>
      await callTool(
        "list_webhook_attempts",
        { ...args, ...(pageParam === "" ? {} : { cursor: pageParam }) },
        { signal }
      ),
    initialPageParam: "",
    getNextPageParam: (last) => last.next_cursor ?? undefined,
    placeholderData: (previous) => previous
  })
}

const AttemptLine = ({ attempt, url }: { readonly attempt: Attempt; readonly url: string | undefined }) => {
  const { locale, t, valueText } = useTexts()
  const again = useAction("redeliver_webhook", { done: () => t("developers.attempts.again.done") })
  const { failure_reason, response_excerpt, response_status } = attempt
  const type = valueText("event_type", attempt.event_type)
  return (
    <li className="line attempt">
      <span className="attempt-status">
        <Badge
          text={response_status === null ? t("developers.attempts.noAnswer") : String(response_status)}
          tone={failure_reason === null ? toneOfStatus(response_status) : "bad"}
        />
      </span>
      <div className="grow">
        <div className="row wrap">
          <span className="line-name">{type}</span>
          {attempt.is_replay ? <Badge text={t("developers.attempts.replay")} tone="cool" /> : null}
          {attempt.attempt_number === 1 ? null : (
            <span className="faint small">{t("developers.attempts.number", { number: attempt.attempt_number })}</span>
          )}
        </div>
        <div className="small faint truncate">{url ?? attempt.event_id}</div>
        {failure_reason === null ? null : (
          <div className="small line-detail">
            {valueText("webhook_failure", failure_reason)}
            {response_excerpt === null || response_excerpt === "" ? null : (
              <div className="code faint attempt-excerpt">{response_excerpt}</div>
            )}
          </div>
        )}
      </div>
      <span className="faint small line-end">
        <Time at={attempt.attempted_at} />
        <div className="num">{t("developers.tools.millis", { millis: numberText(attempt.duration_ms, locale) })}</div>
      </span>
      <IconButton
        icon="refresh"
        label={t("developers.attempts.again", { type })}
        writes
        isBusy={again.isRunning}
        onClick={() => again.run({ delivery_id: attempt.delivery_id })}
      />
    </li>
  )
}

/** Attempts to deliver events, newest first. */
export const Attempts = ({
  subscriptions
}: {
  readonly subscriptions: ReadonlyArray<{ readonly subscription_id: number; readonly url: string }>
}) => {
  const { t } = useTexts()
  const search = useSearch({ from: "/shell/developers/$section" })
  const attempts = useAttempts(search)
  const urls = new Map(subscriptions.map(({ subscription_id, url }) => [subscription_id, url]))
  const { failed, subscription } = search
  const only = subscription === undefined ? {} : { subscription }
  const list = attempts.data?.pages.flatMap((page) => page.attempts) ?? []
  return (
    <Card
      title={t("developers.attempts")}
      isFlush
      actions={
        <>
          {subscription === undefined ? null : (
            <Link
              className="chip"
              to="/developers/$section"
              params={{ section: "webhooks" }}
              search={failed === true ? { failed } : {}}
              resetScroll={false}
            >
              {t("developers.attempts.all")}
            </Link>
          )}
          <Link
            className="chip"
            to="/developers/$section"
            params={{ section: "webhooks" }}
            search={failed === true ? only : { ...only, failed: true }}
            aria-current={failed === true ? "true" : undefined}
            resetScroll={false}
          >
            {t("developers.requests.failed")}
          </Link>
          <IconButton icon="refresh" label={t("developers.requests.refresh")} onClick={() => void attempts.refetch()} />
        </>
      }
    >
      <Answer of={attempts} lines={6}>
        {() =>
          list.length === 0 ? (
            <Empty icon="send" title={t("developers.attempts.empty")} text={t("developers.attempts.empty.text")} />
          ) : (
            <>
              <ul className="lines">
                {list.map((attempt) => (
                  <AttemptLine
                    key={`${attempt.delivery_id} ${attempt.attempt_number} ${attempt.attempted_at}`}
                    attempt={attempt}
                    url={urls.get(attempt.subscription_id)}
                  />
                ))}
              </ul>
              <FurtherPages query={attempts} text={t("common.older")} />
            </>
          )
        }
      </Answer>
    </Card>
  )
}
