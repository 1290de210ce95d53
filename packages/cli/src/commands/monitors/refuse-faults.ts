import { type Fault, monitorInputs } from '@uptime/sdk/contract';
import { CliError } from '../../exit.ts';
import { flagFor } from './field-flags.ts';

/** Throws a CliError that lists every fault by its flag. */
export function refuseFaults(faults: readonly Fault[], command: string, type?: unknown): never {
  const lines = faults.map(({ path, message }) => {
    const [, entry] = /^(?:headers|labels)\.(.+)$/.exec(path) ?? [];
    const said = message === 'unknown field' ? notOf(type) : message;
    return entry ? `${flagFor(path)} ${entry}: ${said}` : `${flagFor(path)} ${said}`;
  });
  throw new CliError([...new Set(lines)].join('\n'), {
    exit: 'usage',
    next: `\`uptime ${command} --help\` lists the flags`,
  });
}

function notOf(type: unknown): string {
  const fields = Object.keys(monitorInputs[type as keyof typeof monitorInputs]?.shape ?? {});
  const own = fields.filter((field) => !(field in monitorInputs.ping.shape) || field === 'host');
  return `is no field of type ${String(type)}${own.length > 0 ? `, which has ${own.map(flagFor).join(', ')}` : ''}`;
}
