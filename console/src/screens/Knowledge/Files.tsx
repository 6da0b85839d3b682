import { type ChangeEvent, useRef, useState } from "react"
import { isWorking, useLiveTool } from "../../calls/Live.ts"
import { useAction } from "../../calls/Queries.ts"
import type { AnswerOf } from "../../calls/Tools.ts"
import { SchemaForm } from "../../form/SchemaForm.tsx"
import { numberText } from "../../i18n/Formats.ts"
import { useTexts } from "../../i18n/Messages.tsx"
import { Badge, type Tone } from "../../parts/Badge.tsx"
import { Button, IconButton } from "../../parts/Button.tsx"
import { Card } from "../../parts/Card.tsx"
import { Dialog } from "../../parts/dialogs/Dialog.tsx"
import { showToast } from "../../parts/dialogs/Toasts.ts"
import { Icon } from "../../parts/Icon.tsx"
import { Answer, Empty } from "../../parts/States.tsx"
import { Time } from "../../parts/Time.tsx"
import { base64Of, titleOfFile } from "./Points.ts"

type Source = AnswerOf<"list_business_files">["business_files"][number]

const accepted = ".txt,.md,.csv,.pdf,.docx,.xlsx,.pptx,.html"

const tones: Readonly<Record<Source["status"], Tone>> = {
  queued: "cool",
  running: "cool",
  finished: "good",
  failed: "bad",
  cancelled: "neutral"
}

const SourceLine = ({ source }: { readonly source: Source }) => {
  const { locale, t } = useTexts()
  const remove = useAction("remove_business_file", {
    confirm: () => ({
      title: t("knowledge.files.remove.title", { name: source.title }),
      body: t("knowledge.files.remove.text"),
      action: t("knowledge.remove")
    }),
    done: () => t("knowledge.files.removed")
  })
  const failure = source.failure_detail ?? source.failure_reason
  return (
    <li className="line">
      <span className="line-mark" data-tone={source.status === "failed" ? "bad" : undefined}>
        <Icon name={source.source === "web" ? "globe" : source.source === "file" ? "layers" : "edit"} />
      </span>
      <div className="grow">
        <div className="row spread">
          <span className="line-name truncate">{source.title}</span>
          <Badge text={t(`knowledge.files.${source.status}`)} tone={tones[source.status]} />
        </div>
        <div className="faint small">
          {source.file_name ?? t(`knowledge.source.${source.source}`)}
          {source.character_count === null
            ? null
            : ` · ${t("knowledge.characters", { count: numberText(source.character_count, locale) })}`}
          {source.campaign_name === null ? null : ` · ${source.campaign_name}`}
          {" · "}
          <Time at={source.created_at} />
        </div>
        {failure === null ? null : <div className="soft small line-detail">{failure}</div>}
      </div>
      <IconButton
        writes
        icon="trash"
        label={t("knowledge.files.remove", { name: source.title })}
        isBusy={remove.isRunning}
        onClick={() => remove.run({ business_file_id: source.business_file_id })}
      />
    </li>
  )
}

const Upload = () => {
  const { t } = useTexts()
  const input = useRef<HTMLInputElement>(null)
  const register = useAction("register_business_file", { done: () => t("knowledge.files.added") })
  const upload = useAction("upload_customer_file", {
    onDone: ({ customer_file_id, file_name }) => register.run({ title: titleOfFile(file_name), customer_file_id })
  })
  const choose = (event: ChangeEvent<HTMLInputElement>) => {
    const file = event.target.files?.[0]
    event.target.value = ""
    if (file === undefined) return
    const reader = new FileReader()
    reader.addEventListener("load", () => {
      const { result } = reader
      if (typeof result !== "string") return
      upload.run({ file_name: file.name, content_base64: base64Of(result) })
    })
    reader.addEventListener("error", () => showToast({ text: t("knowledge.files.unreadable"), isError: true }))
    reader.readAsDataURL(file)
  }
  return (
    <>
      <input
        ref={input}
        className="hidden-text"
        type="file"
        accept={accepted}
        aria-label={t("knowledge.files.choose")}
        tabIndex={-1}
        onChange={choose}
      />
      <Button
        writes
        icon="upload"
        isBusy={upload.isRunning || register.isRunning}
        onClick={() => input.current?.click()}
      >
        {t("knowledge.files.upload")}
      </Button>
    </>
  )
}

/** The texts and files that the agent knows, and quotes where they fit. */
export const Files = () => {
  const { t } = useTexts()
  const files = useLiveTool("list_business_files", {}, (answer) => answer.business_files.some(isWorking))
  const [isWriting, setIsWriting] = useState(false)
  const close = () => setIsWriting(false)
  return (
    <Card
      title={t("knowledge.files")}
      isFlush
      actions={
        <>
          <Button writes icon="edit" onClick={() => setIsWriting(true)}>
            {t("knowledge.files.write")}
          </Button>
          <Upload />
        </>
      }
    >
      <Answer of={files} lines={5}>
        {(answer) =>
          answer.business_files.length === 0 ? (
            <Empty icon="book" title={t("knowledge.files.empty")} text={t("knowledge.files.empty.text")} />
          ) : (
            <ul className="lines">
              {answer.business_files.map((source) => (
                <SourceLine key={source.business_file_id} source={source} />
              ))}
            </ul>
          )
        }
      </Answer>
      {isWriting ? (
        <Dialog isDrawer title={t("knowledge.files.write")} onClose={close}>
          <SchemaForm
            tool="register_business_file"
            fields={["title", "text"]}
            submitLabel={t("knowledge.add")}
            doneText={t("knowledge.files.added")}
            onDone={close}
            onCancel={close}
          />
        </Dialog>
      ) : null}
    </Card>
  )
}
