import { monitorFlags } from '../flags/fields/monitors.ts';
import { ruleFlags } from '../flags/fields/rules.ts';
import type { Io } from '../io.ts';
import { output, pairs } from '../output.ts';
import { interval, relativeWithTime } from '../times.ts';
import type { Shown } from '../flags/output-flags.ts';

/**
 * Prints a resource with all its fields, or only its id. In a table, prints the fields of `inTable` in place of the
 * resource's own.
 */
export async function showResource(
  io: Io,
  resource: { id: string },
  { format, quiet }: Shown,
  inTable: object = resource,
): Promise<void> {
  if (quiet) return io.print(resource.id);
  await output(io, format, resource, () =>
    pairs(
      Object.entries(inTable).map(([field, value]) => [
        field,
        io.stdout.isTTY ? readable(field, value) : showValue(value),
      ]),
    ),
  );
}

/** The fields whose values are seconds. */
const inSeconds = new Set(
  [...monitorFlags, ...ruleFlags].flatMap(({ field, unit }) => (unit === 'seconds' ? field : [])),
);

/** Formats a value for people: a time relative to now, and seconds as a duration. */
function readable(field: string, value: unknown): string {
  if (typeof value === 'string' && isoTime.test(value)) return relativeWithTime(value, Date.now());
  if (typeof value === 'number' && inSeconds.has(field)) return interval(value);
  return showValue(value);
}

const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** Formats a value of any type, also of a type that only a newer server uses. */
export function showValue(value: unknown): string {
  if (value === null) return '-';
  if (typeof value === 'string') return value;
  if (typeof value !== 'object') return JSON.stringify(value);
  const entries = Array.isArray(value)
    ? value.map(String)
    : Object.entries(value).map(([name, inner]) => `${name}: ${entry(inner)}`);
  return entries.length === 0 ? '-' : entries.join(', ');
}

function entry(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value);
  const entries = Object.entries(value).map(([name, inner]) => `${name}: ${String(inner)}`);
  return entries.length === 0 ? '-' : `{ ${entries.join(', ')} }`;
}
