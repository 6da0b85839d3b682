import { useSession } from "../calls/Session.ts"
import { useTexts } from "../i18n/Messages.tsx"
import { formatTime, type TimeStyle } from "./TimeText.ts"
import { useNow } from "./useNow.ts"

/** A moment in the account's time zone. The pointer shows it in UTC. */
export const Time = ({ at, look = "relative" }: { readonly at: string; readonly look?: TimeStyle }) => {
  const { locale } = useTexts()
  const zone = useSession()?.account.time_zone ?? "UTC"
  const now = useNow()
  const utc = `${new Date(at).toISOString().slice(0, 16).replace("T", " ")} UTC`
  return (
    <time dateTime={at} title={utc}>
      {formatTime(new Date(at), new Date(now), locale, zone, look)}
    </time>
  )
}
