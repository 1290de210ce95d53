import { spawnSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../../../..');

/**
 * Tests that use only the API, so they can run on two nodes. `onTwoNodes` in vitest.config.ts lists cheap tests that
 * run on two nodes in every test run.
 */
const files = [
  'http/accounts',
  'http/bad-input',
  'http/documented-errors',
  'http/fuzz',
  'http/hostile-values',
  'http/idempotency',
  'http/isolation',
  'http/key-scopes',
  'http/pages',
  'http/pings',
  'http/status-pages',
  'http/metrics',
  'probes/attacks',
  'probes/heavy-monitors',
  'probes/region-results',
  'resources/alert-rules/alert-rules',
  'resources/billing/billing',
  'resources/channels/channels',
  'resources/channels/masked-config',
  'resources/channels/message-limits',
  'resources/channels/confirm',
  'resources/incidents/incidents',
  'resources/monitor-past/long-lists',
  'resources/monitors/list',
  'resources/monitors/monitors',
  'resources/sent-back',
  'resources/status-pages/status-pages',
  'resources/usage',
].map((name) => `packages/daemon/src/${name}.test.ts`);

test('the tests of the API pass unchanged on two nodes behind a round-robin proxy', () => {
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  const { status, stdout, stderr } = spawnSync(process.execPath, [vitest, 'run', '--project', 'all', ...files], {
    cwd: root,
    env: { ...process.env, UPTIME_TEST_WORLD: 'two-nodes', NO_COLOR: '1' },
    encoding: 'utf8',
  });
  expect(status, stdout + stderr).toBe(0);
  expect(stdout).toContain(`Test Files  ${files.length} passed (${files.length})`);
});
