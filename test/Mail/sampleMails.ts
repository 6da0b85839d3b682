/** Messages as mail programs and servers write them. `id` is the Message-ID of our message that they are about. */

const crlf = (text: string): Buffer => Buffer.from(text.replace(/^\n/, "").replace(/\r?\n/g, "\r\n"))

export interface About {
  readonly id: string
  /** Our message's recipient. */
  readonly to: string
  /** The recipient of the report. */
  readonly account: string
}

export interface Letter {
  readonly from: string
  readonly to: string
  readonly subject?: string
  readonly text?: string
  readonly id?: string
  readonly inReplyTo?: string
  /** Header lines. */
  readonly headers?: ReadonlyArray<string>
}

let letters = 0

/** A message in plain text. */
export const letter = ({
  from,
  headers = [],
  id,
  inReplyTo,
  subject = "Re: Hello",
  text = "Hello",
  to
}: Letter): Buffer =>
  crlf(
    [
      `From: ${from}`,
      `To: ${to}`,
      `Subject: ${subject}`,
      `Message-ID: ${id ?? `<letter-${++letters}@lead.example>`}`,
      ...(inReplyTo === undefined ? [] : [`In-Reply-To: ${inReplyTo}`, `References: ${inReplyTo}`]),
      "Date: Mon, 02 Mar 2026 09:00:00 -0300",
      "MIME-Version: 1.0",
      "Content-Type: text/plain; charset=utf-8",
      ...headers,
      "",
      text
    ].join("\n")
  )

const status = (options: {
  readonly action: string
  readonly status: string
  readonly diagnostic: string
  readonly recipient: string
}) => `Reporting-MTA: dns; mx.postfix.example
X-Postfix-Queue-ID: 4F1A2B3C
Arrival-Date: Mon,  2 Mar 2026 12:00:00 +0000 (UTC)

Final-Recipient: rfc822; ${options.recipient}
Original-Recipient: rfc822;${options.recipient}
Action: ${options.action}
Status: ${options.status}
Remote-MTA: dns; mx.lead.example
Diagnostic-Code: smtp; ${options.diagnostic}`

/** Postfix, as most servers do it (RFC 3464). */
export const postfixReport = (
  { account, id, to }: About,
  report: {
    readonly action?: string
    readonly status: string
    readonly diagnostic: string
    readonly recipient?: string
  }
): Buffer =>
  crlf(`
Return-Path: <>
Delivered-To: ${account}
From: MAILER-DAEMON@mx.postfix.example (Mail Delivery System)
Subject: Undelivered Mail Returned to Sender
To: ${account}
Auto-Submitted: auto-replied
Message-Id: <${report.status}.${letters++}@mx.postfix.example>
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status;
	boundary="4F1A2B3C.1772452800/mx.postfix.example"
Content-Transfer-Encoding: 8bit

This is a MIME-encapsulated message.

--4F1A2B3C.1772452800/mx.postfix.example
Content-Description: Notification
Content-Type: text/plain; charset=utf-8

This is the mail system at host mx.postfix.example.

I'm sorry to have to inform you that your message could not
be delivered to one or more recipients.

--4F1A2B3C.1772452800/mx.postfix.example
Content-Description: Delivery report
Content-Type: message/delivery-status

${status({ action: "failed", recipient: to, ...report })}

--4F1A2B3C.1772452800/mx.postfix.example
Content-Description: Undelivered Message Headers
Content-Type: text/rfc822-headers

Return-Path: <${account}>
From: Acme <${account}>
To: <${to}>
Subject: Hello
Message-ID: ${id}
Date: Mon, 02 Mar 2026 12:00:00 +0000

--4F1A2B3C.1772452800/mx.postfix.example--
`)

/** Exchange Online returns the whole message, and its bounce is also a reply to it. */
export const exchangeReport = ({ account, id, to }: About): Buffer =>
  crlf(`
From: <postmaster@lead.onmicrosoft.com>
To: ${account}
Subject: =?utf-8?B?TsOjbyBlbnRyZWd1ZTogSGVsbG8=?=
Message-ID: <0a1b2c3d-4e5f@GRX00000001.eurprd.prod.outlook.com>
In-Reply-To: ${id}
References: ${id}
Auto-Submitted: auto-replied
X-MS-Exchange-Message-Is-Ndr:
Content-Type: multipart/report; report-type=delivery-status;
	boundary="b1a2"
MIME-Version: 1.0

--b1a2
Content-Type: multipart/alternative; differences=Content-Type; boundary="b1a3"

--b1a3
Content-Type: text/plain; charset="us-ascii"

Your message to ${to} couldn't be delivered.
bia wasn't found at lead.example.

--b1a3
Content-Type: text/html; charset="us-ascii"

<html><body><p>Your message to <b>${to}</b> couldn't be delivered.</p></body></html>

--b1a3--

--b1a2
Content-Type: message/delivery-status

Reporting-MTA: dns;GRX000.mail.protection.outlook.com
Arrival-Date: Mon, 2 Mar 2026 12:00:01 +0000

Final-Recipient: rfc822;${to}
Action: failed
Status: 5.1.10
Diagnostic-Code: smtp;550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient ${to} not found by SMTP address lookup

--b1a2
Content-Type: message/rfc822

From: Acme <${account}>
To: <${to}>
Subject: Hello
Message-ID: ${id}
Content-Type: text/plain

Hello

--b1a2--
`)

