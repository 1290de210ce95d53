import type { Region } from '@uptime/sdk';
import { expect, test } from 'vitest';
import { noRegionReason, unservedReason } from './regions.ts';

const now = Date.parse('2030-01-01T12:00:00Z');
const region = (name: string, served: boolean): Region => ({
  name,
  served,
  status: served ? 'reporting' : 'unknown',
  lastSeenAt: '2030-01-01T10:00:00.000Z',
  probes: [],
});
const regions = [region('eu-west', true), region('us-east', true), region('old', false)];

test('a region that is served needs no warning', () => {
  expect(unservedReason('eu-west', regions, now)).toBeNull();
});

test('for a region that is no longer served, the reason says when it was last served', () => {
  expect(unservedReason('old', regions, now)).toBe(
    'no daemon or probe serves the region "old" now; it was last served 2 h ago',
  );
});

test('the reason for a mistyped region suggests a similar region only if that region is served', () => {
  expect(unservedReason('eu-wset', regions, now)).toContain('did you mean "eu-west"?');
  expect(unservedReason('olt', regions, now)).not.toContain('did you mean');
});

test('monitors that name no region need a warning only if no region is served', () => {
  expect(noRegionReason(regions)).toBeNull();
  expect(noRegionReason([region('old', false)])).toContain('no daemon or probe serves any region now');
});

test('the reason for an unknown region lists all served regions', () => {
  expect(unservedReason('mars', regions, now)).toContain('the served regions are: eu-west, us-east');
  expect(unservedReason('mars', [], now)).toContain('the served regions are: none');
});
