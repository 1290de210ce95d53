import type { Io } from '../../io.ts';
import { type Format, output, plain } from '../../output.ts';
import type { SettingFlags } from '../../settings.ts';
import { command } from '../../command.ts';
import { settingFlags } from '../../flags/raw-flags.ts';
import { formatFlag, readFormat } from '../../flags/output-flags.ts';
import type { Finding } from './finding.ts';

interface DoctorOptions {
  settings: SettingFlags;
  format: Format;
}

export const doctor = command<DoctorOptions>({
  path: 'doctor',
  summary: 'find out what is wrong: settings, server, clock, key, account, regions, probes, alert rules, limits',
  examples: ['doctor', 'doctor -o json'],
  define: formatFlag,
  parse: (_args, flags) => ({ settings: settingFlags(flags), format: readFormat(flags) }),

  async run({ settings, format }, context) {
    const { io } = context;
    const { examineSettings } = await import('./settings.ts');
    const { examineServer } = await import('./server.ts');
    const { examineKey, examineAccount } = await import('./credentials.ts');
    const { examineGaps } = await import('./gaps.ts');
    const { examineLimits } = await import('./limits.ts');
    const findings: Finding[] = [];
    const report = async (found: readonly Finding[]) => {
      findings.push(...found);
      if (format === 'table') for (const finding of found) io.print(io.named(line(finding, io)));
    };
    await report(examineSettings(settings, context));
    const server = await examineServer(settings, context);
    await report(server);
    // The key can only be checked if the server answers.
    if (server.every(({ state }) => state !== 'failed')) {
      const { mayRead = false, ...key } = await examineKey(settings, context);
      await report([key, await examineAccount(settings, context)]);
      if (mayRead) {
        await report(await examineGaps(settings, context));
        await report(await examineLimits(settings, context));
      }
    }
    const rows = findings.map(({ what, state, says, next }) => ({
      what,
      state,
      says: io.named(says),
      ...(next && { next: io.named(next) }),
    }));
    await output(io, format, rows, () => '');
    const failed = findings.filter(({ state }) => state === 'failed');
    if (failed.length === 0) return 'ok';
    return failed.every(({ exit }) => exit === 'unauthorised') ? 'unauthorised' : 'failed';
  },
});

/** The width of the columns before the text of a finding. */
const indent = 19;

function line({ state, what, says, next }: Finding, { out, stdout }: Io): string {
  const colour = { ok: out.green, warning: out.yellow, failed: out.red }[state];
  const room = stdout.isTTY && stdout.columns ? Math.max(20, stdout.columns - indent) : Infinity;
  const rows = [says, ...(next ? [next] : [])].flatMap((text) => wrap(plain(text), room));
  return `${colour(state.padEnd(7))}  ${what.padEnd(8)}  ${rows.join(`\n${' '.repeat(indent)}`)}`;
}

/** Breaks a text between words into lines of at most the given length. */
const wrap = (text: string, maxWidth: number): string[] =>
  text.split(' ').reduce<string[]>((lines, word) => {
    const last = lines.at(-1);
    return last !== undefined && last.length + 1 + word.length <= maxWidth
      ? [...lines.slice(0, -1), `${last} ${word}`]
      : [...lines, word];
  }, []);
