import { mostHeaderCharacters, mostHeaders } from './fields.ts';
import { asciiHostName, disguisesHost } from './host.ts';
import type { Fault } from './validate.ts';

/** Headers that the HTTP client writes itself. Setting them would break the framing of the request. */
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

/** Finds faults of an http or https address that its pattern cannot detect. */
export function addressFaults(path: string, address: string): Fault[] {
  const parsed = URL.parse(address);
  if (!parsed || parsed.hostname === '' || !/^https?:$/.test(parsed.protocol))
    return [{ path, message: 'must be a full http:// or https:// address' }];
  if (asciiHostName(parsed.hostname) === null || disguisesHost(address))
    return [
      { path, message: 'must name a host: parts of letters, digits, - and _, with dots between, or an IP address' },
    ];
  if (parsed.port === '0') return [{ path, message: 'must name a port from 1 to 65535' }];
  return [];
}

/** Reports a map with too many entries. */
export function entryFaults(path: string, map: Record<string, unknown>, most: number): Fault[] {
  const count = Object.keys(map).length;
  return count > most ? [{ path, message: `must have at most ${most} entries, not ${count}` }] : [];
}

/** Reports headers that are too many, or too long together. */
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

/** Finds faults that the pattern of a header cannot: total size, reserved names, names that differ only in case. */
export function headerFaults(path: string, headers: Record<string, unknown>): Fault[] {
  const size = headerSizeFaults(path, headers);
  if (size.length > 0) return size;
  const seen = new Map<string, string>();
  return Object.keys(headers).flatMap((name) => {
    const at = `${path}.${name}`;
    const lower = name.toLowerCase();
    if (ownHeaders.includes(lower))
      return [{ path: at, message: 'cannot be set: the daemon writes this header itself' }];
    const same = seen.get(lower);
    if (same === undefined) seen.set(lower, name);
    return same === undefined ? [] : [{ path: at, message: `names the same header as \`${same}\`` }];
  });
}
