import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { configFileFault } from './config-file-fault.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'uptime-config-'));
});
afterEach(() => rm(folder, { recursive: true }));

const key = 'x'.repeat(32);

test.each([
  [0o644, `secretKey: ${key}`, 'secretKey'],
  [0o604, `UPTIME_STRIPE_SECRET_KEY: sk_1\nport: 3000`, 'UPTIME_STRIPE_SECRET_KEY'],
  [0o644, 'smtpUrl: smtp://ada:hush@mail.example\ntwilioAuthToken: t', 'smtpUrl, twilioAuthToken'],
  [0o644, 'databaseUrl: postgres://ada:hush@db.example/uptime', 'databaseUrl'],
  [0o644, 'databaseUrl: postgres://ada@db.example/uptime\nport: 3000', null],
  [0o640, `secretKey: ${key}`, null],
  [0o600, `secretKey: ${key}`, null],
])(
  'in a config file with mode %o and the text %j, the secrets that every user may read are %j',
  async (mode, text, secrets) => {
    const path = join(folder, 'uptimed.yaml');
    await writeFile(path, text);
    await chmod(path, mode);
    expect(await configFileFault(path)).toBe(
      secrets &&
        `The config file holds secrets (${secrets}), and every user of this machine may read it (mode 0${mode.toString(8)}). Run \`chmod 600 ${path}\`.`,
    );
  },
);
