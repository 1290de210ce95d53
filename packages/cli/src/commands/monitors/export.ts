import type { Monitor } from '@uptime/sdk';
import { plain } from '../../output.ts';
import type { SettingFlags } from '../../settings.ts';
import { command, settingFlags } from '../command.ts';
import { allMonitors } from './all.ts';

export const exportMonitors = command<SettingFlags>({
  path: 'monitors export',
  summary: 'print the monitors of the project as a manifest that applies without a change',
  examples: ['monitors export', 'monitors export > monitors.yaml'],
  parse: (_args, flags) => settingFlags(flags),

  async run(flags, context) {
    const { io, signal } = context;
    const client = await context.connect(flags);
    const monitors = await allMonitors(client, signal);
    const { writeManifest } = await import('../../manifest/write.ts');
    io.print(writeManifest(monitors).trimEnd());
    for (const warning of warnings(monitors)) io.say(`${io.err.yellow('note:')} ${warning}`);
    return 'ok';
  },
});

function* warnings(monitors: readonly Monitor[]): Generator<string> {
  const nameless = monitors.filter(({ key }) => key == null);
  const twice = Map.groupBy(nameless, ({ name }) => name);
  for (const [name, all] of twice) {
    if (all.length > 1) yield `${all.length} monitors are named ${JSON.stringify(plain(name))}: give each a \`key\``;
  }
  if (monitors.some((monitor) => monitor.type === 'http' && Object.keys(monitor.headers ?? {}).length > 0)) {
    yield 'request headers are written as they are; put what is secret in the environment, as `${NAME}`';
  }
}
