import { type ChildProcess, spawn } from "node:child_process"
import { constants } from "node:fs"
import { access, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import * as path from "node:path"
import { Context, Effect, Layer, Option, Schedule } from "effect"
import { refused, type Transient, transient } from "../../Errors.ts"
import { GenerationFailed } from "../../Services/Media/Generation.ts"
import { framesPerSecond } from "../../Services/Media/VideoLimits.ts"
import { Settings } from "../Platform/Settings.ts"

export const rendererUnavailable = refused(
  "video_renderer_unavailable",
  "Videos cannot be rendered here: the machine has no ffmpeg.",
  "Ask the operator to install ffmpeg, or to configure a provider of videos; all other tools work."
)

/** What is run, always by its full path and with nothing of this process's environment. */
interface Programs {
  readonly ffmpeg: string
  readonly guard: ReadonlyArray<string>
}

const folders = ["/usr/local/bin", "/usr/bin", "/bin", "/opt/homebrew/bin"]

const found = (name: string, places: ReadonlyArray<string>) =>
  Effect.firstSuccessOf(
    places.map((folder) =>
      Effect.tryPromise(async () => {
        const file = path.join(folder, name)
        await access(file, constants.X_OK)
        return file
      })
    )
  ).pipe(Effect.option)

/** Bytes of memory that a render may take, and of the file that it writes. */
const mostMemory = 512 * 1024 * 1024
const mostBytes = 256 * 1024 * 1024

const findPrograms = (search: string | undefined) =>
  Effect.gen(function* () {
    const places = search === undefined ? folders : search.split(path.delimiter)
    const [ffmpeg, nice, prlimit, setpriv] = yield* Effect.all([
      found("ffmpeg", places),
      found("nice", folders),
      found("prlimit", folders),
      found("setpriv", folders)
    ])
    return Option.map(
      ffmpeg,
      (file): Programs => ({
        ffmpeg: file,
        guard: [
          ...Option.match(nice, { onNone: () => [], onSome: (program) => [program, "-n", "19"] }),
          // A gateway that is killed takes its renders with it.
          ...Option.match(setpriv, { onNone: () => [], onSome: (program) => [program, "--pdeathsig", "KILL"] }),
          ...Option.match(prlimit, {
            onNone: () => [],
            onSome: (program) => [
              program,
              `--data=${mostMemory}`,
              "--stack=1048576",
              `--fsize=${mostBytes}`,
              "--cpu=300",
              "--nofile=128",
              "--core=0",
              "--"
            ]
          })
        ]
      })
    )
  })

export interface RenderJob {
  /** PNG: each scene's backdrop and caption in turn. */
  readonly pictures: ReadonlyArray<Uint8Array>
  readonly graph: string
  /** Seconds. */
  readonly duration: number
  readonly onProgress: (percent: number) => Effect.Effect<void, Transient>
}

const broke = transient("video_not_rendered", "The video could not be rendered for the moment.", 10)

/** Ends the process however far it is, and waits until it is gone. */
const end = (child: ChildProcess) =>
  Effect.async<void>((resume) => {
    if (child.exitCode !== null || child.signalCode !== null) return resume(Effect.void)
    child.once("close", () => resume(Effect.void))
    child.kill("SIGKILL")
  })

/** Runs ffmpeg on files of ours in a folder of their own; ended with the fiber that waits for it. */
const run = (
  { ffmpeg, guard }: Programs,
  folder: string,
  args: ReadonlyArray<string>,
  onFrame: (frame: number) => void
) =>
  Effect.acquireUseRelease(
    Effect.sync(() => {
      const [program = ffmpeg, ...rest] = [...guard, ffmpeg, ...args]
      return spawn(program, rest, { cwd: folder, env: {}, stdio: ["ignore", "pipe", "ignore"] })
    }),
    (child) =>
      Effect.async<void, Transient>((resume) => {
        let line = ""
        child.stdout?.on("data", (bytes: Buffer) => {
          line = (line + bytes.toString("latin1")).slice(-2000)
          const frames = [...line.matchAll(/frame=(\d{1,7})/g)]
          onFrame(Number(frames.at(-1)?.[1] ?? 0))
        })
        child.once("error", () => resume(Effect.fail(broke)))
        child.once("close", (code) => resume(code === 0 ? Effect.void : Effect.fail(broke)))
      }),
    end
  )

/** Renders storyboards with the machine's ffmpeg, where it has one. */
export class Renderer extends Context.Tag("Renderer")<
  Renderer,
  {
    readonly isThere: boolean
    readonly render: (job: RenderJob) => Effect.Effect<Uint8Array, GenerationFailed | Transient>
    /** Frames of an MP4 at these seconds, as PNG. */
    readonly frames: (
      video: Uint8Array,
      seconds: ReadonlyArray<number>
    ) => Effect.Effect<ReadonlyArray<Uint8Array>, GenerationFailed | Transient>
  }
>() {
  /** `search`: where ffmpeg is looked for, as a PATH. */
  static readonly layerAt = (search?: string) =>
    Layer.effect(
      Renderer,
      Effect.gen(function* () {
        const programs = yield* findPrograms(search)
        const { dataDir } = yield* Settings
        const scratch = path.resolve(dataDir, "renders")

        const missing = new GenerationFailed({ code: rendererUnavailable.reason, detail: rendererUnavailable.error })

        const inFolder = <A>(
          use: (folder: string, tools: Programs) => Effect.Effect<A, GenerationFailed | Transient>
        ) =>
          Option.isNone(programs)
            ? Effect.fail(missing)
            : Effect.acquireUseRelease(
                Effect.promise(async () => {
                  await mkdir(scratch, { recursive: true })
                  return await mkdtemp(path.join(scratch, "render-"))
                }),
                (folder) => use(folder, programs.value),
                (folder) => Effect.promise(() => rm(folder, { recursive: true, force: true }))
              )

        const common = ["-hide_banner", "-nostdin", "-loglevel", "error", "-protocol_whitelist", "file,pipe"]

        return {
          isThere: Option.isSome(programs),
          render: ({ duration, graph, onProgress, pictures }) =>
            inFolder((folder, tools) =>
              Effect.gen(function* () {
                yield* Effect.promise(() =>
                  Promise.all(pictures.map((bytes, index) => writeFile(path.join(folder, `${index}.png`), bytes)))
                )
                const total = duration * framesPerSecond
                let frame = 0
                const inputs = pictures.flatMap((_, index) => [
                  "-framerate",
                  String(framesPerSecond),
                  "-i",
                  `${index}.png`
                ])
                const args = [
                  ...common,
                  ...inputs,
                  ...["-f", "lavfi", "-t", String(duration), "-i", "anullsrc=r=48000:cl=stereo"],
                  ...["-filter_complex", graph, "-map", "[v]", "-map", `${pictures.length}:a`],
                  ...["-frames:v", String(total), "-c:v", "libx264", "-preset", "veryfast", "-profile:v", "high"],
                  ...[
                    "-crf",
                    "21",
                    "-pix_fmt",
                    "yuv420p",
                    "-r",
                    String(framesPerSecond),
                    "-threads",
                    "2",
                    "-filter_threads",
                    "1"
                  ],
                  ...["-filter_complex_threads", "1", "-c:a", "aac", "-b:a", "96k", "-t", String(duration)],
                  ...["-map_metadata", "-1", "-movflags", "+faststart", "-progress", "pipe:1", "-y", "video.mp4"]
                ]
                const work = run(tools, folder, args, (seen) => {
                  frame = Math.max(frame, seen)
                })
                const telling = Effect.suspend(() => onProgress(Math.min(100, (100 * frame) / total))).pipe(
                  Effect.repeat(Schedule.spaced("400 millis")),
                  Effect.zipRight(Effect.never)
                )
                yield* Effect.raceFirst(work, telling)
                return yield* Effect.promise(() => readFile(path.join(folder, "video.mp4")))
              })
            ),
          frames: (video, seconds) =>
            inFolder((folder, tools) =>
              Effect.gen(function* () {
                yield* Effect.promise(() => writeFile(path.join(folder, "video.mp4"), video))
                return yield* Effect.forEach(seconds, (at) =>
                  Effect.gen(function* () {
                    const args = [...common, "-ss", String(at), "-f", "mov", "-i", "video.mp4", "-frames:v", "1", "-y"]
                    yield* run(tools, folder, [...args, "frame.png"], () => {})
                    return yield* Effect.promise(() => readFile(path.join(folder, "frame.png")))
                  })
                )
              })
            )
        }
      })
    )
}
