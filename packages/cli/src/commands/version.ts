import { version } from '../version.ts';
import { command } from '../command.ts';

export const showVersion = command({
  path: 'version',
  summary: 'print the version of this program',
  examples: ['version', '--version'],
  parse: () => ({}),

  async run(_options, { io }) {
    io.print(version);
    return 'ok';
  },
});
