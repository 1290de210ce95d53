import { describe, expect, test } from 'vitest';
import { monitorsOf } from './item.ts';
import { validateManifests } from './validate.ts';

/** Reads one manifest item as a monitor. */
function read(fields: string, env: Record<string, string> = {}) {
  const text = `monitors:\n  - name: Shop\n    type: http\n${fields.replaceAll(/^/gm, '    ')}\n`;
  const { items, faults } = validateManifests([{ name: 'm.yaml', text }], env);
  expect(faults).toEqual([]);
  return monitorsOf(items)[0]!;
}

describe('variables in values', () => {
  const url = 'url: https://shop.example';

  test('are read from the environment, or else have their default', () => {
    expect(read('url: https://${HOST:-a.example}/').value).toMatchObject({ url: 'https://a.example/' });
    expect(read('url: https://${HOST:-a.example}/', { HOST: 'b.example' }).value).toMatchObject({
      url: 'https://b.example/',
    });
    expect(read('url: https://${HOST:-a.example}/', { HOST: '' }).value).toMatchObject({ url: 'https://a.example/' });
  });

  test('become numbers and booleans without quotes', () => {
    const { value } = read(`${url}\ninterval: \${EVERY:-30}\npaused: \${PAUSED}`, { PAUSED: 'true' });
    expect(value).toMatchObject({ interval: 30, paused: true });
  });

  test('stay text in quotes', () => {
    expect(read(`${url}\nlabels: { team: "\${TEAM}" }`, { TEAM: '7' }).value.labels).toEqual({ team: '7' });
  });

  test('add no structure: a list, a map, a comment or an anchor from the environment is text', () => {
    for (const evil of ['[a, b]', '{ a: b }', 'a # b', '*a', '- a', 'a: b', '!!js x', '"']) {
      expect(read(`${url}\nbodyContains: \${TEXT}`, { TEXT: evil }).value).toMatchObject({ bodyContains: evil });
    }
  });

  test('are not filled in again within filled-in values', () => {
    expect(read(`${url}\nbodyContains: \${TEXT}`, { TEXT: '${OTHER} $$' }).value).toMatchObject({
      bodyContains: '${OTHER} $$',
    });
  });

  test('$$ becomes a dollar sign, and a single $ stays', () => {
    expect(read(`${url}\nbodyContains: $$\{A} costs $5, $$6`).value).toMatchObject({
      bodyContains: '${A} costs $5, $6',
    });
  });

  test('fields with values from the environment are known, also through an anchor', () => {
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
