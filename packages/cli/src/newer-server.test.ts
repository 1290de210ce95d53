import { describe, expect, test } from 'vitest';
import { type Answer, askLine, found } from './testing/ask-line.ts';
import { cannedAnswers, readingLines } from './testing/canned-answers.ts';

/**
 * Fields whose values are words from a fixed list. A newer server may use words that are not in the list of this
 * version.
 */
const grows = /^(?:type|status|trigger|code|scope|from|to|unit|kind)$/;

/** Returns an answer as a newer server could send it: with new words in the fields `grows`, and with a new field. */
function newer(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(newer);
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).map(([field, inner]) => [
    field,
    typeof inner === 'string' && grows.test(field) ? 'newer' : newer(inner),
  ]);
  return { ...(Object.fromEntries(fields) as object), newField: { of: ['a', 'newer', 'version'] } };
}

const newerServer: Answer = (path) => {
  const answer = cannedAnswers[path];
  return found(path, answer === undefined ? undefined : newer(answer));
};

describe.each([...readingLines, 'export'])('%s', (line) => {
  test.each([undefined, 80])(
    'the command prints the answers of a newer server without an unexpected error (columns: %s)',
    async (columns) => {
      const { stdout, stderr } = await askLine(line, newerServer, columns);
      expect(stderr).not.toContain('unexpected');
      expect(stdout).not.toBe('');
    },
  );
});

const grpc = (path: string) => {
  const rows = cannedAnswers[path];
  return Array.isArray(rows) ? rows.map((row: object) => ({ ...row, type: 'newer', status: 'newer' })) : undefined;
};
const newerTypes: Answer = (path) => found(path, grpc(path));

test('`uptime status` also counts monitors with a status that only a newer server knows', async () => {
  expect((await askLine('status', newerTypes)).stdout).toMatch(/^2 monitors: 0 down, 2 newer\n/);
});

test('`uptime export` names the types that this version does not know', async () => {
  const { exit, stdout, stderr } = await askLine('export', newerTypes);
  expect({ exit, stdout }).toEqual({
    exit: 0,
    stdout: expect.stringContaining('url: https://shop.example/') as string,
  });
  expect(stderr).toContain(
    'note: the monitor "Shop" has the type newer, which this version does not know: update uptime before you apply this',
  );
  expect(stderr).toContain('note: the channel "Ops" has the type newer');
});
