import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import type { Target } from './target.ts';
import { listening } from './tcp.ts';

export interface SmtpTarget extends Target {
  /** `smtp://127.0.0.1:port` */
  url: string;
  /** The accepted mails, in order. */
  mails: ReceivedMail[];
}

export interface ReceivedMail {
  from: string;
  to: string[];
  /** The headers by their name in lower case. The values are unfolded, and otherwise as written. */
  headers: Map<string, string[]>;
  /** The whole mail as it arrived. */
  raw: string;
}

/** Starts a mail server on loopback, without TLS. It accepts every message unless the options say otherwise. */
export async function smtpTarget(options: SMTPServerOptions = {}): Promise<SmtpTarget> {
  const mails: ReceivedMail[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    disableReverseLookup: true,
    onData(stream, { envelope }, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const raw = Buffer.concat(chunks).toString('utf8');
        const from = envelope.mailFrom ? envelope.mailFrom.address : '';
        mails.push({ from, to: envelope.rcptTo.map(({ address }) => address), headers: headersOf(raw), raw });
        done();
      });
    },
    ...options,
  });
  const target = await listening(server.server);
  return { ...target, url: `smtp://127.0.0.1:${target.port}`, mails };
}

function headersOf(raw: string): Map<string, string[]> {
  const headers = new Map<string, string[]>();
  const unfolded = raw.slice(0, raw.indexOf('\r\n\r\n')).replaceAll(/\r\n[ \t]/g, ' ');
  for (const line of unfolded.split('\r\n')) {
    const name = line.slice(0, line.indexOf(':')).toLowerCase();
    headers.set(name, [...(headers.get(name) ?? []), line.slice(name.length + 1).trim()]);
  }
  return headers;
}
