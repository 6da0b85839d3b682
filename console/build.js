import { build } from "vite"

// CONSOLE_OUT is an absolute folder. The gateway builds into its data directory, and the package into its `dist`.
await build({ configFile: `${import.meta.dirname}/vite.config.js`, root: import.meta.dirname, logLevel: "warn" })
