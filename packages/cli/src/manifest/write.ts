import { isMasked, manifestLists, replaceAddressSecrets, secretsInAddress } from '@uptime/sdk/contract';
import { Scalar, stringify } from 'yaml';
import type { Fields, Kind, Remote } from '../kinds/kind.ts';
import { escapeControls } from '../output.ts';
import { modeline } from './modeline.ts';
import { labelOf } from './references.ts';
import { createSecretVariables, type SecretVariables } from './secret-variables.ts';

interface WriteOptions {
  /** The server from which editors load the schema of the manifest. */
  siteUrl: string;
  /** Chooses the names of the variables for secrets. */
  variables?: SecretVariables;
  /** All resources to which the written resources may refer. Default: the written resources themselves. */
  named?: ReadonlyMap<Kind, readonly Remote[]>;
  /** The name in `managedBy` for all of these resources; null to leave out `managedBy`. */
  owner?: string | null;
  /** Whether to write secrets in plain text. Secrets that the server masks stay masked. */
  showSecrets?: boolean;
}

/**
 * Returns the text of a manifest with these resources. Each has the fields that differ from their defaults, in the
 * order of the contract. References to environment variables replace the secrets.
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

/** Returns the fields of an item in a form for YAML. References to environment variables replace its secrets. */
export function writeItem(
  kind: Kind,
  remote: Remote,
  fields: Fields,
  { variables, showSecrets = false }: { variables: SecretVariables; showSecrets?: boolean },
): unknown {
  const refer: Refer = (path, value) => {
    // Two different secrets may have the same mask. So each masked value gets its own variable.
    const secret = isMasked(value) ? `${remote.id} ${path}` : value;
    return `\${${variables.nameFor(remote, path.slice(path.indexOf('.') + 1), secret)}}`;
  };
  const isHidden = (path: string, value: string) =>
    isMasked(value) || (!showSecrets && value !== '' && kind.isSecret(path, fields));
  const isAddress = (path: string) => !showSecrets && (kind.isAddress?.(path) ?? false);
  return fit(fields, { refer, isHidden, isAddress }, '');
}

/** Returns the reference to a variable that replaces the secret at a path. */
type Refer = (path: string, value: string) => string;

export interface Hiding {
  refer: Refer;
  isHidden: (path: string, value: string) => boolean;
  /** Whether the value at this path is an address, in which only the secrets are replaced. */
  isAddress: (path: string) => boolean;
}

/** Returns a value in a form for YAML: its texts are escaped, and references replace its secrets. */
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

/** Returns an address in which a reference replaces each secret. */
function withReferences(address: string, refer: Refer): string {
  // An address never contains a space. So a space can mark the position of a secret.
  const secrets: string[] = [];
  const parts = replaceAddressSecrets(address, (secret, name) => {
    secrets.push(refer(name, secret));
    return ' ';
  }).split(' ');
  return parts.map((part, at) => escape(part) + (secrets[at] ?? '')).join('');
}

/** Returns a reference in quotes. Without quotes, a variable that contains only digits would become a number. */
function quoted(text: string): Scalar {
  const scalar = new Scalar(text);
  scalar.type = Scalar.QUOTE_DOUBLE;
  return scalar;
}

/**
 * Doubles dollar signs, so that `${` in a value does not begin a variable. Keys need no escape, because variables are
 * replaced only in values.
 */
const escape = (text: string): string => (/\$[${]/.test(text) ? text.replaceAll('$', '$$$$') : text);
