import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, vi } from 'vitest';
import { type ProbeProgram, startProbeProgram } from './probe-program.ts';
import { switchedTarget } from './targets/switched.ts';
import { createTestDaemon } from './test-daemon.ts';

export type ProbeWorld = Awaited<ReturnType<typeof openProbeWorld>>;

/** Starts a daemon and a target. `start` then starts probes in processes of their own. */
export async function openProbeWorld() {
  const daemon = await createTestDaemon();
  const target = await switchedTarget();
  const folder = await mkdtemp(join(tmpdir(), 'uptime-probes-'));
  const running: ProbeProgram[] = [];
  const read = async <T>(path: string) => (await daemon.request('GET', path)).body as T;
  return {
    daemon,
    target,
    async newToken(region: string): Promise<string> {
      const { body } = await daemon.request('POST', '/api/probes', { region }, { cookie: daemon.cookie });
      return (body as { token: string }).token;
    },
    /** Starts a probe. Probes with the same name share a data folder. */
    start({ token, name, site = daemon.url }: { token: string; name: string; site?: string }): ProbeProgram {
      const probe = startProbeProgram({ site, token, dataDir: join(folder, name) });
      running.push(probe);
      return probe;
    },
    async create(name: string, regions: string[], fields: object = {}): Promise<string> {
      const body = { type: 'http', name, url: target.url(name), interval: 1, regions, ...fields };
      return ((await daemon.request('POST', '/api/monitors', body)).body as { id: string }).id;
    },
    statusIs: (id: string, status: string) =>
      vi.waitFor(async () => expect(await read(`/api/monitors/${id}`)).toMatchObject({ status }), {
        timeout: 20_000,
        interval: 50,
      }),
    resultsOf: (id: string) =>
      read<{ timestamp: string; status: string; region: string }[]>(`/api/monitors/${id}/response-times`),
    eventsOf: async (id: string) => (await read<{ to: string }[]>(`/api/monitors/${id}/events`)).map(({ to }) => to),
    async close() {
      for (const probe of running) await probe.kill();
      await daemon.close();
      await target.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
