import { type BlockList, isIP } from 'node:net';
import type { Check } from './check.ts';
import { recordMatches } from './dns-match.ts';
import { CheckFailure } from './failure.ts';
import { asciiHost } from './resolver.ts';
import { conduct, elapsedMs, note, type Run, spent } from './run.ts';
import { blocked } from './system-errors.ts';

/** Passes if the name has a record of the type. If a value is expected, one of the records must match it. */
export const checkDns: Check<'dns'> = (monitor, context) =>
  conduct(monitor.timeout, context, async (run) => {
    const { recordType, expectedValue } = monitor;
    const name = asciiHost(monitor.hostname);
    const server = monitor.nameserver === null ? null : await serverAddress(run, monitor.nameserver);
    const fromMonoMs = context.clock.monotonicMs();
    run.peers = server === null ? [] : [server.address];
    note(run, `ask ${server?.text ?? 'the resolver'} for ${recordType} ${name}`);
    const records = await context.resolver.records(name, recordType, server?.text ?? null, run.deadline);
    run.answered = server && { ...server, via: 'dns' };
    spent(run, 'dns', fromMonoMs);
    run.responseTime = elapsedMs(run);
    note(run, `answered ${records.join(', ')}`);
    if (expectedValue === null || records.some((record) => recordMatches(recordType, record, expectedValue))) return;
    throw new CheckFailure('dns_value_mismatch', `no record matches ${expectedValue}; found ${records.join(', ')}`);
  });

interface NameServer {
  address: string;
  port: number;
  /** Address and port for c-ares, such as `9.9.9.9:53` or `[2620:fe::fe]:53`. */
  text: string;
}

/** Resolves the monitor's own name server. Throws a CheckFailure if the server is not an allowed target. */
async function serverAddress(run: Run, nameserver: string): Promise<NameServer> {
  const { host, port } = splitNameserver(nameserver);
  const name = asciiHost(host);
  const family = isIP(name);
  const addresses =
    family === 4 || family === 6
      ? [{ address: name, family } as const]
      : await run.context.resolver.addresses(name, run.deadline);
  const allowed = addresses.find(({ address, family }) => !refused(run.context.blockList, address, family));
  if (!allowed) throw blocked(`name server ${nameserver}`);
  const { address, family: kind } = allowed;
  return { address, port, text: kind === 6 ? `[${address}]:${port}` : `${address}:${port}` };
}

const refused = (list: BlockList, address: string, family: 4 | 6) =>
  list.check(address.replace(/%.*/, ''), family === 6 ? 'ipv6' : 'ipv4');

/** Splits `9.9.9.9`, `9.9.9.9:53`, `2620:fe::fe`, `[2620:fe::fe]:53`, or a name with or without a port. */
export function splitNameserver(nameserver: string): { host: string; port: number } {
  if (isIP(nameserver)) return { host: nameserver, port: 53 };
  const [, host = nameserver, port = '53'] = /^(\[.*\]|[^:]*)(?::(\d+))?$/.exec(nameserver) ?? [];
  return { host, port: Number(port) };
}
