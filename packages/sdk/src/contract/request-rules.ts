import { maxHeaderCharacters, maxHeaders } from './fields.ts';
import { type Fault, faultAt } from './fault-at.ts';
import { asciiHostName, disguisesHost } from './host.ts';

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

/** Finds faults that the pattern of an http or https address cannot detect. */
export function addressFaults(path: string, address: string): Fault[] {
  const parsed = URL.parse(address);
  if (!parsed || parsed.hostname === '' || !/^https?:$/.test(parsed.protocol)) return [faultAt(path, 'not_an_address')];
  if (asciiHostName(parsed.hostname) === null || disguisesHost(address)) return [faultAt(path, 'bad_address_host')];
  if (parsed.port === '0') return [faultAt(path, 'bad_address_port')];
  return [];
}

/** Returns a fault if a map has too many entries. */
export function entryFaults(path: string, map: Record<string, unknown>, maxCount: number): Fault[] {
  const count = Object.keys(map).length;
  return count > maxCount ? [faultAt(path, 'too_many_entries', { maxCount, count })] : [];
}

/** Returns a fault if the headers are too many, or too long together. */
function headerSizeFaults(path: string, headers: Record<string, unknown>): Fault[] {
  const many = entryFaults(path, headers, maxHeaders);
  if (many.length > 0) return many;
  const entries = Object.entries(headers);
  const length = entries.reduce((sum, [name, value]) => sum + name.length + String(value).length, 0);
  if (length <= maxHeaderCharacters) return [];
  return [faultAt(path, 'headers_too_long', { maxCount: maxHeaderCharacters, count: length })];
}

/** Finds faults that the pattern of a header cannot detect: total size, reserved names, and repeated names. */
export function headerFaults(path: string, headers: Record<string, unknown>): Fault[] {
  const size = headerSizeFaults(path, headers);
  if (size.length > 0) return size;
  const seen = new Map<string, string>();
  return Object.keys(headers).flatMap((name) => {
    const at = `${path}.${name}`;
    const lower = name.toLowerCase();
    if (ownHeaders.includes(lower)) return [faultAt(at, 'reserved_header')];
    const same = seen.get(lower);
    if (same === undefined) seen.set(lower, name);
    return same === undefined ? [] : [faultAt(at, 'repeated_header', { same })];
  });
}
