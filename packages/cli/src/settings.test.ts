import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { removeProfile, storeProfile } from './profile-file.ts';
import { resolveSettings, settingsDir } from './settings.ts';
import { maskKey } from './mask.ts';

let dir: string;
let env: Record<string, string>;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'uptime-settings-'));
  env = { UPTIME_CONFIG_DIR: dir };
});
afterEach(() => rm(dir, { recursive: true, force: true }));

const site = 'https://uptime.example';

test('a flag overrides the environment, which overrides the file, which overrides the default', async () => {
  expect(resolveSettings(env, {}).siteUrl).toEqual({ value: 'http://127.0.0.1:3000', from: 'default' });
  await storeProfile(env, 'work', { siteUrl: site, apiKey: 'uptime_file' });
  expect(resolveSettings(env, {})).toMatchObject({
    profile: { value: 'work' },
    siteUrl: { value: site, from: expect.stringContaining('profile work') as string },
    apiKey: { value: 'uptime_file' },
  });
  const more = { ...env, UPTIME_SITE_URL: 'http://env.example/', UPTIME_API_KEY: 'uptime_env' };
  expect(resolveSettings(more, {})).toMatchObject({
    siteUrl: { value: 'http://env.example', from: 'UPTIME_SITE_URL' },
    apiKey: { value: 'uptime_env', from: 'UPTIME_API_KEY' },
  });
  expect(resolveSettings(more, { siteUrl: 'http://flag.example', apiKey: 'uptime_flag' })).toMatchObject({
    siteUrl: { from: '--site-url' },
    apiKey: { value: 'uptime_flag' },
  });
});

test('a stored key is not used for another server', async () => {
  await storeProfile(env, 'default', { siteUrl: site, apiKey: 'uptime_file' });
  const { apiKey, keyWithheld } = resolveSettings(env, { siteUrl: 'https://elsewhere.example' });
  expect(apiKey).toBeNull();
  expect(keyWithheld).toContain('belongs to https://uptime.example');
});

test('only the owner can read the file', async () => {
  await storeProfile(env, 'default', { siteUrl: site, apiKey: 'uptime_file' });
  const { mode } = await stat(join(dir, 'config.json'));
  expect(mode & 0o777).toBe(0o600);
});

test('profiles with dots in their names are separate', async () => {
  await storeProfile(env, 'a', { apiKey: 'uptime_a' });
  await storeProfile(env, 'a.b', { apiKey: 'uptime_ab' });
  expect(await removeProfile(env, 'a.b')).toBe(true);
  expect(await removeProfile(env, 'a.b')).toBe(false);
  expect(resolveSettings(env, { profile: 'a' }).apiKey?.value).toBe('uptime_a');
});

test('the error for a broken file names it', async () => {
  await writeFile(join(dir, 'config.json'), '{');
  expect(() => resolveSettings(env, {})).toThrow(join(dir, 'config.json'));
});

test('a missing home folder is an error only when something is stored', () => {
  for (const HOME of ['/nonexistent', '/dev/null']) {
    expect(resolveSettings({ HOME }, {})).toMatchObject({ apiKey: null, siteUrl: { from: 'default' } });
  }
});

test('a masked key shows its prefix and its last four characters', () => {
  expect(maskKey('uptime_abcdefghijklmnop1234')).toBe('uptime_…1234');
  expect(maskKey('short')).toBe('…');
});

test('without UPTIME_CONFIG_DIR the settings are in the folder of the platform', () => {
  expect(settingsDir({ HOME: '/home/ada' })).toMatch(/^\/home\/ada\/.+\/?uptime$/);
});

test('a stored session is used only for its own server', async () => {
  await storeProfile(env, 'default', { siteUrl: 'https://a.example', session: 'cookie=1' });
  expect(resolveSettings(env, {}).session?.value).toBe('cookie=1');
  const elsewhere = resolveSettings(env, { siteUrl: 'https://b.example' });
  expect(elsewhere.session).toBeNull();
  expect(elsewhere.sessionWithheld).toContain('https://a.example');
});
