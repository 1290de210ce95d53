import ts from 'typescript';
import { joinLines } from './join-lines.ts';
import { type Passage, passageOf } from './passage.ts';

/** Tests, and parts of tests. */
const testFiles = /\.(?:test|soak)\.ts$|(?:^|\/)testing\//;

/**
 * Returns the comments of a TypeScript file, and the texts in its code that have at least three words. In a test,
 * texts other than titles are inputs and expected outputs, so they are left out.
 */
export function readSource(code: string, path = 'file.ts'): Passage[] {
  const tree = ts.createSourceFile(path, code, ts.ScriptTarget.Latest, true);
  const comments = new Map<number, ts.CommentRange>();
  const texts: Passage[] = [];
  const onlyTitles = testFiles.test(path);
  const lineOf = (position: number) => tree.getLineAndCharacterOfPosition(position).line + 1;

  const visit = (node: ts.Node): void => {
    for (const range of [
      ...(ts.getLeadingCommentRanges(code, node.pos) ?? []),
      ...(ts.getTrailingCommentRanges(code, node.pos) ?? []),
    ]) {
      comments.set(range.pos, range);
    }
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return;
    const text = onlyTitles && !isTitle(node) ? null : textOf(node);
    if (text !== null) texts.push(...passagesOfText(text, lineOf(node.getStart())));
    // The text of a tagged template, such as SQL, is not prose. Only its expressions may contain texts.
    if (ts.isTaggedTemplateExpression(node) && ts.isTemplateExpression(node.template)) {
      for (const { expression } of node.template.templateSpans) visit(expression);
    } else if (!ts.isTaggedTemplateExpression(node)) for (const child of node.getChildren(tree)) visit(child);
  };
  visit(tree);
  const ordered = [...comments.values()].toSorted((left, right) => left.pos - right.pos);
  return [...passagesOfComments(code, ordered, lineOf), ...texts];
}

/**
 * Returns whether the node is the first argument of `test`, `it` or `describe`, also after a modifier such as `each`.
 */
function isTitle(node: ts.Node): boolean {
  if (ts.isSourceFile(node)) return false;
  const { parent } = node;
  if (!ts.isCallExpression(parent) || parent.arguments[0] !== node) return false;
  let callee: ts.Expression = parent.expression;
  while (ts.isCallExpression(callee) || ts.isPropertyAccessExpression(callee)) callee = callee.expression;
  return ts.isIdentifier(callee) && ['test', 'it', 'describe'].includes(callee.text);
}

/** Returns the text of a literal, with `x` in place of each expression. */
function textOf(node: ts.Node): string | null {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return node.text;
  if (!ts.isTemplateExpression(node)) return null;
  return node.head.text + node.templateSpans.map(({ literal }) => `x${literal.text}`).join('');
}

/** Returns the lines of a text as passages. Leaves out lines of fewer than three words, because they are names. */
function passagesOfText(text: string, first: number): Passage[] {
  return text
    .split('\n')
    .flatMap((line, index) =>
      line.split(/\s+/).filter((word) => /^[\p{L}"'(`]/u.test(word)).length < 3
        ? []
        : [passageOf([line], first + index)],
    );
}

/**
 * Returns comments as passages. Line comments on consecutive lines are one comment, except beside code. An indented
 * line outside of a list is code.
 */
function passagesOfComments(
  code: string,
  comments: readonly ts.CommentRange[],
  lineOf: (position: number) => number,
): Passage[] {
  const joined = joinLines();
  for (const { pos, end, kind } of comments) {
    const lineStart = code.lastIndexOf('\n', pos) + 1;
    const standsApart = kind === ts.SyntaxKind.MultiLineCommentTrivia || code.slice(lineStart, pos).trim() !== '';
    if (standsApart) joined.close();
    let inExample = false;
    let inList = false;
    for (const [index, line] of code.slice(pos, end).split('\n').entries()) {
      const text = line
        .trim()
        .replace(/^(?:\/\/+|\/\*+|\*(?!\/))\s?/, '')
        .replace(/\*\/$/, '');
      if (text.startsWith('@')) inExample = text.startsWith('@example');
      const isIndented = text.startsWith('  ');
      if (!isIndented) inList = /^(?:[-*]|\d+\.) /.test(text);
      const isCode = inExample || (isIndented && !inList);
      const isDirective = /^(?:oxlint|eslint|prettier|@ts-|\/ <)/.test(text);
      if (isCode || isDirective) joined.close();
      else joined.add(text.trim(), lineOf(pos) + index);
    }
    if (standsApart) joined.close();
  }
  return joined.passages();
}
