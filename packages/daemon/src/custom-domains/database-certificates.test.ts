import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createCertificatesWorld } from '../testing/certificates-world.ts';
import { databases, type TestDatabase } from '../testing/databases.ts';
import { silentLog } from '../testing/test-daemon.ts';
import { createSeal } from '../store/seal.ts';
import type { Certificates } from './certificates.ts';
import { openDatabaseCertificates } from './database-certificates.ts';
import { openMultiNodeCertificates } from './multi-node-certificates.ts';
import { createOrderTurn } from './order-turn.ts';

const name = 'status.example.com';
const world = createCertificatesWorld(name);
let database: TestDatabase;
let opened: Certificates[] = [];
let authority: ReturnType<typeof world.authority>;
beforeEach(async () => {
  database = await databases.find((kind) => kind.name === 'postgres')!.open();
  authority = world.authority();
});
afterEach(async () => {
  await Promise.all(opened.map((certificates) => certificates.close()));
  opened = [];
  await database.dispose();
});

/** Opens the certificates of a node. The first node that calls `maintain` gets the lease to order. */
const node = async (holder: string): Promise<Certificates> => {
  const { clock } = world;
  const certificates = await openMultiNodeCertificates(
    { clock, log: silentLog },
    {
      stored: await openDatabaseCertificates(database.store, createSeal('a secret'), clock),
      order: authority.order,
      turn: createOrderTurn(database.store, clock, holder),
      stopping: new AbortController().signal,
    },
  );
  opened.push(certificates);
  return certificates;
};

/** Opens two nodes that both serve a certificate, which the first of them ordered. */
const servingNodes = async (): Promise<[orderer: Certificates, other: Certificates]> => {
  const [orderer, other] = [await node('a'), await node('b')];
  for (const certificates of [orderer, other]) {
    await vi.waitFor(async () => {
      await world.maintain(certificates);
      expect(certificates.stateOf(name).ready).toBe(true);
    }, 20_000);
  }
  expect(authority.state.orders).toBe(1);
  return [orderer, other];
};
/** Calls `maintain` as the loop does while a page has the domain, but the domain does not point here. */
const lookUnserved = (certificates: Certificates) => certificates.maintain([], new Set([name]));

test('a node that saw a domain without a page serves its certificate again after another page has the domain', async () => {
  const [orderer, other] = await servingNodes();
  await world.maintain(other, []);
  expect(other.contextOf(name)).toBeNull();
  expect(other.stateOf(name)).toMatchObject({ ready: false, expiresAt: null });

  await world.maintain(other);
  expect(other.contextOf(name)).not.toBeNull();
  expect(other.stateOf(name).ready).toBe(true);
  await world.maintain(orderer);
  expect(authority.state.orders).toBe(1);
});

test('all nodes forget a deleted certificate, so a node that takes over the orders orders it again', async () => {
  const [orderer, other] = await servingNodes();
  await world.maintain(orderer, []);
  for (const certificates of [orderer, other]) {
    await lookUnserved(certificates);
    expect(certificates.contextOf(name)).toBeNull();
  }

  await orderer.close();
  await vi.waitFor(async () => {
    await world.maintain(other);
    expect(authority.state.orders).toBe(2);
    expect(other.contextOf(name)).not.toBeNull();
  }, 20_000);
});

test('a node that lost its lease and took it again renews certificates', async () => {
  const [orderer] = await servingNodes();
  // In this time, the lease ends, and two thirds of the certificate's life pass.
  await world.clock.advance(61 * 86_400_000);
  await vi.waitFor(async () => {
    await world.maintain(orderer);
    expect(authority.state.orders).toBe(2);
  }, 20_000);
});

test('a request to order soon is deleted after an hour', async () => {
  const { clock } = world;
  const stored = await openDatabaseCertificates(database.store, createSeal('a secret'), clock);
  await stored.askSoon('old.example.com');
  await clock.advance(3_600_001);
  await stored.askSoon('new.example.com');
  const rows = await database.store.db.selectFrom('certificate_file').select('name').execute();
  expect(rows).toEqual([{ name: 'soon new.example.com' }]);
});
