import { useMemo } from "react"
import { useTexts } from "../../../i18n/Messages.tsx"
import { schemaLines } from "./SchemaLines.ts"

/** Shows the members of an answer. */
export const SchemaOutline = ({ schema }: { readonly schema: Readonly<Record<string, unknown>> }) => {
  const { t } = useTexts()
  const lines = useMemo(() => schemaLines(schema), [schema])
  return (
    <ul className="schema" tabIndex={0} aria-label={t("developers.tools.schema")} lang="en">
      {lines.map((line) => (
        <li key={line.path} style={{ paddingInlineStart: `${line.depth * 16}px` }}>
          <div className="row wrap">
            <span className="code schema-name">{line.name}</span>
            <span className="code schema-type">{line.type}</span>
            {line.isOptional ? <span className="faint small">{t("common.optional")}</span> : null}
          </div>
          {line.description === "" ? null : <div className="small faint">{line.description}</div>}
        </li>
      ))}
    </ul>
  )
}
