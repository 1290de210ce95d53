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
const findings = (more: Partial<typeof probe>, others: (typeof probe)[] = []) => {
  const region: Region = {
    name: 'eu',
    served: true,
    status: 'reporting',
    lastSeenAt: probe.lastSeenAt,
    probes: [{ ...probe, ...more }, ...others],
  };
  return probeFindings([region], '1.2.0', now).map(({ says, next }) => ({ says, next }));
};
const who = 'probe 01234567 of the region "eu"';
const look = 'look at its log, and at its connection to this server;';

test('doctor reports a probe that is silent, a probe that cannot check, and a probe of another version', () => {
  expect(findings({ live: false, lastSeenAt: '2030-01-01T10:00:00.000Z' })).toEqual([
    {
      says: `${who} is silent: it last reported 2 h ago`,
      next: `${look} if it is gone for good, \`uptimed admin probes revoke <id>\` revokes its token, and forgets all probes with this token`,
    },
  ]);
  expect(findings({ fault: 'No network.' })).toEqual([
    { says: `${who} cannot check: No network.`, next: 'look at its log' },
  ]);
  expect(findings({ version: '1.1.0' })).toEqual([
    {
      says: `${who} has version 1.1.0, and the server has 1.2.0`,
      next: 'update the older of the two; a server accepts older probes, but not newer ones',
    },
  ]);
});

test('doctor does not advise to revoke a token that a live probe may use, and says when the warning ends by itself', () => {
  const silent = { live: false, lastSeenAt: '2030-01-01T10:00:00.000Z' };
  const endsAfter = (time: string) =>
    `${look} if a live probe has the same token, this warning ends by itself about ${time} after the last report (\`uptimed admin probes list\` shows the tokens)`;
  const living = { ...probe, name: 'fedcba9876543210' };
  expect(findings(silent, [living])).toMatchObject([{ next: endsAfter('1 d') }]);
  expect(findings({ ...silent, lagSeconds: 3600 }, [living])).toMatchObject([{ next: endsAfter('7 d') }]);
  const other = { ...living, ...silent, leftAt: '2030-01-01T10:00:00.000Z' };
  expect(findings(silent, [other])).toMatchObject([{ next: expect.stringContaining('revoke <id>') as string }]);
});

test('doctor reports nothing about a working probe, or about a probe that was stopped on purpose', () => {
  expect(findings({})).toEqual([]);
  expect(findings({ live: false, leftAt: '2030-01-01T11:00:00.000Z' })).toEqual([]);
});
