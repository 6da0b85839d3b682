/** Messages that take a careless parser quadratic time: name, header, body. */
export const hostileMails: ReadonlyArray<readonly [name: string, headers: ReadonlyArray<string>, body: string]> = [
  ["soft line breaks", ["Content-Type: text/plain; format=flowed"], "> \r\n".repeat(250_000)],
  [
    "soft line breaks whose spaces go",
    ["Content-Type: text/plain; format=flowed; delsp=yes"],
    "a \r\n".repeat(250_000)
  ],
  ["one flowed paragraph", ["Content-Type: text/plain; format=flowed"], "word word \r\n".repeat(90_000)],
  ["links", ["Content-Type: text/html"], '<a href="https://x.example/">x</a> '.repeat(30_000)],
  [
    "links in links",
    ["Content-Type: text/html"],
    `${'<a href="https://x.example/">x'.repeat(900)}${"y ".repeat(400_000)}`
  ],
  ["breaks in spaces", ["Content-Type: text/html"], `<pre>${" ".repeat(300_000)}${"<br>".repeat(150_000)}</pre>`],
  ["breaks after marks", ["Content-Type: text/html"], `<pre>${"> ".repeat(200_000)}\n</pre>${"<br>".repeat(100_000)}`],
  ["UTF-7", ["Content-Type: text/plain; charset=utf-7"], "+AOk-".repeat(1_800_000)],
  ["encoded words", [`Subject: ${"=?utf-8?Q?a?= ".repeat(4_000)}`], "x"],
  ["quotations", [], `${">".repeat(500)} x\r\n`.repeat(2_000)],
  ["answers in answers", [], "On Mon, 2 Mar 2026, Bia wrote:\r\n".repeat(30_000)],
  ["line breaks", [], "\r\n".repeat(499_000)],
  ["spaces", [], `${" ".repeat(1_000_000)}x`],
  ["addresses in the text", [], "a@b.example <".repeat(70_000)],
  ["dashes", [], "-".repeat(1_000_000)]
]

/** One of them as a raw message. */
export const hostileMail = (
  [, headers, body]: (typeof hostileMails)[number],
  { from, to }: { readonly from: string; readonly to: string }
): Buffer =>
  Buffer.from(
    [`From: ${from}`, `To: ${to}`, "Message-ID: <hostile@lead.example>", ...headers, "", body].join("\r\n"),
    "latin1"
  )
