import { Link } from "@tanstack/react-router"
import { useTool } from "../../calls/Queries.ts"
import { numberText } from "../../i18n/Formats.ts"
import { useTexts } from "../../i18n/Messages.tsx"
import { Card } from "../../parts/Card.tsx"
import { Answer } from "../../parts/States.tsx"
import { Time } from "../../parts/Time.tsx"

const most = 6

/**
 * Failed requests in groups, the most frequent first. A group opens its requests. Nothing is shown if nothing failed.
 */
export const ErrorGroups = () => {
  const { locale, t } = useTexts()
  const groups = useTool("list_request_errors", { limit: most })
  if (groups.data?.errors.length === 0) return null
  return (
    <Card title={t("developers.errors")} isFlush>
      <Answer of={groups} lines={3}>
        {({ errors }) => (
          <ul className="error-groups">
            {errors.map(({ last_at, last_status, reason, requests, tool }) => (
              <li key={`${tool} ${reason}`}>
                <Link
                  className="error-group"
                  to="/developers/$section"
                  params={{ section: "requests" }}
                  search={{ failed: true, reason, ...(tool === null ? {} : { tool }) }}
                  resetScroll={false}
                >
                  <span className="error-count num" data-tone={last_status >= 500 ? "bad" : "warn"}>
                    {numberText(requests, locale, { notation: "compact" })}
                  </span>
                  <span className="grow">
                    <span className="truncate code error-reason">{reason}</span>
                    <span className="truncate small faint error-tool">
                      {tool ?? t("developers.errors.noTool")} · <Time at={last_at} />
                    </span>
                  </span>
                </Link>
              </li>
            ))}
          </ul>
        )}
      </Answer>
    </Card>
  )
}
