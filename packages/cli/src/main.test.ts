import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { compileCache } from '../../daemon/src/testing/compile-cache.ts';
import { testProgram } from '../../daemon/src/testing/test-program.ts';
import { createTestDaemon, type TestDaemon } from '../../daemon/src/testing/test-daemon.ts';
import { openAccount } from './testing/account.ts';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await createTestDaemon();
});
afterAll(() => daemon.close());

/** Runs a shell command in which `uptime` starts the program. */
const shell = (line: string, { cwd, env }: { cwd: string; env: Record<string, string> }) => {
  const { PATH = '' } = process.env;
  const define = `uptime() { '${[process.execPath, ...testProgram('uptime')].join("' '")}' "$@"; }; `;
  return promisify(execFile)('sh', ['-c', define + line], { cwd, env: { PATH, ...compileCache(), ...env } });
};

const many = (count: number) =>
  `monitors:\n${Array.from({ length: count }, (_, i) => `  - { name: job ${i}, type: heartbeat }\n`).join('')}`;

test('an apply runs to its end even if nothing reads its output', async () => {
  await using session = await openAccount(daemon, 'main-pipe');
  await session.write('monitors.yaml', many(20));
  const apply = 'uptime apply -f monitors.yaml --yes --concurrency 1';
  const { stdout } = await shell(`{ ${apply} 2>&1; echo "$?" > exit; } | head -n 1; cat exit`, session);
  expect(stdout).toBe('+ create heartbeat "job 0"\n0\n');
  const { stdout: ids } = await session.uptime(['monitors', 'list', '--quiet']);
  expect(ids.split('\n').filter(Boolean)).toHaveLength(20);
});
