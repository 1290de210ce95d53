import * as z from 'zod';
import { asciiHostName } from '../host.ts';
import { type Fault, faultAt } from '../fault-at.ts';

/** A field that holds a host name or an IP address. {@link hostFaults} finds faults that its pattern cannot detect. */
export const hostField = (about: string) =>
  z
    .string()
    .regex(/^[^\s/?#@\\[\]\p{Cc}]{1,253}$/u, {
      error: 'a host name or an IP address, without scheme, port, path or brackets',
    })
    .describe(about);

/** Finds the faults that the pattern of a host cannot detect. */
export function hostFaults(host: string, path: string): Fault[] {
  if (asciiHostName(host) !== null) return [];
  if (host.includes(':')) return [faultAt(path, 'host_with_port')];
  const emptyPart = host
    .replace(/\.$/, '')
    .split('.')
    .some((part) => part === '');
  return [faultAt(path, 'bad_host', { emptyPart })];
}

/** Returns a host with its port, as URLs contain them: an IPv6 address stands in brackets. */
export const hostAndPort = (host: string, port: number): string => `${host.includes(':') ? `[${host}]` : host}:${port}`;
