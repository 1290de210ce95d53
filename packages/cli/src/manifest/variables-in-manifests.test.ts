import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { escaped } from '../pull/set-value.ts';
import { formatDiagnostic } from './diagnostic.ts';
import { validateManifests } from './validate.ts';

type Env = Record<string, string>;

/** Reads a manifest with a monitor that has this `description`. Returns the field's value, and every fault. */
function read(description: string, env: Env = {}) {
  const text = `monitors:\n  - name: Shop\n    type: heartbeat\n    description: ${description}\n`;
  const { items, faults, variables } = validateManifests([{ name: 'm.yaml', text }], env);
  return { value: items[0]?.value['description'], faults: faults.map(formatDiagnostic), variables: [...variables] };
}

describe('a variable', () => {
  test.each<[string, string, Env, unknown]>([
    ['is replaced by its value', '"${A}"', { A: 'x' }, 'x'],
    ['may stand within text', '"a ${A} b ${A}"', { A: 'x' }, 'a x b x'],
    ['is replaced by its default if it is not set', '"${A:-x y}"', {}, 'x y'],
    ['is replaced by its default if it is empty', '"${A:-x}"', { A: '' }, 'x'],
    ['may have an empty default', '"${A:-}"', {}, ''],
    ['may have an empty value', '"a${A}b"', { A: '' }, 'ab'],
    ['may have a default with a colon and a dash', '"${A:-b:-c}"', {}, 'b:-c'],
    ['may have a default of several lines', '"${A:-x\\ny}"', {}, 'x\ny'],
    ['may have a name that begins with an underscore', '"${_A1}"', { _A1: 'x' }, 'x'],
    ['differs from the variable with the same name in capitals', '"${a}${A}"', { a: '1', A: '2' }, '12'],
    ['is not replaced after $$', '"$${A}"', {}, '${A}'],
    ['is replaced after $$ and one more $', '"$$${A}"', { A: 'x' }, '$x'],
    ['named like an inherited property, such as `constructor`, is not set', '"${constructor:-x}"', {}, 'x'],
    ['without braces is not replaced', '"$A $1"', { A: 'x' }, '$A $1'],
    ['in quotes is text even if its value has only digits', '"${A}"', { A: '007' }, '007'],
    ['without quotes may have a value with spaces at its ends', '${A}', { A: ' x ' }, ' x '],
    ['in a block of text does not change the line breaks', '|-\n      a ${A}\n      b', { A: 'x' }, 'a x\nb'],
  ])('a variable %s', (_, written, env, value) => {
    expect(read(written, env)).toMatchObject({ value, faults: [] });
  });

  test.each<[string, string, string]>([
    ['is not set', '"${A}"', 'the environment variable A is not set; set it, or write ${A:-default}'],
    ['has no closing brace', '"x ${A"', '`${` has no closing `}`; write `$$` for a dollar sign'],
    ['has no name', '"${}"', '`${}` is not a variable; write ${NAME} or ${NAME:-default}, and `$$` for a dollar sign'],
    [
      'begins with a digit',
      '"${1A}"',
      '`${1A}` is not a variable; write ${NAME} or ${NAME:-default}, and `$$` for a dollar sign',
    ],
    [
      'has a dash in its name',
      '"${A-B}"',
      '`${A-B}` is not a variable; write ${NAME} or ${NAME:-default}, and `$$` for a dollar sign',
    ],
    [
      'has a space',
      '"${ A }"',
      '`${ A }` is not a variable; write ${NAME} or ${NAME:-default}, and `$$` for a dollar sign',
    ],
    ['uses `each` in an item without `forEach`', '"${each.x}"', '`${each.x}` can only stand in an item with `forEach`'],
  ])('a variable that %s leads to one fault at its place', (_, written, fault) => {
    expect(read(written).faults).toEqual([`m.yaml:4:18: ${fault}`]);
  });

  test.each(['UPTIME_API_KEY', 'GITHUB_TOKEN', 'CI_JOB_TOKEN'])(
    'a variable that names a credential of the CI job, such as %s, leads to a fault, even with a default',
    (name) => {
      for (const written of [`"\${${name}}"`, `"a \${${name}:-x}"`]) {
        const { faults, variables } = read(written, { [name]: 'hush' });
        const fault = `a manifest cannot read ${name}, a credential of this job; use a variable of another name`;
        expect({ faults, variables }).toEqual({ faults: [`m.yaml:4:18: ${fault}`], variables: [] });
      }
    },
  );

  test('a variable that is not set leads to one fault for each place, and the manifest lists the names of all variables', () => {
    const { faults, variables } = read('"${A} ${B:-x} ${A}"');
    expect(faults).toEqual(['m.yaml:4:18: the environment variable A is not set; set it, or write ${A:-default}']);
    expect(variables).toEqual(['A', 'B']);
  });
});

