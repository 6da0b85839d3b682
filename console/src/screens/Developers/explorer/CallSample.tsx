import { useState } from "react"
import type { ToolDocument } from "../../../form/Catalog.ts"
import { useTexts } from "../../../i18n/Messages.tsx"
import { Code } from "../../../parts/Code.tsx"
import { CopyButton } from "../../../parts/CopyButton.tsx"
import { kindsFor, type SampleKind, sampleOf } from "./CallSamples.ts"

/** The call of the form, for programs. */
export const CallSample = ({
  args,
  tool
}: {
  readonly tool: ToolDocument
  readonly args: Readonly<Record<string, unknown>>
}) => {
  const { t } = useTexts()
  const [wish, setWish] = useState<SampleKind>("curl")
  const kinds = kindsFor(tool)
  const kind = kinds.find((one) => one === wish) ?? "curl"
  const text = sampleOf(kind, tool, args, window.location.origin)
  const label = t("developers.tools.sample")
  return (
    <section className="card sample" aria-label={label}>
      <div className="card-head">
        <div className="segmented" role="group" aria-label={label}>
          {kinds.map((one) => (
            <button key={one} type="button" aria-pressed={one === kind} onClick={() => setWish(one)}>
              {t(`developers.sample.${one}`)}
            </button>
          ))}
        </div>
        <span className="grow" />
        <CopyButton text={text} name={t(`developers.sample.${kind}`)} />
      </div>
      <Code label={t(`developers.sample.${kind}`)} isJson={kind === "mcp"} text={text} />
      <p className="small faint sample-note">{t(`developers.sample.${kind}.note`)}</p>
    </section>
  )
}
