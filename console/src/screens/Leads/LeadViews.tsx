import { Link } from "@tanstack/react-router"
import { type FormEvent, useState } from "react"
import { useTexts } from "../../i18n/Messages.tsx"
import { Button } from "../../parts/Button.tsx"
import { Dialog } from "../../parts/dialogs/Dialog.tsx"
import { Icon } from "../../parts/Icon.tsx"
import { type LeadSearch, standardViews } from "./LeadSearch.ts"
import { setViews, useSavedViews } from "./SavedViews.ts"

const exactly = { exact: true, includeSearch: true } as const

const SaveDialog = ({ close, search }: { readonly search: LeadSearch; readonly close: () => void }) => {
  const { t } = useTexts()
  const views = useSavedViews()
  const [name, setName] = useState("")
  const save = (event: FormEvent) => {
    event.preventDefault()
    if (name.trim() === "") return
    setViews([...views.filter((view) => view.name !== name.trim()), { name: name.trim(), search }])
    close()
  }
  return (
    <Dialog title={t("leads.view.save")} onClose={close}>
      <form className="form" onSubmit={save}>
        <div className="field">
          <label htmlFor="view-name">{t("leads.view.name")}</label>
          <input
            id="view-name"
            className="input"
            maxLength={30}
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
          <div className="field-help">{t("leads.view.help")}</div>
        </div>
        <div className="dialog-actions">
          <Button onClick={close}>{t("common.cancel")}</Button>
          <Button type="submit" kind="primary" disabled={name.trim() === ""}>
            {t("common.save")}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

/** Views that everyone has, and those that the reader saved in this browser. */
export const LeadViews = ({ search }: { readonly search: LeadSearch }) => {
  const { t } = useTexts()
  const views = useSavedViews()
  const [isSaving, setIsSaving] = useState(false)
  const canSave = Object.keys(search).some((key) => key !== "query")
  return (
    <nav className="chips" aria-label={t("leads.views")}>
      {standardViews.map((view) => (
        <Link key={view.id} to="/leads" search={view.search} className="chip" activeOptions={exactly}>
          {t(`leads.view.${view.id}`)}
        </Link>
      ))}
      {views.map((view) => (
        <span key={view.name} className="chip-pair">
          <Link to="/leads" search={view.search} className="chip" activeOptions={exactly}>
            <Icon name="star" />
            {view.name}
          </Link>
          <button
            type="button"
            className="chip chip-remove"
            aria-label={t("leads.view.remove", { name: view.name })}
            onClick={() => setViews(views.filter((other) => other !== view))}
          >
            <Icon name="close" />
          </button>
        </span>
      ))}
      {canSave ? (
        <button type="button" className="chip chip-quiet" onClick={() => setIsSaving(true)}>
          <Icon name="plus" />
          {t("leads.view.save")}
        </button>
      ) : null}
      {isSaving ? <SaveDialog search={search} close={() => setIsSaving(false)} /> : null}
    </nav>
  )
}
