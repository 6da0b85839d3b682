import { useTexts } from "../i18n/Messages.tsx"
import { Dialog } from "../parts/dialogs/Dialog.tsx"
import { isMac } from "./Keys.ts"
import { places } from "./Navigation.ts"
import { setPreferences } from "./Preferences.ts"
import { usePreferences } from "./usePreferences.ts"

const Line = ({ keys, text }: { readonly text: string; readonly keys: ReadonlyArray<string> }) => (
  <li className="row spread">
    <span>{text}</span>
    <span className="row">
      {keys.map((key) => (
        <kbd key={key} className="key">
          {key}
        </kbd>
      ))}
    </span>
  </li>
)

export const KeyHelp = ({ onClose }: { readonly onClose: () => void }) => {
  const { t } = useTexts()
  const { hasLetterKeys } = usePreferences()
  return (
    <Dialog title={t("shell.keys")} onClose={onClose}>
      <ul className="stack">
        <Line text={t("shell.search")} keys={[isMac ? "⌘" : "Ctrl", "K"]} />
        <Line text={t("shell.keys.find")} keys={["/"]} />
        <Line text={t("shell.keys")} keys={["?"]} />
        {places
          .flatMap((group) => group.places)
          .map(({ key, label, to }) => (
            <Line key={to} text={t("shell.goTo", { place: t(label) })} keys={["g", key]} />
          ))}
      </ul>
      <label className="row">
        <input
          type="checkbox"
          role="switch"
          className="switch"
          checked={hasLetterKeys}
          onChange={(event) => setPreferences({ hasLetterKeys: event.target.checked })}
        />
        {t("shell.keys.letters")}
      </label>
    </Dialog>
  )
}
