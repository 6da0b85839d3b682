import { importRule } from "./importRule.js"

/** The project's own rules, for oxlint. */
export default { meta: { name: "rooms" }, rules: { imports: importRule } }
