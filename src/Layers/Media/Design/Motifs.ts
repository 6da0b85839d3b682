import type { MotifName } from "../../../Services/Media/Motif.ts"
import { n } from "./Canvas.ts"

/** The colours of a motif: its body, its second part, and its light parts. */
export interface MotifColors {
  readonly main: string
  readonly second: string
  readonly light: string
}

type Shape = (colors: MotifColors) => string

/** The motifs, each on a field of 100 by 100. */
const shapes: { readonly [Name in MotifName]: Shape } = {
  tooth: ({ light, main, second }) =>
    `<path d="M50 22C40 12 18 12 16 34c-1 14 6 20 8 32 2 13 3 24 10 24 8 0 6-24 16-24s8 24 16 24c7 0 8-11 10-24 2-12 9-18 8-32C82 12 60 12 50 22Z" fill="${main}"/><path d="M26 34c0-9 7-13 14-12" fill="none" stroke="${light}" stroke-width="5" stroke-linecap="round"/><path d="M82 8l3 8 8 3-8 3-3 8-3-8-8-3 8-3Z" fill="${second}"/>`,
  coffee: ({ light, main, second }) =>
    `<ellipse cx="46" cy="84" rx="40" ry="7" fill="${second}"/><path d="M14 40h62v14c0 18-11 28-31 28S14 72 14 54Z" fill="${main}"/><path d="M76 46h6a11 11 0 0 1 0 22h-9" fill="none" stroke="${main}" stroke-width="6"/><ellipse cx="45" cy="40" rx="31" ry="6" fill="${light}"/><ellipse cx="45" cy="41" rx="25" ry="4" fill="${second}"/><path d="M34 28c-6-8 6-10 0-20M48 28c-6-8 6-10 0-20M62 28c-6-8 6-10 0-20" fill="none" stroke="${second}" stroke-width="4" stroke-linecap="round"/>`,
  house: ({ light, main, second }) =>
    `<rect x="22" y="44" width="56" height="44" fill="${main}"/><path d="M10 48 50 14l40 34Z" fill="${second}"/><rect x="66" y="16" width="9" height="20" fill="${second}"/><rect x="43" y="60" width="15" height="28" fill="${light}"/><rect x="28" y="56" width="11" height="12" fill="${light}"/><rect x="62" y="56" width="11" height="12" fill="${light}"/>`,
  building: ({ light, main, second }) =>
    `<rect x="8" y="40" width="26" height="50" fill="${second}"/><rect x="34" y="12" width="32" height="78" fill="${main}"/><rect x="66" y="30" width="26" height="60" fill="${second}"/>${[20, 32, 44, 56, 68].map((y) => `<rect x="40" y="${y}" width="7" height="7" fill="${light}"/><rect x="53" y="${y}" width="7" height="7" fill="${light}"/>`).join("")}${[48, 60, 72].map((y) => `<rect x="14" y="${y}" width="6" height="6" fill="${light}"/><rect x="24" y="${y}" width="6" height="6" fill="${light}"/><rect x="72" y="${y - 8}" width="6" height="6" fill="${light}"/><rect x="82" y="${y - 8}" width="6" height="6" fill="${light}"/>`).join("")}`,
  chart: ({ light, main, second }) =>
    `<rect x="12" y="62" width="15" height="26" rx="3" fill="${second}"/><rect x="33" y="48" width="15" height="40" rx="3" fill="${main}"/><rect x="54" y="34" width="15" height="54" rx="3" fill="${second}"/><rect x="75" y="20" width="15" height="68" rx="3" fill="${main}"/><path d="M12 48 36 30 56 22 84 6" fill="none" stroke="${light}" stroke-width="5" stroke-linecap="round" stroke-linejoin="round"/><path d="m74 4 14-1-6 12Z" fill="${light}"/>`,
  calendar: ({ light, main, second }) =>
    `<rect x="12" y="18" width="76" height="72" rx="9" fill="${light}"/><path d="M12 40V27a9 9 0 0 1 9-9h58a9 9 0 0 1 9 9v13Z" fill="${main}"/><rect x="28" y="8" width="8" height="20" rx="4" fill="${second}"/><rect x="64" y="8" width="8" height="20" rx="4" fill="${second}"/>${[50, 64, 78].flatMap((y) => [24, 40, 56, 72].map((x) => `<rect x="${x - 4}" y="${y - 4}" width="9" height="9" rx="2" fill="${x === 56 && y === 64 ? main : second}"/>`)).join("")}`,
  chat: ({ light, main, second }) =>
    `<path d="M16 12h48a10 10 0 0 1 10 10v22a10 10 0 0 1-10 10H34L18 68V54h-2A10 10 0 0 1 6 44V22a10 10 0 0 1 10-10Z" fill="${main}"/><path d="M84 40a10 10 0 0 1 10 10v20a10 10 0 0 1-10 10h-2v12L68 80H46a10 10 0 0 1-10-10v-8h30a16 16 0 0 0 16-16v-6Z" fill="${second}"/><circle cx="26" cy="33" r="4.5" fill="${light}"/><circle cx="40" cy="33" r="4.5" fill="${light}"/><circle cx="54" cy="33" r="4.5" fill="${light}"/>`,
  people: ({ light, main, second }) =>
    `<circle cx="24" cy="36" r="11" fill="${second}"/><path d="M4 82c0-20 8-30 20-30s20 10 20 30Z" fill="${second}"/><circle cx="76" cy="36" r="11" fill="${second}"/><path d="M56 82c0-20 8-30 20-30s20 10 20 30Z" fill="${second}"/><circle cx="50" cy="30" r="14" fill="${main}"/><path d="M24 90c0-28 11-42 26-42s26 14 26 42Z" fill="${main}"/><path d="m44 50 6 8 6-8Z" fill="${light}"/>`,
  heart: ({ light, main, second }) =>
    `<path d="M50 88C22 68 8 52 8 34 8 20 18 12 29 12c9 0 17 5 21 13 4-8 12-13 21-13 11 0 21 8 21 22 0 18-14 34-42 54Z" fill="${main}"/><path d="M8 46h22l7-14 11 28 8-20 5 6h31" fill="none" stroke="${light}" stroke-width="5" stroke-linecap="round" stroke-linejoin="round"/><circle cx="84" cy="14" r="7" fill="${second}"/>`,
  leaf: ({ light, main, second }) =>
    `<path d="M86 10C40 8 14 28 16 62c1 8 4 14 8 18 30 6 66-12 62-70Z" fill="${main}"/><path d="M14 92C24 64 44 44 70 28" fill="none" stroke="${light}" stroke-width="5" stroke-linecap="round"/><path d="M36 60c0-10-2-18-6-24M48 48c14 4 22 4 30 2" fill="none" stroke="${light}" stroke-width="3.5" stroke-linecap="round"/><circle cx="80" cy="82" r="8" fill="${second}"/>`,
  sun: ({ main, second }) =>
    `${Array.from({ length: 12 }, (_, index) => `<rect x="47" y="4" width="6" height="16" rx="3" fill="${second}" transform="rotate(${index * 30} 50 50)"/>`).join("")}<circle cx="50" cy="50" r="23" fill="${main}"/>`,
  mountain: ({ light, main, second }) =>
    `<circle cx="74" cy="24" r="12" fill="${light}"/><path d="M4 86 36 30l20 34 12-18 28 40Z" fill="${second}"/><path d="M4 86 36 30l32 56Z" fill="${main}"/><path d="m36 30 9 16-6-2-4 6-5-6-3 2Z" fill="${light}"/>`,
  rocket: ({ light, main, second }) =>
    `<g transform="rotate(35 50 50)"><path d="M50 4c14 12 18 30 16 50H34C32 34 36 16 50 4Z" fill="${main}"/><path d="M34 42 20 62l14 2ZM66 42l14 20-14 2Z" fill="${second}"/><circle cx="50" cy="34" r="8" fill="${light}"/><rect x="38" y="56" width="24" height="8" rx="2" fill="${second}"/><path d="M42 68h16l-8 26Z" fill="${light}"/></g>`,
  star: ({ light, main, second }) =>
    `<path d="m50 6 13 28 31 4-23 21 6 31-27-15-27 15 6-31L6 38l31-4Z" fill="${main}"/><path d="m50 28 7 14 15 2-11 11 3 15-14-7-14 7 3-15-11-11 15-2Z" fill="${light}" opacity="0.55"/><circle cx="88" cy="16" r="5" fill="${second}"/><circle cx="14" cy="82" r="6" fill="${second}"/>`,
  cart: ({ light, main, second }) =>
    `<path d="M22 30h68L80 64H32Z" fill="${main}"/><path d="M4 14h12l16 54h50" fill="none" stroke="${second}" stroke-width="6" stroke-linecap="round" stroke-linejoin="round"/><circle cx="40" cy="82" r="8" fill="${second}"/><circle cx="74" cy="82" r="8" fill="${second}"/><path d="M40 38v18M56 38v18M72 38v18" stroke="${light}" stroke-width="4" stroke-linecap="round"/>`,
  truck: ({ light, main, second }) =>
    `<rect x="4" y="26" width="54" height="46" rx="4" fill="${main}"/><path d="M58 40h20l16 18v14H58Z" fill="${second}"/><path d="M66 46h10l9 11H66Z" fill="${light}"/><circle cx="24" cy="76" r="10" fill="${second}"/><circle cx="24" cy="76" r="4" fill="${light}"/><circle cx="76" cy="76" r="10" fill="${main}"/><circle cx="76" cy="76" r="4" fill="${light}"/><path d="M14 40h30M14 50h20" stroke="${light}" stroke-width="4" stroke-linecap="round"/>`,
  plane: ({ light, main, second }) =>
    `<path d="M6 54 94 14 70 88 50 62Z" fill="${main}"/><path d="M94 14 50 62l-4 24-10-26Z" fill="${second}"/><path d="M46 86 50 62l8 10Z" fill="${light}"/><path d="M6 78c8 2 14 0 20-6" fill="none" stroke="${second}" stroke-width="3.5" stroke-dasharray="5 5" stroke-linecap="round"/>`,
  book: ({ light, main, second }) =>
    `<path d="M50 26C38 16 22 14 6 18v62c16-4 32-2 44 8 12-10 28-12 44-8V18c-16-4-32-2-44 8Z" fill="${main}"/><path d="M50 26v62" stroke="${light}" stroke-width="4"/><path d="M16 34c8-1 16 0 24 4M16 48c8-1 16 0 24 4M84 34c-8-1-16 0-24 4M84 48c-8-1-16 0-24 4" fill="none" stroke="${light}" stroke-width="4" stroke-linecap="round"/><path d="M70 8h12v22l-6-6-6 6Z" fill="${second}"/>`,
  bulb: ({ light, main, second }) =>
    `<path d="M50 8a30 30 0 0 1 18 54c-4 3-5 7-5 10H37c0-3-1-7-5-10A30 30 0 0 1 50 8Z" fill="${main}"/><rect x="38" y="76" width="24" height="6" rx="3" fill="${second}"/><rect x="41" y="85" width="18" height="6" rx="3" fill="${second}"/><path d="M40 44 50 34l10 10M50 34v34" fill="none" stroke="${light}" stroke-width="4.5" stroke-linecap="round" stroke-linejoin="round"/>`,
  shield: ({ light, main, second }) =>
    `<path d="M50 6 88 20v26c0 24-15 40-38 48C27 86 12 70 12 46V20Z" fill="${main}"/><path d="M50 6v88C27 86 12 70 12 46V20Z" fill="${second}"/><path d="m32 48 13 14 24-26" fill="none" stroke="${light}" stroke-width="8" stroke-linecap="round" stroke-linejoin="round"/>`,
  gear: ({ light, main, second }) =>
    `${Array.from({ length: 8 }, (_, index) => `<rect x="42" y="6" width="16" height="20" rx="4" fill="${main}" transform="rotate(${index * 45} 50 50)"/>`).join("")}<circle cx="50" cy="50" r="32" fill="${main}"/><circle cx="50" cy="50" r="19" fill="${light}"/><circle cx="50" cy="50" r="9" fill="${second}"/>`,
  laptop: ({ light, main, second }) =>
    `<rect x="14" y="18" width="72" height="52" rx="6" fill="${main}"/><rect x="20" y="24" width="60" height="40" rx="2" fill="${light}"/><path d="M4 74h92l-6 10H10Z" fill="${second}"/><rect x="26" y="48" width="8" height="10" fill="${second}"/><rect x="38" y="40" width="8" height="18" fill="${main}"/><rect x="50" y="32" width="8" height="26" fill="${second}"/><circle cx="69" cy="36" r="6" fill="${main}"/>`,
  phone: ({ light, main, second }) =>
    `<rect x="28" y="6" width="44" height="88" rx="9" fill="${main}"/><rect x="33" y="16" width="34" height="64" rx="2" fill="${light}"/><circle cx="50" cy="87" r="3.5" fill="${light}"/><rect x="38" y="24" width="24" height="9" rx="4" fill="${second}"/><rect x="38" y="39" width="16" height="9" rx="4" fill="${main}"/><rect x="46" y="54" width="16" height="9" rx="4" fill="${second}"/>`,
  food: ({ light, main, second }) =>
    `<circle cx="50" cy="52" r="32" fill="${light}"/><circle cx="50" cy="52" r="22" fill="${main}"/><circle cx="43" cy="46" r="5" fill="${second}"/><circle cx="57" cy="49" r="4" fill="${second}"/><circle cx="49" cy="61" r="5" fill="${second}"/><path d="M8 16v18c0 5 3 8 6 8v46M4 16v14M14 16v14M20 16v18c0 5-3 8-6 8" fill="none" stroke="${second}" stroke-width="4" stroke-linecap="round"/><path d="M92 88V16c-7 5-9 18-8 32h8" fill="${second}"/>`,
  dumbbell: ({ main, second }) =>
    `<rect x="24" y="44" width="52" height="12" fill="${second}"/><rect x="14" y="26" width="14" height="48" rx="5" fill="${main}"/><rect x="72" y="26" width="14" height="48" rx="5" fill="${main}"/><rect x="4" y="36" width="10" height="28" rx="4" fill="${second}"/><rect x="86" y="36" width="10" height="28" rx="4" fill="${second}"/>`,
  paw: ({ main, second }) =>
    `<ellipse cx="50" cy="66" rx="24" ry="21" fill="${main}"/><ellipse cx="20" cy="46" rx="9" ry="13" fill="${second}" transform="rotate(-20 20 46)"/><ellipse cx="39" cy="27" rx="10" ry="14" fill="${second}"/><ellipse cx="62" cy="27" rx="10" ry="14" fill="${second}"/><ellipse cx="81" cy="46" rx="9" ry="13" fill="${second}" transform="rotate(20 81 46)"/>`,
  car: ({ light, main, second }) =>
    `<path d="M6 56c0-6 4-9 10-10l12-18c3-4 6-6 11-6h24c5 0 8 2 11 6l10 18c6 1 10 5 10 12v14H6Z" fill="${main}"/><path d="M32 44 40 30h9v14ZM55 30h8l8 14H55Z" fill="${light}"/><circle cx="26" cy="74" r="11" fill="${second}"/><circle cx="26" cy="74" r="4.5" fill="${light}"/><circle cx="74" cy="74" r="11" fill="${second}"/><circle cx="74" cy="74" r="4.5" fill="${light}"/>`,
  coin: ({ light, main, second }) =>
    `<ellipse cx="40" cy="80" rx="30" ry="10" fill="${second}"/><rect x="10" y="68" width="60" height="12" fill="${second}"/><ellipse cx="40" cy="68" rx="30" ry="10" fill="${light}"/><circle cx="60" cy="36" r="30" fill="${main}"/><circle cx="60" cy="36" r="22" fill="none" stroke="${light}" stroke-width="4"/><path d="M60 22v28M68 28c-3-3-16-4-16 3 0 8 17 4 17 11 0 6-13 6-18 1" fill="none" stroke="${light}" stroke-width="4" stroke-linecap="round"/>`,
  music: ({ main, second }) =>
    `<path d="M36 76V20l48-10v56" fill="none" stroke="${main}" stroke-width="8" stroke-linejoin="round"/><path d="M36 36 84 26" stroke="${main}" stroke-width="8"/><ellipse cx="25" cy="78" rx="15" ry="12" fill="${second}"/><ellipse cx="73" cy="68" rx="15" ry="12" fill="${second}"/>`,
  gift: ({ light, main, second }) =>
    `<rect x="14" y="46" width="72" height="44" rx="3" fill="${main}"/><rect x="8" y="30" width="84" height="18" rx="3" fill="${second}"/><rect x="43" y="30" width="14" height="60" fill="${light}"/><path d="M50 30C34 32 22 24 28 14c6-8 18 0 22 16 4-16 16-24 22-16 6 10-6 18-22 16Z" fill="none" stroke="${light}" stroke-width="6"/>`,
  target: ({ light, main, second }) =>
    `<circle cx="46" cy="54" r="40" fill="${main}"/><circle cx="46" cy="54" r="28" fill="${light}"/><circle cx="46" cy="54" r="17" fill="${main}"/><circle cx="46" cy="54" r="7" fill="${light}"/><path d="M46 54 86 14" stroke="${second}" stroke-width="5" stroke-linecap="round"/><path d="m74 14 12-10 2 10 10 2-10 12-12-2Z" fill="${second}"/>`
}

/** A motif in a square with its middle at `x`, `y`. */
export const motif = (name: MotifName, x: number, y: number, side: number, colors: MotifColors, more = ""): string =>
  `<g transform="translate(${n(x - side / 2)} ${n(y - side / 2)}) scale(${n(side / 100)})"${more === "" ? "" : ` ${more}`}>${shapes[name](colors)}</g>`
