import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { expect, test } from 'vitest';
import { parse } from 'yaml';

const at = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const schema = JSON.parse(readFileSync(at('schema/monitors.schema.json'), 'utf8')) as object;
const ajv = new Ajv2020({ strict: false, allErrors: true });
formats.default(ajv);
const fits = ajv.compile(schema);

const examples = readdirSync(at('../../examples'), { recursive: true, encoding: 'utf8' }).filter((file) =>
  file.endsWith('monitors.yaml'),
);

test('the folder of examples contains manifests', () => expect(examples.length).toBeGreaterThan(0));

test.each(examples)('the schema finds no fault in examples/%s', (file) => {
  fits(parse(readFileSync(at(`../../examples/${file}`), 'utf8')));
  expect(fits.errors).toBeNull();
});

test('the schema finds a fault in unknown parts of a manifest, except parts that begin with x-', () => {
  expect(fits({ 'x-base': { interval: 90 }, monitors: [] })).toBe(true);
  expect(fits({ base: { interval: 90 }, monitors: [] })).toBe(false);
});

// These manifests of test/manifests have faults that a schema can find. A schema cannot find other faults, such as a
// repeated key or a missing variable; `uptime validate` finds them.
test.each([
  'channel-config-is-text',
  'channel-config-of-another-type',
  'channel-type-mistyped',
  'page-lacks-slug',
  'page-monitors-is-text',
  'rule-failures-zero',
  'rule-lacks-channels',
  'rule-names-by-id-field',
  'rule-trigger-mistyped',
  'field-mistyped',
  'field-of-another-type',
  'grace-period-negative',
  'header-is-a-number',
  'host-is-an-address',
  'interval-is-text',
  'interval-too-long',
  'labels-value-is-a-number',
  'method-mistyped',
  'monitor-is-text',
  'monitors-is-a-map',
  'name-missing',
  'port-missing',
  'type-mistyped',
  'unknown-top-level',
  'url-without-scheme',
  'window-lacks-end',
  'window-with-name',
  'window-without-zone',
])('the schema finds the fault of %s.yaml', (name) => {
  expect(fits(parse(readFileSync(at(`test/manifests/${name}.yaml`), 'utf8')))).toBe(false);
});
