import { expect, test } from 'vitest';
import { nextTurn } from '../wait.ts';
import { createFloodGate } from './flood-gate.ts';
import { networkOf } from './network-of.ts';

const listeners = 32;
const [flood, neighbour] = ['203.0.113.7', '198.51.100.1'];

/** Returns a flood gate with a fake clock. */
function gate(holdsMany: (network: string) => boolean = () => false) {
  let now = 0;
  const refuses = createFloodGate(listeners, { monotonicMs: () => now, holdsMany });
  return {
    refuses,
    pass: (ms: number) => (now += ms),
    /** Opens `inTurn` connections from an address in each turn of the event loop. Returns how many were refused. */
    connect: async (address: string, inTurn: number, turns: number, turnMs = 10): Promise<number> => {
      let refused = 0;
      for (let turn = 0; turn < turns; turn++) {
        for (let one = 0; one < inTurn; one++) if (refuses(address)) refused++;
        await nextTurn();
        now += turnMs;
      }
      return refused;
    },
  };
}

/**
 * After this many turns of 10 ms, a network has used up its allowance of 10,000 connections. In each turn, the
 * network uses 32 connections of its allowance, and gets 5 back.
 */
const turnsOfBurst = 400;

test('the flood gate refuses a network that keeps all listeners busy for long, and accepts other networks', async () => {
  const { connect, refuses } = gate();
  expect(refuses(neighbour)).toBe(false);
  // Thousands of jobs may ping in the same second, so the gate accepts the first connections of the flood.
  expect(await connect(flood, listeners, 300, 3)).toBe(0);
  await connect(flood, listeners, turnsOfBurst);
  const refused = await connect(flood, listeners, 100);
  // A hundred turns take a second. They bring 3,200 connections, and 500 may be accepted.
  expect(refused).toBeGreaterThan(2500);
  expect(refused).toBeLessThan(3200);
  expect(refuses(neighbour)).toBe(false);
});

test('the gate refuses a network with many open connections as soon as the network keeps all listeners busy', async () => {
  const { connect, refuses, pass } = gate((network) => network === networkOf(flood));
  refuses(neighbour);
  expect(await connect(flood, listeners / 2, 100)).toBe(0);
  await connect(flood, listeners, 1);
  expect(await connect(flood, listeners, 10)).toBe(10 * listeners);
  expect(refuses(neighbour)).toBe(false);
  pass(3000);
  expect(refuses(flood)).toBe(false);
});

test('the gate also refuses a flood that waits between its bursts', async () => {
  const { connect, refuses } = gate();
  refuses(neighbour);
  let refused = 0;
  for (let bursts = 0; bursts < 100; bursts++) {
    refused = await connect(flood, listeners, 10);
    refused += await connect(flood, 1, 2);
  }
  expect(refused).toBeGreaterThan(200);
});

test('the gate never refuses a network that leaves listeners free, however often the network connects', async () => {
  const { connect, refuses } = gate();
  refuses(neighbour);
  expect(await connect(flood, listeners / 2, 1000, 1)).toBe(0);
});

test('the gate accepts a network again a few seconds after its flood', async () => {
  const { connect, refuses, pass } = gate();
  refuses(neighbour);
  await connect(flood, listeners, turnsOfBurst);
  expect(await connect(flood, listeners, 10)).toBeGreaterThan(0);
  pass(3000);
  expect(await connect(flood, listeners, 10)).toBe(0);
});

test('the gate never refuses the only network that connects, because it may be a proxy for all clients', async () => {
  const { connect, refuses, pass } = gate();
  refuses(neighbour);
  pass(700_000);
  expect(await connect(flood, listeners, 2 * turnsOfBurst)).toBe(0);
});

test('the gate treats all addresses of an IPv6 customer as one network', async () => {
  const { refuses, connect, pass } = gate();
  refuses(neighbour);
  let refused = 0;
  for (let turn = 0; turn < turnsOfBurst + 100; turn++) {
    for (let one = 0; one < listeners; one++) if (refuses(`2001:db8::${one}:${turn}`)) refused++;
    await nextTurn();
    pass(10);
  }
  expect(refused).toBeGreaterThan(2000);
  expect(await connect(neighbour, 1, 1)).toBe(0);
});

test('a flood from many networks makes the gate forget only networks that connected long ago', async () => {
  const { refuses, connect } = gate();
  refuses(neighbour);
  await connect(flood, listeners, turnsOfBurst);
  for (let at = 0; at < 9000; at++) refuses(`2001:db8:${at.toString(16)}::1`);
  expect(await connect(flood, listeners, 50)).toBeGreaterThan(1000);
});
