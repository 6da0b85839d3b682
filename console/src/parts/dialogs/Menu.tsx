import { cloneElement, type ReactElement, type ReactNode, Suspense, useState } from "react"
import { later } from "../later.tsx"
import type { MenuFrameProps, MenuParts } from "./MenuFrame.tsx"

export const MenuFrame = later<MenuFrameProps>(async () => (await import("./MenuFrame.tsx")).MenuFrame)

interface MenuProps {
  /** The button that opens the menu. */
  readonly trigger: ReactElement<{ readonly onClick?: () => void }>
  /** The items, made of the parts that are passed to it. */
  readonly children: (parts: MenuParts) => ReactNode
}

/** A button that opens a list of actions. Their code is loaded when it is pressed for the first time. */
export const Menu = ({ children, trigger }: MenuProps) => {
  const [isLoaded, setIsLoaded] = useState(false)
  const button = cloneElement(trigger, { onClick: () => setIsLoaded(true) })
  if (!isLoaded) return button
  return (
    <Suspense fallback={button}>
      <MenuFrame trigger={trigger} items={children} />
    </Suspense>
  )
}
