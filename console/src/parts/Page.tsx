import { type ReactNode, useEffect } from "react"
import { useTexts } from "../i18n/Messages.tsx"

/** The frame of a screen: its title, its purpose, and its actions. */
export const Page = ({
  actions,
  back,
  children,
  lead,
  title
}: {
  readonly title: string
  readonly lead?: ReactNode
  readonly back?: ReactNode
  readonly actions?: ReactNode
  readonly children: ReactNode
}) => {
  const { t } = useTexts()
  useEffect(() => {
    document.title = `${title} · ${t("shell.product")}`
  }, [title, t])
  return (
    <div className="page">
      <header className="page-head">
        <div className="grow">
          {back}
          <h1>{title}</h1>
          {lead === undefined ? null : <div className="soft">{lead}</div>}
        </div>
        {actions === undefined ? null : <div className="page-actions">{actions}</div>}
      </header>
      {children}
    </div>
  )
}
