// Prints a line for each monitor of the project: its status, and its uptime over a day, a week and a month.
//   npm run build && node_modules/.bin/node examples/sdk/uptime-report.ts    (or Node 22.22, 24.15, 26 or newer)
import { NotFoundError, Uptime } from '@uptime/sdk';

const uptime = new Uptime();
const percent = (value: number | null) => (value === null ? '-' : `${value.toFixed(2)} %`);

for await (const monitor of uptime.monitors.iterate()) {
  try {
    const { uptime24h, uptime7d, uptime30d } = await uptime.monitors.stats(monitor.id);
    console.log([monitor.name, monitor.status, ...[uptime24h, uptime7d, uptime30d].map(percent)].join('\t'));
  } catch (error) {
    // Another user deleted the monitor after the list was read.
    if (!(error instanceof NotFoundError)) throw error;
  }
}
