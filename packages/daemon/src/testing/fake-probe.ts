import { storedProbeName } from '../core/probe-name.ts';
import type { ProbeResult, ResultsAnswer, SyncAnswer } from '../probe-protocol.ts';
import { probeProtocol, versionOf } from '../probe-protocol.ts';
import { digestVersions } from '../version-digests.ts';
import type { TestAnswer } from './test-daemon.ts';

/** The server that a fake probe talks to. */
export interface FakeProbeSite {
  url: string;
}

/** Sends the HTTP requests of a probe when the test demands them. */
export interface FakeProbe {
  /** The name that the probe sends in its requests. */
  ownName: string;
  /** The name that the server stores and shows. */
  name: string;
  token: string;
  sync(more?: object): Promise<TestAnswer & { body: SyncAnswer }>;
  /** Sends results. Fields that a test leaves out are those of a passed check that ended now. */
  send(results: Partial<ProbeResult>[], more?: object): Promise<TestAnswer & { body: ResultsAnswer }>;
  /** Sends any body to `/api/probe/<call>`. */
  post(call: string, body: unknown): Promise<TestAnswer>;
}

let count = 0;

export function createFakeProbe({ url }: FakeProbeSite, token: string, name?: string): FakeProbe {
  const own = name ?? (++count).toString(16).padStart(16, '0');
  let seq = 0;
  const post = async (call: string, body: unknown): Promise<TestAnswer> => {
    const response = await fetch(`${url}/api/probe/${call}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
    return { status: response.status, headers: response.headers, body: (await response.json()) as unknown };
  };
  const healthy = { queued: 0, oldestAt: null, skewMs: 0, fault: null };
  return {
    ownName: own,
    name: storedProbeName(own),
    token,
    post,
    sync: async (more = {}) =>
      (await post('sync', {
        protocol: probeProtocol,
        probe: own,
        version: '1.0.0',
        sentAt: Date.now(),
        has: await hasOf([]),
        waitMs: 0,
        ...healthy,
        ...more,
      })) as TestAnswer & { body: SyncAnswer },
    send: async (results, more = {}) =>
      (await post('results', {
        protocol: probeProtocol,
        probe: own,
        results: results.map((result) => ({
          seq: ++seq,
          monitor: 1,
          generation: 0,
          begun: result.at ?? Date.now(),
          at: Date.now(),
          verdict: 'up',
          over: false,
          error: result.verdict === 'down' ? { code: 'connect_refused', message: 'refused' } : null,
          responseTime: 5,
          statusCode: null,
          timings: null,
          certificate: null,
          ...result,
        })),
        ...more,
      })) as TestAnswer & { body: ResultsAnswer },
  };
}

/** Returns the value of `has` in the next sync of a probe that got these answers, in this order. */
export async function hasOf(answers: readonly Pick<SyncAnswer, 'assignments' | 'removed'>[]): Promise<string[]> {
  const versions = new Map<number, string>();
  for (const { assignments, removed } of answers) {
    for (const monitor of removed) versions.delete(monitor);
    for (const assignment of assignments) versions.set(assignment.monitor, versionOf(assignment));
  }
  return [...(await digestVersions(versions)).digests];
}
