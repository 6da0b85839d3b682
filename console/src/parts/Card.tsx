import { type ReactNode, useId } from "react"

/** A part of a screen with a title. */
export const Card = ({
  actions,
  children,
  isFlush = false,
  title
}: {
  readonly title: string
  readonly actions?: ReactNode
  /** Removes the margin around the content, for lists and tables. */
  readonly isFlush?: boolean
  readonly children: ReactNode
}) => {
  const id = useId()
  return (
    <section className="card" aria-labelledby={id}>
      <div className="card-head">
        <h2 id={id} className="grow truncate">
          {title}
        </h2>
        {actions}
      </div>
      {isFlush ? children : <div className="card-body">{children}</div>}
    </section>
  )
}
