import { unescape } from 'node:querystring';
import type { SendMailOptions } from 'nodemailer';
import type { Channel, ChannelContext, Sent } from './channel.ts';
import { cut } from './cut.ts';
import { mailOf } from './mail-of.ts';
import { createExcerpt, maxExcerptCharacters } from './excerpt.ts';
import { startSmtpDeadline } from './smtp-deadline.ts';
import { unset } from './unset.ts';

/** E-mail through the operator's server: https://nodemailer.com/smtp */
export const email: Channel<'email'> = {
  async send({ address }, message, context) {
    const { smtpUrl, mailFrom } = context.gateways;
    if (smtpUrl === null || mailFrom === null) return unset({ UPTIME_SMTP_URL: smtpUrl, UPTIME_MAIL_FROM: mailFrom });
    const { html, ...plain } = mailOf(message, mailFrom);
    const about = { smtpUrl, test: message.notice.kind === 'test' || message.notice.kind === 'code' };
    const ends = { from: mailFrom, to: address };
    const rich = await sendMail(context, { ...ends, ...plain, html }, about);
    // A mail server that refuses the content may accept it without the HTML.
    if (!rich.contentRefused) return rich.sent;
    const { sent } = await sendMail(context, { ...ends, ...plain }, about);
    const why = `Sent as plain text, because the server refused the HTML: ${rich.sent.text}`;
    return sent.ok ? { ...sent, text: cut(why, maxExcerptCharacters) } : sent;
  },
};

interface Tried {
  sent: Sent;
  /** Whether the mail server read the message and refused it permanently. */
  contentRefused: boolean;
}

/** Sends a mail once. */
async function sendMail(
  { clock, signal: stopped }: ChannelContext,
  mail: SendMailOptions,
  { smtpUrl, test }: { smtpUrl: string; test: boolean },
): Promise<Tried> {
  const deadline = startSmtpDeadline(clock, { test });
  const { excerpt } = createExcerpt(secretsOf(smtpUrl));
  try {
    // nodemailer is loaded with the first mail. Most daemons send no mail, and loading it would slow down their start.
    const { createTransport } = await import('nodemailer');
    // Each message has its own connection. The last two settings keep nodemailer from reading local files and URLs.
    const transport = createTransport({
      url: smtpUrl,
      logger: listener((entry) => deadline.heard(entry)),
      ...timeouts,
      socketCloseTimeout: 0,
      disableFileAccess: true,
      disableUrlAccess: true,
    });
    const signal = AbortSignal.any([deadline.signal, ...(stopped ? [stopped] : [])]);
    const { response } = await transport.sendMail({ ...mail, date: new Date(clock.now()), signal });
    const sent = { ok: true as const, status: Number.parseInt(response, 10) || null, text: excerpt(response) };
    return { sent, contentRefused: false };
  } catch (error) {
    const stop = stopped?.aborted ? 'The daemon was stopped.' : null;
    const { sent, contentRefused } = refused(error as SmtpError, (why) => excerpt(deadline.passed() ?? stop ?? why));
    const isOpen = sent.status === null && deadline.handedOver();
    return { sent: isOpen ? { ...sent, mayHaveArrived: true } : sent, contentRefused };
  } finally {
    deadline.cancel();
  }
}

/** Nodemailer's own timeouts are long, so that only `deadline`, which uses the daemon's clock, ends an attempt. */
const unusedTimeoutMs = 900_000;
const timeouts = {
  connectionTimeout: unusedTimeoutMs,
  greetingTimeout: unusedTimeoutMs,
  socketTimeout: unusedTimeoutMs,
};

/** Returns a logger for nodemailer that writes nothing, and passes the entries that show progress to `heard`. */
function listener(heard: (entry: unknown) => void) {
  const ignore = () => {};
  return { level: ignore, trace: ignore, debug: ignore, info: heard, warn: ignore, error: ignore, fatal: ignore };
}

interface SmtpError extends Error {
  code?: string;
  /** The error code of the system or of OpenSSL. Set only if nodemailer put a code of its own into `code`. */
  originalCode?: string;
  responseCode?: number;
  /** The server's answer. */
  response?: string;
}

/**
 * Returns the result of a failed attempt. A 5yz reply is final (RFC 5321, 4.2.1). If nodemailer itself rejects the
 * mail, the failure is also final, because another attempt would fail in the same way.
 */
function refused(error: SmtpError, describe: (why: string) => string): Tried & { sent: { ok: false } } {
  const { code = '', responseCode } = error;
  const final = responseCode === undefined ? ['EENVELOPE', 'EMESSAGE'].includes(code) : responseCode >= 500;
  return {
    sent: { ok: false, retry: !final, retryAfterMs: null, status: responseCode ?? null, text: describe(whyNot(error)) },
    contentRefused: code === 'EMESSAGE' && responseCode !== undefined && final,
  };
}

/** Returns the reason for a failure. Some texts of nodemailer mislead, so better texts replace them. */
function whyNot({ code, originalCode, responseCode, response, message }: SmtpError): string {
  if (originalCode === 'ERR_SSL_WRONG_VERSION_NUMBER' || originalCode === 'ERR_SSL_PACKET_LENGTH_TOO_LONG')
    return "The mail server does not begin with TLS on this port. Let UPTIME_SMTP_URL begin with smtp:// (STARTTLS), or name the server's TLS port, usually 465.";
  if (code === 'EAUTH' && responseCode !== undefined && responseCode < 500)
    return `The mail server cannot check the name and password of UPTIME_SMTP_URL for now: ${response}`;
  return message;
}

/** Returns the texts to mask: the URL, the password, and the encodings in which SMTP transmits the password. */
function secretsOf(smtpUrl: string): string[] {
  const { username = '', password = '' } = URL.parse(smtpUrl) ?? {};
  if (password === '') return [];
  const plain = unescape(password);
  const sent = [plain, `\0${unescape(username)}\0${plain}`];
  return [smtpUrl, password, plain, ...sent.map((text) => Buffer.from(text).toString('base64'))];
}
