import { Argument } from 'commander';
import { command } from '../command.ts';
import { scripts, type Shell, shells } from '../completion/scripts.ts';

export const completion = command<{ shell: Shell }>({
  path: 'completion',
  summary: 'print the script that completes commands, flags and names in your shell',
  examples: ['completion bash', 'completion fish'],
  define: (command) => void command.addArgument(new Argument('<shell>', 'your shell').choices(shells)),
  // Commander accepts only the names in `shells` for this argument.
  parse: ([shell]) => ({ shell: shell as Shell }),

  async run({ shell }, { io }) {
    io.print(io.named(scripts[shell].trimEnd()));
    return 'ok';
  },
});
