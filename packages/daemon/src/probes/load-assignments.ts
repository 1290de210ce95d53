import { isPassive, type NormalMonitor } from '@uptime/sdk/contract';
import { mostAssigned, type Assignment } from '../probe-protocol.ts';
import type { Store } from '../store/store.ts';
import type { MonitorRow } from '../store/tables.ts';
import { eachConfig, lightConfig } from '../stored-monitors/each-config.ts';
import type { MonitorVault, OpenedMonitor } from '../stored-monitors/monitor-vault.ts';

/** Maximum number of characters of an answer, unless a single monitor has more. */
const mostCharacters = 1_000_000;

/** Fields that no check needs. A probe does not get them. */
const keptHere = ['key', 'managedBy', 'name', 'description', 'labels', 'regions'];

/**
 * Loads as many of these monitors as fit into an answer to a probe, with the secrets that their checks send. Monitors
 * whose secrets cannot be read are only in `done`, because they cannot be checked.
 */
export async function loadAssignments(
  store: Store,
  vault: Pick<MonitorVault, 'open'>,
  { region, monitors }: { region: number; monitors: readonly number[] },
): Promise<{ done: number[]; assignments: Assignment[] }> {
  const asked = monitors.slice(0, mostAssigned);
  if (asked.length === 0) return { done: [], assignments: [] };
  const rows = await store.db
    .selectFrom('monitor')
    .innerJoin('schedule', 'schedule.monitor', 'monitor.seq')
    .select(['seq', 'id', 'type', 'key', 'name', lightConfig, 'generation', 'project_id', 'schedule.next_at'])
    .where('schedule.region', '=', region)
    .where('seq', 'in', asked)
    .orderBy('seq')
    .execute();
  const found = new Map(rows.map((row) => [row.seq, row]));
  const done: number[] = [];
  const assignments: Assignment[] = [];
  let characters = 0;
  for (const monitor of asked) {
    const row = found.get(monitor);
    const opened = row && (await openOne(store, vault, row));
    if (row && opened && !isPassive(opened.fields) && Object.keys(opened.unreadable).length === 0) {
      const fields = neededFields(opened.fields);
      characters += JSON.stringify(fields).length;
      if (characters > mostCharacters && assignments.length > 0) break;
      const { generation, project_id: project, next_at: dueAt } = row;
      assignments.push({ monitor, generation, project, dueAt, fields });
    }
    done.push(monitor);
  }
  return { done, assignments };
}

type Listed = Pick<MonitorRow, 'seq' | 'id' | 'type' | 'key' | 'name'> & { config: string | null };

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
