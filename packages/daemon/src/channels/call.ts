import { unescape } from 'node:querystring';
import type { ChannelContext, Sent } from './channel.ts';
import { readRetryAfterMs } from '../core/retry-after.ts';
import { guardedRequest } from '../guarded-request.ts';
import { createExcerpt } from './excerpt.ts';

/** A request to a provider. */
export interface Call {
  method?: 'POST' | 'PUT' | 'PATCH' | 'GET';
  /** A user name and password in the URL are sent as a Basic `authorization` header, unless `headers` has one. */
  url: string;
  headers?: Record<string, string>;
  /** Sent as JSON. */
  json?: unknown;
  /** Sent as a form. */
  form?: Record<string, string>;
  /** Texts to mask in the `text` of the result, because the provider's answer may repeat them. */
  secrets?: readonly string[];
  /**
   * Called for an answer whose status reports success. Returns the refusal in the answer's body, such as Telegram's
   * `ok: false`; null if there is none.
   */
  refusal?: (body: string) => string | null;
  /**
   * Reads the waiting time (in milliseconds) from the body of an answer. Some providers write this time into the body
   * and not into a `Retry-After` header.
   */
  retryAfterMsOf?: (body: string) => number | null;
}

/** Maximum time for the whole attempt. */
export const attemptTimeoutMs = 15_000;
/** Maximum number of bytes of an answer that are read. */
const maxAnswerBytes = 65_536;

/**
 * Sends one request to a provider, for all channels except mail. A 2xx is a success, unless `refusal` finds a refusal
 * in its body. Redirects are not followed, because they would carry secrets to another address. A 4xx other than 408,
 * 425 and 429 is a refusal. Other failures, except the `permanent` ones, are worth another attempt. The next attempt
 * waits for the time in `Retry-After` (RFC 9110, 10.2.3).
 */
export async function call(context: ChannelContext, to: Call): Promise<Sent> {
  const { clock, blockList, lookup } = context;
  const end = new AbortController();
  let timedOut = false;
  const cancel = clock.after(attemptTimeoutMs, () => {
    timedOut = true;
    end.abort();
  });
  const signal = AbortSignal.any([end.signal, ...(context.signal ? [context.signal] : [])]);
  const basic = basicOf(to.url);
  const { excerpt, longest } = createExcerpt([...(to.secrets ?? []), ...(basic?.secrets ?? [])]);
  try {
    const { body, type } = encode(to);
    const answer = await guardedRequest(
      { blockList, lookup, signal },
      {
        method: to.method ?? 'POST',
        url: webAddress(to.url),
        headers: {
          'user-agent': context.userAgent,
          ...(type && { 'content-type': type }),
          ...(basic && { authorization: basic.authorization }),
          ...to.headers,
        },
        body,
      },
    );
    const status = answer.statusCode!;
    const { text, whole } = await readSome(answer);
    // A text that was not read to its end may stop inside a secret, so its last characters are left out.
    const safeText = whole || longest === 0 ? text : text.slice(0, -longest);
    if (status >= 200 && status < 300) {
      const refused = whole ? (to.refusal?.(text) ?? null) : null;
      return refused === null
        ? { ok: true, status, text: excerpt(safeText) }
        : { ok: false, retry: false, retryAfterMs: null, status, text: excerpt(refused) };
    }
    const retry = worthAnotherTry(status);
    const retryAfterMs = retry
      ? readRetryAfterMs(answer.headers['retry-after'], clock.now()) || (to.retryAfterMsOf?.(text) ?? null)
      : null;
    const more = status >= 300 && status < 400 ? 'Redirects are not followed.' : safeText;
    return { ok: false, retry, retryAfterMs, status, text: excerpt(`HTTP ${status} ${more}`) };
  } catch (error) {
    return failureOf(error, { excerpt, timedOut, stopped: context.signal?.aborted ?? false, ended: signal.aborted });
  } finally {
    cancel();
    // Also closes a connection that is still being opened.
    end.abort();
  }
}

