import type { promises as dns } from 'node:dns';
import type { MonitorFields } from '@uptime/sdk/contract';
import type { Clock } from '../deps.ts';
import { codeOf } from './failure.ts';
import type { Address } from './hosts-file.ts';

export type RecordType = MonitorFields<'dns'>['recordType'];

/** How long to wait for the second address family after the first has answered (RFC 8305, resolution delay). */
const resolutionDelayMs = 50;

/** Each function queries the records of one type, and returns them as text. */
export const recordQueries: Record<RecordType, (channel: dns.Resolver, name: string) => Promise<string[]>> = {
  A: (channel, name) => channel.resolve4(name),
  AAAA: (channel, name) => channel.resolve6(name),
  CNAME: (channel, name) => channel.resolveCname(name),
  MX: async (channel, name) =>
    (await channel.resolveMx(name))
      .toSorted((a, b) => a.priority - b.priority)
      .map((record) => `${record.priority} ${record.exchange || '.'}`),
  TXT: async (channel, name) => (await channel.resolveTxt(name)).map((chunks) => chunks.join('')),
};

/** Queries A and AAAA in parallel. After one query has found addresses, the other gets `resolutionDelayMs` more. */
export function bothFamilies(clock: Clock, channel: dns.Resolver, name: string): Promise<Address[]> {
  return new Promise((resolve, reject) => {
    const found: Address[] = [];
    const failures: unknown[] = [];
    let pending = 2;
    let stopWaiting: (() => void) | null = null;
    const settle = () => {
      stopWaiting?.();
      if (found.length > 0) resolve(found);
      else reject(failures.find((failure) => codeOf(failure) !== 'ENODATA') ?? { code: 'ENODATA' });
    };
    const done = () => {
      pending--;
      if (pending === 0) settle();
      else if (found.length > 0) stopWaiting = clock.after(resolutionDelayMs, settle);
    };
    const take = async (family: 4 | 6, query: Promise<string[]>) => {
      try {
        for (const address of await query) found.push({ address, family });
      } catch (error) {
        failures.push(error);
      }
      done();
    };
    void take(6, channel.resolve6(name));
    void take(4, channel.resolve4(name));
  });
}
