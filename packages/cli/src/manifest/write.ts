import { manifestLists, replaceAddressSecrets, secretsInAddress } from '@uptime/sdk/contract';
import { Scalar, stringify } from 'yaml';
import { isMasked } from '../mask.ts';
import type { Fields, Kind, Remote } from '../kinds/kind.ts';
import { escapeControls } from '../output.ts';
import { modeline } from './modeline.ts';
import { labelOf } from './references.ts';
import { createSecretVariables, type SecretVariables } from './secret-variables.ts';

interface WriteOptions {
  /** The server from which editors load the schema. */
  siteUrl: string;
  /** Assigns the names of the variables for secrets. */
  variables?: SecretVariables;
  /** All resources that the written ones may refer to. Default: only the written ones. */
  named?: ReadonlyMap<Kind, readonly Remote[]>;
  /** The name of the manifest that manages all of the resources; null for none. */
  owner?: string | null;
  /** Writes secrets in plain text, except those that the server masks. */
  showSecrets?: boolean;
}

/**
 * Writes resources as a manifest: each with the fields that differ from their defaults, in the order of the contract.
 * Secrets become references to environment variables.
 */
export function writeManifest(
  remotes: ReadonlyMap<Kind, readonly Remote[]>,
  { siteUrl, variables = createSecretVariables(), owner = null, named = remotes, showSecrets = false }: WriteOptions,
): string {
  const names = new Map([...named.values()].flat().map((remote) => [remote.id, labelOf(remote)]));
  const nameOf = (id: string) => names.get(id) ?? id;
  const item = (kind: Kind, remote: Remote) =>
    writeItem(kind, remote, kind.write(remote, nameOf), { variables, showSecrets });
  const sorted = [...remotes].toSorted(([a], [b]) => manifestLists.indexOf(a.list) - manifestLists.indexOf(b.list));
  const lists = sorted.map(([kind, all]) => [kind.list, all.map((remote) => item(kind, remote))] as const);
  const content = { ...(owner !== null && { managedBy: owner }), ...Object.fromEntries(lists) };
  return modeline(siteUrl) + escapeControls(stringify(content, { lineWidth: 0, compat: 'yaml-1.1' }));
}

/** Prepares the fields of an item for YAML. Its secrets become references to environment variables. */
export function writeItem(
  kind: Kind,
  remote: Remote,
  fields: Fields,
  { variables, showSecrets = false }: { variables: SecretVariables; showSecrets?: boolean },
): unknown {
  const refer: Refer = (path, value) => {
    // Different secrets may have the same mask, so each masked value gets its own variable.
    const secret = isMasked(value) ? `${remote.id} ${path}` : value;
    return `\${${variables.nameFor(remote, path.slice(path.indexOf('.') + 1), secret)}}`;
  };
  const isHidden = (path: string, value: string) =>
    isMasked(value) || (!showSecrets && value !== '' && kind.isSecret(path, fields));
  const isAddress = (path: string) => path === 'url' && !showSecrets;
  return fit(fields, { refer, isHidden, isAddress }, '');
}

/** Returns the reference for the secret at a path. */
type Refer = (path: string, value: string) => string;

export interface Hiding {
  refer: Refer;
  isHidden: (path: string, value: string) => boolean;
  /** Whether the secrets within an address at this path are hidden. */
  isAddress: (path: string) => boolean;
}

/** Prepares a value for YAML: escapes its texts, and replaces its secrets by references. */
export function fit(value: unknown, hiding: Hiding, path: string): unknown {
  if (typeof value === 'string') return reference(value, path, hiding) ?? escape(value);
  if (Array.isArray(value)) return value.map((inner, i) => fit(inner, hiding, `${path}.${i}`));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value as Fields).map(([name, inner]) => [
      name,
      fit(inner, hiding, path === '' ? name : `${path}.${name}`),
    ]),
  );
}

function reference(value: string, path: string, { refer, isHidden, isAddress }: Hiding): Scalar | null {
  if (isHidden(path, value)) return quoted(refer(path, value));
  if (!isAddress(path) || secretsInAddress(value).length === 0) return null;
  return quoted(withReferences(value, refer));
}

/** An address with a reference in the place of each secret. */
function withReferences(address: string, refer: Refer): string {
  // No address contains a space, so a space can stand for a secret.
  const secrets: string[] = [];
  const parts = replaceAddressSecrets(address, (secret, name) => {
    secrets.push(refer(name, secret));
    return ' ';
  }).split(' ');
  return parts.map((part, at) => escape(part) + (secrets[at] ?? '')).join('');
}

/** Quotes a reference, so that it stays text even if the variable holds only digits. */
function quoted(text: string): Scalar {
  const scalar = new Scalar(text);
  scalar.type = Scalar.QUOTE_DOUBLE;
  return scalar;
}

/** Doubles dollar signs that would start a variable. Only values are interpolated, so keys need no escape. */
const escape = (text: string): string => (/\$[${]/.test(text) ? text.replaceAll('$', '$$$$') : text);
