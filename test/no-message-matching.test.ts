import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve, sep } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '..');
const folders = ['packages/sdk/src', 'packages/daemon/src', 'packages/cli/src', 'scripts'];

/** Files that may search the text of an error, because the errors of other software have no code. */
const withoutCode = [
  // The driver of PostgreSQL has no code for a lost connection, a missing password, or a server without TLS.
  'packages/daemon/src/store/cannot-open-postgres.ts',
  'packages/daemon/src/store/failures.ts',
  // Node passes on some errors of OpenSSL only as text.
  'packages/daemon/src/checks/tls-failure.ts',
];

test('source files decide by the code of an error, never by the text of its message', () => {
  const found = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .map((name) => `${folder}/${name.split(sep).join('/')}`)
      .filter((path) => /\.(?:ts|mjs)$/.test(path) && !/\.(?:test|soak)\.ts$/.test(path))
      .filter((path) => !withoutCode.includes(path))
      .flatMap((path) => searchesIn(path, readFileSync(join(root, path), 'utf8'))),
  );
  expect(found).toEqual([]);
});

test.each([
  ["if (fault.message.startsWith('unknown field')) return;", 1],
  ["if (message === 'is required') return;", 1],
  ["const isOver = error.detail?.includes('limit');", 1],
  ['if (/timeout/.test(error.message)) retry();', 1],
  ['const [, why] = /: (.*)$/.exec(String(message)) ?? [];', 1],
  ['const same = incident.title === name;', 0],
  ["const shown = message.replace('a', 'b');", 0],
  ['if (/^a/.test(title.id)) return;', 0],
])('in %s, the search finds %i places', (text, count) => {
  expect(searchesIn('example.ts', text)).toHaveLength(count);
});

const texts = ['message', 'detail', 'title'];
const searches = ['includes', 'startsWith', 'endsWith', 'indexOf', 'match', 'matchAll', 'search'];

/** Returns the places in a file that search the text of a message. */
function searchesIn(path: string, text: string): string[] {
  if (!texts.some((name) => text.includes(name))) return [];
  const tree = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (isSearch(node)) {
      const { line } = tree.getLineAndCharacterOfPosition(node.getStart());
      found.push(`${path}:${line + 1}: ${node.getText().split('\n')[0]}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

function isSearch(node: ts.Node): boolean {
  if (ts.isBinaryExpression(node)) {
    const { kind } = node.operatorToken;
    const compares =
      kind === ts.SyntaxKind.EqualsEqualsEqualsToken || kind === ts.SyntaxKind.ExclamationEqualsEqualsToken;
    const isWord = (side: ts.Expression) => ts.isStringLiteral(side) && side.text !== '';
    return compares && ((isText(node.left) && isWord(node.right)) || (isText(node.right) && isWord(node.left)));
  }
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return false;
  const { name, expression } = node.expression;
  if (searches.includes(name.text)) return isText(expression);
  return ['test', 'exec'].includes(name.text) && node.arguments.some(isText);
}

function isText(node: ts.Expression): boolean {
  if (ts.isPropertyAccessExpression(node)) return texts.includes(node.name.text);
  if (ts.isCallExpression(node)) return node.expression.getText() === 'String' && node.arguments.some(isText);
  return ts.isIdentifier(node) && texts.includes(node.text);
}
