import type { MessageId } from "../i18n/MessageIds.ts"
import type { IconName } from "../parts/Icon.tsx"

export interface Place {
  readonly to: "/leads"
  readonly label: MessageId
  readonly icon: IconName
  /** The letter that opens the screen after `g`. */
  readonly key: string
}

/** The screens in the order of the navigation. A new screen needs a line here and a route in `Routes.tsx`. */
export const places: ReadonlyArray<{ readonly label: MessageId; readonly places: ReadonlyArray<Place> }> = [
  {
    label: "shell.group.work",
    places: [{ to: "/leads", label: "shell.leads", icon: "users", key: "l" }]
  }
]