/** Returns the result of an attempt without an answer. `ended`: the time was up, or the daemon stopped. */
function failureOf(
  error: unknown,
  {
    excerpt,
    timedOut,
    stopped,
    ended,
  }: { excerpt: (text: string) => string; timedOut: boolean; stopped: boolean; ended: boolean },
): Sent {
  const { code = '', message, syscall } = error as NodeJS.ErrnoException;
  // If the peer reset the connection, the error names a system call. If the peer closed it, the error has no `syscall`.
  const closed = code === 'ECONNRESET' && syscall === undefined;
  const why = timedOut
    ? `No answer within ${attemptTimeoutMs / 1000} s.`
    : stopped
      ? 'The daemon was stopped.'
      : `${closed ? 'The connection was closed before the answer.' : (reasons[code] ?? message)} ${code && `(${code})`}`;
  const retry = ended || !permanent.includes(code);
  const failed = { ok: false, retry, retryAfterMs: null, status: null, text: excerpt(why) } as const;
  return isNeverSent(code) ? failed : { ...failed, mayHaveArrived: true };
}

/** Whether another attempt may succeed. A 3xx is often a maintenance page that goes away, so it is not a refusal. */
const worthAnotherTry = (status: number): boolean => status < 400 || status >= 500 || [408, 425, 429].includes(status);

/** Errors that another attempt would repeat: an invalid address or header, or a forbidden target. */
const permanent = ['ERR_INVALID_URL', 'ERR_INVALID_CHAR', 'ERR_INVALID_HTTP_TOKEN', 'ERR_IP_BLOCKED'];

/** Whether the error happened before the request could be sent. */
const isNeverSent = (code: string): boolean =>
  permanent.includes(code) ||
  /^(?:ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_\w+|ERR_(?:TLS|SSL)_\w+|\w*CERT\w*)$/.test(code);

/** The usual failures in plain words. */
const reasons: Record<string, string> = {
  ECONNREFUSED: 'The connection was refused.',
  ECONNRESET: 'The connection was reset.',
  EHOSTUNREACH: 'The host cannot be reached.',
  ENETUNREACH: 'The network cannot be reached.',
  ENOTFOUND: 'The name was not found.',
  ERR_INVALID_URL: 'The address is not an http or https URL.',
  ERR_IP_BLOCKED: 'This server does not allow connections to this address.',
};

function webAddress(address: string): URL {
  const url = new URL(address);
  if (/^https?:$/.test(url.protocol)) return url;
  throw Object.assign(new Error('another protocol'), { code: 'ERR_INVALID_URL' });
}

/** Returns the header for the credentials in an address (RFC 7617), and the texts to mask; null for no credentials. */
function basicOf(address: string): { authorization: string; secrets: string[] } | null {
  const { username = '', password = '' } = URL.parse(address) ?? {};
  if (username === '' && password === '') return null;
  const credentials = `${unescape(username)}:${unescape(password)}`;
  const encoded = Buffer.from(credentials).toString('base64');
  return { authorization: `Basic ${encoded}`, secrets: [username, password, credentials, encoded] };
}

function encode({ json, form }: Call): { body?: string; type?: string } {
  if (json !== undefined) return { body: JSON.stringify(json), type: 'application/json' };
  if (form) return { body: new URLSearchParams(form).toString(), type: 'application/x-www-form-urlencoded' };
  return {};
}

/**
 * Reads the beginning of an answer. Throws no error if the body is incomplete, because the status already shows whether
 * the provider accepted the message. If it threw an error, an accepted message would be sent again.
 */
async function readSome(body: AsyncIterable<Buffer>): Promise<{ text: string; whole: boolean }> {
  const chunks: Buffer[] = [];
  let length = 0;
  let whole = true;
  try {
    for await (const chunk of body) {
      chunks.push(chunk);
      length += chunk.length;
      if (length >= maxAnswerBytes) break;
    }
  } catch {
    whole = false;
  }
  return {
    text: Buffer.concat(chunks).subarray(0, maxAnswerBytes).toString('utf8'),
    whole: whole && length < maxAnswerBytes,
  };
}
