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

/** The server refused a call. */
export class Refused extends Error {
  override name = 'Refused';
  readonly status: number;

  constructor(status: number, detail: string) {
    super(detail);
    this.status = status;
  }

  /** Whether the server would refuse the same call again: for a revoked token, a newer protocol or a name in use. */
  get isFinal(): boolean {
    return this.status === 401 || this.status === 409;
  }
}

/** The calls of a probe to its server. They throw Refused, or another error if there is no answer. */
export interface Link {
  sync(call: SentSyncCall, signal: AbortSignal): Promise<SyncAnswer>;
  sendResults(call: ResultsCall, signal: AbortSignal): Promise<ResultsAnswer>;
}

/** Time that an answer may take, in addition to the time that the server waits on purpose. */
const answerMs = 15_000;

const problem = z.object({ detail: z.string() });

export function createLink({ url, token }: { url: string; token: string }): Link {
  const post = async <T extends z.ZodType>(
    call: string,
    body: object,
    { answer, signal, timeoutMs }: { answer: T; signal: AbortSignal; timeoutMs: number },
  ): Promise<z.output<T>> => {
    // Redirects are not followed, because a redirect would carry the token elsewhere.
    const { statusCode, body: answered } = await request(`${url}/api/probe/${call}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify(body),
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    });
    const text = await answered.text();
    if (statusCode === 200) return answer.parse(parseJson(text));
    const parsed = problem.safeParse(parseJson(text));
    throw new Refused(statusCode, parsed.data?.detail ?? `The server returned status ${statusCode}.`);
  };
  return {
    sync: (call, signal) => post('sync', call, { answer: syncAnswer, signal, timeoutMs: longestSyncMs + answerMs }),
    sendResults: (call, signal) => post('results', call, { answer: resultsAnswer, signal, timeoutMs: answerMs }),
  };
}

/** Returns undefined if the text is not JSON, such as the error page of a proxy. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
