import type { Language } from "../../../Text/Language.ts"
import type { SiteWords } from "../SiteWords.ts"
import { en } from "./SitePhrasesEn.ts"
import { es } from "./SitePhrasesEs.ts"
import { pt } from "./SitePhrasesPt.ts"

export const siteWords: { readonly [L in Language]: SiteWords } = { "pt-BR": pt, en, es }
