import { assert, describe, it } from "@effect/vitest"
import { sniffMediaType } from "../../src/Services/Files/MediaType.ts"

const bytes = (...parts: ReadonlyArray<string | ReadonlyArray<number>>) =>
  Buffer.concat(parts.map((part) => (typeof part === "string" ? Buffer.from(part, "utf8") : Buffer.from(part))))

const zip = bytes("PK\u0003\u0004", [0x14, 0, 0, 0])
const compound = bytes([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1, 0])

describe("sniffMediaType", () => {
  const cases: ReadonlyArray<readonly [string, Buffer, string, string]> = [
    ["a PDF, whatever its name", bytes("%PDF-1.7"), "report.csv", "application/pdf"],
    ["PNG", bytes([0x89], "PNG\r\n", [0x1a, 0x0a]), "x", "image/png"],
    ["JPEG", bytes([0xff, 0xd8, 0xff, 0xe0]), "x", "image/jpeg"],
    ["GIF", bytes("GIF89a"), "x", "image/gif"],
    ["WebP", bytes("RIFF", [1, 2, 3, 4], "WEBPVP8 "), "x", "image/webp"],
    ["WAV", bytes("RIFF", [1, 2, 3, 4], "WAVEfmt "), "x", "audio/wav"],
    ["MP4", bytes([0, 0, 0, 0x20], "ftypisom"), "x", "video/mp4"],
    ["HEIC", bytes([0, 0, 0, 0x20], "ftypheic"), "x", "image/heic"],
    ["WebM", bytes([0x1a, 0x45, 0xdf, 0xa3]), "x", "video/webm"],
    ["xlsx", zip, "Leads.XLSX", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"],
    ["a zip that claims to be CSV", zip, "leads.csv", "application/zip"],
    ["xls", compound, "leads.xls", "application/vnd.ms-excel"],
    ["CSV", bytes("name,email\n"), "leads.csv", "text/csv"],
    ["CSV in Latin-1", bytes("nome,", [0xe3, 0x6f], "\n"), "leads.csv", "text/csv"],
    ["CSV in UTF-16", bytes([0xff, 0xfe], "n\u0000a\u0000"), "leads.csv", "text/csv"],
    ["JSON", bytes("{}"), "data.json", "application/json"],
    ["other text", bytes("hello"), "notes", "text/plain"],
    ["text that claims to be a picture", bytes("hello"), "photo.png", "text/plain"],
    ["binary that claims to be CSV", bytes([0, 1, 2, 3]), "leads.csv", "application/octet-stream"],
    ["HTML that claims to be text", bytes("<!DOCTYPE html><p>"), "notes.txt", "text/html"],
    ["HTML behind a comment and a byte order mark", bytes("\ufeff <!-- x -->\n<script>"), "a.csv", "text/html"],
    ["HTML in UTF-16", Buffer.from("\ufeff<html>", "utf16le"), "a.txt", "text/html"],
    ["SVG that claims to be a PNG", bytes('<?xml version="1.0"?><svg onload="x">'), "a.png", "image/svg+xml"]
  ]
  for (const [name, content, fileName, expected] of cases) {
    it(name, () => assert.strictEqual(sniffMediaType(content, fileName), expected))
  }
})
