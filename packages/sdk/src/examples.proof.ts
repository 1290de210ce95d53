// Generated from src/contract by `npm run generate`. Do not edit.

import { path } from './path.ts';
import { ApiError, Uptime, UptimeError, type UptimeOptions } from './index.ts';
import { createFakeServer } from './testing.ts';

declare const uptime: Uptime;
declare const cookie: string;
declare const process: { env: Record<string, string> };

export const examples = [
  // client.ts
  async () => {
    const uptime = new Uptime({ siteUrl: 'http://127.0.0.1:3000', apiKey: process.env.UPTIME_API_KEY });
    const monitor = await uptime.monitors.create({ type: 'http', name: 'Shop', url: 'https://shop.example.com' });
    console.log(monitor.status); // "pending"
  },
  async () => {
    const { status, version } = await uptime.health();
  },
  async () => {
    const full = (await uptime.usage()).limits.filter(({ used, limit }) => limit !== null && used >= limit);
  },
  // errors.ts
  async () => {
    try {
      await uptime.monitors.list();
    } catch (error) {
      if (error instanceof UptimeError) console.error(error.message);
    }
  },
  async () => {
    try {
      await uptime.monitors.create({ type: 'tcp', name: 'db', host: 'db.internal', port: 0 });
    } catch (error) {
      if (error instanceof ApiError) for (const { path, message } of error.errors) console.error(path, message);
    }
  },
  // options.ts
  async () => {
    const options: UptimeOptions = { siteUrl: 'https://uptime.example.com', apiKey: process.env.UPTIME_API_KEY };
  },
  async () => {
    await uptime.monitors.list({}, { timeout: 5_000, signal: AbortSignal.timeout(20_000) });
  },
  // path.ts
  async () => {
    path`/monitors/${'mon_1/../x'}`; // "/monitors/mon_1%2F..%2Fx"
  },
  // testing.ts
  async () => {
    const server = createFakeServer();
    const uptime = new Uptime(server);
    server.failNext({ status: 503, retryAfter: 0 });
    await uptime.monitors.create({ type: 'heartbeat', name: 'Backup' }); // the client retries
  },
];
