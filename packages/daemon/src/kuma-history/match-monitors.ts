import { keyOfName, numberedKey } from '@uptime/sdk/contract';
import type { KumaMonitor } from './kuma-file.ts';

/** A monitor of the project, with the fields by which the import finds it. */
export interface OwnMonitor {
  seq: number;
  name: string;
  key: string | null;
  /** The monitor's fields as they are stored. */
  config: Record<string, unknown>;
}

export interface Matches<Own extends OwnMonitor> {
  matched: { kuma: KumaMonitor; own: Own }[];
  /** Monitors of Uptime Kuma whose history is not imported, with the reason. */
  unmatched: { kuma: KumaMonitor; why: string }[];
}

/**
 * For each monitor of Uptime Kuma, finds the monitor of the project that `uptime import kuma` made from it. A monitor
 * of the project fits if it has the same name, or the key that `uptime import kuma` derives from that name. If several
 * monitors of the project fit, the import chooses the monitor with the same address.
 */
export function matchMonitors<Own extends OwnMonitor>(kuma: readonly KumaMonitor[], own: readonly Own[]): Matches<Own> {
  const byName = Map.groupBy(own, ({ name }) => name);
  const byKey = new Map(own.flatMap((one) => (one.key === null ? [] : [[one.key, one] as const])));
  const sharing = Map.groupBy(kuma, ({ name }) => keyOfName(name));
  const found: Matches<Own> = { matched: [], unmatched: [] };
  for (const one of kuma) {
    const why = (text: string) => void found.unmatched.push({ kuma: one, why: text });
    if (one.type === 'group') {
      why('a group is a label here, without a history of its own');
      continue;
    }
    const base = keyOfName(one.name);
    const alike = sharing.get(base)?.length ?? 1;
    const keys = Array.from({ length: alike }, (_, i) => byKey.get(numberedKey(base || 'monitors', i + 1)));
    const candidates = [...new Set([...(byName.get(one.name) ?? []), ...keys.filter((key) => key !== undefined)])];
    const [only, ...others] = candidates;
    const isAlone = only !== undefined && others.length === 0 && alike === 1;
    const fitting = isAlone ? [only] : candidates.filter((candidate) => hasAddress(candidate, one));
    if (fitting.length === 1) found.matched.push({ kuma: one, own: fitting[0]! });
    else if (candidates.length === 0) why(`no monitor of the project has this name, or the key ${base || 'monitors'}`);
    else why(`${candidates.length} monitors of the project have this name or key, and no address tells them apart`);
  }
  return withoutRivals(found);
}

/** Moves monitors of Uptime Kuma to `unmatched` if several of them match the same monitor of the project. */
function withoutRivals<Own extends OwnMonitor>({ matched, unmatched }: Matches<Own>): Matches<Own> {
  const rivals = Map.groupBy(matched, ({ own }) => own.seq);
  const isAlone = ({ own }: { own: Own }) => rivals.get(own.seq)?.length === 1;
  const shared = matched
    .filter((match) => !isAlone(match))
    .map(({ kuma, own }) => ({ kuma, why: `other monitors of Uptime Kuma match ${own.name} too` }));
  return { matched: matched.filter(isAlone), unmatched: [...unmatched, ...shared] };
}

/** Whether a monitor of the project checks the same address as a monitor of Uptime Kuma. */
function hasAddress({ config }: OwnMonitor, { url, host, port }: KumaMonitor): boolean {
  const { url: ownUrl, host: ownHost, hostname, port: ownPort } = config;
  if (typeof ownUrl === 'string') return url !== '' && ownUrl === url;
  const name = ownHost ?? hostname;
  return typeof name === 'string' && name === host && (ownPort === undefined || ownPort === port);
}
