import { useSyncExternalStore } from "react"
import { followPreferences, readPreferences } from "./Preferences.ts"

export const usePreferences = () => useSyncExternalStore(followPreferences, readPreferences)
