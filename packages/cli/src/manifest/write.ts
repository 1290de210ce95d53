import { manifestLists } from '@uptime/sdk/contract';
import { Scalar, stringify } from 'yaml';
import { isMasked } from '../kinds/channel-config.ts';
import type { Fields, Kind, Remote } from '../kinds/kind.ts';
import { escapeControls } from '../output.ts';
import { passwordIn } from '../plan/secrets.ts';
import { modeline } from './modeline.ts';
import { labelOf } from './references.ts';
import { createSecretVariables } from './secret-variables.ts';

interface WriteOptions {
  /** Names the variables that stand for secrets. */
  variables?: ReturnType<typeof createSecretVariables>;
  /** Writes secrets as they are, but for those that the server does not tell. */
  showSecrets?: boolean;
}

/**
 * Resources as a manifest: each with the fields that are not at their default, in the order of the contract. A secret is
 * written as a reference to a variable of the environment.
 */
export function writeManifest(
  remotes: ReadonlyMap<Kind, readonly Remote[]>,
  { variables = createSecretVariables(), showSecrets = false }: WriteOptions = {},
): string {
  const names = new Map([...remotes.values()].flat().map((remote) => [remote.id, labelOf(remote)]));
  const nameOf = (id: string) => names.get(id) ?? id;
  const item = (kind: Kind, remote: Remote) => {
    const fields = kind.write(remote, nameOf);
    const isVariable = (path: string) => kind.isVariable?.(path, fields) ?? kind.isSecret(path, fields);
    const refer: Refer = (path, value) => {
      // What a server has masked may look like another: it stands for itself alone.
      const secret = isMasked(value) ? `${remote.id} ${path}` : value;
      return `\${${variables.nameFor(remote, path.slice(path.indexOf('.') + 1), secret)}}`;
    };
    const isHidden = (path: string, value: string) =>
      isMasked(value) || (!showSecrets && value !== '' && isVariable(path));
    const hidesPassword = (path: string) => path === 'url' && !showSecrets;
    return fit(fields, { refer, isHidden, hidesPassword }, '');
  };
  const sorted = [...remotes].toSorted(([a], [b]) => manifestLists.indexOf(a.list) - manifestLists.indexOf(b.list));
  const lists = sorted.map(([kind, all]) => [kind.list, all.map((remote) => item(kind, remote))] as const);
  return modeline + escapeControls(stringify(Object.fromEntries(lists), { lineWidth: 0, compat: 'yaml-1.1' }));
}

/** What stands for the secret at a path. */
type Refer = (path: string, value: string) => string;

interface Hiding {
  refer: Refer;
  isHidden: (path: string, value: string) => boolean;
  hidesPassword: (path: string) => boolean;
}

/** A value ready for YAML: its texts escaped, its secrets as references. */
function fit(value: unknown, hiding: Hiding, path: string): unknown {
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

function reference(value: string, path: string, { refer, isHidden, hidesPassword }: Hiding): Scalar | null {
  if (isHidden(path, value)) return quoted(refer(path, value));
  const parts = hidesPassword(path) ? passwordIn(value) : null;
  if (!parts) return null;
  const [before, password, after] = parts;
  return quoted(`${escape(before)}${refer('password', password)}${escape(after)}`);
}

/** In quotes a reference stays text, also where the variable holds digits alone. */
function quoted(text: string): Scalar {
  const scalar = new Scalar(text);
  scalar.type = Scalar.QUOTE_DOUBLE;
  return scalar;
}

/** Dollar signs that would be read as variables, doubled; in values alone, as only these are interpolated. */
const escape = (text: string): string => (/\$[${]/.test(text) ? text.replaceAll('$', '$$$$') : text);
