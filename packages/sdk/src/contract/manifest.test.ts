import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { manifest, manifestLists } from './manifest.ts';

describe('the manifest', () => {
  test('the manifest accepts every list, and references by key or name in its lists', () => {
    const parsed = manifest.safeParse({
      monitors: [{ key: 'shop', name: 'Shop', type: 'http', url: 'https://shop.example' }],
      channels: [{ name: 'Ops', type: 'email', config: { address: 'ops@example.com' } }],
      alertRules: [{ name: 'Down', monitors: ['shop'], channels: ['Ops'] }],
      statusPages: [{ name: 'Shop', slug: 'shop', monitors: ['shop'] }],
      maintenance: [
        {
          title: 'Move',
          monitors: ['shop'],
          scheduledStart: '2026-01-31T08:00:00Z',
          scheduledEnd: '2026-01-31T09:00:00Z',
        },
      ],
    });
    expect(parsed.error).toBeUndefined();
    expect(Object.keys(parsed.data!)).toEqual([...manifestLists]);
  });

  test('the manifest refuses ids in place of keys and names, and unknown lists', () => {
    const rule = { name: 'Down', monitors: [], channels: [] };
    expect(manifest.safeParse({ alertRules: [{ ...rule, monitorIds: ['mon_1'] }] }).success).toBe(false);
    expect(manifest.safeParse({ monitor: [] }).success).toBe(false);
  });

  test('the manifest can be converted to JSON Schema, for editors', () => {
    const schema = z.toJSONSchema(manifest, { io: 'input' }).$defs!['Manifest']!;
    expect(Object.keys(schema.properties!)).toEqual([
      ...manifestLists,
      'managedBy',
      'include',
      'defaults',
      'overrides',
    ]);
    expect(schema.additionalProperties).toBe(false);
    expect(Object.keys(schema.patternProperties!)).toEqual(['^x-']);
  });
});
