import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { startProgram } from './running-program.ts';

const root = join(import.meta.dirname, '..');
const folder = mkdtempSync(join(tmpdir(), 'uptime-built-'));

// The built program differs from the sources: it contains its packages, and loads parts only when they are needed.
beforeAll(() => {
  execFileSync(process.execPath, [join(root, 'scripts/build.mjs'), 'program'], { stdio: 'pipe' });
  for (const name of ['uptimed', 'uptime']) symlinkSync(join(root, 'dist/program/main.js'), join(folder, name));
}, 600_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.each([
  ['YAML', 'settings.yaml', 'port: 0\ndataDir: yaml\n'],
  ['JSON', 'settings.json', '{ "port": 0, "dataDir": "json" }'],
])('the built program serves with a config file in %s', async (_, name, text) => {
  writeFileSync(join(folder, name), text);
  const daemon = run(['serve', '--config', name]);
  const [, url] = await daemon.says(/"url":"(http:[^"]+)"/);
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
  expect(await daemon.end('SIGTERM')).toMatchObject({ code: 0 });
});

test('the built program applies a manifest, and prints YAML and JSON', async () => {
  const daemon = run(['quickstart'], { UPTIME_PORT: '0' });
  const [, url] = await daemon.says(/runs at (http:\S+)/);
  const [, apiKey] = await daemon.says(/API key +(uptime_\S+) /);
  await daemon.says(/Type next/);
  writeFileSync(join(folder, 'monitors.yaml'), 'monitors:\n  - { key: nightly, type: heartbeat, name: Nightly }\n');
  const uptime = async (...args: string[]) => {
    const command = run(args, { UPTIME_SITE_URL: url!, UPTIME_API_KEY: apiKey! }, 'uptime');
    return { ...(await command.ended), output: command.output() };
  };
  const applied = await uptime('monitors', 'apply', '-f', 'monitors.yaml', '--yes');
  expect(applied).toMatchObject({ code: 0 });
  const readers: Record<string, (text: string) => unknown> = { yaml: (text) => parse(text), json: JSON.parse };
  for (const [format, read] of Object.entries(readers)) {
    const { code, output } = await uptime('monitors', 'get', 'nightly', '-o', format);
    expect(code).toBe(0);
    expect(read(output)).toMatchObject({ key: 'nightly', name: 'Nightly' });
  }
  await daemon.end('SIGTERM');
});

/** Starts the built program under one of its names, as `npx` does in a clone. */
function run(args: string[], env: Record<string, string> = {}, name: 'uptimed' | 'uptime' = 'uptimed') {
  const program = startProgram(process.execPath, [join(folder, name), ...args], {
    cwd: folder,
    env: { PATH: '', HOME: folder, ...env },
  });
  onTestFinished(() => program.kill());
  return program;
}
