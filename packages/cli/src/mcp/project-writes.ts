import type { Monitor, RequestOptions, Uptime } from '@uptime/sdk';
import { allEndpoints, type Endpoint } from '@uptime/sdk/contract';
import type { Server } from '../connection.ts';
import { unservedReasons } from '../gaps/regions.ts';

type Endpoints = typeof allEndpoints;

/**
 * The endpoints that change a project and need a key with the scope `apply`. Endpoints for keys, and for the project
 * itself, are not among them.
 */
export type WriteId = {
  [Id in keyof Endpoints]: Endpoints[Id] extends {
    access: 'project';
    scope: 'apply';
    method: 'POST' | 'PATCH' | 'DELETE';
  }
    ? Id
    : never;
}[keyof Endpoints];

/** The kind of resource that a change concerns. A delivery has only an id, no name. */
export type WrittenResource = 'monitors' | 'channels' | 'rules' | 'incidents' | 'pages' | 'deliveries';

interface Write {
  of: WrittenResource;
  call: (client: Uptime, id: string, body: never, options: RequestOptions) => Promise<unknown>;
  /** Returns warnings about the written resource. `fields` are the fields of the request. */
  warnings?: (written: never, fields: object, server: Server) => Promise<string[]>;
}

type Collections = 'monitors' | 'channels' | 'alertRules' | 'incidents' | 'statusPages';

const create = (of: WrittenResource, name: Collections): Write => ({
  of,
  call: (client, _id, body, options) => client[name].create(body, options),
});
const update = (of: WrittenResource, name: Collections): Write => ({
  of,
  call: (client, id, body, options) => client[name].update(id, body, options),
});
const remove = (of: WrittenResource, name: Collections): Write => ({
  of,
  call: (client, id, _body, options) => client[name].delete(id, options),
});

/** How to call each endpoint in `WriteId`. If `WriteId` gets a new member, the compiler requires an entry here. */
const writes: Record<WriteId, Write> = {
  createMonitor: {
    ...create('monitors', 'monitors'),
    warnings: (monitor: Monitor, _fields, server) => unservedReasons(monitor, server),
  },
  updateMonitor: {
    ...update('monitors', 'monitors'),
    warnings: async (monitor: Monitor, fields, server) => ('regions' in fields ? unservedReasons(monitor, server) : []),
  },
  deleteMonitor: remove('monitors', 'monitors'),
  checkMonitor: { of: 'monitors', call: ({ monitors }, id, _body, options) => monitors.check(id, options) },
  createChannel: create('channels', 'channels'),
  updateChannel: update('channels', 'channels'),
  deleteChannel: remove('channels', 'channels'),
  testChannel: { of: 'channels', call: ({ channels }, id, _body, options) => channels.test(id, options) },
  confirmChannel: {
    of: 'channels',
    call: ({ channels }, id, { code }: { code?: string }, options) => channels.confirm(id, code, options),
  },
  createAlertRule: create('rules', 'alertRules'),
  updateAlertRule: update('rules', 'alertRules'),
  deleteAlertRule: remove('rules', 'alertRules'),
  redeliver: { of: 'deliveries', call: ({ alertHistory }, id, _body, options) => alertHistory.redeliver(id, options) },
  createIncident: create('incidents', 'incidents'),
  updateIncident: update('incidents', 'incidents'),
  deleteIncident: remove('incidents', 'incidents'),
  createStatusPage: create('pages', 'statusPages'),
  updateStatusPage: update('pages', 'statusPages'),
  deleteStatusPage: remove('pages', 'statusPages'),
  verifyDomain: { of: 'pages', call: ({ statusPages }, id, _body, options) => statusPages.verifyDomain(id, options) },
};

/** Every possible change of a project, with its endpoint in the contract. */
export const projectWrites: readonly (Write & { id: WriteId; endpoint: Endpoint })[] = Object.entries(writes).map(
  ([id, write]) => ({ ...write, id: id as WriteId, endpoint: allEndpoints[id as WriteId] }),
);
