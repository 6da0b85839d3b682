import { execFile } from "node:child_process"
import * as fs from "node:fs"
import * as path from "node:path"
import { promisify } from "node:util"

const execute = promisify(execFile)

/** Of the image: `USER` of the Containerfile. */
const gatewayUser = 10_001

export interface GatewayContainer {
  readonly name: string
  /** Waits until its process has ended by the stop signal, then removes it. */
  readonly stop: () => Promise<void>
  readonly signal: (name: "HUP" | "KILL") => Promise<void>
  readonly startAgain: () => Promise<void>
  /** Runs a command of the gateway in it, with its settings. */
  readonly run: (...args: ReadonlyArray<string>) => Promise<string>
  /** Runs any program in it. Fails if the program does. */
  readonly execute: (...args: ReadonlyArray<string>) => Promise<string>
  /** Whether the image's own health check passes. */
  readonly isHealthy: () => Promise<boolean>
}

/** What a container needs besides its image. Secrets are files. */
export interface ContainerSettings {
  readonly image: string
  readonly environment: Readonly<Record<string, string>>
  readonly secrets: Readonly<Record<string, string>>
  readonly volumes: Readonly<Record<string, string>>
}

const podman = async (...args: ReadonlyArray<string>): Promise<string> => {
  const { stdout } = await execute("podman", [...args], { maxBuffer: 1 << 26 })
  return stdout.trim()
}

const writeSecret = (folder: string, name: string, value: string): string => {
  const file = path.join(folder, name)
  fs.writeFileSync(file, value, { mode: 0o400 })
  fs.chownSync(file, gatewayUser, gatewayUser)
  return file
}

/** A folder of this machine that the container's user may write. */
export const volumeFolder = (folder: string): string => {
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 })
  fs.chownSync(folder, gatewayUser, gatewayUser)
  return folder
}

/** As docs/deploy/container.md runs it, but on the network of this machine: no rights and a read-only root. */
const optionsOf = (folder: string, { environment, image, secrets, volumes }: ContainerSettings) => [
  ...["--network", "host", "--read-only", "--tmpfs", "/tmp", "--cap-drop", "ALL"],
  ...["--security-opt", "no-new-privileges", "--stop-timeout", "90"],
  ...Object.entries(environment).flatMap(([name, value]) => ["--env", `${name}=${value}`]),
  ...Object.entries(secrets).flatMap(([name, value]) => [
    ...["--env", `${name.toUpperCase()}_FILE=/run/secrets/${name}`],
    ...["--volume", `${writeSecret(folder, name, value)}:/run/secrets/${name}:ro`]
  ]),
  ...Object.entries(volumes).flatMap(([target, source]) => ["--volume", `${source}:${target}`]),
  image
]

/** Starts `gateway serve` in a container. Does not wait until it serves. */
export const startContainer = async (
  name: string,
  folder: string,
  settings: ContainerSettings
): Promise<GatewayContainer> => {
  fs.mkdirSync(folder, { recursive: true })
  await podman("run", "--detach", "--name", name, ...optionsOf(folder, settings))
  return {
    name,
    stop: async () => {
      await podman("stop", name)
      await podman("rm", name)
    },
    signal: async (signal) => {
      await podman("kill", "--signal", signal, name)
    },
    startAgain: async () => {
      await podman("start", name)
    },
    run: (...args) => podman("exec", name, "node", "launch/bin.js", ...args),
    execute: (...args) => podman("exec", name, ...args),
    isHealthy: () =>
      podman("healthcheck", "run", name).then(
        () => true,
        () => false
      )
  }
}

/** Runs one command of the gateway in a container that ends with it. */
export const runInContainer = (folder: string, settings: ContainerSettings, ...args: ReadonlyArray<string>) => {
  fs.mkdirSync(folder, { recursive: true })
  return podman("run", "--rm", ...optionsOf(folder, settings), ...args)
}

export const logOf = (name: string): Promise<string> =>
  execute("podman", ["logs", name], { maxBuffer: 1 << 26 }).then(({ stderr, stdout }) => `${stdout}${stderr}`)

/** What ended the container's process. */
export const exitCodeOf = (name: string): Promise<string> => podman("inspect", "--format", "{{.State.ExitCode}}", name)

export const removeContainer = async (name: string): Promise<void> => {
  await podman("rm", "--force", "--ignore", name)
}
