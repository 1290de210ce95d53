import { readdirSync, readFileSync } from 'node:fs';
import { channelTypes, monitorTypes } from '@uptime/sdk/contract';
import { expect, test } from 'vitest';
import { sortDiagnostics } from './diagnostic.ts';
import { validateManifests } from './validate.ts';

/**
 * The folder of broken manifests. In each manifest, lines that begin with `#> line:column: ` contain the expected
 * faults. In these lines, `<channel types>` and `<monitor types>` stand for the lists of types.
 */
const folder = new URL('../../test/manifests/', import.meta.url);
const names = readdirSync(folder).filter((name) => name.endsWith('.yaml'));

test('the folder contains at least forty broken manifests', () => {
  expect(names.length).toBeGreaterThanOrEqual(40);
});

test.each(names)('every fault of %s is reported at its place', (name) => {
  const whole = readFileSync(new URL(name, folder), 'utf8');
  const expected = whole
    .replaceAll('<channel types>', channelTypes.join(', '))
    .replaceAll('<monitor types>', monitorTypes.join(', '))
    .split('\n')
    .filter((line) => line.startsWith('#> '));
  expect(expected).not.toHaveLength(0);
  const text = whole.replace(/^#> .*\n/gm, '');
  const found = validateManifests([{ name, text }], { SECRET_TEXT: 'hush' });
  const faults = sortDiagnostics([...found.faults, ...found.dangling]);
  expect(faults.map(({ line, column, message }) => `#> ${line}:${column}: ${message}`)).toEqual(expected);
  expect(faults.every(({ message }) => !message.includes('hush'))).toBe(true);
});
