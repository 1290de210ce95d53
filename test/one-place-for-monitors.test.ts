// Each type of monitor has one definition. Code outside of the definitions does not ask which type a monitor has, and
// does not compare the name of a field with the names of a type's own fields.
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve, sep } from 'node:path';
import ts from 'typescript';
import { monitorType, monitorTypes, ownFields } from '@uptime/sdk/contract';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '..');

/** A set of types, and the code that may distinguish them. */
interface Family {
  types: readonly string[];
  /** The input fields that only some of the types have. */
  ownFields: ReadonlySet<string>;
  /** The fields that only some of the types have, also the read-only ones. */
  fields: ReadonlySet<string>;
  /** Tables with an entry for each type. Other code may index them with a variable, not with the name of a type. */
  tables: readonly string[];
  /** The places that may name a type: definitions, registries, generated files, and importers from other programs. */
  places: RegExp;
}

const monitors: Family = {
  types: monitorTypes,
  ownFields: new Set(monitorTypes.flatMap(ownFields)),
  fields: new Set(monitorTypes.flatMap((type) => [...ownFields(type), ...monitorType(type).readOnly])),
  tables: ['monitorTypeDefinitions', 'monitorInputs', 'monitorReads', 'monitorSecrets', 'checks'],
  places:
    /contract\/monitor-types\/|daemon\/src\/checks\/|sdk\/src\/types\.ts$|flags\/fields\/monitors\.ts$|cli\/src\/importers\//,
};

test('only the definition and the check of a monitor type contain code for this type', () => {
  const { inside, outside } = sitesOf(monitors);
  expect(outside).toEqual([]);
  // The search finds code in the allowed places. So it works, and an empty result for the other files means something.
  expect(inside).not.toEqual([]);
});

test.each([
  ["if (monitor.type === 'http') ask();", 1],
  ["if ('tcp' !== type) ask();", 1],
  ["if (fields['type'] === 'heartbeat') ask();", 1],
  ["switch (fields['type']) { case 'dns': break; }", 1],
  ["switch (monitor.type) { case 'dns': break; case 'ping': break; }", 2],
  ["if ('pingUrl' in monitor || 'gracePeriod' in monitor) ask();", 2],
  ["if (Object.hasOwn(monitor, 'gracePeriod')) ask();", 1],
  ["const words = { http: 'a page', 'dns': 'a name' };", 1],
  ["const asked = ['tcp', 'ping'].includes(monitor.type);", 1],
  ["const samples = [{ type: 'tcp', port: 1 }, { type: 'ping' }];", 1],
  ["type Active = Exclude<MonitorType, 'heartbeat'>;", 1],
  ["const fields: MonitorFields<'http'> = read();", 1],
  ["query.where('monitor.type', '!=', 'heartbeat');", 1],
  ['const { shape } = monitorInputs.http;', 1],
  ["const { shape } = monitorInputs['http'];", 1],
  ["if (field === 'url') hide();", 1],
  ["const hides = (path) => 'gracePeriod' !== path;", 1],
  ["switch (field) { case 'expectedStatus': break; }", 1],
  ["if (field === 'name') ask();", 0],
  ["if (request.protocol === 'http') ask();", 0],
  ["if (request['protocol'] === 'http') ask();", 0],
  ["const monitor = { type: 'http', url };", 0],
  ['const { shape } = monitorInputs[type];', 0],
])('in %s, the search finds %i places that distinguish types', (code, count) => {
  expect(sitesIn({ path: 'x.ts', tree: parse('x.ts', code) }, monitors)).toHaveLength(count);
});

interface Source {
  path: string;
  tree: ts.SourceFile;
}

/** Returns the places that distinguish the types of a family: those in `family.places`, and those in other files. */
function sitesOf(family: Family) {
  const found = (wanted: boolean) =>
    sources.filter(({ path }) => family.places.test(path) === wanted).flatMap((file) => sitesIn(file, family));
  return { inside: found(true), outside: found(false) };
}

