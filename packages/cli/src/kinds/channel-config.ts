import { channelDestinations, channelTypes, configDigestText } from '@uptime/sdk/contract';
import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { isMasked } from '../mask.ts';
import { isMap, own } from './compare.ts';
import { type Compare, type Difference, fieldsOf, type Fields, type Remote } from './kind.ts';

/**
 * Compares the wanted config with that of the server, in which secrets are masked. Only the server's digest of the
 * config shows whether a masked value is the wanted one. If the digest differs, all masked values count as changed.
 */
export const compareConfig: Compare = (from, to, { wanted, current }) => {
  const config = asConfig(to);
  // A new type keeps no field of the old config.
  if (wanted['type'] !== current.type) return differencesOf({}, config, []);
  const shown = asConfig(from);
  const differences = differencesOf(shown, config, []);
  const masked = differences.filter(({ from, to }) => isMasked(from) && to !== undefined && to !== null);
  const plain = differences.filter((one) => !masked.includes(one));
  if (masked.length === 0) return plain;
  // If the destination changes, the server requires the secrets again.
  if (plain.some(({ at: [field] }) => isDestination(current.type, field))) return differences;
  if (digestField(current) === undefined) return plain;
  // The server's config under the assumption that no secret has changed.
  const supposed = masked.reduce((known, { at, to }) => withValue(known, at, to), shown);
  return digestOf(current.id, supposed) === digestField(current) ? plain : differences;
};

function isDestination(type: string | undefined, field: string | undefined): boolean {
  const known = channelTypes.find((one) => one === type);
  const fields: readonly string[] = known ? channelDestinations[known] : [];
  return field !== undefined && fields.includes(field);
}

/** Whether the server sends a digest of the config. */
export const hasDigest = (remote: Remote): boolean => digestField(remote) !== undefined;

const digestOf = (id: string, config: Fields): string =>
  createHash('sha256').update(configDigestText(id, config)).digest('hex');

function differencesOf(from: Fields, to: Fields, path: readonly string[]): Difference[] {
  const names = [...new Set([...Object.keys(from), ...Object.keys(to)])];
  return names.flatMap((name): Difference[] => {
    const [a, b] = [own(from, name), own(to, name)];
    const at = [...path, name];
    if (isMap(a) || isMap(b)) return differencesOf(asConfig(a), asConfig(b), at);
    return isDeepStrictEqual(a ?? null, b ?? null) ? [] : [{ at, from: a, to: b }];
  });
}

function withValue(config: Fields, [name = '', ...rest]: readonly string[], value: unknown): Fields {
  return { ...config, [name]: rest.length === 0 ? value : withValue(asConfig(config[name]), rest, value) };
}

function digestField(remote: Remote): string | undefined {
  const digest = fieldsOf(remote)['configDigest'];
  return typeof digest === 'string' ? digest : undefined;
}

const asConfig = (value: unknown): Fields => (isMap(value) ? value : {});
