import { expect } from 'vitest';
import type { TestDaemon } from '../../../daemon/src/testing/test-daemon.ts';
import type { Meets } from './apply-under-faults.ts';
import { type Fault, openFaultProxy } from './fault-proxy.ts';
import { openSession } from './session.ts';

const before = `
monitors:
  - { key: stays, name: Stays, type: ping, host: a.example, paused: true }
  - { key: retyped, name: Retyped, type: ping, host: a.example, paused: true }
  - { key: goes, name: Goes, type: ping, host: a.example, paused: true }
channels:
  - { key: mail, name: Mail, type: email, config: { address: a@example.com } }
  - { key: gone, name: Gone, type: email, config: { address: b@example.com } }
alertRules:
  - { key: stays, name: Stays, monitors: [stays, retyped, goes], channels: [mail, gone] }
  - { key: goes, name: Goes, monitors: [goes], channels: [gone] }
`;

const wanted = `
monitors:
  - { key: stays, name: Stays, type: ping, host: a.example, paused: true }
  - { key: retyped, name: Retyped, type: tcp, host: a.example, port: 1, paused: true }
  - { key: comes, name: Comes, type: ping, host: a.example, paused: true }
channels:
  - { key: mail, name: Mail, type: slack, config: { webhookUrl: "https://hooks.example.com/\${TOKEN}" } }
  - { key: hook, name: Hook, type: webhook, config: { url: "https://hooks.example.com/", secret: "\${TOKEN}" } }
alertRules:
  - { key: stays, name: Stays, monitors: [retyped, comes, stays], channels: [mail, hook] }
  - { key: comes, name: Comes, monitors: [comes], channels: [hook] }
`;

/**
 * The least number of requests of an apply: three for lists, one for each of nine changes, and two more for the change
 * that replaces the monitor `retyped`.
 */
const requests = 3 + 9 + 2;

const apply = (file: string) => ['apply', '-f', file, '--prune', '--allow-deletes', '--yes'];

interface Rule {
  key: string;
  monitorIds: string[];
  channelIds: string[];
}

/** Reads all resources from the daemon, and identifies them by their keys. */
async function state(daemon: TestDaemon, apiKey: string) {
  const read = async <T>(path: string) => {
    const { body } = await daemon.request('GET', path, undefined, { apiKey });
    return body as (T & { id: string; key: string; type: string })[];
  };
  const monitors = await read('/api/monitors');
  const channels = await read('/api/notification-channels');
  const rules = await read<Rule>('/api/alert-rules');
  const keyOf = (id: string) => [...monitors, ...channels].find((one) => one.id === id)?.key;
  return {
    monitors: new Set(monitors.map(({ key, type }) => `${key} ${type}`)),
    channels: new Set(channels.map(({ key, type }) => `${key} ${type}`)),
    rules: new Set(
      rules.map(({ key, monitorIds, channelIds }) =>
        [key, ...new Set([...monitorIds, ...channelIds].map(keyOf))].join(' '),
      ),
    ),
    count: monitors.length + channels.length + rules.length,
  };
}

/**
 * Repeats an apply of several kinds. Each time, a different request has the fault; with `lasting`, all later requests
 * have it too. Checks each time that the next apply reaches the wanted state, and that the apply after that changes
 * nothing.
 */
export async function applySeveralUnderFaults(
  daemon: TestDaemon,
  { fault, lasting, meets }: { fault: Fault; lasting: boolean; meets: Meets },
): Promise<void> {
  await using proxy = await openFaultProxy(daemon.url);
  const { apiKey } = await daemon.another(`several-${fault}-${lasting}`);
  await using session = await openSession({ siteUrl: daemon.url, apiKey, fetch });
  session.env['TOKEN'] = 'hush-hush-hush';
  await session.write('before.yaml', before);
  await session.write('wanted.yaml', wanted);
  for (let at = 1; at <= requests; at++) {
    if (!meets(at)) continue;
    expect(await session.uptime(apply('before.yaml'))).toMatchObject({ exit: 0 });
    proxy.break(fault, at, lasting);
    session.env['UPTIME_SITE_URL'] = proxy.url;
    const first = await session.uptime(apply('wanted.yaml'));
    if (at === requests && !lasting) expect(proxy.seen()).toBeGreaterThanOrEqual(requests);
    session.env['UPTIME_SITE_URL'] = daemon.url;
    expect(first.stdout + first.stderr).not.toContain('hush');
    expect(await session.uptime(apply('wanted.yaml'))).toMatchObject({ exit: 0 });
    expect(await state(daemon, apiKey)).toEqual({
      monitors: new Set(['stays ping', 'retyped tcp', 'comes ping']),
      channels: new Set(['mail slack', 'hook webhook']),
      rules: new Set(['stays retyped comes stays mail hook', 'comes comes hook']),
      count: 7,
    });
    expect((await session.uptime(apply('wanted.yaml'))).stdout).toContain('Nothing to do: 7 unchanged.');
  }
}
