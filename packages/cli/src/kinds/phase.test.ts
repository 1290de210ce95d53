import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { besidesDefaults } from './besides-defaults.ts';
import { phaseOf } from './phase.ts';

describe('the phase of a maintenance window', () => {
  const window = { scheduledStart: '2026-01-31T08:00:00Z', scheduledEnd: '2026-01-31T09:00:00Z', resolvedAt: null };
  test.each([
    ['a second before its start', '2026-01-31T07:59:59Z', 'ahead'],
    ['at its start', '2026-01-31T08:00:00Z', 'in force'],
    ['a second before its end', '2026-01-31T08:59:59Z', 'in force'],
    ['at its end', '2026-01-31T09:00:00Z', 'over'],
    ['a year later', '2027-01-31T09:00:00Z', 'over'],
  ])('the phase of a maintenance window %s (%s) is %j', (_, now, phase) =>
    expect(phaseOf(window, Date.parse(now))).toBe(phase),
  );

  test('the phase of a maintenance window that was resolved before its end is `over`', () => {
    const resolved = { ...window, resolvedAt: '2026-01-31T08:10:00Z' };
    expect(phaseOf(resolved, Date.parse('2026-01-31T08:30:00Z'))).toBe('over');
    expect(phaseOf(resolved, Date.parse('2026-01-31T07:00:00Z'))).toBe('over');
  });

  test('the phase does not depend on the time zone in which the times are written', () => {
    const written = { scheduledStart: '2026-01-31T10:00:00+02:00', scheduledEnd: '2026-01-31T11:00:00+02:00' };
    expect(phaseOf(written, Date.parse('2026-01-31T08:30:00Z'))).toBe('in force');
  });
});

describe('besidesDefaults', () => {
  const shape = {
    name: z.string(),
    size: z.int().default(1),
    tags: z.array(z.string()).default([]),
    note: z.string().nullable().default(null),
  };
  test.each([
    ['leaves out fields with default values, even lists', { name: 'a', size: 1, tags: [], note: null }, { name: 'a' }],
    [
      'returns fields that differ from their defaults',
      { name: 'a', size: 2, tags: ['x'], note: '' },
      { name: 'a', size: 2, tags: ['x'], note: '' },
    ],
    ['returns fields in the order of the schema', { note: 'n', size: 2, name: 'a' }, { name: 'a', size: 2, note: 'n' }],
    ['leaves out fields that are not in the schema', { name: 'a', id: 'x' }, { name: 'a' }],
    [
      'leaves out undefined fields, which an older server does not return',
      { name: 'a', tags: undefined },
      { name: 'a' },
    ],
  ])('besidesDefaults %s', (_, fields, left) => {
    const found = besidesDefaults(shape, fields);
    expect(found).toEqual(left);
    expect(Object.keys(found)).toEqual(Object.keys(left));
  });

  test('besidesDefaults leaves out `managedBy`, which stands at the top of the manifest', () => {
    expect(besidesDefaults({ ...shape, managedBy: z.string() }, { name: 'a', managedBy: 'shop' })).toEqual({
      name: 'a',
    });
  });
});
