import { useState } from "react"
import { useTexts } from "../../i18n/Messages.tsx"
import { Button, IconButton } from "../../parts/Button.tsx"
import type { BulkAction } from "./BulkActions.ts"
import { BulkDialog } from "./BulkDialog.tsx"
import type { LeadRow } from "./LeadRow.ts"

const actions = [
  { id: "pause", icon: "pause" },
  { id: "resume", icon: "play" },
  { id: "takeOver", icon: "hand" },
  { id: "move", icon: "layers" }
] as const satisfies ReadonlyArray<{ readonly id: BulkAction; readonly icon: string }>

/** What can be done with the chosen leads. It appears with the first one. */
export const BulkBar = ({
  campaigns,
  clear,
  leads
}: {
  readonly leads: ReadonlyArray<LeadRow>
  readonly campaigns: ReadonlyArray<{ readonly campaign_id: number; readonly name: string }>
  readonly clear: () => void
}) => {
  const { t } = useTexts()
  const [action, setAction] = useState<BulkAction>()
  if (leads.length === 0) return null
  return (
    <>
      <div className="bulk-bar" role="toolbar" aria-label={t("leads.bulk")}>
        <strong className="num">{t("leads.bulk.count", { count: leads.length })}</strong>
        {actions.map(({ icon, id }) => (
          <Button key={id} kind="plain" icon={icon} writes onClick={() => setAction(id)}>
            {t(`leads.bulk.${id}`)}
          </Button>
        ))}
        <IconButton icon="close" label={t("leads.bulk.clear")} onClick={clear} />
      </div>
      {action === undefined ? null : (
        <BulkDialog
          key={action}
          action={action}
          leads={leads}
          campaigns={campaigns}
          onClose={() => setAction(undefined)}
          onDone={() => {
            setAction(undefined)
            clear()
          }}
        />
      )}
    </>
  )
}
