import { describe, expect, test } from 'vitest';
import { askLine, found } from './testing/ask-line.ts';
import { cannedAnswers } from './testing/canned-answers.ts';

const answers = (path: string) => found(path);

describe('--quiet', () => {
  test.each([
    ['monitors list', 'mon_1\nmon_2\n'],
    ['monitors get shop', 'mon_1\n'],
    ['monitors stats shop', '50\n'],
    ['channels list', 'chn_1\n'],
    ['channels get Ops', 'chn_1\n'],
    ['rules get down', 'rul_1\n'],
    ['alerts list', 'alr_1\n'],
    ['alerts show alr_1', 'alr_1\n'],
    ['alerts show shop', 'alr_1\n'],
    ['alerts deliveries', 'dlv_1\n'],
    ['incidents get inc_1', 'inc_1\n'],
    ['pages get status', 'pag_1\n'],
    ['pages open status', 'pag_1\n'],
    ['keys list', 'key_1\n'],
    ['status', 'Shop\n'],
  ])('with --quiet, `%s` prints only what a script needs: %j', async (line, stdout) => {
    for (const columns of [undefined, 80]) {
      expect(await askLine(`${line} --quiet`, answers, columns)).toMatchObject({ stdout, stderr: '' });
    }
  });

  test('with --quiet, `monitors stats` prints a dash for a monitor that was never observed', async () => {
    const path = '/api/monitors/mon_1/stats';
    const never = { ...(cannedAnswers[path] as object), uptime30d: null };
    const { stdout } = await askLine('monitors stats mon_1 -q', (requestPath) =>
      found(requestPath, requestPath === path ? never : undefined),
    );
    expect(stdout).toBe('-\n');
  });
});

const page = 'https://uptime.test/status/status';
describe('the address of a page', () => {
  test.each([
    ['pages open status', `${page}\n`],
    ['pages open status -o json', `${JSON.stringify({ id: 'pag_1', name: 'Status', url: page }, null, 2)}\n`],
    ['pages open status -o yaml', `id: pag_1\nname: Status\nurl: ${page}\n`],
  ])(
    '`%s` prints the address of the page, and opens no browser if the run is not interactive',
    async (line, stdout) => {
      for (const columns of [undefined, 80]) {
        expect(await askLine(line, answers, columns)).toEqual({ exit: 0, stdout, stderr: '' });
      }
    },
  );
});
