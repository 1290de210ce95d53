import type { XmlElement } from './xml-tree.ts';

/** The content that an element of a JUnit report may have. */
interface Rule {
  /** Patterns for the values of allowed attributes. The attributes in `required` must be present. */
  attributes: Readonly<Record<string, RegExp>>;
  required: readonly string[];
  /** The elements that may be inside the element, in this order. */
  children: readonly string[];
  text: boolean;
}

const any = /^[^]*$/;
const count = /^\d+$/;
const seconds = /^\d+\.\d{3}$/;
const result: Rule = { attributes: { message: any, type: any }, required: ['message'], children: [], text: true };
const output: Rule = { attributes: {}, required: [], children: [], text: true };

/**
 * The part of the JUnit format that every reader accepts. It has the order and the required attributes of Ant's format,
 * without the parts that the xUnit plugin of Jenkins refuses. GitLab documents that it reads `testcase` with `name`,
 * `classname` and `time`, and the elements `failure`, `error` and `skipped` inside.
 */
const rules: Readonly<Record<string, Rule>> = {
  testsuites: { attributes: {}, required: [], children: ['testsuite'], text: false },
  testsuite: {
    attributes: {
      id: count,
      package: any,
      name: /./,
      timestamp: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/,
      hostname: /./,
      tests: count,
      failures: count,
      errors: count,
      skipped: count,
      time: seconds,
    },
    required: ['id', 'package', 'name', 'timestamp', 'hostname', 'tests', 'failures', 'errors', 'time'],
    children: ['properties', 'testcase', 'system-out', 'system-err'],
    text: false,
  },
  testcase: {
    attributes: { name: /./, classname: /./, time: seconds },
    required: ['name', 'classname', 'time'],
    children: ['skipped', 'error', 'failure'],
    text: false,
  },
  properties: { attributes: {}, required: [], children: [], text: false },
  failure: { ...result, required: ['message', 'type'] },
  error: { ...result, required: ['message', 'type'] },
  skipped: { ...result, text: false },
  'system-out': output,
  'system-err': output,
};

/**
 * Returns everything that a reader of JUnit reports could refuse: unknown attributes, a wrong order, wrong counts, and
 * equal names.
 */
export function junitFaults(root: XmlElement): string[] {
  const suites = root.children.flatMap((suite) => [...countFaults(suite), ...equalNames(suite)]);
  return root.name === 'testsuites' ? [...elementFaults(root), ...suites] : [`the root is ${root.name}`];
}

function elementFaults({ name, attributes, children, text }: XmlElement): string[] {
  const rule = rules[name];
  if (!rule) return [`unknown element ${name}`];
  const order = children.map((child) => rule.children.indexOf(child.name));
  return [
    ...rule.required.filter((key) => !(key in attributes)).map((key) => `${name} lacks ${key}`),
    ...Object.entries(attributes)
      .filter(([key, value]) => rule.attributes[key]?.test(value) !== true)
      .map(([key, value]) => `${name} has ${key}=${JSON.stringify(value)}`),
    ...(order.every((place, i) => place >= 0 && place >= (order[i - 1] ?? 0)) ? [] : [`${name} has a wrong order`]),
    ...(rule.text || text.trim() === '' ? [] : [`${name} has text`]),
    ...children.flatMap(elementFaults),
  ];
}

function countFaults({ attributes, children }: XmlElement): string[] {
  const cases = children.filter(({ name }) => name === 'testcase');
  const having = (result: string) => cases.filter((one) => one.children.some(({ name }) => name === result)).length;
  const counts = {
    tests: cases.length,
    failures: having('failure'),
    errors: having('error'),
    skipped: having('skipped'),
  };
  return Object.entries(counts)
    .filter(([name, found]) => Number(attributes[name]) !== found)
    .map(([name, found]) => `${name} is ${attributes[name]}, and the suite has ${found}`);
}

/**
 * Returns a fault for each repeated name of a test case, because GitLab reads only the first of several test cases with
 * one name.
 */
function equalNames({ children }: XmlElement): string[] {
  const names = children
    .filter(({ name }) => name === 'testcase')
    .map(({ attributes }) => `${attributes['classname']} ${attributes['name']}`);
  return names.filter((name, i) => names.indexOf(name) < i).map((name) => `${name} appears twice`);
}
