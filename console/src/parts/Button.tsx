import type { ButtonHTMLAttributes, ReactNode } from "react"
import { useIsOnline } from "../app/Online.ts"
import { Icon, type IconName } from "./Icon.tsx"

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly kind?: "primary" | "danger" | "plain"
  readonly icon?: IconName
  /** A button that writes is disabled without a connection. */
  readonly writes?: boolean
  readonly isBusy?: boolean
  readonly children?: ReactNode
}

export const Button = ({ children, icon, isBusy = false, kind, writes = false, ...rest }: ButtonProps) => {
  const isOnline = useIsOnline()
  const isDisabled = rest.disabled === true || isBusy || (writes && !isOnline)
  const classes = ["button", kind === undefined ? "" : `button-${kind}`, rest.className ?? ""]
  return (
    <button type="button" {...rest} disabled={isDisabled} aria-busy={isBusy} className={classes.join(" ")}>
      {icon === undefined ? null : <Icon name={icon} />}
      {children}
    </button>
  )
}

/** A button that shows only an icon. Screen readers read the label, and it appears under the pointer. */
export const IconButton = ({
  icon,
  label,
  ...rest
}: Omit<ButtonProps, "children"> & { readonly icon: IconName; readonly label: string }) => (
  <Button {...rest} kind={rest.kind ?? "plain"} icon={icon} aria-label={label} title={label} className="button-icon" />
)
