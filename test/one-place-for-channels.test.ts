import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve, sep } from 'node:path';
import { channelConfigs, channelTypes } from '@uptime/sdk/contract';
import ts from 'typescript';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '..');
const folders = ['packages/sdk/src', 'packages/daemon/src', 'packages/cli/src', 'scripts', 'test'];

/** The folders that may know channel types: definitions, senders with their tests, and the tests' fake providers. */
const registries = [
  /^packages\/sdk\/src\/contract\/channel-types\//,
  /^packages\/daemon\/src\/channels\//,
  /^packages\/daemon\/src\/testing\/providers\//,
];
/** Other files that may name channel types: old migrations, importers from other programs, and this test. */
const others = [/\/store\/migrations\//, /\/cli\/src\/importers\//, /one-place-for-channels/];

/** The files that may not know channel types. */
const sources = folders.flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => `${folder}/${name.split(sep).join('/')}`)
    .filter((path) => /\.(?:ts|mjs)$/.test(path) && ![...registries, ...others].some((place) => place.test(path)))
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))
    .filter(({ text }) => !text.startsWith('// Generated from')),
);

test('only the folders of channel types contain code that depends on the type of a channel', () => {
  expect(sources.flatMap(({ path, text }) => (names.test(text) ? switchesIn(path, text) : []))).toEqual([]);
});

test('only the folders of channel types contain code that depends on the name of a field in a config', () => {
  const untested = sources.filter(({ path }) => !/\.(?:test|soak|proof)\.ts$/.test(path));
  const advice = 'if a field of the config has the name of something else in this code, add it to `otherMeanings`';
  expect(
    untested.flatMap(({ path, text }) => comparisonsIn(path, text)),
    advice,
  ).toEqual([]);
});

test.each([
  ["if (field === 'webhookUrl') mask();", 1],
  ["const hides = 'config.url' !== path;", 1],
  ["switch (field) { case 'botToken': mask(); }", 1],
  ["if (field === 'name') ask();", 0],
])('in %s, the search finds %i comparisons with a field of a config', (text, count) => {
  expect(comparisonsIn('example.ts', text)).toHaveLength(count);
});

test.each([
  ["if (type === 'slack') send();", 1],
  ["const other = 'matrix' !== channel.type;", 1],
  ["if (fields['type'] === 'slack') send();", 1],
  ["if (fields['type'] === 'phone') call();", 1],
  ["switch (type) { case 'ntfy': send(); }", 1],
  ["const paging = ['pagerduty', 'opsgenie'].includes(type);", 1],
  ["const masks = { slack: ['webhookUrl'], sms: [] };", 1],
  ["const masks = { 'slack': ['webhookUrl'], 'sms': [] };", 1],
  ['if (type === `slack`) send();', 1],
  ["type Chat = 'slack' | 'discord';", 1],
  ["await create({ type: 'slack', name: 'x' });", 0],
  ["if (gateway.kind === 'phone') call();", 0],
  ["if (gateway['kind'] === 'phone') call();", 0],
  ["const fields = ['email', 'name'];", 0],
])('in %s, the search finds %i comparisons or lists of types', (text, count) => {
  expect(switchesIn('example.ts', text)).toHaveLength(count);
});

const names = new RegExp(`\\b(?:${channelTypes.join('|')})\\b`);
/**
 * Type names that have another meaning: `phone` is also a `kind` of gateway, and `email` also a field of an account.
 */
const homonyms: Record<string, readonly string[]> = { phone: ['kind'], email: ['flag', 'field'] };

/** Returns the comparisons with a channel type in a file, and the lists of several channel types. */
const switchesIn = (path: string, text: string): string[] =>
  nodesIn(path, text, (node) => {
    if (ts.isBinaryExpression(node) && isEquality(node)) {
      const [word, operand] =
        typeOf(node.left) === null ? [typeOf(node.right), node.left] : [typeOf(node.left), node.right];
      return word !== null && !homonyms[word]?.includes(lastName(operand));
    }
    if (ts.isCaseClause(node) && typeOf(node.expression) !== null) return true;
    return new Set(elementsOf(node).filter((word) => word !== null)).size > 1;
  });

/** Names of fields that usually mean something else in this code, such as a kind of resource. */
const otherMeanings = new Set(['region', 'channel']);
const fields = new Set(Object.values(channelConfigs).flatMap(({ shape }) => Object.keys(shape)));
const isConfigField = (name: string) => fields.has(name) && !otherMeanings.has(name);
const isField = (node: ts.Node): boolean =>
  ts.isStringLiteralLike(node) && isConfigField(node.text.replace(/^config\./, ''));

/** Returns the comparisons with the name of a field in a config. */
const comparisonsIn = (path: string, text: string): string[] =>
  nodesIn(path, text, (node) =>
    ts.isBinaryExpression(node)
      ? isEquality(node) && (isField(node.left) || isField(node.right))
      : ts.isCaseClause(node) && isField(node.expression),
  );

/** Returns the place and the first line of each wanted node in a file. */
function nodesIn(path: string, text: string, isWanted: (node: ts.Node) => boolean): string[] {
  const tree = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (isWanted(node)) {
      const { line } = tree.getLineAndCharacterOfPosition(node.getStart());
      found.push(`${path}:${line + 1}: ${node.getText().split('\n')[0]}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

const isEquality = ({ operatorToken: { kind } }: ts.BinaryExpression) =>
  kind === ts.SyntaxKind.EqualsEqualsEqualsToken || kind === ts.SyntaxKind.ExclamationEqualsEqualsToken;

const typeOf = (node: ts.Node): string | null =>
  ts.isStringLiteralLike(node) && channelTypes.some((type) => type === node.text) ? node.text : null;

/** Returns the name of the property that an expression reads, such as `kind` for `x.kind` and `x['kind']`. */
function lastName(node: ts.Node): string {
  if (ts.isPropertyAccessExpression(node)) return node.name.text;
  const isNamed = ts.isElementAccessExpression(node) && ts.isStringLiteralLike(node.argumentExpression);
  return isNamed ? node.argumentExpression.text : node.getText();
}

/**
 * Returns the elements of a list, fields of an object, or members of a union. An element that is not a channel type is
 * null.
 */
function elementsOf(node: ts.Node): (string | null)[] {
  if (ts.isArrayLiteralExpression(node)) return node.elements.map(typeOf);
  if (ts.isUnionTypeNode(node))
    return node.types.map((member) => (ts.isLiteralTypeNode(member) ? typeOf(member.literal) : null));
  if (!ts.isObjectLiteralExpression(node)) return [];
  return node.properties.map(({ name }) =>
    name && (ts.isIdentifier(name) || ts.isStringLiteral(name)) && channelTypes.some((type) => type === name.text)
      ? name.text
      : null,
  );
}
