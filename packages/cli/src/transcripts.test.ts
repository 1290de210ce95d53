import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type HttpTarget, httpTarget } from '../../daemon/src/testing/targets/index.ts';
import { createTestDaemon, type TestDaemon } from '../../daemon/src/testing/test-daemon.ts';
import { commands } from './commands/index.ts';
import { testPassword } from './testing/account.ts';
import { playTranscript } from './testing/transcript.ts';

const folder = fileURLToPath(new URL('../test/transcripts/', import.meta.url));
const names = (await readdir(folder)).filter((name) => name.endsWith('.txt'));

let daemon: TestDaemon;
/**
 * The target of the monitors in the transcripts. The daemon is not used as the target, because on a busy machine it
 * would answer too slowly.
 */
let target: HttpTarget;
beforeAll(async () => {
  target = await httpTarget();
  daemon = await createTestDaemon();
});
afterAll(async () => {
  await daemon.close();
  await target.close();
});

const howToUpdate =
  'Run `UPDATE_TRANSCRIPTS=1 npm test -- packages/cli/src/transcripts.test.ts` to write the actual output. ' +
  'Read the diff before you commit it.';

test.each(names)('the transcript %s equals the actual output', async (name) => {
  const cwd = await mkdtemp(join(tmpdir(), 'uptime-cli-'));
  try {
    const { apiKey, email } = await daemon.another(name.replace(/\W/g, '-'));
    const expected = await readFile(join(folder, name), 'utf8');
    const played = await playTranscript(expected, {
      cwd,
      env: { UPTIME_CONFIG_DIR: join(cwd, '.config'), UPTIME_SITE_URL: daemon.url },
      masks: [
        [daemon.url, '<site>'],
        [target.url, '<target>'],
        [apiKey, '<key>'],
        [email, '<email>'],
        [testPassword, '<password>'],
        [`uptime_…${apiKey.slice(-4)}`, '<masked key>'],
        [cwd, '<folder>'],
        [/uptime_[0-9A-Za-z]{32,}/g, '<another key>'],
        [/uptime_…\w{4}/g, '<another masked key>'],
        [/mon_[0-9A-Z]{26}/g, '<monitor id>'],
        [/prj_[0-9A-Z]{26}/g, '<project id>'],
        [/chn_[0-9A-Z]{26}/g, '<channel id>'],
        [/rul_[0-9A-Z]{26}/g, '<rule id>'],
        [/inc_[0-9A-Z]{26}/g, '<incident id>'],
        [/upd_[0-9A-Z]{26}/g, '<update id>'],
        [/pag_[0-9A-Z]{26}/g, '<page id>'],
        [/alr_[0-9A-Z]{26}/g, '<alert id>'],
        [/dlv_[0-9A-Z]{26}/g, '<delivery id>'],
        [/key_[0-9A-Z]{26}/g, '<key id>'],
        [/configDigest: +[0-9a-f]{64}/g, 'configDigest: <digest>'],
        [/"[0-9a-f]{64}"/g, '"<digest>"'],
        [/req_\w+/g, '<request>'],
        [/\/ping\/\w+/g, '/ping/<token>'],
        // Matches local times with their zone, followed by the time in UTC.
        [/\d{4}-\d\d-\d\d \d\d:\d\d \S+ \(\d{4}-\S+Z\)/g, '<local time>'],
        [/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, '<time>'],
        [/\b(?=[0-9A-Za-z]*[G-Zg-z])[0-9A-Za-z]{32}\b/g, '<session id>'],
        [new Date().toJSON().slice(0, 10), '<today>'],
        // The width of a column of times depends on its widest time, so the spaces after the title are masked too.
        [/\b(TIME|FIRED|RESOLVED|CREATED|EXPIRES|LAST USED|LAST SENT|STARTED|START|END) {2,}/g, '$1  '],
        [/\b[\d.]+ ms {2,}/g, '<n> ms  '],
        [/\b[\d.]+ ms\b/g, '<n> ms'],
      ],
    });
    if (process.env['UPDATE_TRANSCRIPTS']) await writeFile(join(folder, name), played);
    expect(played, howToUpdate).toBe(process.env['UPDATE_TRANSCRIPTS'] ? played : expected);
  } finally {
    await rm(cwd, { recursive: true, force: true });
  }
});

const transcripts = (await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')))).join('\n');

test.each(commands.flatMap(({ path, aliases = [] }) => [path, ...aliases]))('%s has a transcript', (path) => {
  expect(transcripts).toMatch(new RegExp(`^\\$ (?:\\w+=\\S+ )*uptime ${path}(?: |$)`, 'm'));
});
