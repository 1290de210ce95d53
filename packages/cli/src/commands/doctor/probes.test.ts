import type { Region } from '@uptime/sdk';
import { expect, test } from 'vitest';
import { probeFindings } from './probes.ts';

const now = Date.parse('2030-01-01T12:00:00Z');
const probe: Region['probes'][number] = {
  name: '0123456789abcdef',
  version: '1.2.0',
  live: true,
  lastSeenAt: '2030-01-01T11:59:58.000Z',
  leftAt: null,
  queued: 0,
  lagSeconds: 0,
  clockSkewSeconds: 0,
  fault: null,
};
const findings = (more: Partial<typeof probe>) => {
  const region: Region = {
    name: 'eu',
    served: true,
    status: 'reporting',
    lastSeenAt: probe.lastSeenAt,
    probes: [{ ...probe, ...more }],
  };
  return probeFindings([region], '1.2.0', now).map(({ says }) => says);
};

test('doctor reports a probe that is silent, a probe that cannot check, and a probe of another version', () => {
  const who = 'probe 01234567 of the region "eu"';
  expect(findings({ live: false, lastSeenAt: '2030-01-01T10:00:00.000Z' })).toEqual([
    `${who} is silent: it last reported 2 h ago`,
  ]);
  expect(findings({ fault: 'No network.' })).toEqual([`${who} cannot check: No network.`]);
  expect(findings({ version: '1.1.0' })).toEqual([`${who} has version 1.1.0, and the server has 1.2.0`]);
});

test('doctor reports nothing about a working probe, or about a probe that was stopped on purpose', () => {
  expect(findings({})).toEqual([]);
  expect(findings({ live: false, leftAt: '2030-01-01T11:00:00.000Z' })).toEqual([]);
});
