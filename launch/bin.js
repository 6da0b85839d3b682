#!/usr/bin/env node
// The program of the package. Without arguments it serves, so that `npx prospecting-gateway` starts a gateway.
if (process.argv.length === 2) process.argv.push("serve")
await import("./gateway.js")
