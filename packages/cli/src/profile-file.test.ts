import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { removeProfile, storeProfile } from './profile-file.ts';
import { resolveSettings } from './settings.ts';

let dir: string;
let env: Record<string, string>;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'uptime-profiles-'));
  env = { UPTIME_CONFIG_DIR: dir };
});
afterEach(() => rm(dir, { recursive: true, force: true }));

const current = () => resolveSettings(env, {}).profile.value;

test('the first stored profile becomes the current one; a later profile becomes the current one only on request', async () => {
  await storeProfile(env, 'work', { apiKey: 'uptime_1' });
  expect(current()).toBe('work');
  expect(await storeProfile(env, 'home', { apiKey: 'uptime_2' })).toEqual({ current: 'work', profile: undefined });
  expect(current()).toBe('work');
  const before = await storeProfile(env, 'home', { apiKey: 'uptime_3' }, { current: true });
  expect(before).toEqual({ current: 'work', profile: { apiKey: 'uptime_2' } });
  expect(current()).toBe('home');
  await removeProfile(env, 'home');
  expect(current()).toBe('default');
});

test('the error for a folder that cannot be written names the settings file', async () => {
  await writeFile(join(dir, 'file'), '');
  const below = { UPTIME_CONFIG_DIR: join(dir, 'file', 'settings') };
  await expect(storeProfile(below, 'work', {})).rejects.toMatchObject({
    message: `the settings file ${join(dir, 'file', 'settings', 'config.json')} cannot be written (ENOTDIR)`,
    next: expect.stringContaining('UPTIME_CONFIG_DIR'),
  });
});