/** Returns the places in a file that distinguish the types of a family. */
function sitesIn({ path, tree }: Source, family: Family): string[] {
  const sites: string[] = [];
  const isType = (node: ts.Node | undefined): boolean => family.types.includes(textOf(node) ?? '');
  const isOwnField = (node: ts.Node): boolean => ts.isStringLiteralLike(node) && family.ownFields.has(node.text);
  const several = (nodes: readonly (ts.Node | undefined)[]) => nodes.filter(isType).length > 1;
  const samples = (nodes: readonly ts.Node[]) => several(nodes.map(valueOfType));
  const asks = (node: ts.Node): boolean => {
    if (ts.isBinaryExpression(node)) {
      if (node.operatorToken.kind === ts.SyntaxKind.InKeyword) return family.fields.has(textOf(node.left) ?? '');
      if (!comparisons.has(node.operatorToken.kind)) return false;
      if (isOwnField(node.left) || isOwnField(node.right)) return true;
      return (isType(node.left) && isTypeField(node.right)) || (isType(node.right) && isTypeField(node.left));
    }
    if (ts.isCaseClause(node))
      return isOwnField(node.expression) || (isType(node.expression) && isTypeField(node.parent.parent.expression));
    if (ts.isObjectLiteralExpression(node)) return several(node.properties.map(({ name }) => name));
    if (ts.isArrayLiteralExpression(node)) return several(node.elements) || samples(node.elements);
    if (ts.isTypeReferenceNode(node)) return (node.typeArguments ?? []).some((type) => isType(type));
    if (ts.isPropertyAccessExpression(node))
      return isType(node.name) && family.tables.includes(node.expression.getText());
    if (ts.isElementAccessExpression(node))
      return isType(node.argumentExpression) && family.tables.includes(node.expression.getText());
    if (!ts.isCallExpression(node)) return false;
    const [first, second] = node.arguments;
    if (node.expression.getText() === 'Object.hasOwn') return family.fields.has(textOf(second) ?? '');
    if (samples(node.arguments)) return true;
    return /(?:^|\.)type$/.test(textOf(first) ?? '') && node.arguments.slice(1).some(isType);
  };
  const visit = (node: ts.Node): void => {
    if (asks(node)) {
      const { line } = tree.getLineAndCharacterOfPosition(node.getStart());
      sites.push(`${path}:${line + 1}: ${node.getText().split('\n')[0]}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return sites;
}

/** Returns the value of `type` in an object literal. */
function valueOfType(node: ts.Node): ts.Node | undefined {
  if (!ts.isObjectLiteralExpression(node)) return undefined;
  const type = node.properties.find((property) => textOf(property.name) === 'type');
  return type && ts.isPropertyAssignment(type) ? type.initializer : undefined;
}

const comparisons = new Set([
  ts.SyntaxKind.EqualsEqualsEqualsToken,
  ts.SyntaxKind.ExclamationEqualsEqualsToken,
  ts.SyntaxKind.EqualsEqualsToken,
  ts.SyntaxKind.ExclamationEqualsToken,
]);

/** Returns the text of a literal or of a name. */
function textOf(node: ts.Node | undefined): string | null {
  if (node === undefined) return null;
  if (ts.isLiteralTypeNode(node)) return textOf(node.literal);
  if (ts.isStringLiteralLike(node)) return node.text;
  return ts.isIdentifier(node) && ts.isObjectLiteralElement(node.parent) ? node.text : propertyName(node);
}

const propertyName = (node: ts.Node): string | null =>
  ts.isIdentifier(node) && ts.isPropertyAccessExpression(node.parent) && node.parent.name === node ? node.text : null;

/** Whether an expression is a `type`: the name itself, or a property of that name, such as `x.type` or `x['type']`. */
function isTypeField(node: ts.Node): boolean {
  if (ts.isIdentifier(node)) return node.text === 'type';
  if (ts.isElementAccessExpression(node)) return textOf(node.argumentExpression) === 'type';
  return ts.isPropertyAccessExpression(node) && node.name.text === 'type';
}

const parse = (path: string, text: string) => ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);

const sources: readonly Source[] = ['packages/sdk/src', 'packages/daemon/src', 'packages/cli/src', 'bin', 'scripts']
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map(
      (path) => `${folder}/${path.split(sep).join('/')}`,
    ),
  )
  .filter((path) => path.endsWith('.ts') && !/\.(?:test|soak|proof)\.ts$/.test(path))
  .map((path) => ({ path, tree: parse(path, readFileSync(join(root, path), 'utf8')) }));
