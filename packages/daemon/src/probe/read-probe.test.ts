import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { readProbe } from './read-probe.ts';

const args = ['--join', 'https://uptime.example.com', '--token', 'uprobe_0'];
const targetsOf = async (env: Record<string, string>) => {
  const read = await readProbe(args, { env, stdin: Readable.from([]) });
  return read && { targets: read.config.targets, ownTargets: read.ownTargets };
};

test('a probe has its own rule for targets only if its environment sets a rule', async () => {
  expect(await targetsOf({})).toEqual({ targets: 'all', ownTargets: null });
  expect(await targetsOf({ UPTIME_TARGETS: '' })).toEqual({ targets: 'all', ownTargets: null });
  expect(await targetsOf({ UPTIME_TARGETS: 'all' })).toEqual({ targets: 'all', ownTargets: 'all' });
  expect(await targetsOf({ UPTIME_MODE: 'public' })).toEqual({ targets: 'public-only', ownTargets: 'public-only' });
});
