import { expect } from 'vitest';
import type { AlertReceiver } from './alert-receiver.ts';

/** Sends a request with a project's key. */
export interface Requests {
  request(method: string, path: string, body?: unknown): Promise<{ status: number; body: unknown }>;
}

const create = async (daemon: Requests, path: string, fields: object): Promise<string> => {
  const response = await daemon.request('POST', path, fields);
  expect(response).toMatchObject({ status: 201 });
  return (response.body as { id: string }).id;
};
export const createMonitor = (daemon: Requests, fields: object) =>
  create(daemon, '/api/monitors', { type: 'http', interval: 1, timeout: 1, ...fields });
export const createChannel = (daemon: Requests, { channel }: AlertReceiver) =>
  create(daemon, '/api/notification-channels', channel);
export const createRule = (daemon: Requests, fields: object) =>
  create(daemon, '/api/alert-rules', { name: 'rule', ...fields });
