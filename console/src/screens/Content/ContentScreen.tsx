import "./content.css"
import { Link, useSearch } from "@tanstack/react-router"
import { useState } from "react"
import { useSession } from "../../calls/Session.ts"
import type { ToolName } from "../../calls/Tools.ts"
import { SchemaForm } from "../../form/SchemaForm.tsx"
import { useTexts } from "../../i18n/Messages.tsx"
import { Button } from "../../parts/Button.tsx"
import { Dialog } from "../../parts/dialogs/Dialog.tsx"
import { Page } from "../../parts/Page.tsx"
import { type ContentKind, contentKinds, pageLanguageOf, parseContentSearch } from "./ContentSearch.ts"
import { Gallery } from "./Gallery.tsx"
import { Sites } from "./Sites.tsx"

const makers: Readonly<Record<ContentKind, { readonly tool: ToolName; readonly fields: ReadonlyArray<string> }>> = {
  sites: { tool: "register_website", fields: ["description", "business_or_brand_name", "language", "restricted"] },
  capture: { tool: "create_lead_capture_page", fields: ["description", "language"] },
  images: { tool: "generate_image", fields: ["prompt", "aspect_ratio", "profile", "transparent"] },
  drawings: { tool: "generate_drawing", fields: ["prompt", "caption"] },
  videos: { tool: "create_video", fields: ["prompt", "duration", "resolution"] }
}

/** The screen of generated content: pages, pictures and videos, each from a prompt. */
export const ContentScreen = () => {
  const { t } = useTexts()
  const kind = useSearch({ from: "/shell/content" }).kind ?? "sites"
  const language = useSession()?.account.language
  const [isMaking, setIsMaking] = useState(false)
  const close = () => setIsMaking(false)
  return (
    <Page
      title={t("content.title")}
      lead={t("content.lead")}
      actions={
        <Button writes kind="primary" icon="plus" onClick={() => setIsMaking(true)}>
          {t(`content.make.${kind}`)}
        </Button>
      }
    >
      <nav className="tabs" aria-label={t("content.kinds")}>
        {contentKinds.map((name) => (
          <Link
            key={name}
            to="/content"
            search={parseContentSearch({ kind: name })}
            className="tab"
            activeOptions={{ exact: true, includeSearch: true }}
          >
            {t(`content.kind.${name}`)}
          </Link>
        ))}
      </nav>
      {kind === "sites" || kind === "capture" ? <Sites key={kind} kind={kind} /> : <Gallery key={kind} kind={kind} />}
      {isMaking ? (
        <Dialog isDrawer title={t(`content.make.${kind}`)} onClose={close}>
          <p className="soft">{t(`content.make.${kind}.text`)}</p>
          <SchemaForm
            tool={makers[kind].tool}
            fields={makers[kind].fields}
            {...(language === undefined ? {} : { initial: { language: pageLanguageOf(language) } })}
            submitLabel={t(`content.make.${kind}`)}
            doneText={t("content.started")}
            onDone={close}
            onCancel={close}
          />
        </Dialog>
      ) : null}
    </Page>
  )
}
