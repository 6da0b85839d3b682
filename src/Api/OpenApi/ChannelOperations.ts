import { authorization } from "./AuthorizationOperations.ts"
import type { Node } from "./ErrorResponses.ts"
import { mail } from "./MailOperations.ts"
import { ads, calendar, chatApp, connections, scheduler, voice } from "./ProviderOperations.ts"
import { sandboxCalls, sandboxChannels } from "./SandboxChannelOperations.ts"
import { sandboxServices } from "./SandboxServiceOperations.ts"
import { siteEditor, sites } from "./SiteOperations.ts"

/** Routes for people, providers and developers. Which of them exist depends on the configuration. */
export const channelPaths: Node = {
  ...sites,
  ...mail,
  ...chatApp,
  ...voice,
  ...scheduler,
  ...connections,
  ...authorization,
  ...calendar,
  ...ads,
  ...siteEditor,
  ...sandboxChannels,
  ...sandboxServices,
  ...sandboxCalls
}
