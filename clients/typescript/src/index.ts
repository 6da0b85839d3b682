export { type CallOptions, Client, type ClientOptions } from "./client.ts"
export {
  type ErrorOf,
  GatewayError,
  isErrorOf,
  isGatewayError,
  type RequestError,
  type ToolErrorType
} from "./errors.ts"
export { type AccountEvent, type EventFeed, type EventFeedOptions, type EventType, eventFeed } from "./events.ts"
export { downloadFile, uploadFile } from "./files.ts"
export { Gateway } from "./gateway.ts"
export { type Job, JobFailed, type WaitOptions, waitForJob } from "./jobs.ts"
export { each, pages } from "./pages.ts"
export type { PagedTool, Tool } from "./tool.ts"
export { type Delivery, type PingEvent, verifyWebhook, type WebhookEvent, WebhookRefused } from "./webhooks.ts"
