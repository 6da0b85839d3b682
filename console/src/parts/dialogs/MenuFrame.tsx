import { Menu as BaseMenu } from "@base-ui/react/menu"
import type { ReactElement, ReactNode } from "react"
import { useIsOnline } from "../../app/Online.ts"
import { Icon, type IconName } from "../Icon.tsx"

const Item = ({
  icon,
  isChecked,
  isDangerous = false,
  onSelect,
  text,
  writes = false
}: {
  readonly text: string
  readonly icon?: IconName
  readonly isChecked?: boolean
  readonly isDangerous?: boolean
  readonly writes?: boolean
  readonly onSelect: () => void
}) => {
  const isOnline = useIsOnline()
  return (
    <BaseMenu.Item
      className="menu-item"
      disabled={writes && !isOnline}
      onClick={onSelect}
      {...(isDangerous ? { "data-danger": "" } : {})}
    >
      {icon === undefined ? null : <Icon name={icon} />}
      <span className="grow">{text}</span>
      {isChecked === true ? <Icon name="check" /> : null}
    </BaseMenu.Item>
  )
}

const Group = ({ children, label }: { readonly label: string; readonly children: ReactNode }) => (
  <BaseMenu.Group>
    <BaseMenu.GroupLabel className="menu-label">{label}</BaseMenu.GroupLabel>
    {children}
  </BaseMenu.Group>
)

const Line = () => <BaseMenu.Separator className="menu-line" />

const parts = { Item, Group, Line }
export type MenuParts = typeof parts

export interface MenuFrameProps {
  readonly trigger: ReactElement
  readonly items: (parts: MenuParts) => ReactNode
}

/** The menu opens at once: it was loaded because its button was pressed. */
export const MenuFrame = ({ items, trigger }: MenuFrameProps) => (
  <BaseMenu.Root defaultOpen>
    <BaseMenu.Trigger render={trigger} />
    <BaseMenu.Portal>
      <BaseMenu.Positioner sideOffset={6} align="end" style={{ zIndex: 55 }}>
        <BaseMenu.Popup className="menu">{items(parts)}</BaseMenu.Popup>
      </BaseMenu.Positioner>
    </BaseMenu.Portal>
  </BaseMenu.Root>
)
