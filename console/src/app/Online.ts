import { onlineManager } from "@tanstack/react-query"
import { useSyncExternalStore } from "react"

/** True if the browser has a connection. Without one, the last answers stay and writes are disabled. */
export const useIsOnline = (): boolean =>
  useSyncExternalStore(
    (listener) => onlineManager.subscribe(listener),
    () => onlineManager.isOnline()
  )
