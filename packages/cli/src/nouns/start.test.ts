import { execFile, spawnSync } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

/** A program that loads the list of commands, and prints the address of each loaded module. */
const program = `
import { registerHooks } from 'node:module';
registerHooks({
  load(url, context, next) {
    console.log(url);
    return next(url, context);
  },
});
await import(${JSON.stringify(new URL('../commands/index.ts', import.meta.url))});
`;

test('loading the list of commands does not load the contract, the SDK, prompts, YAML or spinners', () => {
  const { stdout, status, stderr } = spawnSync(
    process.execPath,
    ['--conditions=x-source', '--input-type=module', '--eval', program],
    { cwd: fileURLToPath(new URL('.', import.meta.url)), encoding: 'utf8' },
  );
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  const loaded = stdout.trim().split('\n');
  expect(loaded.some((url) => url.endsWith('/nouns/monitors.ts'))).toBe(true);
  const packages = loaded.flatMap((url) => /\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1] ?? []);
  expect([...new Set(packages)].toSorted()).toEqual(['chalk', 'commander']);
  expect(loaded.filter((url) => url.includes('/packages/') && !url.includes('/packages/cli/'))).toEqual([]);
});

test("`uptime ping <key>` does not load the SDK's contract, so that it starts fast", async () => {
  await using server = createServer(({ url = '', headers }, response) => {
    const pingUrl = `http://${headers.host}/ping/abcdefghijklmnopqrstuv`;
    const job = { id: 'mon_1', key: 'nightly', name: 'Nightly', type: 'heartbeat', pingUrl };
    response.end(JSON.stringify(url.startsWith('/ping/') ? { ok: true } : [job]));
  });
  await new Promise((resolve) => void server.listen(0, '127.0.0.1', () => resolve(null)));
  const logLoadedModules = `import { registerHooks } from 'node:module';
    registerHooks({ load(url, context, next) { console.error(url); return next(url, context); } });`;
  const { stderr } = await promisify(execFile)(
    process.execPath,
    [
      '--conditions=x-source',
      `--import=data:text/javascript,${encodeURIComponent(logLoadedModules)}`,
      fileURLToPath(new URL('../bin.ts', import.meta.url)),
      'ping',
      'nightly',
    ],
    {
      env: {
        UPTIME_SITE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
        UPTIME_API_KEY: `uptime_${'x'.repeat(32)}`,
      },
    },
  );
  const loaded = stderr.trim().split('\n');
  expect(loaded.some((url) => url.endsWith('/commands/ping/pinger.ts'))).toBe(true);
  expect(loaded.filter((url) => url.includes('/contract/') || url.includes('/node_modules/zod/'))).toEqual([]);
});
