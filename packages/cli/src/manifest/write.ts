import type { Monitor, MonitorInput } from '@uptime/sdk';
import { monitorInputs } from '@uptime/sdk/contract';
import { isDeepStrictEqual } from 'node:util';
import { Scalar, stringify } from 'yaml';
import { isSensitive, passwordIn } from '../plan/secrets.ts';
import { modeline } from './modeline.ts';
import type { SecretVariables } from './secret-variables.ts';

/**
 * Monitors as a manifest: each with the fields that are not at their default, in the order of the contract. With
 * `variables` a secret is written as a reference to the variable that they name for it, else as it is.
 */
export function writeManifest(monitors: readonly (Monitor | MonitorInput)[], variables?: SecretVariables): string {
  const items = monitors.map((monitor) => {
    const refer = variables && ((field: string, secret: string) => variables.nameFor(monitor, field, secret));
    return fit(written(monitor), refer);
  });
  return modeline + stringify({ monitors: items }, { lineWidth: 0, compat: 'yaml-1.1' });
}

function written(monitor: Monitor | MonitorInput): Record<string, unknown> {
  const fields = monitor as unknown as Record<string, unknown>;
  const { key, name, type } = monitor;
  const head = key == null ? { name, type } : { key, name, type };
  const rest = Object.entries(monitorInputs[type].shape).filter(([field, schema]) => {
    if (field in { key, name, type } || fields[field] === undefined) return false;
    const fallback = schema.safeParse(undefined);
    return !(fallback.success && isDeepStrictEqual(fallback.data, fields[field]));
  });
  return { ...head, ...Object.fromEntries(rest.map(([field]) => [field, fields[field]])) };
}

/** The variable that stands for a secret; its field is the header's own name, or `password`. */
type Refer = ((field: string, secret: string) => string) | undefined;

/** A value ready for YAML: its texts escaped, its secrets as references. */
function fit(value: unknown, refer: Refer, path = ''): unknown {
  if (typeof value === 'string') return (refer && reference(value, path, refer)) ?? escape(value);
  if (Array.isArray(value)) return value.map((inner) => fit(inner, refer));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value as Record<string, unknown>);
  return Object.fromEntries(
    entries.map(([name, inner]) => [name, fit(inner, refer, path === '' ? name : `${path}.${name}`)]),
  );
}

function reference(value: string, path: string, refer: NonNullable<Refer>): Scalar | null {
  if (isSensitive(path) && value !== '') return quoted(`\${${refer(path.slice(path.indexOf('.') + 1), value)}}`);
  const parts = path === 'url' ? passwordIn(value) : null;
  if (!parts) return null;
  const [before, password, after] = parts;
  return quoted(`${escape(before)}\${${refer('password', password)}}${escape(after)}`);
}

/** In quotes a reference stays text, also where the variable holds digits alone. */
function quoted(text: string): Scalar {
  const scalar = new Scalar(text);
  scalar.type = Scalar.QUOTE_DOUBLE;
  return scalar;
}

/** Dollar signs that would be read as variables, doubled; in values alone, as only these are interpolated. */
const escape = (text: string): string => (/\$[${]/.test(text) ? text.replaceAll('$', '$$$$') : text);
