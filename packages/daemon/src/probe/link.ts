import { request } from 'undici';
import { z } from 'zod';
import {
  maxSyncMs,
  type ResultsAnswer,
  resultsAnswer,
  type ResultsCall,
  type SentSyncCall,
  type SyncAnswer,
  syncAnswer,
} from '../probe-protocol.ts';

/** The error of a call that the server refused. */
export class Refused extends Error {
  override name = 'Refused';
  readonly status: number;
  /** The code of the server's error. Null if the answer has no code, for example because a proxy sent it. */
  readonly code: string | null;
  /** Where the server found faults in the call, such as `results.0.at`. */
  readonly faultPaths: readonly string[];
  /** How long the probe should wait before the next call. Null if the answer names no time. */
  readonly retryAfterMs: number | null;

  constructor(
    status: number,
    code: string | null,
    detail: string,
    {
      faultPaths = [],
      retryAfterMs = null,
    }: { faultPaths?: readonly string[] | undefined; retryAfterMs?: number | null } = {},
  ) {
    super(detail);
    this.status = status;
    this.code = code;
    this.faultPaths = faultPaths;
    this.retryAfterMs = retryAfterMs;
  }

  /** Whether the server does not know the token, because it is wrong or was revoked. */
  get isRevoked(): boolean {
    return this.code === 'unauthenticated';
  }

  /**
   * Whether the server would refuse every further call too. The reasons are a revoked token, a protocol that is too
   * new, or a name in use.
   */
  get isFinal(): boolean {
    return this.isRevoked || this.code === 'conflict';
  }

  /**
   * Whether the server itself refused the results in the call, and would refuse them again. Two kinds of refusals say
   * nothing about the results: status 400 or 413 from a proxy, and faults outside the results, for example because a
   * proxy cut off the body.
   */
  get isAboutResults(): boolean {
    if (this.code === 'payload_too_large') return true;
    return this.code === 'invalid_request' && this.faultPaths.some((path) => /^results(?:\.|$)/.test(path));
  }

  /** Whether the call was too large for the server or for a proxy, so that a smaller call may pass. */
  get isTooLarge(): boolean {
    return this.status === 413;
  }
}

/**
 * The calls of a probe to its server. They throw Refused if the server refuses the call, and another error if the
 * server does not answer.
 */
export interface Link {
  sync(call: SentSyncCall, signal: AbortSignal): Promise<SyncAnswer>;
  sendResults(call: ResultsCall, signal: AbortSignal): Promise<ResultsAnswer>;
}

/** Longest wait for an answer. A sync may take `maxSyncMs` longer, because the server waits that long for a change. */
const answerMs = 15_000;

/** Longest wait that a server can ask for. After a longer wait, results could be too late for an alarm. */
const maxRetryAfterMs = 15_000;

const problem = z.object({
  code: z.string(),
  detail: z.string(),
  errors: z.array(z.object({ path: z.string() })).default([]),
});

export function createLink({ url, token }: { url: string; token: string }): Link {
  const post = async <T extends z.ZodType>(
    call: string,
    body: object,
    { answer, signal, timeoutMs }: { answer: T; signal: AbortSignal; timeoutMs: number },
  ): Promise<z.output<T>> => {
    // Redirects are not followed, because the request at the new address would contain the token.
    const {
      statusCode,
      headers,
      body: answered,
    } = await request(`${url}/api/probe/${call}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify(body),
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    });
    const text = await answered.text();
    if (statusCode === 200) return answer.parse(parseJson(text));
    const retryAfterMs = readRetryAfter(headers['retry-after']);
    const parsed = problem.safeParse(parseJson(text));
    if (!parsed.success) {
      const detail = `The server, or a proxy in front of it, returned status ${statusCode}.`;
      throw new Refused(statusCode, null, detail, { retryAfterMs });
    }
    const { code, detail, errors } = parsed.data;
    throw new Refused(statusCode, code, detail, { faultPaths: errors.map(({ path }) => path), retryAfterMs });
  };
  return {
    sync: (call, signal) => post('sync', call, { answer: syncAnswer, signal, timeoutMs: maxSyncMs + answerMs }),
    sendResults: (call, signal) => post('results', call, { answer: resultsAnswer, signal, timeoutMs: answerMs }),
  };
}

/**
 * Reads the seconds of a `Retry-After` header. A wait of more than 15 s is shortened to 15 s. A date is ignored,
 * because the clock of the probe may be wrong.
 */
function readRetryAfter(header: string | string[] | undefined): number | null {
  if (typeof header !== 'string' || !/^\d{1,9}$/.test(header)) return null;
  return Math.min(Number(header) * 1000, maxRetryAfterMs);
}

/** Returns the parsed JSON, or undefined if the text is not JSON, such as the error page of a proxy. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
