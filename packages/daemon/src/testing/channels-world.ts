import { afterAll, beforeAll, expect } from 'vitest';
import { passingCheck } from './passing-check.ts';
import { createTestDaemon, type TestDaemon } from './test-daemon.ts';
import type { TestDatabaseKind } from './databases.ts';

export interface Shown {
  id: string;
  name: string;
  config: Record<string, unknown>;
  configDigest: string;
  lastSentAt: string | null;
  lastError: string | null;
  updatedAt: string;
}

export const path = '/api/notification-channels';

/** Starts a daemon for tests of channels. Call this function in a describe block. */
export function createChannelsWorld(database: TestDatabaseKind) {
  let daemon: TestDaemon;
  beforeAll(async () => {
    daemon = await createTestDaemon({ database, runCheck: passingCheck });
  });
  afterAll(() => daemon.close());

  const create = async (fields: object): Promise<Shown> => {
    const answer = await daemon.request('POST', path, fields);
    expect(answer).toMatchObject({ status: 201 });
    return answer.body as Shown;
  };
  const slack = (name: string, webhookUrl = 'https://hooks.example.com/services/abcdefgh') =>
    create({ type: 'slack', name, config: { webhookUrl } });
  const patch = (id: string, fields: unknown) => daemon.request('PATCH', `${path}/${id}`, fields);
  const shown = async (id: string) =>
    ((await daemon.request('GET', path)).body as Shown[]).find((channel) => channel.id === id)!;

  return {
    get daemon() {
      return daemon;
    },
    create,
    slack,
    patch,
    shown,
  };
}
