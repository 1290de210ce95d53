import { channelDestinations, channelTypes, configDigestText, isMasked } from '@uptime/sdk/contract';
import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { isMap, own } from './compare.ts';
import { type Compare, type Difference, fieldsOf, type Fields, type Remote } from './kind.ts';

/**
 * Compares the wanted config of a channel with the server's config, in which secrets are masked. The server also sends
 * a digest of its whole config. Only this digest shows whether the masked values equal the wanted values. If the digest
 * differs, all masked values are reported as changed.
 */
export const compareConfig: Compare = (from, to, { wanted, current }) => {
  const config = asConfig(to);
  // A channel with a new type keeps no field of its old config, so all fields differ.
  if (wanted['type'] !== current.type) return differencesOf({}, config, []);
  const shown = asConfig(from);
  const differences = differencesOf(shown, config, []);
  const masked = differences.filter(({ from, to }) => isMasked(from) && to !== undefined && to !== null);
  const plain = differences.filter((one) => !masked.includes(one));
  if (masked.length === 0) return plain;
  // If the destination of the channel changes, the server requires the secrets again. So all differences are sent.
  if (plain.some(({ at: [field] }) => isDestination(current.type, field))) return differences;
  if (digestField(current) === undefined) return plain;
  // The config that the server would have with the wanted secrets. If the digest of this config equals the server's
  // digest, no secret has changed.
  const supposed = masked.reduce((known, { at, to }) => withValue(known, at, to), shown);
  return digestOf(current.id, supposed) === digestField(current) ? plain : differences;
};

function isDestination(type: string | undefined, field: string | undefined): boolean {
  const known = channelTypes.find((one) => one === type);
  const fields: readonly string[] = known ? channelDestinations[known] : [];
  return field !== undefined && fields.includes(field);
}

/** Whether the server sent a digest of the channel's config. */
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
