import type { Grade, Storyboard } from "../../../Services/Media/Storyboard.ts"
import { framesPerSecond } from "../../../Services/Media/VideoLimits.ts"

const grades: { readonly [G in Grade]: string } = {
  none: "",
  mono: ",hue=s=0,eq=contrast=1.06",
  sepia: ",hue=s=0.25,colorbalance=rs=0.18:gs=0.05:bs=-0.18:rm=0.14:bm=-0.14",
  warm: ",colorbalance=rm=0.12:bm=-0.12",
  cool: ",colorbalance=rm=-0.12:bm=0.12",
  bright: ",eq=brightness=0.06:saturation=1.1",
  dark: ",eq=brightness=-0.09:contrast=1.05"
}

const transitions = { fade: "fade", slide: "smoothleft", wipe: "wiperight", circle: "circleopen" } as const

/** The number of frames of the transition between two scenes. */
const shared = 15

/** Returns the number of frames of each scene, including its transitions. The total is the video's length. */
export const sceneFrames = (count: number, total: number): ReadonlyArray<number> => {
  const overlap = count > 1 ? Math.min(shared, Math.floor(total / (count * 3))) : 0
  const all = total + overlap * (count - 1)
  return Array.from(
    { length: count },
    (_, index) => Math.floor((all * (index + 1)) / count) - Math.floor((all * index) / count)
  )
}

/** A part of a video that shows one scene, or the transition between two. */
export interface VideoPiece {
  /** The indexes of the scenes. The inputs are each one's backdrop and caption in turn. */
  readonly scenes: readonly [number] | readonly [number, number]
  /** The ffmpeg filter graph, from these inputs to `[v]`. It contains no text of callers, which is in the pictures. */
  readonly graph: string
  readonly frames: number
}

interface Stretch {
  readonly from: number
  readonly count: number
}

/**
 * Splits a storyboard into pieces that are rendered one after the other. Each has the pictures of two scenes at most,
 * so that the memory does not grow with the number of scenes.
 */
export const videoPieces = (
  { scenes, transition }: Storyboard,
  { height, width }: { readonly width: number; readonly height: number },
  duration: number
): ReadonlyArray<VideoPiece> => {
  const total = duration * framesPerSecond
  const lengths = sceneFrames(scenes.length, total)
  const overlap = scenes.length > 1 ? (lengths.reduce((sum, count) => sum + count, 0) - total) / (scenes.length - 1) : 0
  // Returns the filters that show a part of the scene whose two inputs begin at `input`.
  const shown = (scene: number, input: number, { count, from }: Stretch, name: string): string => {
    const { grade } = scenes[scene] ?? { grade: "none" }
    const length = lengths[scene] ?? 1
    const hold = `loop=loop=${count - 1}:size=1:start=0,settb=1/${framesPerSecond},setpts=N+${from}`
    const frame = `(t*${framesPerSecond})`
    const way = scene % 2 === 0 ? `${frame}/${length}` : `1-${frame}/${length}`
    const up = scene % 4 < 2 ? way : `1-(${way})`
    // The first scene shows its text from the first frame, because that frame is the video's thumbnail.
    const start = Math.max(2, Math.floor(overlap * 0.6)) / framesPerSecond
    const fade = scene === 0 ? "" : `,fade=t=in:st=${start}:d=${10 / framesPerSecond}:alpha=1`
    return [
      `[${input}:v]format=yuv444p,${hold},crop=${width}:${height}:x='(iw-ow)*(${way})':y='(ih-oh)*(${up})':exact=1,format=yuv420p[b${input}]`,
      `[${input + 1}:v]format=yuva420p,${hold}${fade}[c${input}]`,
      `[b${input}][c${input}]overlay=format=yuv420:eof_action=repeat${grades[grade]},format=yuv420p,setpts=N,settb=1/${framesPerSecond},fps=${framesPerSecond}[${name}]`
    ].join(";")
  }
  return scenes.flatMap((_, scene): ReadonlyArray<VideoPiece> => {
    const length = lengths[scene] ?? 1
    const isLast = scene === scenes.length - 1
    const from = scene === 0 ? 0 : overlap
    const count = length - from - (isLast ? 0 : overlap)
    const alone: ReadonlyArray<VideoPiece> =
      count <= 0
        ? []
        : [{ scenes: [scene], frames: count, graph: `${shown(scene, 0, { from, count }, "s")};[s]setsar=1[v]` }]
    if (isLast || overlap === 0) return alone
    const graph = [
      shown(scene, 0, { from: length - overlap, count: overlap }, "s0"),
      shown(scene + 1, 2, { from: 0, count: overlap }, "s1"),
      `[s0][s1]xfade=transition=${transitions[transition]}:duration=${overlap / framesPerSecond}:offset=0,setsar=1,format=yuv420p[v]`
    ].join(";")
    return [...alone, { scenes: [scene, scene + 1], frames: overlap, graph }]
  })
}
