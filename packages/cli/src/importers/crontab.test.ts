import { describe, expect, test } from 'vitest';
import { createCollection } from './collection.ts';
import { crontab } from './crontab.ts';

/** Imports a crontab. Returns its jobs, and the notes about them. */
async function read(text: string, path = '/home/ada/crontab.txt') {
  const into = createCollection();
  await crontab.read({ name: 'crontab', path, text: () => Promise.resolve(text) }, into);
  const notes = into.notes.filter(({ about }) => about !== null);
  return {
    jobs: into.drafts.map(({ fields: { key, name, interval, gracePeriod } }) => [key, name, interval, gracePeriod]),
    notes: notes.map(({ level, about, text }) => `${level} ${about}: ${text}`),
  };
}

test.each([
  ['30 2 * * * backup', ['backup', 'backup (line 1)', 86_400, 3600]],
  ['*/5 * * * * /usr/local/bin/sync-stock --all', ['sync-stock', 'sync-stock (line 1)', 300, 60]],
  ['@hourly report.sh', ['report-sh', 'report.sh (line 1)', 3600, 360]],
  ['0 0 * * 0 sudo -- weekly', ['job', '-- (line 1)', 604_800, 3600]],
  ['0 * * * * TOKEN=hush nice env /opt/x/job', ['job', 'job (line 1)', 3600, 360]],
])('the line %s becomes a heartbeat', async (line, job) => {
  const { jobs } = await read(line);
  expect(jobs).toEqual([[expect.any(String), ...job.slice(1)]]);
});

test('comments, blank lines and variables become no jobs, but the line number of a job counts them', async () => {
  const text = '# every night\n\nMAILTO=ops@example.com\nPATH = /usr/bin\n\r\n15 3 * * * backup\r\n';
  expect((await read(text)).jobs).toEqual([['backup', 'backup (line 6)', 86_400, 3600]]);
});

test('two jobs that run the same program get different keys', async () => {
  const { jobs, notes } = await read('0 1 * * * backup --daily\n0 2 * * 0 backup --weekly\n');
  expect(new Set(jobs.map(([key]) => key)).size).toBe(2);
  expect(notes.map((note) => note.split(':')[0])).toEqual(['changed backup', 'changed backup (2)']);
});

describe('the column of the user', () => {
  test.each([
    ['/etc/crontab', '0 1 * * * ada backup'],
    ['/etc/cron.d/shop', '0 1 * * * ada backup'],
    ['/home/ada/any', '0 1 * * * root backup'],
  ])('the column of the user is recognized in %s', async (path, line) => {
    expect((await read(line, path)).jobs).toEqual([['backup', 'backup (line 1)', 86_400, 3600]]);
  });

  test('in a file outside of /etc, the column of the user is recognized if one of the users is root, even with several users and with tabs', async () => {
    const { jobs } = await read('17 *\t* * *\troot\tbackup\n0 1 * * *\twww-data  clean | sort\n@daily ada count\n');
    expect(jobs.map(([, name]) => name)).toEqual(['backup (line 1)', 'clean (line 2)', 'count (line 3)']);
  });

  test('in a file outside of /etc without the user root, the word after the schedule is the command, not a user', async () => {
    expect((await read('0 1 * * * ada backup')).jobs).toMatchObject([
      [expect.any(String), 'ada (line 1)', 86_400, 3600],
    ]);
  });
});

describe('a line that cannot be carried over', () => {
  const good = '0 * * * * good\n';
  test.each([
    ['@reboot start-shop', '@reboot has no interval'],
    ['0 25 * * * backup', 'cannot be read as a schedule and a command'],
    ['not a line', 'cannot be read as a schedule and a command'],
    ['0 0 1 1 * yearly', 'a heartbeat may be silent for 37 days at most'],
    ['0 0 30 2 * never', 'cannot be read as a schedule and a command'],
  ])(
    'the line %j leads to a note that names the number of the line, but does not show its text',
    async (line, words) => {
      const { jobs, notes } = await read(`${good}${line}\n`);
      expect(jobs).toHaveLength(1);
      const about = notes.filter((note) => note.startsWith('lost'));
      expect(about).toEqual([expect.stringMatching(new RegExp(`^lost line 2: the job: .*${words}`))]);
    },
  );

  test('a line that cannot be carried over makes the import fail if the file has no other line', async () => {
    await expect(read('hello world')).rejects.toThrow('is not the right kind of file: expected a crontab');
    await expect(read('')).rejects.toThrow('is not the right kind of file');
  });
});

test('a note says which command to add to each job, through a shell if the job needs one', async () => {
  const { notes } = await read('0 1 * * * backup\n0 2 * * * dump | gzip > /tmp/x\n');
  expect(notes).toEqual([
    'changed backup: line 1: put `uptime exec backup -- ` before its command',
    "changed dump: line 2: put `uptime exec dump -- ` before its command, within `sh -c '…'`",
  ]);
});
