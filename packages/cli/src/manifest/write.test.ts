import { validateMonitor } from '@uptime/sdk/contract';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createModelServer } from '../testing/model-server.ts';
import { planChanges } from '../plan/plan.ts';
import { validateManifests } from './validate.ts';
import { writeManifest } from './write.ts';

const text = fc.oneof(
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }),
  fc.constantFrom(
    'yes',
    '007',
    '~',
    '${A}',
    '$$',
    '$${B',
    '- a',
    'a: b',
    '# c',
    ' d ',
    '1e3',
    '"',
    "'",
    '2026-01-01',
    '<<',
  ),
);

test('what is written applies without a change, whatever the texts', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.record(
        {
          name: text,
          bodyContains: text,
          labels: fc.dictionary(text, text),
          expectedStatus: fc.constantFrom('200', '2xx'),
        },
        { requiredKeys: ['name'] },
      ),
      async (fields) => {
        const given = { type: 'http', url: 'http://a.example/', ...fields };
        fc.pre(validateMonitor(given).ok);
        const server = createModelServer();
        await server.create(given as never);
        const { monitors, faults } = validateManifests([{ name: 'm.yaml', text: writeManifest(server.monitors) }], {
          A: 'hush',
          B: 'hush',
        });
        expect(faults).toEqual([]);
        expect(planChanges(monitors, server.monitors)).toMatchObject({ ok: true, plan: { changes: [] } });
      },
    ),
    { numRuns: 300 },
  );
});
