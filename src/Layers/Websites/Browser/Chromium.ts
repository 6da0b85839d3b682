import { type ChildProcess, spawn } from "node:child_process"
import { constants } from "node:fs"
import { access, chown, mkdtemp, readdir, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import * as path from "node:path"
import { Duplex, type Readable, type Writable } from "node:stream"
import { setTimeout as setTimeoutPromise } from "node:timers/promises"
import { Effect, Option, Schedule, type Scope } from "effect"
import { DevTools, DevToolsFailed } from "./DevTools.ts"

const places = [
  "/usr/lib/chromium/chromium",
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome-stable",
  "/opt/google/chrome/chrome"
]

/**
 * The user id of Chromium if the gateway runs as root. No one else uses it, so Chromium can read no file of the gateway
 * or of its database.
 */
const ownUser = 65_533

/** The private memory in bytes that all processes of the browser may use together. */
const mostMemory = 1_200 * 1024 * 1024

/** Returns the path of the Chromium program: the operator's setting if there is one, else a usual place that has it. */
export const findChromium = (setting: Option.Option<string>): Effect.Effect<Option.Option<string>> =>
  Effect.firstSuccessOf(
    (Option.isSome(setting) ? [setting.value] : places).map((file) =>
      Effect.as(
        Effect.tryPromise(() => access(file, constants.X_OK)),
        file
      )
    )
  ).pipe(Effect.option)

const features = [
  "AutofillServerCommunication",
  "CertificateTransparencyComponentUpdater",
  "DialMediaRouteProvider",
  "HttpsUpgrades",
  "InterestFeedContentSuggestions",
  "MediaRouter",
  "OptimizationHints",
  "PrivacySandboxSettings4",
  "Translate"
]

const flags = (profile: string): ReadonlyArray<string> => [
  "--headless",
  "--remote-debugging-pipe",
  `--user-data-dir=${profile}`,
  "--no-startup-window",
  "--no-first-run",
  "--no-default-browser-check",
  // Every page has a separate proxy. Requests of the browser itself are blocked.
  "--proxy-server=http://127.0.0.1:9",
  "--proxy-bypass-list=<-loopback>",
  // Chromium resolves no names itself. The proxy does.
  "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
  "--webrtc-ip-handling-policy=disable_non_proxied_udp",
  "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
  "--disable-quic",
  "--dns-prefetch-disable",
  "--no-pings",
  "--disable-background-networking",
  "--disable-breakpad",
  "--disable-client-side-phishing-detection",
  "--disable-component-update",
  "--disable-crash-reporter",
  "--disable-default-apps",
  "--disable-dev-shm-usage",
  "--disable-domain-reliability",
  "--disable-extensions",
  "--disable-gpu",
  "--disable-3d-apis",
  "--disable-notifications",
  "--disable-sync",
  "--block-new-web-contents",
  "--deny-permission-prompts",
  `--disable-features=${features.join(",")}`,
  "--force-color-profile=srgb",
  "--font-render-hinting=none",
  "--hide-scrollbars",
  "--mute-audio",
  "--metrics-recording-only",
  "--password-store=basic",
  "--use-mock-keychain",
  "--disk-cache-size=1048576",
  "--renderer-process-limit=4",
  "--js-flags=--max-old-space-size=384"
]

export interface Chromium {
  readonly devTools: DevTools
  readonly isAlive: () => boolean
  /** The id of the first process. All others belong to its group. */
  readonly pid: number
  /** Ends the browser with all its processes. */
  readonly kill: () => void
}

const isStream = (stream: unknown): stream is Readable & Writable => stream instanceof Duplex

/** Returns the memory in bytes that the process and its descendants do not share with others. */
const memoryOf = async (root: number): Promise<number> => {
  const processes = new Map<number, { readonly parent: number; readonly own: number }>()
  for (const name of await readdir("/proc")) {
    if (!/^\d+$/.test(name)) continue
    const status = await readFile(`/proc/${name}/status`, "latin1").catch(() => "")
    const parent = Number(/^PPid:\s+(\d+)/m.exec(status)?.[1] ?? 0)
    processes.set(Number(name), { parent, own: 1024 * Number(/^RssAnon:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) })
  }
  const belongs = (pid: number): boolean => {
    for (let at = pid, steps = 0; at > 1 && steps < 20; steps++) {
      if (at === root) return true
      at = processes.get(at)?.parent ?? 0
    }
    return false
  }
  let sum = 0
  for (const [pid, { own }] of processes) if (belongs(pid)) sum += own
  return sum
}

/** True if a process of the group still runs. A zombie does not count. */
const isRunning = async (group: number): Promise<boolean> => {
  for (const name of await readdir("/proc").catch(() => [])) {
    if (!/^\d+$/.test(name)) continue
    const stat = await readFile(`/proc/${name}/stat`, "latin1").catch(() => "")
    // The process's name is in brackets before these fields, and may contain spaces and brackets.
    const [state, , ofGroup] = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
    if (Number(ofGroup) === group && state !== "Z" && state !== "X") return true
  }
  return false
}

const guard = async (): Promise<ReadonlyArray<string>> => {
  const has = (file: string) =>
    access(file, constants.X_OK).then(
      () => true,
      () => false
    )
  return [
    ...((await has("/usr/bin/nice")) ? ["/usr/bin/nice", "-n", "10"] : []),
    ...((await has("/usr/bin/prlimit"))
      ? ["/usr/bin/prlimit", `--fsize=${256 * 1024 * 1024}`, "--nofile=4096", "--core=0", "--"]
      : []),
    // `setpriv` ends the browser if the gateway is killed.
    ...((await has("/usr/bin/setpriv")) ? ["/usr/bin/setpriv", "--pdeathsig", "KILL"] : [])
  ]
}

const isSuperuser = (): boolean => process.geteuid?.() === 0

const startTime = 20_000

/** Milliseconds between two checks whether killed processes are gone, and the number of checks. */
const endingTime = 20
const mostWaits = 250

const start = async (program: string): Promise<Chromium & { readonly profile: string }> => {
  const profile = await mkdtemp(path.join(tmpdir(), "browser-"))
  const user = isSuperuser() ? { uid: ownUser, gid: ownUser } : {}
  if (isSuperuser()) await chown(profile, ownUser, ownUser)
  const [command = program, ...args] = [...(await guard()), program, ...flags(profile)]
  const child: ChildProcess = spawn(command, args, {
    ...user,
    cwd: profile,
    // A separate process group, so that all its processes can be stopped.
    detached: true,
    env: { HOME: profile, TMPDIR: profile, XDG_CONFIG_HOME: profile, XDG_CACHE_HOME: profile, LANG: "C.UTF-8" },
    stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"]
  })
  let isAlive = true
  const { pid } = child
  const kill = (): void => {
    isAlive = false
    if (pid === undefined) return
    try {
      process.kill(-pid, "SIGKILL")
    } catch {
      // The process no longer exists.
    }
  }
  const [, , , input, output] = child.stdio
  const failed = async (): Promise<never> => {
    kill()
    await rm(profile, { recursive: true, force: true })
    throw new DevToolsFailed("not started")
  }
  if (pid === undefined || !isStream(input) || !isStream(output)) {
    child.on("error", () => {})
    return await failed()
  }
  const devTools = new DevTools(input, output, kill)
  child.on("error", () => devTools.close())
  child.once("exit", () => {
    isAlive = false
    devTools.close()
    // Ends processes that the browser left behind.
    kill()
  })
  const timer = setTimeout(kill, startTime)
  try {
    await devTools.send("Browser.getVersion")
  } catch {
    return await failed()
  } finally {
    clearTimeout(timer)
  }
  return { devTools, isAlive: () => isAlive && !devTools.isClosed, kill, pid, profile }
}

/** Starts Chromium, which ends with the scope. Fails if it does not start. */
export const launchChromium = (program: string): Effect.Effect<Chromium, DevToolsFailed, Scope.Scope> =>
  Effect.gen(function* () {
    const chromium = yield* Effect.acquireRelease(
      Effect.tryPromise({ try: () => start(program), catch: () => new DevToolsFailed("not started") }),
      ({ kill, pid, profile }) =>
        Effect.promise(async () => {
          kill()
          // The processes were signalled at the same time, and end a little later.
          for (let wait = 0; wait < mostWaits && (await isRunning(pid)); wait++) await setTimeoutPromise(endingTime)
          // A process that ends slowly may still write files, so the removal is retried.
          await rm(profile, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }).catch(() => {})
        })
    )
    const watch = Effect.promise(() => memoryOf(chromium.pid).catch(() => 0)).pipe(
      Effect.tap((bytes) => (bytes > mostMemory ? Effect.sync(chromium.kill) : Effect.void)),
      Effect.repeat(Schedule.spaced("1 second"))
    )
    // The start of the browser cannot be interrupted, but this watch can.
    yield* Effect.forkScoped(Effect.interruptible(watch))
    return chromium
  })
