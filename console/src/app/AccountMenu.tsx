import { useQueryClient } from "@tanstack/react-query"
import { useRouter } from "@tanstack/react-router"
import { sessionKey, signOut, useSession } from "../calls/Session.ts"
import { localeNames, locales } from "../i18n/Format.ts"
import { useTexts } from "../i18n/Messages.tsx"
import { Avatar } from "../parts/Avatar.tsx"
import { Button } from "../parts/Button.tsx"
import { Menu } from "../parts/dialogs/Menu.tsx"
import { Icon } from "../parts/Icon.tsx"
import { themes } from "./LookControls.tsx"
import { setPreferences } from "./Preferences.ts"
import { usePreferences } from "./usePreferences.ts"

export const AccountMenu = ({ openKeys }: { readonly openKeys: () => void }) => {
  const { locale, t } = useTexts()
  const { theme } = usePreferences()
  const session = useSession()
  const client = useQueryClient()
  const router = useRouter()
  const name = session?.member?.name ?? session?.account.name ?? ""
  const leave = () => {
    signOut().then(
      async () => {
        client.clear()
        client.setQueryData(sessionKey, null)
        await router.navigate({ to: "/sign-in" })
      },
      () => undefined
    )
  }
  return (
    <Menu
      trigger={
        <Button kind="plain" aria-label={t("shell.account")}>
          <Avatar name={name} />
          <Icon name="chevronDown" />
        </Button>
      }
    >
      {({ Group, Item, Line }) => (
        <>
          <div className="menu-label">
            {name}
            <div className="faint">{session?.account.email}</div>
          </div>
          <Line />
          <Group label={t("shell.language")}>
            {locales.map((each) => (
              <Item
                key={each}
                text={localeNames[each]}
                isChecked={each === locale}
                onSelect={() => setPreferences({ locale: each })}
              />
            ))}
          </Group>
          <Line />
          <Group label={t("shell.theme")}>
            {themes.map(({ icon, theme: each }) => (
              <Item
                key={each}
                icon={icon}
                text={t(`shell.theme.${each}`)}
                isChecked={each === theme}
                onSelect={() => setPreferences({ theme: each })}
              />
            ))}
          </Group>
          <Line />
          <Item icon="question" text={t("shell.keys")} onSelect={openKeys} />
          <Item icon="arrowRight" text={t("shell.signOut")} onSelect={leave} />
        </>
      )}
    </Menu>
  )
}
