import { CSPProvider } from "@base-ui/react/csp-provider"
import { QueryClientProvider } from "@tanstack/react-query"
import { RouterProvider } from "@tanstack/react-router"
import { useEffect } from "react"
import { queryClient } from "../calls/Queries.ts"
import { useSession } from "../calls/Session.ts"
import { firstLocale } from "../early.ts"
import { closestLocale, type Locale } from "../i18n/Format.ts"
import { MessagesProvider } from "../i18n/Messages.tsx"
import { router } from "./Routes.tsx"
import { useCatalog } from "./Texts.ts"
import { usePreferences } from "./usePreferences.ts"

/** The chosen language, or the account's, or the browser's. */
const useLocale = (): Locale => {
  const { locale } = usePreferences()
  const session = useSession()
  return locale ?? (session?.account === undefined ? firstLocale : closestLocale([session.account.language]))
}

const Localized = () => {
  const wished = useLocale()
  const loaded = useCatalog(wished)
  useEffect(() => {
    if (loaded !== undefined) document.documentElement.lang = loaded.locale
  }, [loaded])
  if (loaded === undefined) return null
  return (
    <MessagesProvider {...loaded}>
      <RouterProvider router={router} />
    </MessagesProvider>
  )
}

export const Console = () => (
  <CSPProvider disableStyleElements>
    <QueryClientProvider client={queryClient}>
      <Localized />
    </QueryClientProvider>
  </CSPProvider>
)
