import { ConfigProvider, Layer } from "effect"
import { sandboxManagerId } from "../../../src/Layers/Ads/sandbox/AdsSandbox.ts"
import type { OutsideRecorder } from "./OutsideRecorder.ts"

/** Every outside service live, at the vendors' own addresses where the recorder leads them to its servers. */
export const liveSettings = ({ dns, imap, smtp }: OutsideRecorder["Type"]["ports"]): ReadonlyMap<string, string> =>
  new Map([
    ["LANGUAGE_MODEL_API_KEY", "key"],
    ["EMBEDDINGS_API_KEY", "key"],
    ["EMBEDDINGS_MODEL", "embedder"],
    ["SUPPORT_EMAIL", "support@operator.example"],
    ["SMTP_URL", `smtp://127.0.0.1:${smtp}`],
    ["IMAP_URL", `imap://gateway:right@127.0.0.1:${imap}`],
    ["DNS_MODE", "live"],
    ["DNS_SERVERS", `127.0.0.1:${dns}`],
    ["CHATAPP_ACCESS_TOKEN", "token"],
    ["CHATAPP_APP_ID", "100"],
    ["CHATAPP_APP_SECRET", "secret"],
    ["CHATAPP_VERIFY_TOKEN", "verify"],
    ["CHATAPP_PHONE_NUMBER_IDS", "200,201,202,203"],
    ["CHATAPP_SIGNUP_CONFIG_ID", "300"],
    ["ELEVENLABS_API_KEY", "key"],
    ["ELEVENLABS_PHONE_NUMBER_ID", "phone"],
    ["ELEVENLABS_AGENT_ID_FEMALE", "agent"],
    ["CALENDAR_MODE", "live"],
    ["CALENDAR_CLIENT_ID", "client"],
    ["CALENDAR_CLIENT_SECRET", "secret"],
    ["SCHEDULER_MODE", "live"],
    ["SCHEDULER_CLIENT_ID", "client"],
    ["SCHEDULER_CLIENT_SECRET", "secret"],
    ["SCHEDULER_WEBHOOK_KEY", "signing"],
    ["CRM_MODE", "live"],
    ["LEADSOURCE_MODE", "live"],
    ["ADS_MODE", "live"],
    ["ADS_CLIENT_ID", "client"],
    ["ADS_CLIENT_SECRET", "secret"],
    ["ADS_REFRESH_TOKEN", "refresh"],
    ["ADS_MANAGER_ID", sandboxManagerId],
    ["ADS_NO_EU_POLITICAL_ADVERTISING", "true"],
    ["IMAGES_API_KEY", "key"],
    ["VIDEOS_GEMINI_API_KEY", "key"],
    ["VIDEOS_REPLICATE_API_TOKEN", "token"],
    ["WEB_SEARCH_ENGINE", "brave"],
    ["WEB_SEARCH_API_KEY", "key"]
  ])

export const liveConfig = (ports: OutsideRecorder["Type"]["ports"]) =>
  Layer.setConfigProvider(ConfigProvider.fromMap(new Map(liveSettings(ports))))
