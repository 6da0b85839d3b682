import type { MessageId } from "../i18n/MessageIds.ts"
import type { IconName } from "../parts/Icon.tsx"

export interface Place {
  readonly to:
    | "/"
    | "/campaigns"
    | "/content"
    | "/developers"
    | "/inbox"
    | "/jobs"
    | "/knowledge"
    | "/leads"
    | "/meetings"
    | "/reports"
    | "/settings"
    | "/simulation"
  readonly label: MessageId
  readonly icon: IconName
  /** The letter that opens the screen after `g`. */
  readonly key: string
}

/** The screens in the order of the navigation. A new screen needs a line here and a route in `Routes.tsx`. */
export const places: ReadonlyArray<{ readonly label: MessageId; readonly places: ReadonlyArray<Place> }> = [
  {
    label: "shell.group.work",
    places: [
      { to: "/", label: "shell.today", icon: "sun", key: "t" },
      { to: "/inbox", label: "shell.inbox", icon: "inbox", key: "i" },
      { to: "/leads", label: "shell.leads", icon: "users", key: "l" },
      { to: "/meetings", label: "shell.meetings", icon: "calendar", key: "m" }
    ]
  },
  {
    label: "shell.group.improve",
    places: [
      { to: "/campaigns", label: "shell.campaigns", icon: "megaphone", key: "c" },
      { to: "/reports", label: "shell.reports", icon: "chart", key: "r" },
      { to: "/content", label: "shell.content", icon: "layers", key: "o" },
      { to: "/knowledge", label: "shell.knowledge", icon: "book", key: "k" },
      { to: "/simulation", label: "shell.simulation", icon: "flask", key: "s" }
    ]
  },
  {
    label: "shell.group.manage",
    places: [
      { to: "/jobs", label: "shell.jobs", icon: "clock", key: "j" },
      { to: "/developers", label: "shell.developers", icon: "code", key: "d" },
      { to: "/settings", label: "shell.settings", icon: "settings", key: "e" }
    ]
  }
]
