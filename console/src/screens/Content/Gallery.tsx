import { useState } from "react"
import { filePathOf } from "../../calls/Files.ts"
import { isWorking, useLiveTool } from "../../calls/Live.ts"
import { SchemaForm } from "../../form/SchemaForm.tsx"
import { useTexts } from "../../i18n/Messages.tsx"
import { Dialog } from "../../parts/dialogs/Dialog.tsx"
import { Icon } from "../../parts/Icon.tsx"
import { Answer, Empty } from "../../parts/States.tsx"
import { Time } from "../../parts/Time.tsx"
import type { Work } from "./State.ts"
import { Progress, WorkBadge, WorkReport } from "./Work.tsx"

type MediaKind = "images" | "drawings" | "videos"

interface Piece extends Work {
  readonly id: number
  readonly kind: MediaKind
  readonly prompt: string
  readonly created_at: string
  readonly width: number | null
  readonly height: number | null
  readonly path: string | undefined
  /** The drawing with its texts as outlines, for print. */
  readonly svgPath?: string | undefined
}

const Picture = ({ isLarge = false, piece }: { readonly piece: Piece; readonly isLarge?: boolean }) => {
  const { t } = useTexts()
  if (piece.path === undefined) {
    return (
      <span className="piece-none">
        <Icon name={isWorking(piece) ? "clock" : "alert"} />
      </span>
    )
  }
  if (piece.kind !== "videos") return <img src={piece.path} alt={piece.prompt} loading="lazy" />
  return (
    <video
      src={piece.path}
      controls={isLarge}
      muted={!isLarge}
      preload="metadata"
      playsInline
      aria-label={t("content.video.of", { prompt: piece.prompt })}
    />
  )
}

const PieceCard = ({ open, piece }: { readonly piece: Piece; readonly open: () => void }) => {
  const { t } = useTexts()
  return (
    <li className="card piece">
      <button
        type="button"
        className="piece-open"
        aria-label={t("content.open", { prompt: piece.prompt })}
        onClick={open}
      >
        <Picture piece={piece} />
      </button>
      <div className="piece-text">
        <p className="small clamp">{piece.prompt}</p>
        {isWorking(piece) ? <Progress work={piece} /> : null}
        <div className="row spread small faint">
          <Time at={piece.created_at} />
          <WorkBadge work={piece} />
        </div>
      </div>
    </li>
  )
}

const ChangeForm = ({ close, piece }: { readonly piece: Piece; readonly close: () => void }) => {
  const { t } = useTexts()
  if (piece.kind === "images" || piece.path === undefined) return null
  return (
    <section className="stack">
      <h3>{t("content.change")}</h3>
      <SchemaForm
        tool={piece.kind === "videos" ? "edit_video" : "generate_drawing"}
        fixed={piece.kind === "videos" ? { video_id: piece.id } : { drawing_id: piece.id }}
        fields={["prompt"]}
        submitLabel={t("content.change.action")}
        doneText={t("content.started")}
        onDone={close}
      />
    </section>
  )
}

const PieceDialog = ({ close, piece }: { readonly piece: Piece; readonly close: () => void }) => {
  const { t } = useTexts()
  return (
    <Dialog isDrawer title={t(`content.one.${piece.kind}`)} onClose={close}>
      {piece.path === undefined ? null : (
        <div className="piece-large">
          <Picture isLarge piece={piece} />
        </div>
      )}
      <p className="text">{piece.prompt}</p>
      {piece.path === undefined ? null : (
        <div className="row wrap">
          <a className="button" href={piece.path} download>
            <Icon name="download" />
            {t("content.download")}
          </a>
          {piece.svgPath === undefined ? null : (
            <a className="button" href={piece.svgPath} download>
              <Icon name="download" />
              SVG
            </a>
          )}
          {piece.width === null || piece.height === null ? null : (
            <span className="faint small num">{`${piece.width} × ${piece.height}`}</span>
          )}
        </div>
      )}
      <WorkReport work={piece} />
      <ChangeForm piece={piece} close={close} />
    </Dialog>
  )
}

const usePieces = (kind: MediaKind) => {
  const page = { page_size: 60 }
  const images = useLiveTool("list_images", page, (answer) => answer.images.some(isWorking), kind === "images")
  const drawings = useLiveTool("list_drawings", page, (answer) => answer.drawings.some(isWorking), kind === "drawings")
  const videos = useLiveTool("list_videos", page, (answer) => answer.videos.some(isWorking), kind === "videos")
  const query = { images, drawings, videos }[kind]
  const lists: Readonly<Record<MediaKind, ReadonlyArray<Piece> | undefined>> = {
    images: images.data?.images.map((image) => ({
      ...image,
      kind: "images",
      id: image.image_id,
      path: filePathOf(image.image_url)
    })),
    drawings: drawings.data?.drawings.map((drawing) => ({
      ...drawing,
      kind: "drawings",
      id: drawing.drawing_id,
      path: filePathOf(drawing.image_url),
      svgPath: filePathOf(drawing.svg_url)
    })),
    videos: videos.data?.videos.map((video) => ({
      ...video,
      kind: "videos",
      id: video.video_id,
      path: filePathOf(video.video_url)
    }))
  }
  return { data: lists[kind], error: query.error, refetch: query.refetch }
}

/** The requested images, drawings or videos, newest first, including failed ones. */
export const Gallery = ({ kind }: { readonly kind: MediaKind }) => {
  const { t } = useTexts()
  const pieces = usePieces(kind)
  const [openId, setOpenId] = useState<number>()
  const open = pieces.data?.find(({ id }) => id === openId)
  return (
    <Answer of={pieces} lines={8}>
      {(list) =>
        list.length === 0 ? (
          <div className="card">
            <Empty icon="sparkle" title={t(`content.empty.${kind}`)} text={t(`content.empty.${kind}.text`)} />
          </div>
        ) : (
          <>
            <ul className="gallery" aria-label={t(`content.kind.${kind}`)}>
              {list.map((piece) => (
                <PieceCard key={piece.id} piece={piece} open={() => setOpenId(piece.id)} />
              ))}
            </ul>
            {open === undefined ? null : <PieceDialog piece={open} close={() => setOpenId(undefined)} />}
          </>
        )
      }
    </Answer>
  )
}
