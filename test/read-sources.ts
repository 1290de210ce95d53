import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { dirname, join, relative, resolve, sep } from 'node:path';
import ts from 'typescript';

const root = resolve(import.meta.dirname, '..');

/** A source file of a package, with its imports. */
export interface Source {
  path: string;
  package: string;
  /** The text without comments. */
  code: string;
  imports: { from: string; target: string | null; typeOnly: boolean; dynamic: boolean }[];
  /** The identifiers in the code, such as the global `process`. Names of properties are not among them. */
  globals: Set<string>;
}

/** Returns the room of a file: `store` for `packages/daemon/src/store/x.ts`. A file directly in src is its own room. */
export function room(path: string): string {
  return (path.split('/src/')[1] ?? '').split('/')[0]?.replace(/\.ts$/, '') ?? '';
}

export const sources: readonly Source[] = ['sdk', 'daemon', 'cli'].flatMap((name) =>
  readdirSync(join(root, 'packages', name, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !/\.(test|soak)\.ts$|^testing[/\\]/.test(path))
    .map((path) => read(name, `packages/${name}/src/${path.split(sep).join('/')}`)),
);

function read(name: string, path: string): Source {
  const text = readFileSync(join(root, path), 'utf8');
  const tree = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const imports: Source['imports'] = [];
  const globals = new Set<string>();
  const declared = new Set<string>();
  const add = (from: ts.Node | undefined, typeOnly: boolean, dynamic = false) => {
    const literal = from && ts.isLiteralTypeNode(from) ? from.literal : from;
    if (!literal || !ts.isStringLiteral(literal))
      throw new Error(`${path}: an import whose source is not a plain text`);
    const target = literal.text.startsWith('.')
      ? relative(root, resolve(root, dirname(path), literal.text))
          .split(sep)
          .join('/')
      : null;
    imports.push({ from: literal.text, target, typeOnly, dynamic });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) add(node.moduleSpecifier, isTypeOnly(node.importClause));
    else if (ts.isExportDeclaration(node) && node.moduleSpecifier) add(node.moduleSpecifier, node.isTypeOnly);
    else if (ts.isImportTypeNode(node)) add(node.argument, true);
    else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword)
      add(node.arguments[0], false, true);
    else if ((ts.isVariableDeclaration(node) || ts.isBindingElement(node)) && ts.isIdentifier(node.name))
      declared.add(node.name.text);
    else if (ts.isIdentifier(node) && isGlobalUse(node)) globals.add(node.text);
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return {
    path,
    package: name,
    code: withoutComments(text),
    imports,
    globals: new Set([...globals].filter((name) => !declared.has(name))),
  };
}

/** Whether Node loads a third-party package as CommonJS when this file imports it. */
export function isCommonJs(importer: string, name: string): boolean {
  if (/^(\.|node:|@uptime\/)/.test(name)) return false;
  const file = execFileSync(
    process.execPath,
    ['--input-type=module', '-e', 'process.stdout.write(import.meta.resolve(process.argv[1]))', name],
    { cwd: join(root, 'packages', importer), encoding: 'utf8' },
  );
  if (/\.[cm]js$/.test(file)) return file.endsWith('.cjs');
  const { type } = JSON.parse(readFileSync(findPackageJSON(file)!, 'utf8')) as { type?: string };
  return type !== 'module';
}

function isTypeOnly(clause: ts.ImportClause | undefined): boolean {
  if (!clause) return false;
  if (clause.isTypeOnly) return true;
  const named = clause.namedBindings;
  return (
    !clause.name &&
    named !== undefined &&
    ts.isNamedImports(named) &&
    named.elements.every((element) => element.isTypeOnly)
  );
}

function isGlobalUse(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent)) return parent.expression === node;
  return !ts.isPropertyAssignment(parent) && !ts.isPropertySignature(parent) && !ts.isParameter(parent);
}

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|[^:'"`])\/\/.*$/gm, '$1');
}
