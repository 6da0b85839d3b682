import * as path from "node:path"
import { defineConfig } from "vite"
import { compileHint } from "./compileHintPlugin.js"
import { earlyName, earlyScript } from "./earlyScriptPlugin.js"
import { messages } from "./messagesPlugin.js"
import { preloads } from "./preloadsPlugin.js"

/** The development server serves the page, and passes these routes on to a running gateway. */
const gateway = process.env["GATEWAY_URL"] ?? "http://127.0.0.1:8080"
const routesOfGateway = ["/console/api", "/openapi.json", "/files"]

/** Marks for servers that render, in the packages of the parts, and times of a machine that is busy. */
const quietLogs = new Set(["MODULE_LEVEL_DIRECTIVE", "PLUGIN_TIMINGS"])

export default defineConfig({
  root: import.meta.dirname,
  base: "/console/",
  plugins: [messages(), earlyScript(), preloads(["en", "pt-BR", "es"]), compileHint(new Set([earlyName, "index"]))],
  build: {
    outDir: process.env["CONSOLE_OUT"] ?? path.join(import.meta.dirname, "dist"),
    emptyOutDir: true,
    // Browsers with light-dark() in CSS.
    target: ["chrome123", "firefox121", "safari17.5"],
    license: { fileName: "licences.md" },
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 600,
    rolldownOptions: {
      // Each file more is a request more. So all that the first view runs is one file, next to the one that begins its calls.
      output: {
        codeSplitting: {
          groups: [
            { name: earlyName, test: /[\\/]src[\\/]early\.ts$/, priority: 2 },
            { name: "first", tags: ["$initial"], priority: 1 }
          ]
        }
      },
      onLog: (level, log, print) => (quietLogs.has(log.code ?? "") ? undefined : print(level, log))
    }
  },
  server: { proxy: Object.fromEntries(routesOfGateway.map((route) => [route, gateway])) }
})
