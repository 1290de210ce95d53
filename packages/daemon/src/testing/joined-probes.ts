import { createFakeProbe, type FakeProbe } from './fake-probe.ts';
import type { TestDaemon } from './test-daemon.ts';

/** Returns functions that join fake probes to a daemon, and create monitors for their regions. */
export function probesOf(daemon: () => TestDaemon) {
  const admin = (method: string, path: string, body?: object) =>
    daemon().request(method, path, body, { cookie: daemon().cookie });
  return {
    /** Sends a request with the admin's session. */
    admin,
    /** Creates a token for a region. Resolves with a probe that has the token. */
    join: async (region: string): Promise<FakeProbe & { id: string }> => {
      const { body } = await admin('POST', '/api/probes', { region });
      const { id, token } = body as { id: string; token: string };
      return { ...createFakeProbe(daemon(), token), id };
    },
    /** Creates a tcp monitor. Resolves with its id and its number. */
    create: async (fields: object): Promise<{ id: string; monitor: number }> => {
      const input = { type: 'tcp', name: 'm', host: 'h', port: 1, ...fields };
      const { id } = (await daemon().request('POST', '/api/monitors', input)).body as { id: string };
      const { db } = daemon().store;
      const { seq } = await db.selectFrom('monitor').select('seq').where('id', '=', id).executeTakeFirstOrThrow();
      return { id, monitor: seq };
    },
    /** Makes a probe and a monitor look old, so that the server accepts results from before the test. */
    makeOld: async ({ name }: Pick<FakeProbe, 'name'>, monitor: number): Promise<void> => {
      const { db } = daemon().store;
      await db.updateTable('probe').set({ first_seen_at: 0 }).where('name', '=', name).execute();
      await db.updateTable('monitor').set({ created_at: 0 }).where('seq', '=', monitor).execute();
    },
  };
}
