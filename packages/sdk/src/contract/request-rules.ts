import { mostHeaderCharacters, mostHeaders } from './fields.ts';
import { asciiHostName } from './host.ts';
import type { Fault } from './validate.ts';

/** Headers that the sender of a request writes itself: setting them would break the request's framing. */
const ownHeaders = [
  'connection',
  'content-length',
  'expect',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
];

/** What is wrong with an http or https address beyond what its pattern says. */
export function addressFaults(path: string, address: string): Fault[] {
  const parsed = URL.parse(address);
  if (!parsed || parsed.hostname === '' || !/^https?:$/.test(parsed.protocol))
    return [{ path, message: 'must be a full http:// or https:// address' }];
  if (asciiHostName(parsed.hostname) === null)
    return [
      { path, message: 'must name a host: parts of letters, digits, - and _, with dots between, or an IP address' },
    ];
  if (parsed.port === '0') return [{ path, message: 'must name a port from 1 to 65535' }];
  return [];
}

/** Whether a map has more entries than it may have. */
export function entryFaults(path: string, map: Record<string, unknown>, most: number): Fault[] {
  const count = Object.keys(map).length;
  return count > most ? [{ path, message: `must have at most ${most} entries, not ${count}` }] : [];
}

/** Whether headers are too many, or too long together. */
function headerSizeFaults(path: string, headers: Record<string, unknown>): Fault[] {
  const many = entryFaults(path, headers, mostHeaders);
  if (many.length > 0) return many;
  const entries = Object.entries(headers);
  const length = entries.reduce((sum, [name, value]) => sum + name.length + String(value).length, 0);
  if (length <= mostHeaderCharacters) return [];
  return [
    { path, message: `must have at most ${mostHeaderCharacters} characters in all names and values, not ${length}` },
  ];
}

/** What is wrong with request headers beyond the pattern of each: their size, names that are reserved, or the same but for case. */
export function headerFaults(path: string, headers: Record<string, unknown>): Fault[] {
  const size = headerSizeFaults(path, headers);
  if (size.length > 0) return size;
  const seen = new Map<string, string>();
  return Object.keys(headers).flatMap((name) => {
    const at = `${path}.${name}`;
    const lower = name.toLowerCase();
    if (ownHeaders.includes(lower)) return [{ path: at, message: 'is written by the daemon itself and cannot be set' }];
    const same = seen.get(lower);
    if (same === undefined) seen.set(lower, name);
    return same === undefined ? [] : [{ path: at, message: `names the same header as \`${same}\`` }];
  });
}
