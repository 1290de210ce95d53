import type { Io } from '../../io.ts';
import { type Format, output, plain } from '../../output.ts';
import type { SettingFlags } from '../../settings.ts';
import { command, settingFlags } from '../command.ts';
import { formatFlag, readFormat } from '../format-flag.ts';
import type { Finding } from './finding.ts';

interface DoctorOptions {
  settings: SettingFlags;
  format: Format;
}

export const doctor = command<DoctorOptions>({
  path: 'doctor',
  summary: 'look for what is wrong: settings, server, clock, key and account',
  examples: ['doctor', 'doctor -o json'],
  define: formatFlag,
  parse: (_args, flags) => ({ settings: settingFlags(flags), format: readFormat(flags) }),

  async run({ settings, format }, context) {
    const { io } = context;
    const { examineSettings } = await import('./settings.ts');
    const { examineServer } = await import('./server.ts');
    const { examineKey, examineAccount } = await import('./credentials.ts');
    const findings: Finding[] = [];
    const tell = async (found: readonly Finding[]) => {
      findings.push(...found);
      if (format === 'table') for (const finding of found) io.print(line(finding, io));
    };
    await tell(examineSettings(settings, context));
    const server = await examineServer(settings, context);
    await tell(server);
    // What a server that does not answer would say of a key, nobody knows.
    if (server.every(({ state }) => state !== 'failed')) {
      await tell([await examineKey(settings, context), await examineAccount(settings, context)]);
    }
    const told = findings.map(({ what, state, says, next }) => ({ what, state, says, ...(next && { next }) }));
    await output(io, format, told, () => '');
    const failed = findings.filter(({ state }) => state === 'failed');
    if (failed.length === 0) return 'ok';
    return failed.every(({ exit }) => exit === 'unauthorised') ? 'unauthorised' : 'failed';
  },
});

function line({ state, what, says, next }: Finding, { out }: Io): string {
  const colour = { ok: out.green, warning: out.yellow, failed: out.red }[state];
  const told = `${colour(state.padEnd(7))}  ${what.padEnd(8)}  ${plain(says)}`;
  return next ? `${told}\n${' '.repeat(19)}${plain(next)}` : told;
}
