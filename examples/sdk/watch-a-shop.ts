// Watches a shop and prints its status. UPTIME_SITE_URL and UPTIME_API_KEY select the server and the project.
//   npm run build && node_modules/.bin/node examples/sdk/watch-a-shop.ts    (or Node 22.22, 24.15, 26 or newer)
import { Uptime } from '@uptime/sdk';

const uptime = new Uptime();

const shop = await uptime.monitors.create({
  type: 'http',
  name: 'Shop',
  url: process.env['SHOP_URL'] ?? 'https://shop.example.com/',
  interval: 60,
});

// The daemon checks a new monitor within two seconds. `check` runs a check now and returns its result.
const { status, responseTime } = await uptime.monitors.check(shop.id);
console.log(`${shop.name} is ${status}${responseTime === null ? '' : ` (${Math.round(responseTime)} ms)`}`);
