import { Suspense } from "react"
import { later } from "../later.tsx"
import type { DialogProps } from "./DialogFrame.tsx"

export const DialogFrame = later<DialogProps>(async () => (await import("./DialogFrame.tsx")).DialogFrame)

/** A dialog that is open as long as it is rendered. Its code is loaded with the first one. */
export const Dialog = (props: DialogProps) => (
  <Suspense>
    <DialogFrame {...props} />
  </Suspense>
)