describe('any text', () => {
  const words = fc.array(
    fc.constantFrom('$', '${', '}', '$$', '{', 'A', ':-', ' ', '\n', '#', "'", '"', '&', '*', 'é', '😀'),
  );
  const text = fc.oneof(
    words.map((all) => all.join('')),
    fc.string({ unit: 'grapheme', maxLength: 12 }),
  );

  test('any text in an environment variable becomes the value unchanged', () => {
    fc.assert(
      fc.property(
        text.filter((one) => one !== ''),
        (value) => {
          const filled = read('"${A}"', { A: value });
          // The contract does not allow some texts. The fault of such a text must name `description`.
          if (filled.faults.length === 0) expect(filled.value).toBe(value);
          else for (const fault of filled.faults) expect(fault).toMatch(/^m\.yaml:4:18: `description` /);
        },
      ),
      { numRuns: 200 },
    );
  });

  test('any text from the server is read again unchanged from the file that a pull writes', () => {
    fc.assert(
      fc.property(text, (value) => {
        const written = stringify({ monitors: [{ name: 'Shop', type: 'heartbeat', description: escaped(value) }] });
        const { items, faults } = validateManifests([{ name: 'm.yaml', text: written }], {});
        if (faults.length === 0) expect(items[0]?.value['description']).toBe(value);
        else for (const { message } of faults) expect(message).toMatch(/^`description` /);
      }),
      { numRuns: 200 },
    );
  });
});

describe('the matrix of a `forEach`', () => {
  const items = (text: string, env: Env = {}) => {
    const { items: found, faults } = validateManifests([{ name: 'm.yaml', text: `monitors:\n  - ${text}\n` }], env);
    return faults.length > 0 ? faults.map(formatDiagnostic) : found.map(({ value }) => value);
  };

  test.each<[string, string, unknown[]]>([
    [
      'keeps the type of a value if the value is the whole field',
      '{ forEach: [5, 7], name: "Job ${each}", type: heartbeat, interval: "${each}" }',
      [
        { name: 'Job 5', interval: 5 },
        { name: 'Job 7', interval: 7 },
      ],
    ],
    ['may put a number into a text', '{ forEach: [1.5], name: "v${each}", type: heartbeat }', [{ name: 'v1.5' }]],
    [
      'may contain lists and maps as values',
      '{ forEach: [{ r: [eu, us], l: { a: b } }], name: X, type: heartbeat, labels: "${each.l}" }',
      [{ labels: { a: 'b' } }],
    ],
    ['makes no item if it has no entries', '{ forEach: [], name: X, type: heartbeat }', []],
    ['makes no item if one of its lists is empty', '{ forEach: { a: [1, 2], b: [] }, name: X, type: heartbeat }', []],
    ['may contain variables', '{ forEach: ["${A}"], name: "Job ${each}", type: heartbeat }', [{ name: 'Job x' }]],
  ])('the matrix of a `forEach` %s', (_, text, values) => {
    expect(items(text, { A: 'x' })).toMatchObject(values);
  });

  test.each<[string, string, string]>([
    [
      'a list within text',
      '{ forEach: [{ a: [1] }], name: "x ${each.a}", type: heartbeat }',
      'm.yaml:2:36: `${each.a}` is a list or a map, so it must be the whole value',
    ],
    [
      'a scalar in place of a list of values',
      '{ forEach: { a: 1 }, name: X, type: heartbeat }',
      'm.yaml:2:16: `forEach.a` must be a list of values',
    ],
    ['nothing', '{ forEach: , name: X, type: heartbeat }', 'm.yaml:2:16: `forEach` must be a list, or a map of lists'],
    [
      'too many entries',
      `{ forEach: [${Array(10_001).fill(1).join(',')}], name: X, type: heartbeat }`,
      'm.yaml:2:16: `forEach` makes 10001 items; the limits are 10000 items, and 500000 values in all items; split it',
    ],
  ])('the matrix of a `forEach` leads to a fault at its place if it contains %s', (_, text, fault) => {
    expect(items(text)).toEqual([fault]);
  });
});
