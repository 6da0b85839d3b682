import * as path from "node:path"
import { defineConfig } from "vite"
import { devGateway } from "./devGateway.js"
import { messages } from "./messagesPlugin.js"

/** The policy under which a gateway serves the console, so that `vite preview` shows violations. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; " +
  "media-src 'self'; manifest-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'; " +
  "require-trusted-types-for 'script'; trusted-types 'none'"

export default defineConfig({
  root: import.meta.dirname,
  base: "/console/",
  plugins: [messages(), devGateway()],
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
      // Marks for servers that render, in the packages of the parts, and times of a machine that is busy.
      onLog: (level, log, print) =>
        log.code === "MODULE_LEVEL_DIRECTIVE" || log.code === "PLUGIN_TIMINGS" ? undefined : print(level, log)
    }
  },
  preview: { headers: { "Content-Security-Policy": policy } }
})
