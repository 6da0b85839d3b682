import { existsSync } from "node:fs"

/** Whether videos can be rendered on this machine. */
export const hasRenderer = existsSync("/usr/bin/ffmpeg")
