import { useState } from "react"
import { useTexts } from "../../i18n/Messages.tsx"
import { Button, IconButton } from "../../parts/Button.tsx"
import type { BulkAction } from "./BulkActions.ts"
import { BulkDialog, type BulkTarget } from "./BulkDialog.tsx"

const actions = [
  { id: "pause", icon: "pause" },
  { id: "resume", icon: "play" },
  { id: "takeOver", icon: "hand" },
  { id: "move", icon: "layers" }
] as const satisfies ReadonlyArray<{ readonly id: BulkAction; readonly icon: string }>

/** The actions for the selected leads. The bar appears with the first one. */
export const BulkBar = ({
  campaigns,
  clear,
  everything,
  target
}: {
  readonly target: BulkTarget
  readonly campaigns: ReadonlyArray<{ readonly campaign_id: number; readonly name: string }>
  readonly clear: () => void
  /** Selects all leads that the filter finds, if these are more than the selected ones. */
  readonly everything?: { readonly total: number; readonly choose: () => void }
}) => {
  const { t } = useTexts()
  const [action, setAction] = useState<BulkAction>()
  const count = "leads" in target ? target.leads.length : target.total
  if (count === 0) return null
  return (
    <>
      <div className="bulk-bar" role="toolbar" aria-label={t("leads.bulk")}>
        <strong className="num">{t("leads.bulk.count", { count })}</strong>
        {everything === undefined ? null : (
          <Button kind="plain" onClick={everything.choose}>
            {t("leads.bulk.everything", { count: everything.total })}
          </Button>
        )}
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
          target={target}
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
