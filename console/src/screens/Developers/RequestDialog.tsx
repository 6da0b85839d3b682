import { Link } from "@tanstack/react-router"
import { useTool } from "../../calls/Queries.ts"
import type { AnswerOf } from "../../calls/Tools.ts"
import { numberText } from "../../i18n/Formats.ts"
import { useTexts } from "../../i18n/Messages.tsx"
import { Badge } from "../../parts/Badge.tsx"
import { CopyButton } from "../../parts/CopyButton.tsx"
import { Dialog } from "../../parts/dialogs/Dialog.tsx"
import { Icon } from "../../parts/Icon.tsx"
import { Answer } from "../../parts/States.tsx"
import { Time } from "../../parts/Time.tsx"
import { parseDevelopersSearch } from "./DevelopersSearch.ts"
import { toneOfStatus } from "./toneOfStatus.ts"

type Request = AnswerOf<"get_request">["requests"][number]

const Arguments = ({ request }: { readonly request: Request }) => {
  const { t } = useTexts()
  const values = new Map(Object.entries(request.argument_values))
  if (request.argument_names.length === 0) return <p className="faint small">{t("developers.request.noArguments")}</p>
  return (
    <dl className="facts">
      {request.argument_names.map((name) => (
        <div key={name} className="reason-row">
          <dt className="code">{name}</dt>
          <dd className="code">
            {values.has(name) ? (
              String(values.get(name))
            ) : (
              <span className="faint">{t("developers.request.hidden")}</span>
            )}
          </dd>
        </div>
      ))}
    </dl>
  )
}

const Facts = ({ request }: { readonly request: Request }) => {
  const { locale, t } = useTexts()
  const { args } = parseDevelopersSearch({ args: request.argument_values })
  return (
    <section className="stack">
      <div className="row wrap">
        <Badge text={String(request.status)} tone={toneOfStatus(request.status)} />
        <strong className="code">{request.tool ?? request.route}</strong>
      </div>
      <dl className="facts">
        <dt>{t("developers.requests.at")}</dt>
        <dd>
          <Time at={request.at} look="full" />
        </dd>
        <dt>{t("developers.request.route")}</dt>
        <dd className="code">{request.route}</dd>
        <dt>{t("developers.requests.time")}</dt>
        <dd className="num">{t("developers.tools.millis", { millis: numberText(request.milliseconds, locale) })}</dd>
        {request.reason === null ? null : (
          <>
            <dt>{t("developers.requests.reason")}</dt>
            <dd className="code">{request.reason}</dd>
          </>
        )}
        <dt>{t("developers.requests.token")}</dt>
        <dd>{request.token_id ?? "—"}</dd>
      </dl>
      <h3>{t("developers.requests.arguments")}</h3>
      <Arguments request={request} />
      {request.tool === null ? null : (
        <div className="row wrap">
          <Link
            className="button button-primary"
            to="/developers/$section"
            params={{ section: "tools" }}
            search={{ tool: request.tool, ...(args === undefined ? {} : { args }) }}
          >
            <Icon name="refresh" />
            {t("developers.request.again")}
          </Link>
          <span className="small faint">{t("developers.request.again.text")}</span>
        </div>
      )}
    </section>
  )
}

/** One request of the log, which may be called again in the explorer. */
export const RequestDialog = ({ close, requestId }: { readonly requestId: string; readonly close: () => void }) => {
  const { t } = useTexts()
  const request = useTool("get_request", { request_id: requestId })
  return (
    <Dialog isDrawer title={t("developers.request")} onClose={close}>
      <div className="row">
        <span className="code truncate grow small">{requestId}</span>
        <CopyButton text={requestId} name={t("common.requestId")} />
      </div>
      <Answer of={request} lines={8}>
        {({ requests }) => (
          <div className="stack-lg">
            {requests.map((one) => (
              <Facts key={one.at} request={one} />
            ))}
          </div>
        )}
      </Answer>
    </Dialog>
  )
}
