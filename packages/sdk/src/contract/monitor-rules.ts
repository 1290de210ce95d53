import type * as z from 'zod';
import { maxLabels } from './fields.ts';
import { monitorInputs, untypedMonitorInput } from './monitor-fields.ts';
import { type MonitorFields, monitorType, type MonitorType, monitorTypes } from './monitor-types/index.ts';
import { entryFaults } from './request-rules.ts';
import { addFaults, type Fault, validate, type Validated } from './validate.ts';

/** A monitor's fields in the form that the daemon stores and `apply` compares: with defaults, `regions` never null. */
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
  // An input without a known type is always invalid, so the result holds only faults.
  const schema = (type ? monitorInputs[type] : untypedMonitorInput) as z.ZodType<MonitorFields>;
  const parsed = validate(schema, input);
  if (!parsed.ok) {
    const faults = type ? addFaults(parsed.faults, () => rest(type, input, parsed.faults)) : parsed.faults;
    return { ok: false, faults: inOrderOf(input ?? {}, faults) };
  }
  const value: NormalMonitor = { ...parsed.value, regions: [...new Set(parsed.value.regions ?? [])] };
  const faults = addFaults([], () => monitorFaults(value.type, value));
  return faults.length > 0 ? { ok: false, faults: inOrderOf(input as object, faults) } : { ok: true, value };
}

/** Returns the faults that the rules of a type find in the fields of a monitor. A schema cannot express these rules. */
export function monitorFaults(type: MonitorType, fields: Partial<MonitorFields>): Fault[] {
  const definition = monitorType(type);
  const rules = definition.rules ?? {};
  const faults = Object.entries(fields).flatMap(([field, value]) => {
    const rule = field === 'labels' ? labelFaults : Object.hasOwn(rules, field) ? rules[field] : undefined;
    return rule === undefined || value === undefined || value === null ? [] : rule(value as never, field);
  });
  return [...faults, ...(definition.rulesTogether?.(fields) ?? [])];
}

const labelFaults = (labels: Record<string, string>, path: string) => entryFaults(path, labels, maxLabels);

/** Applies the rules to the fields in which the schema found no fault, and returns the faults. */
function rest(type: MonitorType, input: unknown, found: readonly Fault[]): Fault[] {
  const faulty = new Set(found.map(({ path }) => path.split('.')[0]));
  const fields = Object.keys(monitorInputs[type].shape).filter((field) => !faulty.has(field));
  const given = fields.map((field) => [field, (input as Record<string, unknown>)[field]]);
  return monitorFaults(type, Object.fromEntries(given) as Partial<MonitorFields>);
}

/** Sorts faults by the order of the input's fields; faults of missing fields come last. */
function inOrderOf(input: object, faults: readonly Fault[]): Fault[] {
  const places = new Map<string, number>();
  for (const field of Object.keys(input)) places.set(field, places.size);
  const placed = faults.map((fault) => ({ fault, place: places.get(fault.path.split('.')[0]!) ?? places.size }));
  return placed.toSorted((a, b) => a.place - b.place).map(({ fault }) => fault);
}
