import { request } from 'undici';
import { z } from 'zod';
import {
  longestSyncMs,
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

  constructor(status: number, code: string | null, detail: string) {
    super(detail);
    this.status = status;
    this.code = code;
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
}

/**
 * The calls of a probe to its server. They throw Refused if the server refuses, and another error if it does not
 * answer.
 */
export interface Link {
  sync(call: SentSyncCall, signal: AbortSignal): Promise<SyncAnswer>;
  sendResults(call: ResultsCall, signal: AbortSignal): Promise<ResultsAnswer>;
}

/** Longest wait for an answer. For a sync, `waitMs` comes on top, because the server waits that long for a change. */
const answerMs = 15_000;

const problem = z.object({ code: z.string(), detail: z.string() });

export function createLink({ url, token }: { url: string; token: string }): Link {
  const post = async <T extends z.ZodType>(
    call: string,
    body: object,
    { answer, signal, timeoutMs }: { answer: T; signal: AbortSignal; timeoutMs: number },
  ): Promise<z.output<T>> => {
    // Redirects are not followed, because the request at the new address would contain the token.
    const { statusCode, body: answered } = await request(`${url}/api/probe/${call}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify(body),
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    });
    const text = await answered.text();
    if (statusCode === 200) return answer.parse(parseJson(text));
    const parsed = problem.safeParse(parseJson(text));
    const { code = null, detail } = parsed.data ?? {};
    throw new Refused(statusCode, code, detail ?? `The server returned status ${statusCode}.`);
  };
  return {
    sync: (call, signal) => post('sync', call, { answer: syncAnswer, signal, timeoutMs: longestSyncMs + answerMs }),
    sendResults: (call, signal) => post('results', call, { answer: resultsAnswer, signal, timeoutMs: answerMs }),
  };
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
