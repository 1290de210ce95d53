// Watches a shop and says how it is. UPTIME_SITE_URL and UPTIME_API_KEY name the server and the project.
//   npm run build && node_modules/.bin/node examples/sdk/watch-a-shop.ts    (or Node 22.22, 24.15, 26 or newer)
import { Uptime } from '@uptime/sdk';

const uptime = new Uptime();

const shop = await uptime.monitors.create({
  type: 'http',
  name: 'Shop',
  url: process.env['SHOP_URL'] ?? 'https://shop.example.com/',
  interval: 60,
});

// A new monitor is checked within two seconds; `check` does it now and says what it saw.
const { status, responseTime } = await uptime.monitors.check(shop.id);
console.log(`${shop.name} is ${status}${responseTime === null ? '' : ` (${Math.round(responseTime)} ms)`}`);
