import { Agent, get } from 'node:http';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';

// Sends requests on new connections at a steady rate. A check cannot cost less than such a request.
const agent = new Agent({ keepAlive: false });
/**
 * Maximum number of open connections. At a rate that the machine cannot reach, more connections would use up the
 * descriptors.
 */
const maxOpen = 1000;

const send = (url: string) =>
  new Promise<void>((resolve, reject) => {
    get(url, { agent }, (response) => void response.resume().on('end', resolve)).on('error', reject);
  });

async function sendAll(url: string, perSecond: number, seconds: number): Promise<number> {
  const all: Promise<void>[] = [];
  const open = new Set<Promise<void>>();
  const begin = () => {
    const sent = send(url).finally(() => open.delete(sent));
    open.add(sent);
    all.push(sent);
  };
  const total = Math.round(perSecond * seconds);
  const from = performance.now();
  while (all.length < total) {
    const due = Math.min(total, ((performance.now() - from) * perSecond) / 1000);
    while (all.length < due && open.size < maxOpen) begin();
    await sleep(Math.max(1, 1000 / perSecond));
  }
  await Promise.all(all);
  return total;
}

process.on('message', (message: unknown) => {
  if (typeof message !== 'object' || message === null || !('url' in message)) return;
  const { url, perSecond, seconds } = message as { url: string; perSecond: number; seconds: number };
  void sendAll(url, perSecond, seconds).then((sent) => process.send?.({ sent }));
});
process.channel?.ref();
process.send?.({ ready: true });
