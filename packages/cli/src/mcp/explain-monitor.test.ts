import { type Monitor, Uptime } from '@uptime/sdk';
import { describe, expect, test } from 'vitest';
import { cannedAnswers } from '../testing/canned-answers.ts';
import { explainMonitor } from './explain-monitor.ts';
import { hideSecrets } from './hide-secrets.ts';

type Fields = Record<string, unknown>;
const shop = cannedAnswers['/api/monitors/mon_1'] as Fields;
const [alert] = cannedAnswers['/api/alert-history'] as Fields[];
const [rule] = cannedAnswers['/api/alert-rules'] as Fields[];

/** Explains a monitor. For the paths in `answers`, the server gives these answers in place of its usual ones. */
async function explain(monitor: Fields, answers: Record<string, unknown> = {}) {
  const requests: string[] = [];
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const { pathname, search } = new URL(new Request(input, init).url);
    requests.push(pathname + search);
    return Response.json(answers[pathname] ?? cannedAnswers[pathname] ?? []);
  };
  const client = new Uptime({ siteUrl: 'http://uptime.test', apiKey: 'uptime_0', fetch });
  const explanation = await explainMonitor({ ...shop, ...monitor } as unknown as Monitor, {
    client,
    signal: new AbortController().signal,
  });
  return { ...(explanation as { summary: string; alerts: Fields[]; monitor: Fields }), requests };
}

describe('an explanation', () => {
  test('an explanation of a monitor that is down says since when and why it is down, and which messages were sent to which channels', async () => {
    const explanation = await explain({});
    expect(explanation.summary).toBe(
      'The monitor has been down since 2030-01-02T03:04:05.678Z; `reason` says why. One alert about it opened since that day.',
    );
    expect(explanation).toMatchObject({
      downSince: '2030-01-02T03:04:05.678Z',
      reason: 'expected 200-299, got 500',
      rules: [{ name: 'Down', enabled: true }],
    });
    expect(explanation.alerts).toMatchObject([
      { rule: 'Down', channel: 'Ops', deliveries: [{ kind: 'alarm', status: 'failed' }] },
    ]);
    expect(explanation.requests.filter((path) => path.startsWith('/api/alert-history'))).toEqual([
      '/api/alert-history?limit=1000&from=2030-01-02',
    ]);
  });

  test('an explanation of a monitor that went down more than 30 days ago also reads older changes', async () => {
    const { requests } = await explain({}, { '/api/monitors/mon_1/events': [] });
    const events = requests.filter((path) => path.includes('/events'));
    expect(events).toContain('/api/monitors/mon_1/events?from=2030-01-02');
  });

  test.each<[string, Fields, Record<string, unknown>, string]>([
    ['that is up', { status: 'up' }, {}, 'The monitor is up. One alert about it opened in the last 30 days.'],
    [
      'without alerts',
      { status: 'up' },
      { '/api/alert-history': [] },
      'The monitor is up. 0 alerts about it opened in the last 30 days.',
    ],
    [
      'that no rule watches',
      { status: 'up' },
      { '/api/alert-rules': [] },
      'The monitor is up. One alert about it opened in the last 30 days. No enabled rule watches it, so no alert opens.',
    ],
    [
      'whose rule is disabled',
      { status: 'up' },
      { '/api/alert-rules': [{ ...rule, enabled: false }] },
      'The monitor is up. One alert about it opened in the last 30 days. No enabled rule watches it, so no alert opens.',
    ],
    [
      'that no rule watches, because the only rule watches another monitor,',
      { status: 'up' },
      { '/api/alert-rules': [{ ...rule, monitorIds: ['mon_2'] }] },
      'The monitor is up. One alert about it opened in the last 30 days. No enabled rule watches it, so no alert opens.',
    ],
    [
      'that is paused',
      { status: 'paused' },
      { '/api/alert-history': [] },
      'The monitor is paused. 0 alerts about it opened in the last 30 days.',
    ],
    [
      'whose secrets cannot be read',
      { status: 'up', secretsError: 'Another key.' },
      {},
      'The monitor is up. One alert about it opened in the last 30 days. The server cannot read its secrets, and does not check it.',
    ],
    [
      'that is down without a known start',
      {},
      { '/api/monitors/mon_1/events': [] },
      'The monitor is down. One alert about it opened in the last 30 days.',
    ],
  ])('an explanation of a monitor %s has the right summary', async (_, monitor, answers, summary) => {
    expect((await explain(monitor, answers)).summary).toBe(summary);
  });

  test('an explanation shows at most ten alerts of the monitor, beginning with open alerts', async () => {
    const many = Array.from({ length: 14 }, (_, i) => ({
      ...alert,
      id: `alr_${i}`,
      ruleName: `R${i}`,
      resolvedAt: i === 3 ? null : '2030-01-03T00:00:00.000Z',
    }));
    const { alerts } = await explain(
      {},
      { '/api/alert-history': [...many, { ...alert, monitorId: 'mon_2', ruleName: 'Other' }] },
    );
    expect(alerts.map((one) => one['rule'])).toEqual(['R3', 'R13', 'R12', 'R11', 'R10', 'R9', 'R8', 'R7', 'R6', 'R5']);
  });

  test('an explanation does not show the secrets of the monitor', async () => {
    const { monitor } = await explain({
      url: 'https://ada:hush@a.example/?token=hush',
      headers: { Authorization: 'hush', Accept: 'x' },
      body: 'hush',
    });
    expect(JSON.stringify(monitor)).not.toContain('hush');
    expect(monitor).toMatchObject({ headers: { Authorization: '••••', Accept: 'x' }, body: '••••' });
  });
});

test('hideSecrets hides the ping address of a heartbeat, and returns other resources unchanged', () => {
  const job = cannedAnswers['/api/monitors/mon_2'];
  expect(hideSecrets('monitors', job)).toMatchObject({ name: 'Job', pingUrl: '••••' });
  expect(hideSecrets('channels', alert)).toBe(alert);
});
