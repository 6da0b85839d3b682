import type { Texts } from "../i18n/Messages.tsx"
import { CallError } from "./CallError.ts"

/** Returns a text about an error for a person: by its reason, by its type, or else in the gateway's words. */
export const errorText = ({ optional, t }: Texts, error: unknown): string => {
  if (!(error instanceof CallError)) return t("common.error.Unknown")
  const { detail, message, reason, type } = error.details
  return (
    (reason === undefined ? undefined : optional(`common.reason.${reason}`)) ??
    optional(`common.error.${type}`) ??
    (detail === "" ? message : detail)
  )
}
