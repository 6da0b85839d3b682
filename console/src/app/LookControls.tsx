import { localeNames, locales } from "../i18n/Format.ts"
import { useTexts } from "../i18n/Messages.tsx"
import { Icon } from "../parts/Icon.tsx"
import { setPreferences, type Theme } from "./Preferences.ts"
import { usePreferences } from "./usePreferences.ts"

export const themes: ReadonlyArray<{ readonly theme: Theme; readonly icon: "sun" | "moon" | "settings" }> = [
  { theme: "system", icon: "settings" },
  { theme: "light", icon: "sun" },
  { theme: "dark", icon: "moon" }
]

/** Language and theme, where there is no account menu. */
export const LookControls = () => {
  const { locale, t } = useTexts()
  const { theme } = usePreferences()
  return (
    <div className="row wrap spread">
      <fieldset className="segmented" aria-label={t("shell.language")}>
        {locales.map((each) => (
          <button
            key={each}
            type="button"
            lang={each}
            aria-pressed={each === locale}
            onClick={() => setPreferences({ locale: each })}
          >
            {localeNames[each]}
          </button>
        ))}
      </fieldset>
      <fieldset className="segmented" aria-label={t("shell.theme")}>
        {themes.map(({ icon, theme: each }) => (
          <button
            key={each}
            type="button"
            aria-pressed={each === theme}
            aria-label={t(`shell.theme.${each}`)}
            title={t(`shell.theme.${each}`)}
            onClick={() => setPreferences({ theme: each })}
          >
            <Icon name={icon} />
          </button>
        ))}
      </fieldset>
    </div>
  )
}
