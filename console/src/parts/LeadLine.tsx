import { Link } from "@tanstack/react-router"
import type { ReactNode } from "react"
import { Avatar } from "./Avatar.tsx"

/** A lead in a list of cards: who it is, why it is listed, since when, and the possible actions. */
export const LeadLine = ({
  children,
  detail,
  end,
  leadId,
  name,
  note
}: {
  readonly leadId: number
  readonly name: string
  readonly note?: string | null
  readonly detail?: ReactNode
  readonly end?: ReactNode
  readonly children?: ReactNode
}) => (
  <li className="line">
    <Avatar name={name} />
    <div className="grow">
      <div className="row spread">
        <span className="truncate">
          <Link className="line-name" to="/leads/$leadId" params={{ leadId: String(leadId) }}>
            {name}
          </Link>{" "}
          <span className="faint">{note}</span>
        </span>
        <span className="faint small line-end">{end}</span>
      </div>
      {detail === undefined || detail === "" ? null : <div className="soft small line-detail">{detail}</div>}
      {children === undefined ? null : <div className="row wrap line-actions">{children}</div>}
    </div>
  </li>
)
