import type { Collection } from './collection.ts';
import { heartbeatFields, longestGapSeconds } from './cron.ts';
import type { Importer } from './importer.ts';
import { wrongFile } from './read-map.ts';

/** The grace period of a job: a tenth of its interval, at least a minute and at most an hour. */
const graceOf = (gap: number): number => Math.max(60, Math.min(3600, Math.round(gap / 10)));

/** Imports a crontab. Each job becomes a heartbeat. */
export const crontab: Importer = {
  async read(source, into) {
    const lines = (await source.text()).split(/\r?\n/);
    const entries = lines.map((line, i) => ({ line: line.trim(), number: i + 1 })).filter(({ line }) => isEntry(line));
    const hasUser =
      /(?:^|\/)etc\/(?:crontab$|cron\.d\/)/.test(source.path) || hasUsers(entries.map(({ line }) => line));
    let count = 0;
    for (const { line, number } of entries) if (readEntry(line, number, hasUser, into)) count++;
    if (count === 0) throw wrongFile(source, 'a crontab with lines such as `30 2 * * * backup`');
    into.note(
      'changed',
      null,
      'a job reports only after you change its line: put `uptime exec <key> -- ` before the command',
    );
    into.note(
      'better',
      null,
      'a job that fails, hangs or never starts causes an outage with an alert, instead of a mail',
    );
  },
};

/**
 * Whether the lines name a user before the command. That is so if each word at that position can be a user name, and
 * one of them is `root`.
 */
function hasUsers(lines: readonly string[]): boolean {
  const words = lines.map((line) => /^(?:@\S+|(?:\S+\s+){4}\S+)\s+(\S+)\s+\S/.exec(line)?.[1] ?? '');
  return words.includes('root') && words.every((word) => word === '' || /^[a-z_][a-z0-9_-]{0,31}$/.test(word));
}

/** Whether a line is a job. The other lines are blank, comments or variables. */
const isEntry = (line: string): boolean => line !== '' && !line.startsWith('#') && !/^[A-Za-z_]\w*\s*=/.test(line);

function readEntry(line: string, number: number, hasUser: boolean, into: Collection): boolean {
  const pattern = line.startsWith('@') ? /^(@\S+)\s+(.+)$/ : /^((?:\S+\s+){4}\S+)\s+(.+)$/;
  // In cronie, a dash at the start of a line only turns off logging of the job.
  const [, schedule = '', rest = ''] = pattern.exec(line.replace(/^-/, '')) ?? [];
  const command = hasUser ? rest.replace(/^\S+\s+/, '') : rest;
  const about = `line ${number}`;
  if (schedule === '@reboot') {
    into.note('lost', about, 'the job: @reboot has no interval');
    return false;
  }
  const gap = longestGapSeconds(schedule);
  if (gap === null || command === '') {
    into.note('lost', about, 'the job: the line cannot be read as a schedule and a command');
    return false;
  }
  const times = heartbeatFields(gap, graceOf(gap));
  if (!times) {
    into.note('lost', about, 'the job: a heartbeat may be silent for 37 days at most');
    return false;
  }
  const program = programOf(command);
  const name = into.begin(program, { line });
  const key = into.add('monitors', name, { name: `${program} (${about})`, type: 'heartbeat', ...times }, program);
  into.note(
    'changed',
    name,
    `${about}: put \`uptime exec ${key} -- \` before its command${/[|;&<>]/.test(command) ? ", within `sh -c '…'`" : ''}`,
  );
  return true;
}

/** Returns only the name of the program that a command runs, because the arguments may contain secrets. */
function programOf(command: string): string {
  const words = command
    .split(/\s+/)
    .filter((word) => !/^[A-Za-z_]\w*=/.test(word) && !/^(?:sudo|nice|flock|env|cd)$/.test(word));
  return (
    (words[0] ?? 'job')
      .split('/')
      .at(-1)!
      .replaceAll(/[^\w.-]/g, '') || 'job'
  );
}
