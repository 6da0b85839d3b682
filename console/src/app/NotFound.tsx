import { Link } from "@tanstack/react-router"
import { useTexts } from "../i18n/Messages.tsx"
import { Empty } from "../parts/States.tsx"

export const NotFound = () => {
  const { t } = useTexts()
  return (
    <Empty icon="search" title={t("shell.notFound")} text={t("shell.notFound.text")}>
      <Link className="button" to="/">
        {t("shell.home")}
      </Link>
    </Empty>
  )
}
