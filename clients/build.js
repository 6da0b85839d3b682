import { execFileSync } from "node:child_process"
import * as fs from "node:fs"
import * as path from "node:path"
import { build } from "esbuild"

const clients = import.meta.dirname
const inClients = (/** @type {string} */ file) => path.join(clients, file)

fs.rmSync(inClients("typescript/dist"), { recursive: true, force: true })
execFileSync(
  process.execPath,
  [path.resolve(clients, "../node_modules/typescript-native/bin/tsc"), "-p", inClients("typescript")],
  { stdio: "inherit" }
)

// The compiler rewrites the paths of imports in the code, and leaves those in the types.
for (const name of fs.readdirSync(inClients("typescript/dist"), { recursive: true, encoding: "utf8" })) {
  if (!name.endsWith(".d.ts")) continue
  const file = path.join(inClients("typescript/dist"), name)
  fs.writeFileSync(file, fs.readFileSync(file, "utf8").replaceAll(/((?:from|import\() ?"\.[^"]*)\.ts"/g, '$1.js"'))
}

// One file without dependencies, so that `npm install --global` brings nothing else.
await build({
  entryPoints: [inClients("pgw/src/Main.ts")],
  outfile: inClients("pgw/dist/pgw.js"),
  bundle: true,
  platform: "node",
  target: "node20.19",
  format: "esm",
  minifySyntax: true,
  minifyWhitespace: true,
  logLevel: "warning",
  banner: {
    js: '#!/usr/bin/env node\nimport { createRequire } from "node:module";\nconst require = createRequire(import.meta.url);'
  }
})
