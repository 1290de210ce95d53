import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import process from 'node:process';

/** When a monitor's check reached the target, in epoch milliseconds. A bare request has the monitor number 0. */
export type Arrival = [monitor: number, at: number];

// Runs the target of all checks in a separate process, so that its processor time is not part of the measured time. The
// first argument is the time after which the target answers a monitor. The second argument limits an additional delay
// that differs between monitors. Both are in milliseconds.
const [answerMs = 0, spreadMs = 0] = process.argv.slice(2).map(Number);
const delayMs = (monitor: number) =>
  monitor === 0 ? 0 : answerMs + (spreadMs === 0 ? 0 : (monitor * 7919) % spreadMs);
let arrivals: Arrival[] = [];
const server = createServer((request, response) => {
  const monitor = Number(request.url!.slice(1));
  arrivals.push([monitor, performance.timeOrigin + performance.now()]);
  if (delayMs(monitor) === 0) response.end('ok');
  else setTimeout(() => response.end('ok'), delayMs(monitor));
}).listen({ port: 0, host: '127.0.0.1', backlog: 4096 });
await once(server, 'listening');
process.on('message', (message) => {
  if (message !== 'arrivals') return;
  process.send?.({ arrivals });
  arrivals = [];
});
process.send?.({ port: (server.address() as AddressInfo).port });
