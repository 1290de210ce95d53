import { spawnSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../../../..');

/**
 * Tests that name no database, so they can run on PostgreSQL and on two nodes. `onTwoNodes` in vitest.config.ts lists
 * cheap tests that run on two nodes in every test run.
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
  'http/known-routes',
  'http/openapi',
  'http/pages',
  'http/pings',
  'http/status-pages',
  'http/metrics',
  'probes/attacks',
  'probes/heavy-monitors',
  'probes/probe-results',
  'probes/probes',
  'probes/region-results',
  'resources/alert-rules/alert-rules',
  'resources/billing/billing',
  'resources/billing/plan-limits',
  'resources/channels/channels',
  'resources/channels/masked-config',
  'resources/channels/message-limits',
  'resources/channels/confirm',
  'resources/deliveries',
  'resources/health',
  'resources/incidents/incidents',
  'resources/monitor-past/in-pages',
  'resources/monitor-past/long-lists',
  'resources/monitor-past/response-times',
  'resources/monitors/list',
  'resources/monitors/monitors',
  'resources/regions',
  'resources/sent-back',
  'resources/status-pages/status-pages',
  'resources/usage',
].map((name) => `packages/daemon/src/${name}.test.ts`);

test.each([
  ['one node on PostgreSQL', 'postgres'],
  ['two nodes behind a round-robin proxy', 'two-nodes'],
])('the tests of the API pass unchanged on %s', (_, world) => {
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  const { status, stdout, stderr } = spawnSync(process.execPath, [vitest, 'run', '--project', 'all', ...files], {
    cwd: root,
    env: { ...process.env, UPTIME_TEST_WORLD: world, NO_COLOR: '1' },
    encoding: 'utf8',
  });
  expect(status, stdout + stderr).toBe(0);
  expect(stdout).toContain(`Test Files  ${files.length} passed (${files.length})`);
});
