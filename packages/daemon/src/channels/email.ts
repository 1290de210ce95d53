import { unescape } from 'node:querystring';
import { patience } from './call.ts';
import type { Channel, Message, Sent } from './channel.ts';
import { cut } from './cut.ts';
import { escapeHtml } from './escape-html.ts';
import { createSaid } from './said.ts';
import { unset } from './unset.ts';
import { type Words, wordsFor } from './words.ts';

/** E-mail through the operator's server: https://nodemailer.com/smtp */
export const email: Channel<'email'> = {
  async send({ address }, message, { gateways, clock, signal: stopped }) {
    const { smtpUrl, mailFrom } = gateways;
    if (smtpUrl === null || mailFrom === null) return unset({ UPTIME_SMTP_URL: smtpUrl, UPTIME_MAIL_FROM: mailFrom });
    const deadline = new AbortController();
    const cancel = clock.after(patience, () => deadline.abort());
    const { said } = createSaid(secretsOf(smtpUrl));
    try {
      // Loaded with the first message: most daemons send none, and all would start later.
      const { createTransport } = await import('nodemailer');
      // A connection for each message, gone with it. Nothing that a message says is read from files or addresses.
      const transport = createTransport({
        url: smtpUrl,
        socketCloseTimeout: 0,
        disableFileAccess: true,
        disableUrlAccess: true,
      });
      const { response } = await transport.sendMail({
        ...written(message, mailFrom),
        from: mailFrom,
        to: address,
        date: new Date(clock.now()),
        signal: AbortSignal.any([deadline.signal, ...(stopped ? [stopped] : [])]),
      });
      return { ok: true, status: Number.parseInt(response, 10) || null, text: said(response) };
    } catch (error) {
      const why = deadline.signal.aborted
        ? `No answer within ${patience / 1000} s.`
        : stopped?.aborted
          ? 'The daemon was stopped.'
          : (error as Error).message;
      return refused(error as SmtpError, said(why));
    } finally {
      cancel();
    }
  },
};

interface SmtpError extends Error {
  code?: string;
  responseCode?: number;
}

/** A reply of 5yz would be given again (RFC 5321, 4.2.1), and so would a message that was never offered for what it is. */
function refused({ code = '', responseCode }: SmtpError, text: string): Sent {
  const retry = responseCode === undefined ? !['EENVELOPE', 'EMESSAGE'].includes(code) : responseCode < 500;
  return { ok: false, retry, retryAfter: null, status: responseCode ?? null, text };
}

/** The message; all of one alert are one conversation, which its alarm begins (RFC 5322, 3.6.4). */
function written(message: Message, mailFrom: string) {
  const { id, notice } = message;
  const words = wordsFor(message);
  const host = /@([\w.-]+)/.exec(mailFrom)?.[1] ?? 'localhost';
  const first = `<${notice.alert}@${host}>`;
  const begins = notice.kind === 'alarm' || notice.kind === 'test';
  return {
    subject: cut(words.title, 250),
    text: textOf(words),
    html: htmlOf(words),
    ...(begins ? { messageId: first } : { messageId: `<${id}@${host}>`, inReplyTo: first, references: first }),
    // So that no absence is answered to it (RFC 3834).
    headers: { 'Auto-Submitted': 'auto-generated' },
    xMailer: false as const,
  };
}

const textOf = ({ sentence, facts, link }: Words): string =>
  [sentence, facts.map(({ label, value }) => `${label}: ${value}`).join('\n'), link].filter(Boolean).join('\n\n');

const colours: Record<Words['mood'], string> = {
  bad: '#b91c1c',
  warning: '#b45309',
  good: '#15803d',
  neutral: '#374151',
};

function htmlOf({ title, sentence, facts, link, mood }: Words): string {
  const rows = facts.map(
    ({ label, value }) =>
      `<tr><th align="left" style="padding-right:1em;font-weight:normal;color:#6b7280">${escapeHtml(label)}</th><td>${escapeHtml(value)}</td></tr>`,
  );
  return [
    '<!doctype html><html lang="en"><body style="font-family:sans-serif;color:#111827">',
    `<h1 style="font-size:1.25em;color:${colours[mood]}">${escapeHtml(title)}</h1>`,
    `<p>${escapeHtml(sentence)}</p>`,
    ...(rows.length === 0 ? [] : [`<table>${rows.join('\n')}</table>`]),
    `<p><a href="${escapeHtml(link)}">Open</a></p>`,
    '</body></html>',
  ].join('\n');
}

/** The password, as it is and as it travels. */
function secretsOf(smtpUrl: string): string[] {
  const { username = '', password = '' } = URL.parse(smtpUrl) ?? {};
  if (password === '') return [];
  const plain = unescape(password);
  const sent = [plain, `\0${unescape(username)}\0${plain}`];
  return [smtpUrl, password, plain, ...sent.map((text) => Buffer.from(text).toString('base64'))];
}
