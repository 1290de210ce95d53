import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { compileCache } from '../../daemon/src/testing/compile-cache.ts';
import { httpTarget } from '../../daemon/src/testing/targets/index.ts';
import { testProgram } from '../../daemon/src/testing/test-program.ts';
import { createTestDaemon, type TestDaemon } from '../../daemon/src/testing/test-daemon.ts';
import { openAccount } from './testing/account.ts';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await createTestDaemon();
});
afterAll(() => daemon.close());

/** Runs a shell command. In it, `uptime` starts the program. */
const shell = (line: string, { cwd, env }: { cwd: string; env: Record<string, string> }) => {
  const { PATH = '' } = process.env;
  const define = `uptime() { '${[process.execPath, ...testProgram('uptime')].join("' '")}' "$@"; }; `;
  return promisify(execFile)('sh', ['-c', define + line], { cwd, env: { PATH, ...compileCache(), ...env } });
};

const many = (count: number) =>
  `monitors:\n${Array.from({ length: count }, (_, i) => `  - { name: job ${i}, type: heartbeat }\n`).join('')}`;

test('apply makes all changes even if the reader of its output has closed the pipe', async () => {
  await using session = await openAccount(daemon, 'main-pipe');
  await session.write('monitors.yaml', many(20));
  const apply = 'uptime apply -f monitors.yaml --yes --concurrency 1';
  const { stdout } = await shell(`{ ${apply} 2>&1; echo "$?" > exit; } | head -n 1; cat exit`, session);
  expect(stdout).toBe('+ create heartbeat "job 0"\n0\n');
  const { stdout: ids } = await session.uptime(['monitors', 'list', '--quiet']);
  expect(ids.split('\n').filter(Boolean)).toHaveLength(20);
});

// docs/keys.md promises this behaviour.
test('requests and pings go through the proxy in the environment variables', async () => {
  await using session = await openAccount(daemon, 'main-proxy');
  await using proxy = await httpTarget((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end('[]');
  });
  const env = {
    ...session.env,
    UPTIME_SITE_URL: 'http://uptime.test',
    UPTIME_API_KEY: 'a-key-of-a-project',
    NODE_USE_ENV_PROXY: '1',
    HTTP_PROXY: proxy.url,
  };
  await shell('uptime monitors list && uptime ping a-token-of-a-job', { cwd: session.cwd, env });
  expect(proxy.requests.map(({ url }) => url)).toEqual([
    expect.stringMatching(/^http:\/\/uptime\.test\/api\/monitors\b/),
    'http://uptime.test/ping/a-token-of-a-job',
  ]);
});
