import type { Monitor, MonitorInput } from '@uptime/sdk';
import { monitorInputs } from '@uptime/sdk/contract';
import { isDeepStrictEqual } from 'node:util';
import { stringify } from 'yaml';
import { modeline } from './modeline.ts';

/** Monitors as a manifest: each with the fields that are not at their default, in the order of the contract. */
export function writeManifest(monitors: readonly (Monitor | MonitorInput)[]): string {
  const items = monitors.map((monitor) => escape(written(monitor)));
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

/** Dollar signs that would be read as variables, doubled; in values alone, as only these are interpolated. */
function escape<T>(value: T): T {
  if (typeof value === 'string') return (/\$[${]/.test(value) ? value.replaceAll('$', '$$$$') : value) as T;
  if (Array.isArray(value)) return value.map(escape) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, escape(inner as unknown)])) as T;
}