/** Exim, without a report: the message is quoted below the text. */
export const eximBounce = ({ account, id, to }: About): Buffer =>
  crlf(`
Return-path: <>
Envelope-to: ${account}
X-Failed-Recipients: ${to}
Auto-Submitted: auto-replied
From: Mail Delivery System <Mailer-Daemon@host.exim.example>
To: ${account}
Subject: Mail delivery failed: returning message to sender
Message-Id: <E1abc-0001-AA@host.exim.example>
Date: Mon, 02 Mar 2026 12:00:00 +0000

This message was created automatically by mail delivery software.

A message that you sent could not be delivered to one or more of its
recipients. This is a permanent error. The following address(es) failed:

  ${to}
    host mx.lead.example [192.0.2.1]
    SMTP error from remote mail server after RCPT TO:<${to}>:
    550 No such user here

------ This is a copy of the message, including all the headers. ------

From: Acme <${account}>
To: ${to}
Message-ID: ${id}
Subject: Hello

Hello
`)

/** qmail, which states very little. */
export const qmailBounce = ({ account, id, to }: About): Buffer =>
  crlf(`
Return-Path: <>
From: MAILER-DAEMON@qmail.example
To: ${account}
Subject: failure notice
Date: 2 Mar 2026 12:00:00 -0000
Message-ID: <20260302.1@qmail.example>

Hi. This is the qmail-send program at qmail.example.
I'm afraid I wasn't able to deliver your message to the following addresses.
This is a permanent error; I've given up. Sorry it didn't work out.

<${to}>:
192.0.2.1 does not like recipient.
Remote host said: 552 5.2.2 Mailbox full
Giving up on 192.0.2.1.

--- Below this line is a copy of the message.

Message-ID: ${id}
From: ${account}
`)

/** A complaint in the abuse reporting format (RFC 5965), sent to the operator's address for complaints. */
export const abuseReport = (
  { account, id, to }: About,
  options: { readonly feedbackType?: string; readonly reportedTo?: string; readonly unsubscribeUrl?: string } = {}
): Buffer =>
  crlf(`
From: <abusedesk@provider.example>
To: <${options.reportedTo ?? account}>
Subject: FW: Hello
Message-ID: <arf-${letters++}@provider.example>
Date: Mon, 02 Mar 2026 12:00:00 +0000
MIME-Version: 1.0
Content-Type: multipart/report; report-type=feedback-report;
     boundary="part1_13d.2e68ed54_boundary"

--part1_13d.2e68ed54_boundary
Content-Type: text/plain; charset="US-ASCII"
Content-Transfer-Encoding: 7bit

This is an email abuse report for an email message received from IP 192.0.2.1.

--part1_13d.2e68ed54_boundary
Content-Type: message/feedback-report

Feedback-Type: ${options.feedbackType ?? "abuse"}
User-Agent: SomeGenerator/1.0
Version: 1
Original-Rcpt-To: <${to}>
Arrival-Date: Mon, 02 Mar 2026 12:00:00 +0000

--part1_13d.2e68ed54_boundary
Content-Type: message/rfc822
Content-Disposition: inline

From: Acme <${account}>
To: <redacted>
${options.unsubscribeUrl === undefined ? "" : `List-Unsubscribe: <${options.unsubscribeUrl}>\n`}Subject: Hello
Message-ID: ${id}

Hello
--part1_13d.2e68ed54_boundary--
`)

/** Automatic replies of different systems. */
export const autoReplies: ReadonlyArray<{
  readonly name: string
  readonly subject: string
  readonly headers: ReadonlyArray<string>
}> = [
  { name: "RFC 3834", subject: "Re: Hello", headers: ["Auto-Submitted: auto-replied"] },
  {
    name: "Exchange",
    subject: "Resposta Automática: Hello",
    headers: ["X-Auto-Response-Suppress: All", "Auto-Submitted: auto-generated"]
  },
  { name: "Gmail", subject: "Out of office Re: Hello", headers: ["Precedence: bulk", "X-Autoreply: yes"] },
  { name: "header of its own", subject: "Re: Hello", headers: ["X-Autorespond: Re: Hello"] },
  { name: "precedence", subject: "Re: Hello", headers: ["Precedence: auto_reply"] },
  { name: "null sender", subject: "Re: Hello", headers: ["Return-Path: <>"] },
  { name: "mailing list", subject: "[list] Re: Hello", headers: ["List-Id: <list.lead.example>"] },
  { name: "subject in Portuguese", subject: "Fora do escritório até 10/03", headers: [] },
  { name: "subject in Portuguese, holidays", subject: "Férias Re: Proposta", headers: [] },
  { name: "subject in English", subject: "Automatic reply: Hello", headers: [] },
  { name: "subject in Spanish", subject: "Respuesta automática: Hola", headers: [] },
  { name: "subject in Spanish, away", subject: "Fuera de la oficina", headers: [] },
  { name: "encoded subject", subject: "=?utf-8?Q?Respuesta_autom=C3=A1tica=3A_Hola?=", headers: [] }
]
