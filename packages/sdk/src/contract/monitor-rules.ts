import type { z } from 'zod';
import type { MonitorFields } from './monitor-fields.ts';
import { monitorInputs, monitorTypes, untypedMonitorInput } from './monitor-fields.ts';
import { mostLabels } from './fields.ts';
import { asciiHostName } from './host.ts';
import { addressFaults, entryFaults, headerFaults } from './request-rules.ts';
import { addFaults, type Fault, validate, type Validated } from './validate.ts';

/** Monitor fields as the daemon stores and the plan compares them: defaults filled in, `regions` never null. */
export type NormalMonitor = MonitorFields & { regions: string[] };

/**
 * Validates the input that creates a monitor, by its schema and by rules that JSON Schema cannot express. Reports
 * every fault, in the order of the input's fields; missing fields come last.
 *
 * @example
 * const parsed = validateMonitor({ type: 'tcp', name: 'db', host: 'localhost', port: 5432 });
 * if (parsed.ok) console.log(parsed.value.interval); // 60
 */
export function validateMonitor(input: unknown): Validated<NormalMonitor> {
  const type = monitorTypes.find((known) => known === (input as { type?: unknown } | null)?.type);
  // An input without a type never passes, so the result holds only faults.
  const schema = (type ? monitorInputs[type] : untypedMonitorInput) as z.ZodType<MonitorFields>;
  const parsed = validate(schema, input);
  if (!parsed.ok) {
    const faults = type ? addFaults(parsed.faults, () => rest(input, parsed.faults)) : parsed.faults;
    return { ok: false, faults: inOrderOf(input ?? {}, faults) };
  }
  const value: NormalMonitor = { ...parsed.value, regions: [...new Set(parsed.value.regions ?? [])] };
  const faults = addFaults([], () => monitorFaults(value));
  return faults.length > 0 ? { ok: false, faults: inOrderOf(input as object, faults) } : { ok: true, value };
}

/** Finds the faults that the schema cannot detect. */
export function monitorFaults(monitor: Partial<MonitorFields>): Fault[] {
  const faults = Object.entries(monitor).flatMap(([field, value]) =>
    value === undefined || value === null ? [] : (ruleOf(field)?.(value as never) ?? []),
  );
  return [...faults, ...bodyFaults(monitor as { method?: unknown; bodyContains?: unknown })];
}

/** Applies the rules to the fields in which the schema found no fault. */
function rest(input: unknown, found: readonly Fault[]): Fault[] {
  const faulty = new Set(found.map(({ path }) => path.split('.')[0]));
  const fields = [...Object.keys(rules), 'method', 'bodyContains'].filter((field) => !faulty.has(field));
  return monitorFaults(Object.fromEntries(fields.map((field) => [field, (input as Record<string, unknown>)[field]])));
}

/** Sorts faults by the order of the input's fields; faults of missing fields come last. */
function inOrderOf(input: object, faults: readonly Fault[]): Fault[] {
  const places = new Map<string, number>();
  for (const field of Object.keys(input)) places.set(field, places.size);
  const placed = faults.map((fault) => ({ fault, place: places.get(fault.path.split('.')[0]!) ?? places.size }));
  return placed.toSorted((a, b) => a.place - b.place).map(({ fault }) => fault);
}

/** The rules by field. A field name has the same rule in every type. */
const rules = {
  url: (url: string) => addressFaults('url', url),
  headers: (headers: Record<string, string>) => headerFaults('headers', headers),
  labels: (labels: Record<string, string>) => entryFaults('labels', labels, mostLabels),
  expectedStatus: statusFaults,
  hostname: (host: string) => hostFaults('hostname', host),
  host: (host: string) => hostFaults('host', host),
  nameserver: nameserverFaults,
};

const ruleOf = (field: string) => (Object.hasOwn(rules, field) ? rules[field as keyof typeof rules] : undefined);

function statusFaults(expected: MonitorFields<'http'>['expectedStatus']): Fault[] {
  const parts = Array.isArray(expected) ? expected : [expected];
  return parts.flatMap((part, index) =>
    String(part)
      .split(',')
      .map((word) => word.trim().split('-').map(Number))
      .filter(([low, high]) => high !== undefined && low! > high)
      .map(([low, high]) => ({
        path: Array.isArray(expected) ? `expectedStatus.${index}` : 'expectedStatus',
        message: `must be a range from low to high, not ${low}-${high}`,
      })),
  );
}

function hostFaults(path: string, host: string): Fault[] {
  if (asciiHostName(host) !== null) return [];
  const expected = 'must be a host name or an IP address';
  if (host.includes(':')) return [{ path, message: `${expected}, without a port` }];
  const empty = host
    .replace(/\.$/, '')
    .split('.')
    .some((part) => part === '');
  const why = empty ? 'a part between dots is empty' : 'parts of letters, digits, - and _, with dots between';
  return [{ path, message: `${expected}: ${why}` }];
}

function nameserverFaults(nameserver: string): Fault[] {
  if (asciiHostName(nameserver) !== null) return [];
  const [, host = '', port = ''] = /^(.*):(\d+)$/.exec(nameserver) ?? [];
  const parsed = asciiHostName(host) === null ? null : URL.parse(`http://x:${port}/`);
  const message = 'must be host[:port], such as 9.9.9.9 or [2620:fe::fe]:53';
  return parsed && parsed.port !== '0' ? [] : [{ path: 'nameserver', message }];
}

/** A response to HEAD has no body. */
const bodyFaults = ({ method, bodyContains }: { method?: unknown; bodyContains?: unknown }): Fault[] =>
  method === 'HEAD' && typeof bodyContains === 'string'
    ? [{ path: 'bodyContains', message: 'cannot be used with method HEAD, whose response has no body: use GET' }]
    : [];
