import { vi } from 'vitest';
import { createSeal } from '../store/seal.ts';
import { channelRow } from './outbox.ts';
import { passingCheck } from './passing-check.ts';
import { httpTarget, status, tcpTarget } from './targets/index.ts';
import { createTestDaemon } from './test-daemon.ts';

const secret = 'a secret of this test, long enough for all';

export interface NeighbourAlarms {
  /**
   * For each outage of the neighbour: how many milliseconds its alarm took to arrive, after the ping that began the
   * outage.
   */
  alarmMs: number[];
  /** The most connections to hung channels that were open at the same time. */
  maxOpen: number;
}

/**
 * Sends alarms of one project through many channels that never answer; `hung` is their number. Meanwhile it sends
 * `times` alarms of another project, the neighbour, at an interval of `everyMs`. Everything runs in real time.
 */
export async function alarmDespiteHungChannels(
  hung: number,
  { times, everyMs }: { times: number; everyMs: number },
): Promise<NeighbourAlarms> {
  let [open, maxOpen] = [0, 0];
  await using silent = await tcpTarget((socket) => {
    maxOpen = Math.max(maxOpen, ++open);
    socket.resume().on('close', () => open--);
  });
  const arrived: number[] = [];
  await using hook = await httpTarget((request, response) => {
    arrived.push(performance.now());
    status(200)(request, response);
  });
  const daemon = await createTestDaemon({ runCheck: passingCheck, env: { UPTIME_SECRET_KEY: secret } });
  try {
    const neighbour = await daemon.another('neighbour');
    const make = async (path: string, body: object, apiKey: string) =>
      (await daemon.request('POST', `/api/${path}`, body, { apiKey })).body as { id: string; pingUrl: string };
    const job = { type: 'heartbeat', name: 'job', interval: 3600 };
    const greedy = await make('monitors', job, daemon.apiKey);
    const rule = await make('alert-rules', { name: 'all', monitorIds: [greedy.id], channelIds: [] }, daemon.apiKey);
    await addChannels(daemon, { count: hung, rule: rule.id, url: `http://127.0.0.1:${silent.port}/` });
    const victim = await make('monitors', job, neighbour.apiKey);
    const channel = await make(
      'notification-channels',
      { type: 'webhook', name: 'hook', config: { url: hook.url } },
      neighbour.apiKey,
    );
    await make('alert-rules', { name: 'all', monitorIds: [victim.id], channelIds: [channel.id] }, neighbour.apiKey);

    await fetch(`${greedy.pingUrl}/fail`);
    await vi.waitUntil(() => open >= Math.min(hung, 200), { timeout: 20_000, interval: 10 });
    const alarmMs: number[] = [];
    for (let time = 0; time < times; time++) {
      if (time > 0) await new Promise((resolve) => setTimeout(resolve, everyMs));
      const before = arrived.length;
      const fromMonoMs = performance.now();
      await fetch(`${victim.pingUrl}/fail`);
      await vi.waitUntil(() => arrived.length > before, { timeout: 60_000, interval: 10 });
      alarmMs.push(arrived[before]! - fromMonoMs);
      // The recovery makes the next failure a new outage.
      await fetch(victim.pingUrl);
      await vi.waitUntil(() => arrived.length > before + 1, { timeout: 60_000, interval: 10 });
    }
    return { alarmMs, maxOpen };
  } finally {
    await daemon.close();
  }
}

async function addChannels(
  { store, project }: Awaited<ReturnType<typeof createTestDaemon>>,
  { count, rule, url }: { count: number; rule: string; url: string },
): Promise<void> {
  const seal = createSeal(secret);
  const config = JSON.stringify({ url, method: 'POST', headers: {}, secret: null });
  const { seq } = await store.db.selectFrom('rule').select('seq').where('id', '=', rule).executeTakeFirstOrThrow();
  for (let from = 0; from < count; from += 500) {
    const ids = Array.from({ length: Math.min(500, count - from) }, (_, at) => `chn_hung${from + at}`);
    const rows = ids.map((id) =>
      channelRow(id, { project_id: project.id, type: 'webhook', config: seal.close(config, id) }),
    );
    const made = await store.db.insertInto('channel').values(rows).returning('seq').execute();
    await store.db
      .insertInto('rule_channel')
      .values(made.map((channel, at) => ({ rule: seq, channel: channel.seq, position: from + at })))
      .execute();
  }
}
