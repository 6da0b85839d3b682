import manifest from "../../../../package.json" with { type: "json" }

/** The version of this gateway, as the catalog reports it. */
export const serverVersion: string = manifest.version
