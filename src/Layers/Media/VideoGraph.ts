import type { Grade, Storyboard } from "../../Services/Media/Storyboard.ts"
import { framesPerSecond } from "../../Services/Media/VideoLimits.ts"

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

/** Frames that two scenes share while one goes over into the other. */
const shared = 15

/** How many frames each scene has, those that it shares with its neighbours included: together they make up the video. */
export const sceneFrames = (count: number, total: number): ReadonlyArray<number> => {
  const overlap = count > 1 ? Math.min(shared, Math.floor(total / (count * 3))) : 0
  const all = total + overlap * (count - 1)
  return Array.from(
    { length: count },
    (_, index) => Math.floor((all * (index + 1)) / count) - Math.floor((all * index) / count)
  )
}

/**
 * The filter graph of a storyboard, whose inputs are each scene's backdrop and caption in turn, then silence. Nothing of
 * a caller's words stands in it: they are in the pictures.
 */
export const videoGraph = (
  { scenes, transition }: Storyboard,
  { height, width }: { readonly width: number; readonly height: number },
  duration: number
): string => {
  const total = duration * framesPerSecond
  const frames = sceneFrames(scenes.length, total)
  const overlap = scenes.length > 1 ? (frames.reduce((sum, count) => sum + count, 0) - total) / (scenes.length - 1) : 0
  const parts: Array<string> = []
  scenes.forEach(({ grade }, index) => {
    const count = frames[index] ?? 1
    const hold = `loop=loop=${count - 1}:size=1:start=0,settb=1/${framesPerSecond},setpts=N`
    const way = index % 2 === 0 ? `n/${count}` : `1-n/${count}`
    const up = index % 4 < 2 ? way : `1-(${way})`
    parts.push(
      `[${2 * index}:v]format=yuv444p,${hold},crop=${width}:${height}:x='(iw-ow)*(${way})':y='(ih-oh)*(${up})':exact=1,format=yuv420p[b${index}]`
    )
    // The first frame has its words at once: it is what a video is known by.
    const fade = index === 0 ? "" : `,fade=t=in:s=${Math.max(2, Math.floor(overlap * 0.6))}:n=10:alpha=1`
    parts.push(`[${2 * index + 1}:v]format=yuva420p,${hold}${fade}[c${index}]`)
    parts.push(
      `[b${index}][c${index}]overlay=format=yuv420:eof_action=repeat${grades[grade]},format=yuv420p,fps=${framesPerSecond},settb=1/${framesPerSecond}[s${index}]`
    )
  })
  let [last, end] = ["s0", frames[0] ?? total]
  for (let index = 1; index < scenes.length; index++) {
    const next = `x${index}`
    parts.push(
      `[${last}][s${index}]xfade=transition=${transitions[transition]}:duration=${overlap / framesPerSecond}:offset=${(end - overlap) / framesPerSecond}[${next}]`
    )
    end += (frames[index] ?? 0) - overlap
    last = next
  }
  parts.push(`[${last}]tpad=stop_mode=clone:stop=${framesPerSecond},setsar=1,format=yuv420p[v]`)
  return parts.join(";")
}
