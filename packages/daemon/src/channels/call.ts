import { Agent, request } from 'undici';
import type { ChannelContext, Sent } from './channel.ts';
import { cut } from './cut.ts';

/** A request to a provider. */
export interface Call {
  method?: 'POST' | 'PUT' | 'PATCH' | 'GET';
  url: string;
  headers?: Record<string, string>;
  /** Sent as JSON. */
  json?: unknown;
  /** Sent as a form. */
  form?: Record<string, string>;
  /** What must never be read in the attempt's text: an echo in the provider's answer is blotted out. */
  secrets?: readonly string[];
  /** The provider's refusal where its status says success, such as Telegram's `ok: false`; null when it is content. */
  refusal?: (body: string) => string | null;
}

/** Milliseconds for the whole attempt. */
export const patience = 15_000;
/** Of an answer, so much is read, in bytes. */
const readAtMost = 16_384;
const textAtMost = 200;

/**
 * The one place that asks a provider. Success is 2xx; a redirect is followed by nobody, since it would carry secrets to
 * another address; 4xx other than 408 and 429 would fail again and is final; all else is worth another attempt, after
 * what `Retry-After` asks for (RFC 9110, 10.2.3).
 */
export async function call(context: ChannelContext, to: Call): Promise<Sent> {
  const { clock, blockList, lookup } = context;
  const deadline = new AbortController();
  const cancel = clock.after(patience, () => deadline.abort());
  // A connection of its own: one that was kept open may be closed by the other side as we write.
  const agent = new Agent({ pipelining: 0, connect: { blockList, lookup, timeout: patience } as never });
  const said = (text: string) => cut(blot(text.replaceAll(/\s+/g, ' ').trim(), to.secrets ?? []), textAtMost);
  try {
    const { body, type } = encode(to);
    const answer = await request(to.url, {
      method: to.method ?? 'POST',
      headers: { 'user-agent': context.userAgent, ...(type && { 'content-type': type }), ...to.headers },
      ...(body !== undefined && { body }),
      dispatcher: agent,
      signal: deadline.signal,
      headersTimeout: patience,
      bodyTimeout: patience,
    });
    const status = answer.statusCode;
    const text = await readSome(answer.body);
    if (status >= 200 && status < 300) {
      const refused = to.refusal?.(text) ?? null;
      return refused === null
        ? { ok: true, status, text: said(text) }
        : { ok: false, retry: false, retryAfter: null, status, text: said(refused) };
    }
    const retry = status >= 500 || status === 408 || status === 429;
    const retryAfter = retry ? waitAsked(answer.headers['retry-after'], clock.now()) : null;
    return { ok: false, retry, retryAfter, status, text: said(`HTTP ${status} ${text}`) };
  } catch (error) {
    const timedOut = deadline.signal.aborted;
    const { code = '', message = '' } = error as { code?: string; message?: string };
    // A bad address or a forbidden target stays one.
    const retry = !['ERR_INVALID_URL', 'UND_ERR_INVALID_ARG', 'ERR_IP_BLOCKED'].includes(code);
    const why = timedOut ? `No answer within ${patience / 1000} s.` : `${code} ${message}`;
    return { ok: false, retry, retryAfter: null, status: null, text: said(why) };
  } finally {
    cancel();
    await agent.destroy();
  }
}

function encode({ json, form }: Call): { body?: string; type?: string } {
  if (json !== undefined) return { body: JSON.stringify(json), type: 'application/json' };
  if (form) return { body: new URLSearchParams(form).toString(), type: 'application/x-www-form-urlencoded' };
  return {};
}

async function readSome(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    length += chunk.length;
    if (length >= readAtMost) break;
  }
  return Buffer.concat(chunks).subarray(0, readAtMost).toString('utf8');
}

/** Seconds or a date, as milliseconds from now. */
function waitAsked(header: string | string[] | undefined, now: number): number | null {
  if (typeof header !== 'string') return null;
  const ms = /^\d+$/.test(header.trim()) ? Number(header) * 1000 : Date.parse(header) - now;
  return Number.isFinite(ms) && ms > 0 ? ms : null;
}

const blot = (text: string, secrets: readonly string[]): string =>
  secrets.filter((secret) => secret !== '').reduce((left, secret) => left.replaceAll(secret, '••••'), text);
