import { isDeepStrictEqual } from 'node:util';
import { isPassive, monitorInputs, type MonitorType, type NormalMonitor } from '@uptime/sdk/contract';
import type * as z from 'zod';
import { maxAssigned, type Assignment, type SyncAnswer } from '../probe-protocol.ts';
import type { Store } from '../store/store.ts';
import type { MonitorRow } from '../store/tables.ts';
import { eachConfig, lightConfig } from '../stored-monitors/each-config.ts';
import type { MonitorVault, OpenedMonitor } from '../stored-monitors/monitor-vault.ts';

/** Maximum number of characters of the monitors in one answer. A single larger monitor gets an answer of its own. */
const maxCharacters = 1_000_000;

/** Fields of a monitor that a probe does not get, because no check needs them. */
const keptHere = ['key', 'managedBy', 'name', 'description', 'labels', 'regions'];

/**
 * Loads as many of the given monitors as fit into one answer to a probe, with the secrets that their checks send.
 * Monitors whose secrets cannot be read are in `unavailable`, because they cannot be checked.
 */
export async function loadAssignments(
  store: Store,
  vault: Pick<MonitorVault, 'open'>,
  { region, monitors }: { region: number; monitors: readonly number[] },
): Promise<Pick<SyncAnswer, 'assignments' | 'unavailable'>> {
  const asked = monitors.slice(0, maxAssigned);
  if (asked.length === 0) return { assignments: [], unavailable: [] };
  const rows = await store.db
    .selectFrom('monitor')
    .innerJoin('schedule', 'schedule.monitor', 'monitor.seq')
    .select(['seq', 'id', 'type', 'key', 'name', ...lightConfig, 'generation', 'monitor.updated_at', 'project_id'])
    .select('schedule.next_at')
    .where('schedule.region', '=', region)
    .where('seq', 'in', asked)
    .orderBy('seq')
    .execute();
  const found = new Map(rows.map((row) => [row.seq, row]));
  const assignments: Assignment[] = [];
  const unavailable: SyncAnswer['unavailable'] = [];
  let characters = 0;
  for (const monitor of asked) {
    const row = found.get(monitor);
    // The monitor was deleted after it was listed.
    if (!row) continue;
    const { generation, updated_at: updatedAt, project_id: project, next_at: dueAt } = row;
    const version = { monitor, generation, updatedAt };
    const opened = await openOne(store, vault, row);
    if (!opened || isPassive(opened.fields) || Object.keys(opened.unreadable).length > 0) {
      unavailable.push(version);
      continue;
    }
    const fields = neededFields(opened.fields);
    characters += JSON.stringify(fields).length;
    if (characters > maxCharacters && assignments.length > 0) break;
    assignments.push({ ...version, project, dueAt, fields, defaults: defaultsIn(opened.fields) });
  }
  return { assignments, unavailable };
}

type Listed = Pick<MonitorRow, 'seq' | 'id' | 'type' | 'key' | 'name' | 'bytes'> & { config: string | null };

async function openOne(
  store: Store,
  vault: Pick<MonitorVault, 'open'>,
  row: Listed,
): Promise<OpenedMonitor | undefined> {
  let opened: OpenedMonitor | undefined;
  await eachConfig(store.db, [row], (whole) => (opened = vault.open(whole)));
  return opened;
}

const neededFields = (fields: NormalMonitor): Assignment['fields'] => {
  const needed = Object.entries(fields).filter(([field]) => !keptHere.includes(field));
  return { ...Object.fromEntries(needed), type: fields.type, interval: fields.interval };
};

/** Returns the names of the fields that have their default value. */
const defaultsIn = (fields: NormalMonitor): string[] =>
  defaultsOf(fields.type).flatMap(([field, value]) =>
    isDeepStrictEqual(value, fields[field as keyof NormalMonitor]) ? [field] : [],
  );

const defaultsByType = new Map<MonitorType, [field: string, value: unknown][]>();

/** Returns the fields of a type that have a default value. They are computed once, because each costs a validation. */
function defaultsOf(type: MonitorType): [field: string, value: unknown][] {
  const known = defaultsByType.get(type);
  if (known) return known;
  const shape: Readonly<Record<string, z.ZodType>> = monitorInputs[type].shape;
  const defaults = Object.entries(shape).flatMap<[string, unknown]>(([field, schema]) => {
    const fallback = schema.safeParse(undefined);
    return fallback.success && !keptHere.includes(field) ? [[field, fallback.data]] : [];
  });
  defaultsByType.set(type, defaults);
  return defaults;
}
