import { type ChildProcess, spawn } from "node:child_process"
import { constants } from "node:fs"
import { access, lstat, mkdir, mkdtemp, open, readdir, readFile, rm, writeFile } from "node:fs/promises"
import * as path from "node:path"
import { Context, Effect, Layer, Option, Schedule } from "effect"
import { refused, type Transient, transient } from "../../../Errors.ts"
import { GenerationFailed } from "../../../Services/Media/Generation.ts"
import { framesPerSecond } from "../../../Services/Media/VideoLimits.ts"
import { Settings } from "../../Platform/Settings.ts"
import type { VideoPiece } from "./VideoGraph.ts"

export const rendererUnavailable = refused(
  "video_renderer_unavailable",
  "Videos cannot be rendered here: the machine has no ffmpeg.",
  "Ask the operator to install ffmpeg, or to configure a provider of videos; all other tools work."
)

/** The paths of the programs. They are run by full path and without this process's environment. */
interface Programs {
  readonly ffmpeg: string
  readonly mkfifo: string
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
    const [ffmpeg, mkfifo, nice, prlimit, setpriv] = yield* Effect.all([
      found("ffmpeg", places),
      found("mkfifo", folders),
      found("nice", folders),
      found("prlimit", folders),
      found("setpriv", folders)
    ])
    return Option.zipWith(
      ffmpeg,
      mkfifo,
      (file, makesPipes): Programs => ({
        ffmpeg: file,
        mkfifo: makesPipes,
        guard: [
          ...Option.match(nice, { onNone: () => [], onSome: (program) => [program, "-n", "19"] }),
          // Renders end when the gateway is killed.
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

/** Returns the path of ffmpeg, if videos can be rendered here. `search` lists the folders to look in, as PATH does. */
export const findRenderer = (search?: string): Effect.Effect<Option.Option<string>> =>
  Effect.map(
    findPrograms(search),
    Option.map(({ ffmpeg }) => ffmpeg)
  )

export interface RenderJob {
  /** The pictures as PNG: each scene's backdrop and caption in turn. */
  readonly pictures: ReadonlyArray<Uint8Array>
  /** Pieces are rendered one after another. */
  readonly pieces: ReadonlyArray<VideoPiece>
  readonly width: number
  readonly height: number
  /** The duration in seconds. */
  readonly duration: number
  readonly onProgress: (percent: number) => Effect.Effect<void, Transient>
}

const broke = transient("video_not_rendered", "The video could not be rendered for the moment.", 10)

/** Ends the process and waits until it is gone. */
const end = (child: ChildProcess) =>
  Effect.async<void>((resume) => {
    if (child.exitCode !== null || child.signalCode !== null) return resume(Effect.void)
    child.once("close", () => resume(Effect.void))
    child.kill("SIGKILL")
  })

/** Runs a program on files in a separate folder. The program is stopped if the waiting fiber ends. */
const runProgram = (
  program: string,
  guard: ReadonlyArray<string>,
  folder: string,
  args: ReadonlyArray<string>,
  onFrame: (frame: number) => void
) =>
  Effect.acquireUseRelease(
    Effect.sync(() => {
      const [first = program, ...rest] = [...guard, program, ...args]
      return spawn(first, rest, { cwd: folder, env: {}, stdio: ["ignore", "pipe", "ignore"] })
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

const run = ({ ffmpeg, guard }: Programs, folder: string, args: ReadonlyArray<string>, onFrame = (_: number) => {}) =>
  runProgram(ffmpeg, guard, folder, args, onFrame)

/** A named pipe that several programs write one after the other, while one reads all of it. */
const framesFile = "frames.yuv"

const openFrames = ({ mkfifo }: Programs, folder: string) =>
  Effect.acquireRelease(
    Effect.zipRight(
      runProgram(mkfifo, [], folder, [framesFile], () => {}),
      // The pipe is held open for reading and writing. So it does not end between two programs, and none waits for
      // another to open it.
      Effect.promise(() => open(path.join(folder, framesFile), "r+"))
    ),
    (file) => Effect.promise(() => file.close().catch(() => {}))
  )

/** Milliseconds after which a folder counts as abandoned. No render takes that long. */
const leftBehindAfter = 24 * 60 * 60 * 1000

const folderPrefix = "render-"

/** Removes files of killed renders. Another process may be removing them at the same time. */
const removeLeftBehind = async (scratch: string): Promise<void> => {
  // A link could lead to folders that do not belong to the gateway.
  const isFolder = await lstat(scratch)
    .then((entry) => entry.isDirectory())
    .catch(() => false)
  const names = isFolder ? await readdir(scratch).catch(() => []) : []
  for (const name of names.filter((one) => one.startsWith(folderPrefix))) {
    const folder = path.join(scratch, name)
    const made = await lstat(folder).catch(() => undefined)
    if (made !== undefined && made.mtimeMs < Date.now() - leftBehindAfter)
      await rm(folder, { recursive: true, force: true }).catch(() => {})
  }
}

/** Renders storyboards with the machine's ffmpeg, if it is installed. */
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
  /** `search` lists the folders in which ffmpeg is looked for, as PATH does. */
  static readonly layerAt = (search?: string) =>
    Layer.effect(
      Renderer,
      Effect.gen(function* () {
        const programs = yield* findPrograms(search)
        const { dataDir } = yield* Settings
        const scratch = path.resolve(dataDir, "renders")
        yield* Effect.promise(() => removeLeftBehind(scratch))

        const missing = new GenerationFailed({ code: rendererUnavailable.reason, detail: rendererUnavailable.error })

        const inFolder = <A>(
          use: (folder: string, tools: Programs) => Effect.Effect<A, GenerationFailed | Transient>
        ) =>
          Option.isNone(programs)
            ? Effect.fail(missing)
            : Effect.acquireUseRelease(
                Effect.promise(async () => {
                  await mkdir(scratch, { recursive: true })
                  return await mkdtemp(path.join(scratch, folderPrefix))
                }),
                (folder) => use(folder, programs.value),
                (folder) => Effect.promise(() => rm(folder, { recursive: true, force: true }))
              )

        const common = ["-hide_banner", "-nostdin", "-loglevel", "error", "-protocol_whitelist", "file,pipe"]

        return {
          isThere: Option.isSome(programs),
          render: ({ duration, height, onProgress, pictures, pieces, width }) =>
            inFolder((folder, tools) =>
              Effect.gen(function* () {
                yield* Effect.promise(() =>
                  Promise.all(pictures.map((bytes, index) => writeFile(path.join(folder, `${index}.png`), bytes)))
                )
                const total = duration * framesPerSecond
                const rate = String(framesPerSecond)
                let frame = 0
                const raw = ["-f", "rawvideo", "-pix_fmt", "yuv420p"]
                const few = ["-filter_threads", "1", "-filter_complex_threads", "1"]
                const pipe = yield* openFrames(tools, folder)
                const piece = ({ frames, graph, scenes }: VideoPiece) =>
                  run(tools, folder, [
                    ...common,
                    ...scenes.flatMap((scene) =>
                      [2 * scene, 2 * scene + 1].flatMap((input) => [
                        "-threads",
                        "1",
                        "-framerate",
                        rate,
                        "-i",
                        `${input}.png`
                      ])
                    ),
                    ...["-filter_complex", graph, "-map", "[v]", "-frames:v", String(frames), "-r", rate, ...few],
                    ...[...raw, "-y", framesFile]
                  ])
                const encoder = run(
                  tools,
                  folder,
                  [
                    ...common,
                    ...[...raw, "-video_size", `${width}x${height}`, "-framerate", rate, "-i", framesFile],
                    ...["-f", "lavfi", "-t", String(duration), "-i", "anullsrc=r=48000:cl=stereo"],
                    ...["-map", "0:v", "-map", "1:a", "-frames:v", String(total), "-c:v", "libx264"],
                    ...["-preset", "veryfast", "-profile:v", "high", "-crf", "21", "-pix_fmt", "yuv420p", "-r", rate],
                    ...["-threads", "2", ...few, "-c:a", "aac", "-b:a", "96k", "-t", String(duration)],
                    ...["-map_metadata", "-1", "-movflags", "+faststart", "-progress", "pipe:1", "-y", "video.mp4"]
                  ],
                  (seen) => {
                    frame = Math.max(frame, seen)
                  }
                )
                const feeding = Effect.forEach(pieces, piece, { discard: true }).pipe(
                  Effect.zipRight(Effect.promise(() => pipe.close().catch(() => {}))),
                  Effect.zipRight(Effect.never)
                )
                const telling = Effect.suspend(() => onProgress(Math.min(100, (100 * frame) / total))).pipe(
                  Effect.repeat(Schedule.spaced("400 millis")),
                  Effect.zipRight(Effect.never)
                )
                yield* Effect.raceFirst(encoder, Effect.raceFirst(feeding, telling))
                return yield* Effect.promise(() => readFile(path.join(folder, "video.mp4")))
              }).pipe(Effect.scoped)
            ),
          frames: (video, seconds) =>
            inFolder((folder, tools) =>
              Effect.gen(function* () {
                yield* Effect.promise(() => writeFile(path.join(folder, "video.mp4"), video))
                return yield* Effect.forEach(seconds, (at) =>
                  Effect.gen(function* () {
                    const args = [...common, "-ss", String(at), "-f", "mov", "-i", "video.mp4", "-frames:v", "1", "-y"]
                    yield* run(tools, folder, [...args, "frame.png"])
                    return yield* Effect.promise(() => readFile(path.join(folder, "frame.png")))
                  })
                )
              })
            )
        }
      })
    )
}
