/**
 * Runs the benchmarks and prints each result with its limit. `npm run bench` runs all of them, and
 * `npm run bench -- stats pings` only the benchmarks `stats` and `pings`.
 */
import { benchAccounts } from './accounts.ts';
import { benchAlerts } from './alerts.ts';
import { benchApply } from './apply.ts';
import { benchChecks } from './checks.ts';
import { benchCliStart } from './cli-start.ts';
import { benchGrowth } from './growth/growth.ts';
import { report } from './measurement.ts';
import { benchMove } from './move.ts';
import { benchProbe } from './probe/probe.ts';
import { benchPingUnderLoad } from './ping-under-load.ts';
import { benchPings } from './pings.ts';
import { benchPingsUnderHeavyWork } from './pings-under-heavy-work.ts';
import { benchScale } from './scale/scale.ts';
import { benchStart } from './start.ts';
import { benchStats } from './stats.ts';
import { benchStatusPage } from './status-page.ts';
import { benchStore } from './store.ts';

const benches = {
  store: benchStore,
  stats: benchStats,
  pings: benchPings,
  load: benchPingUnderLoad,
  'heavy-work': benchPingsUnderHeavyWork,
  checks: benchChecks,
  growth: benchGrowth,
  scale: benchScale,
  probe: benchProbe,
  move: benchMove,
  start: benchStart,
  alerts: benchAlerts,
  accounts: benchAccounts,
  pages: benchStatusPage,
  cli: benchCliStart,
  apply: benchApply,
};

const wanted = process.argv.slice(2);
let missed = 0;
for (const [name, bench] of Object.entries(benches)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  console.error(`measuring: ${name} …`);
  missed += report(await bench());
}
console.log(missed === 0 ? 'Every limit is kept.' : `${missed} limit(s) missed.`);
process.exitCode = missed === 0 ? 0 : 1;
