import type { ReactNode } from "react"
import { CallError } from "../calls/CallError.ts"
import { errorText } from "../calls/ErrorText.ts"
import { useTexts } from "../i18n/Messages.tsx"
import { Button } from "./Button.tsx"
import { Icon, type IconName } from "./Icon.tsx"

/** Shown in place of an empty list: why it is empty, and what to do. */
export const Empty = ({
  children,
  icon = "inbox",
  text,
  title
}: {
  readonly title: string
  readonly text?: string
  readonly icon?: IconName
  readonly children?: ReactNode
}) => (
  <div className="empty">
    <Icon name={icon} />
    <div className="empty-title">{title}</div>
    {text === undefined ? null : <p>{text}</p>}
    {children}
  </div>
)

/** Shows an error, with the request id under which it is in the gateway's log. */
export const ErrorNote = ({ error, retry }: { readonly error: unknown; readonly retry?: () => void }) => {
  const texts = useTexts()
  const details = error instanceof CallError ? error.details : undefined
  return (
    <div className="error" role="alert">
      <Icon name="alert" />
      <div className="stack grow">
        <div>
          <strong>{errorText(texts, error)}</strong>
          {details === undefined || details.detail === "" ? null : <div className="small soft">{details.detail}</div>}
          {details?.requestId === undefined ? null : (
            <div className="small faint">
              {texts.t("common.requestId")} <span className="code">{details.requestId}</span>
            </div>
          )}
        </div>
        {retry === undefined ? null : (
          <div>
            <Button icon="refresh" onClick={retry}>
              {texts.t("common.tryAgain")}
            </Button>
          </div>
        )}
      </div>
    </div>
  )
}

/** Placeholder lines of the size that the answer will have, so that the page does not jump. */
export const Skeleton = ({ lines = 3 }: { readonly lines?: number }) => (
  <div className="stack" role="status" aria-label={useTexts().t("common.loading")}>
    {Array.from({ length: lines }, (_, index) => (
      <span key={index} className="skeleton" style={{ width: `${92 - ((index * 17) % 40)}%` }} />
    ))}
  </div>
)

interface Loaded<Answer> {
  readonly data: Answer | undefined
  readonly error: unknown
  readonly refetch: () => unknown
}

/** Shows a query's answer, or else its state. An old answer is better than an error. */
export const Answer = <Data,>({
  children,
  lines = 4,
  of
}: {
  readonly of: Loaded<Data>
  readonly lines?: number
  readonly children: (data: Data) => ReactNode
}) => {
  if (of.data !== undefined) return <>{children(of.data)}</>
  if (of.error !== null && of.error !== undefined) return <ErrorNote error={of.error} retry={() => void of.refetch()} />
  return <Skeleton lines={lines} />
}
