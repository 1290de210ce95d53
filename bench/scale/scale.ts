import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Measurement } from '../measurement.ts';
import { report } from '../measurement.ts';
import { benchEngines } from './bench-engines.ts';
import { type Costs, measureFleet } from './measure-fleet.ts';
import { type Deletion, measureDeletion } from './measure-deletion.ts';
import { type Look, measureLook } from './measure-look.ts';
import { measurePartitions, type TableCosts } from './measure-partitions.ts';
import { onNewDatabase } from './on-new-database.ts';

const whole = process.env['UPTIME_BENCH_SCALE'] === 'whole';
const fleets = whole ? [10_000, 100_000, 1_000_000] : [10_000, 100_000];

/**
 * Measures the costs of a check and of the deletion of old results in PostgreSQL, with small and with large tables.
 * Also measures how long a daemon takes to look for changed monitors in a region that probes serve, and simulates
 * engines for large installations. UPTIME_BENCH_SCALE=whole adds a million monitors.
 */
export async function benchScale(): Promise<Measurement[]> {
  const folder = await mkdtemp(join(tmpdir(), 'uptime-bench-'));
  try {
    const rows: Costs[] = [];
    for (const monitors of fleets) {
      console.error(`  ${monitors} monitors …`);
      rows.push(await onNewDatabase(folder, (store, pid) => measureFleet(store, pid, monitors)));
    }
    const looks: Look[] = [];
    for (const database of ['sqlite', 'postgres'] as const)
      for (const monitors of fleets) looks.push(await measureLook(folder, database, monitors));
    const deletion = await onNewDatabase(folder, measureDeletion);
    const tables = await onNewDatabase(folder, measurePartitions);
    console.table(rows);
    console.table(looks);
    console.table([deletion]);
    console.table(tables);
    return [
      ...rows.slice(1).flatMap((row) => growthOf(row, rows[0]!)),
      ...looks.map(barOfLook),
      ...barsOfDeletion(deletion),
      ...tables.map(storedIn),
      ...(await benchEngines(folder)),
    ];
  } finally {
    await rm(folder, { recursive: true });
  }
}

function growthOf(row: Costs, smallest: Costs): Measurement[] {
  const times = (name: 'claimMicros' | 'storeMicros', what: string): Measurement => ({
    name: `${what} among ${row.monitors} monitors`,
    value: row[name] / smallest[name],
    unit: `× the cost with ${smallest.monitors} monitors`,
    bar: { maxValue: 3 },
    detail: `${row[name].toFixed(1)} µs against ${smallest[name].toFixed(1)} µs of the database's processor time`,
  });
  return [times('claimMicros', 'a claimed check'), times('storeMicros', 'a stored result')];
}

const barOfLook = ({ database, monitors, againMs, longestTurnMs }: Look): Measurement => ({
  name: `longest turn while the daemon looks at a region of ${monitors} monitors, on ${database}`,
  value: longestTurnMs,
  unit: 'ms',
  bar: { maxValue: 50 },
  detail: `a look at unchanged monitors took ${againMs.toFixed(0)} ms`,
});

const barsOfDeletion = ({ rows, deleteMicros, dropMicros }: Deletion): Measurement[] => [
  {
    name: 'an old result deleted in batches of rows, as retention does',
    value: deleteMicros,
    unit: 'µs of the database',
    detail: `${rows} results; ${dropMicros.toFixed(3)} µs when a partition is dropped instead`,
  },
];

const storedIn = ({ table, storeMicros, walBytes, latestMicros }: TableCosts): Measurement => ({
  name: `a result stored in the table ${table}`,
  value: storeMicros,
  unit: 'µs of the database',
  detail: `${walBytes.toFixed(0)} bytes of WAL; ${latestMicros.toFixed(0)} µs to read the latest results of a monitor`,
});

if (import.meta.main) report(await benchScale());
