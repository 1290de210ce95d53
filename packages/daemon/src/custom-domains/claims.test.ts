import { expect, test } from 'vitest';
import { claimLastsMs, givesWay, type Holder } from './claims.ts';

const holder = (more: Partial<Holder> = {}): Holder => ({
  project_id: 'prj_1',
  domain_status: 'pending',
  domain_pointed_at: 0,
  ...more,
});
const [now, proven] = [1000, ['prj_2']];

test.each(['pending', 'error', 'active'] as const)(
  'a project with a TXT record takes the domain at once from a page whose domain is %s',
  (domain_status) => {
    expect(givesWay(holder({ domain_status }), 'prj_2', { proven, now })).toBe(true);
    expect(givesWay(holder({ domain_status }), 'prj_3', { proven, now })).toBe(false);
  },
);

test('the page that has a domain keeps the domain if its own project has a TXT record too', () => {
  expect(givesWay(holder(), 'prj_2', { proven: ['prj_1', 'prj_2'], now })).toBe(false);
});

test('without a TXT record, a page loses its domain only if the domain has not pointed here for seven days', () => {
  const at = (ms: number, more: Partial<Holder> = {}) => givesWay(holder(more), 'prj_2', { proven: [], now: ms });
  expect(at(claimLastsMs - 1)).toBe(false);
  expect(at(claimLastsMs)).toBe(true);
  expect(at(claimLastsMs, { domain_status: 'error' })).toBe(true);
  expect(at(claimLastsMs, { domain_pointed_at: 1 })).toBe(false);
  expect(at(claimLastsMs, { domain_status: 'active' })).toBe(false);
});

test('pages of one project never take a domain from each other', () => {
  expect(givesWay(holder(), 'prj_1', { proven: ['prj_1'], now: claimLastsMs })).toBe(false);
});
