import { Dialog } from "@base-ui/react/dialog"
import { useRouter } from "@tanstack/react-router"
import { type KeyboardEvent, useDeferredValue, useEffect, useId, useRef, useState } from "react"
import { useTool } from "../calls/Queries.ts"
import { useTexts } from "../i18n/Messages.tsx"
import { Icon, type IconName } from "../parts/Icon.tsx"
import { places } from "./Navigation.ts"
import { setPreferences } from "./Preferences.ts"

interface Command {
  readonly id: string
  readonly text: string
  readonly note?: string
  readonly icon: IconName
  readonly run: () => void
}

const mostLeads = 6
/** The letters without accents, as people type when they search. */
const plain = (text: string): string => text.normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase()

const useCommands = (query: string): ReadonlyArray<Command> => {
  const { t } = useTexts()
  const router = useRouter()
  const search = useDeferredValue(query.trim())
  const leads = useTool(
    "search_leads",
    { query: search, page_size: mostLeads },
    { enabled: search.length > 1, keepsLast: true }
  )
  const go = places
    .flatMap((group) => group.places)
    .map(({ icon, label, to }) => ({
      id: to,
      text: t("shell.goTo", { place: t(label) }),
      icon,
      run: () => void router.navigate({ to })
    }))
  const looks = (["light", "dark", "system"] as const).map((theme) => ({
    id: theme,
    text: `${t("shell.theme")}: ${t(`shell.theme.${theme}`)}`,
    icon: theme === "dark" ? ("moon" as const) : ("sun" as const),
    run: () => setPreferences({ theme })
  }))
  const matching = [...go, ...looks].filter(({ text }) => plain(text).includes(plain(query.trim())))
  const people = search.length > 1 && leads.data !== undefined ? leads.data.leads : []
  return [
    ...matching,
    ...people.map((lead) => ({
      id: `lead-${lead.lead_id}`,
      text: lead.name,
      ...(lead.company === null ? {} : { note: lead.company }),
      icon: "user" as const,
      run: () => void router.navigate({ to: "/leads/$leadId", params: { leadId: String(lead.lead_id) } })
    }))
  ]
}

/** Finds screens, commands and leads by a few letters. */
export const CommandPalette = ({ onClose }: { readonly onClose: () => void }) => {
  const { t } = useTexts()
  const [query, setQuery] = useState("")
  const [index, setIndex] = useState(0)
  const commands = useCommands(query)
  const listId = useId()
  const list = useRef<HTMLDivElement>(null)
  const active = commands[Math.min(index, commands.length - 1)]
  useEffect(() => {
    // Newer browsers return a promise here, which is no clean-up.
    list.current?.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" })
  }, [active?.id])
  const run = (command: Command | undefined) => {
    if (command === undefined) return
    onClose()
    command.run()
  }
  const onKey = (event: KeyboardEvent) => {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0
    if (step !== 0 && commands.length > 0) {
      event.preventDefault()
      setIndex((Math.min(index, commands.length - 1) + step + commands.length) % commands.length)
    }
    if (event.key === "Enter") {
      event.preventDefault()
      run(active)
    }
  }
  return (
    <Dialog.Root open onOpenChange={(isOpen) => (isOpen ? undefined : onClose())}>
      <Dialog.Portal>
        <Dialog.Backdrop className="veil" />
        <Dialog.Popup className="dialog palette" aria-label={t("shell.search")}>
          <input
            className="palette-input"
            autoFocus
            role="combobox"
            aria-label={t("shell.search")}
            aria-expanded="true"
            aria-controls={listId}
            aria-activedescendant={active === undefined ? undefined : `${listId}-${active.id}`}
            placeholder={t("shell.search.hint")}
            value={query}
            onChange={(event) => {
              setQuery(event.target.value)
              setIndex(0)
            }}
            onKeyDown={onKey}
          />
          <div ref={list} id={listId} role="listbox" aria-label={t("shell.results")} className="palette-list">
            {commands.map((command) => (
              <div
                key={command.id}
                id={`${listId}-${command.id}`}
                role="option"
                aria-selected={command === active}
                className="menu-item"
                onClick={() => run(command)}
              >
                <Icon name={command.icon} />
                <span className="grow truncate">
                  {command.text} {command.note === undefined ? null : <span className="faint">{command.note}</span>}
                </span>
              </div>
            ))}
          </div>
          {commands.length === 0 ? <div className="empty">{t("shell.search.nothing")}</div> : null}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
