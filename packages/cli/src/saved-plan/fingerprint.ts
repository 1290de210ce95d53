import { createHmac, scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import { type Fields, fieldsOf, type Kind, type KindName, type Remote } from '../kinds/kind.ts';
import type { Source } from '../manifest/load.ts';
import type { Remotes } from '../plan/plan.ts';

/**
 * Salted digests of everything from which a plan was made. They show later whether something has changed, but they do
 * not reveal any value.
 */
export interface Fingerprint {
  files: Record<string, string>;
  /** Digests of the environment variables; null for a variable that is not set. */
  variables: Record<string, string | null>;
  resources: ResourcePrint[];
}

export interface ResourcePrint {
  kind: KindName;
  id: string;
  key: string | null;
  name: string;
  /** A digest of each field that a manifest can contain. */
  fields: Record<string, string>;
}

/**
 * Returns digests of the manifest's files, of the environment variables to which it refers, and of the resources on the
 * server.
 */
export async function fingerprintOf(
  { sources, variables, remotes }: { sources: readonly Source[]; variables: ReadonlySet<string>; remotes: Remotes },
  env: Record<string, string | undefined>,
  salt: string,
): Promise<Fingerprint> {
  const digest = digestsWith(salt);
  const values = [...variables].toSorted().map(async (name) => {
    const value = Object.hasOwn(env, name) ? env[name] : undefined;
    return [name, value === undefined ? null : await slowDigest(`${name}=${value}`, salt)] as const;
  });
  return {
    files: Object.fromEntries(sources.map(({ name, text }) => [name, digest(text)])),
    variables: Object.fromEntries(await Promise.all(values)),
    resources: [...remotes].flatMap(([kind, all]) => all.map((remote) => printOf(kind, remote, digest))),
  };
}

export const digestsWith =
  (salt: string) =>
  (text: string): string =>
    createHmac('sha256', salt).update(text).digest('base64url').slice(0, 22);

/**
 * Returns a digest that is slow to compute. A variable may contain a short secret. With a fast digest, an attacker
 * could find the secret by trying many texts.
 */
async function slowDigest(text: string, salt: string): Promise<string> {
  const key = await promisify<string, string, number, Buffer>(scrypt)(text, salt, 16);
  return key.toString('base64url');
}

function printOf(kind: Kind, remote: Remote, digest: (text: string) => string): ResourcePrint {
  const { id, key = null, name } = remote;
  const { configDigest, managedBy } = fieldsOf(remote);
  const fields: Fields = {
    ...kind.write(remote, (one) => one),
    ...(managedBy != null && { managedBy }),
    ...(configDigest !== undefined && { configDigest }),
  };
  const entries = Object.entries(fields).map(
    ([field, value]) => [field, digest(`${id} ${field} ${canonical(value)}`)] as const,
  );
  return { kind: kind.name, id, key, name, fields: Object.fromEntries(entries) };
}

/** Returns JSON with sorted keys, so that equal values have equal texts. */
export const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  ) ?? 'null';
