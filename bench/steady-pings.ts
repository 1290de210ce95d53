import { Agent, request } from 'node:http';

/** Sends pings at a steady rate, without waiting for answers. Returns the 99th percentile of their times, in ms. */
export async function pingFor(forSeconds: number, url: string, pingsPerSecond: number): Promise<number> {
  const agent = new Agent({ keepAlive: true });
  const times: number[] = [];
  const underWay: Promise<void>[] = [];
  const ping = () =>
    new Promise<void>((resolve, reject) => {
      const from = performance.now();
      request(url, { agent }, (response) => {
        response.resume().on('end', () => {
          times.push(performance.now() - from);
          if (response.statusCode === 200) resolve();
          else reject(new Error(`A ping returned ${response.statusCode}.`));
        });
      })
        .on('error', reject)
        .end();
    });
  const begun = performance.now();
  const total = forSeconds * pingsPerSecond;
  while (underWay.length < total) {
    const due = Math.floor(((performance.now() - begun) * pingsPerSecond) / 1000);
    while (underWay.length < Math.min(due, total)) underWay.push(ping());
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  await Promise.all(underWay);
  agent.destroy();
  return times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)]!;
}
