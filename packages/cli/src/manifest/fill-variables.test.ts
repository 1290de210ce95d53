import { describe, expect, test } from 'vitest';
import { monitorsOf } from './item.ts';
import { validateManifests } from './validate.ts';

/** Reads a manifest with one monitor that has these fields. Returns the monitor. */
function read(fields: string, env: Record<string, string> = {}) {
  const text = `monitors:\n  - name: Shop\n    type: http\n${fields.replaceAll(/^/gm, '    ')}\n`;
  const { items, faults } = validateManifests([{ name: 'm.yaml', text }], env);
  expect(faults).toEqual([]);
  return monitorsOf(items)[0]!;
}

describe('variables in values', () => {
  const url = 'url: https://shop.example';

  test('variables get their value from the environment, or else from their default', () => {
    expect(read('url: https://${HOST:-a.example}/').value).toMatchObject({ url: 'https://a.example/' });
    expect(read('url: https://${HOST:-a.example}/', { HOST: 'b.example' }).value).toMatchObject({
      url: 'https://b.example/',
    });
    expect(read('url: https://${HOST:-a.example}/', { HOST: '' }).value).toMatchObject({ url: 'https://a.example/' });
  });

  test('variables become numbers and booleans if they are written without quotes', () => {
    const { value } = read(`${url}\ninterval: \${EVERY:-30}\npaused: \${PAUSED}`, { PAUSED: 'true' });
    expect(value).toMatchObject({ interval: 30, paused: true });
  });

  test('variables become text if they are written in quotes', () => {
    expect(read(`${url}\nlabels: { team: "\${TEAM}" }`, { TEAM: '7' }).value.labels).toEqual({ team: '7' });
  });

  test('variables cannot add structure: a list, a map, a comment or an anchor in their value remains text', () => {
    for (const evil of ['[a, b]', '{ a: b }', 'a # b', '*a', '- a', 'a: b', '!!js x', '"']) {
      expect(read(`${url}\nbodyContains: \${TEXT}`, { TEXT: evil }).value).toMatchObject({ bodyContains: evil });
    }
  });

  test('variables that only appear in the value of another variable are not replaced', () => {
    expect(read(`${url}\nbodyContains: \${TEXT}`, { TEXT: '${OTHER} $$' }).value).toMatchObject({
      bodyContains: '${OTHER} $$',
    });
  });

  test('variables may stand beside dollar signs: $$ becomes one dollar sign, and a single $ is unchanged', () => {
    expect(read(`${url}\nbodyContains: $$\{A} costs $5, $$6`).value).toMatchObject({
      bodyContains: '${A} costs $5, $6',
    });
  });

  test('variables mark the fields that contain them as hidden, even in a map that an alias repeats', () => {
    const item = read(`${url}\nheaders: &h\n  Accept: text/html\n  X-Trace: \${TRACE}\nlabels: *h`, { TRACE: '1a' });
    expect(['headers.X-Trace', 'headers', 'labels.X-Trace', 'headers.Accept', 'url'].map(item.hides)).toEqual([
      true,
      true,
      true,
      false,
      false,
    ]);
  });
});
