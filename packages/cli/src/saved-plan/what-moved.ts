import { kinds } from '../kinds/index.ts';
import { plain } from '../output.ts';
import type { Fingerprint, ResourcePrint } from './fingerprint.ts';

/** Returns a sentence for each difference between two fingerprints. Both must have the same salt. */
export const whatMoved = (then: Fingerprint, now: Fingerprint): string[] => [
  ...movedFiles(then.files, now.files),
  ...movedVariables(then.variables, now.variables),
  ...movedResources(then.resources, now.resources),
];

type Digests = Record<string, string | null>;

const names = (then: Digests, now: Digests): string[] => [...new Set([...Object.keys(then), ...Object.keys(now)])];

const movedFiles = (then: Digests, now: Digests): string[] =>
  names(then, now).flatMap((name) => {
    if (!Object.hasOwn(now, name)) return [`${plain(name)} is not part of the manifest any more`];
    if (!Object.hasOwn(then, name)) return [`${plain(name)} is new in the manifest`];
    return then[name] === now[name] ? [] : [`${plain(name)} has changed`];
  });

const movedVariables = (then: Digests, now: Digests): string[] =>
  names(then, now).flatMap((name) => {
    const [before, after] = [then[name] ?? null, now[name] ?? null];
    if (before === after) return [];
    if (after === null) return [`the environment variable ${name} is not set any more`];
    return [`the environment variable ${name} ${before === null ? 'was not set before' : 'has another value'}`];
  });

function movedResources(then: readonly ResourcePrint[], now: readonly ResourcePrint[]): string[] {
  const before = new Map(then.map((one) => [one.id, one]));
  const after = new Map(now.map((one) => [one.id, one]));
  return [
    ...then.filter(({ id }) => !after.has(id)).map((one) => `on the server, ${words(one)} was deleted`),
    ...now.flatMap((one) => {
      const earlier = before.get(one.id);
      if (!earlier) return [`on the server, ${words(one)} was created`];
      const fields = names(earlier.fields, one.fields).filter((field) => earlier.fields[field] !== one.fields[field]);
      const shown = fields.filter((field) => field !== 'configDigest' || fields.length === 1);
      return shown.length === 0 ? [] : [`on the server, ${words(one)} was changed: ${shown.map(fieldName).join(', ')}`];
    }),
  ];
}

const fieldName = (field: string): string => (field === 'configDigest' ? 'config' : plain(field));

const words = ({ kind, name, key }: ResourcePrint): string =>
  `${kinds[kind].one} ${JSON.stringify(plain(name))}${key === null ? '' : ` (${plain(key)})`}`;
