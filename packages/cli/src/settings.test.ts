import * as fc from 'fast-check';
import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { removeProfile, storeProfile } from './profile-file.ts';
import { resolveSettings, settingsDir } from './settings.ts';
import { maskKey } from './mask-key.ts';

let dir: string;
let env: Record<string, string>;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'uptime-settings-'));
  env = { UPTIME_CONFIG_DIR: dir };
});
afterEach(() => rm(dir, { recursive: true, force: true }));

const site = 'https://uptime.example';

test('a flag overrides the environment, the environment overrides the settings file, and the file overrides the default', async () => {
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

test('only its owner can read the settings file', async () => {
  await storeProfile(env, 'default', { siteUrl: site, apiKey: 'uptime_file' });
  const { mode } = await stat(join(dir, 'config.json'));
  expect(mode & 0o777).toBe(0o600);
});

test('a profile with a dot in its name does not affect other profiles', async () => {
  await storeProfile(env, 'a', { apiKey: 'uptime_a' });
  await storeProfile(env, 'a.b', { apiKey: 'uptime_ab' });
  expect(await removeProfile(env, 'a.b')).toBe(true);
  expect(await removeProfile(env, 'a.b')).toBe(false);
  expect(resolveSettings(env, { profile: 'a' }).apiKey?.value).toBe('uptime_a');
});

test('the error for a settings file that cannot be parsed names the file', async () => {
  await writeFile(join(dir, 'config.json'), '{');
  expect(() => resolveSettings(env, {})).toThrow(join(dir, 'config.json'));
});

test('a missing home folder leads to no error when settings are only read', () => {
  for (const HOME of ['/nonexistent', '/dev/null']) {
    expect(resolveSettings({ HOME }, {})).toMatchObject({ apiKey: null, siteUrl: { from: 'default' } });
  }
});

test('a masked key shows its prefix and its last four characters', () => {
  expect(maskKey('uptime_abcdefghijklmnop1234')).toBe('uptime_…1234');
  expect(maskKey('short')).toBe('…');
});

test('without UPTIME_CONFIG_DIR, the settings file is in the usual folder of the platform', () => {
  expect(settingsDir({ HOME: '/home/ada' })).toMatch(/^\/home\/ada\/.+\/?uptime$/);
});

test('a stored session is used only for the server that created it', async () => {
  await storeProfile(env, 'default', { siteUrl: 'https://a.example', session: 'cookie=1' });
  expect(resolveSettings(env, {}).session?.value).toBe('cookie=1');
  const elsewhere = resolveSettings(env, { siteUrl: 'https://b.example' });
  expect(elsewhere.session).toBeNull();
  expect(elsewhere.sessionWithheld).toContain('https://a.example');
});

test.each([
  'uptime.example',
  'ftp://uptime.example',
  'http://',
  'http://ada@uptime.example',
  'http://:secret@uptime.example',
  'http://uptime.example/?a=1',
  'http://uptime.example/#a',
])('the error for the site address %s says where the address comes from, and does not contain its secrets', (value) => {
  const refusal = /^the site address from (?:--site-url|UPTIME_SITE_URL) must be an http:\/\/ or https:\/\/ address/;
  expect(() => resolveSettings(env, { siteUrl: value })).toThrow(refusal);
  expect(() => resolveSettings({ ...env, UPTIME_SITE_URL: value }, {})).toThrow(refusal);
});

test.each([
  ['https://uptime.example/', 'https://uptime.example'],
  ['https://UPTIME.example:443//', 'https://uptime.example'],
  ['http://uptime.example:80/a/b/', 'http://uptime.example/a/b'],
  ['http://[::1]:3000', 'http://[::1]:3000'],
])('the site address %s is normalized to %s', (given, used) => {
  expect(resolveSettings(env, { siteUrl: given }).siteUrl.value).toBe(used);
});

test('a stored key is also used if the address of its server is spelled differently', async () => {
  await storeProfile(env, 'default', { siteUrl: `${site}/`, apiKey: 'uptime_file', session: 'cookie=1' });
  const settings = resolveSettings(env, { siteUrl: 'https://UPTIME.example:443' });
  expect(settings).toMatchObject({
    apiKey: { value: 'uptime_file' },
    session: { value: 'cookie=1' },
    keyWithheld: null,
  });
});

test('a key from the command line or the environment is used for any server', async () => {
  await storeProfile(env, 'default', { siteUrl: site, apiKey: 'uptime_file' });
  const elsewhere = { siteUrl: 'https://elsewhere.example' };
  expect(resolveSettings(env, { ...elsewhere, apiKey: 'uptime_flag' })).toMatchObject({
    apiKey: { value: 'uptime_flag', from: '--api-key' },
    keyWithheld: null,
  });
  expect(resolveSettings({ ...env, UPTIME_API_KEY: 'uptime_env' }, elsewhere).apiKey?.value).toBe('uptime_env');
});

test('`profileMissing` is an error with the names of all profiles if the chosen profile does not exist', async () => {
  expect(resolveSettings(env, { profile: 'work' }).profileMissing).toBe('there is no profile work (from --profile)');
  await storeProfile(env, 'a', {});
  await storeProfile(env, 'b', {});
  expect(resolveSettings({ ...env, UPTIME_PROFILE: 'work' }, {}).profileMissing).toBe(
    'there is no profile work (from UPTIME_PROFILE); the profiles are a, b',
  );
  expect(resolveSettings(env, { profile: 'b' }).profileMissing).toBeNull();
  expect(resolveSettings(env, {}).profileMissing).toBeNull();
});

test('after the current profile was removed, the profile `default` is used, without an error', async () => {
  await storeProfile(env, 'work', { apiKey: 'uptime_work' });
  await removeProfile(env, 'work');
  expect(resolveSettings(env, {})).toMatchObject({ profile: { value: 'default' }, apiKey: null, profileMissing: null });
});

test('an empty flag or variable has the same effect as a missing one', async () => {
  await storeProfile(env, 'work', { siteUrl: site, apiKey: 'uptime_file' });
  const empty = { ...env, UPTIME_SITE_URL: '', UPTIME_API_KEY: '', UPTIME_PROFILE: '' };
  expect(resolveSettings(empty, { siteUrl: '', apiKey: '', profile: '' })).toMatchObject({
    profile: { value: 'work' },
    siteUrl: { value: site },
    apiKey: { value: 'uptime_file' },
  });
});

test('if the settings file is a folder, the error says what to do', async () => {
  await mkdir(join(dir, 'config.json'));
  expect(() => resolveSettings(env, {})).toThrow(
    expect.objectContaining({
      message: `the settings file ${join(dir, 'config.json')} cannot be read (EISDIR)`,
      next: 'set UPTIME_CONFIG_DIR to a readable folder',
    }),
  );
});

const entry = fc.record({
  siteUrl: fc.option(fc.constantFrom('http://a.example', 'http://b.example'), { nil: undefined }),
  apiKey: fc.option(fc.constantFrom('uptime_1', 'uptime_2'), { nil: undefined }),
});

test('for any combination of settings, a stored key is never used for a server other than its own', async () => {
  const source = fc.option(fc.constantFrom('http://a.example', 'http://b.example/', 'http://A.example'), { nil: '' });
  await fc.assert(
    fc.asyncProperty(entry, source, source, async (stored, flag, variable) => {
      await writeFile(join(dir, 'config.json'), JSON.stringify({ profiles: { default: stored } }));
      const settings = resolveSettings({ ...env, UPTIME_SITE_URL: variable }, { siteUrl: flag });
      const home = stored.siteUrl ?? 'http://127.0.0.1:3000';
      const isHome = settings.siteUrl.value === home;
      expect(settings.apiKey?.value).toBe(isHome ? stored.apiKey : undefined);
      expect(settings.keyWithheld === null).toBe(isHome || stored.apiKey === undefined);
    }),
  );
});
