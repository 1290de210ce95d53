import type { Uptime } from '@uptime/sdk';
import { command } from '../../command.ts';
import { CliError } from '../../exit.ts';
import { isSet, settingFlags } from '../../flags/raw-flags.ts';
import type { SettingFlags } from '../../settings.ts';

export const serveMcp = command<{ settings: SettingFlags; allowWrites: boolean }>({
  path: 'mcp',
  summary:
    'serve the project to an AI assistant by MCP on standard input and output; read-only unless you allow writes',
  examples: ['mcp', 'mcp --allow-writes'],
  define: (command) => {
    command.option('--allow-writes', 'also offer tools that change the project, within the scope of the key');
  },
  parse: (_args, flags) => ({ settings: settingFlags(flags), allowWrites: isSet(flags, 'allowWrites') }),

  async run({ settings, allowWrites }, context) {
    const client = await context.connect(settings);
    if (allowWrites) await refuseReadingKey(client, context.signal);
    const { serve } = await import('../../mcp/serve.ts');
    return serve({ client, settings, allowWrites }, context);
  },
});

/** Throws a CliError for a key without the scope `apply`, because tools that always fail would mislead an assistant. */
async function refuseReadingKey(client: Uptime, signal: AbortSignal): Promise<void> {
  const { keyInUse, describeKey } = await import('../key-in-use.ts');
  const { includesScope } = await import('@uptime/sdk/contract');
  const key = await keyInUse(client, signal);
  if (key === null || includesScope(key.scope, 'apply')) return;
  throw new CliError(
    `--allow-writes needs a key with the scope apply, but the key in use is ${describeKey(key) ?? 'another one'}`,
    {
      exit: 'usage',
      next: 'leave --allow-writes out, or create a key with `uptime keys create --name assistant --scope apply`',
    },
  );
}
