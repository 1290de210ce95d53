// A job that reports each run: its start, then its end with metrics, or its failure.
//   npm run build && node_modules/.bin/node examples/sdk/ping-from-a-job.ts    (or Node 22.22, 24.15, 26 or newer)
import { Uptime } from '@uptime/sdk';

const uptime = new Uptime();
const job =
  (await uptime.monitors.list({ key: 'import' }))[0] ??
  (await uptime.monitors.create({
    type: 'heartbeat',
    key: 'import',
    name: 'Import',
    interval: 3600,
    gracePeriod: 300,
  }));
if (job.type !== 'heartbeat') throw new Error('The monitor "import" is not a heartbeat.');

await uptime.heartbeats.ping(job.pingUrl, { signal: 'start' });
try {
  const rows = await importRows();
  await uptime.heartbeats.ping(job.pingUrl, { metrics: { rows } });
  console.log(`Imported ${rows} rows.`);
} catch (error) {
  await uptime.heartbeats.ping(job.pingUrl, { signal: 'fail' });
  throw error;
}

async function importRows(): Promise<number> {
  return 1200;
}
