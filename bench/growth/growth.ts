import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildPrograms } from '../build-programs.ts';
import type { Measurement } from '../measurement.ts';
import { report } from '../measurement.ts';
import { barsOfAll } from './bars.ts';
import { nameOf, readLoads } from './load.ts';
import { type Growth, measureLoad } from './measure-load.ts';
import { printTable } from './print-table.ts';

/**
 * Measures the cost of a check for different numbers of monitors, on SQLite and PostgreSQL. The program is bundled as
 * in a release, and runs in its own process. UPTIME_BENCH_GROWTH selects the loads: see README.md.
 */
export async function benchGrowth(): Promise<Measurement[]> {
  const loads = readLoads(process.env['UPTIME_BENCH_GROWTH']);
  const folder = await mkdtemp(join(tmpdir(), 'uptime-bench-'));
  try {
    buildPrograms(folder);
    const rows: Growth[] = [];
    try {
      for (const load of loads) {
        console.error(`  ${nameOf(load)} …`);
        rows.push(await measureLoad(load, join(folder, 'uptimed.js')));
      }
    } finally {
      printTable(rows);
    }
    if (process.platform !== 'linux')
      console.log("Written bytes and the database's processor time are measured on Linux only.");
    return barsOfAll(rows);
  } finally {
    await rm(folder, { recursive: true });
  }
}

if (import.meta.main) report(await benchGrowth());
