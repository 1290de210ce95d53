import { stripVTControlCharacters } from 'node:util';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { type Answer, askLine, found } from './testing/ask-line.ts';
import { cannedAnswers, readingLines } from './testing/canned-answers.ts';

/**
 * Control characters that move the cursor, set the title of the terminal, break the line, and reverse the direction of
 * text.
 */
const hostile = '\u001b[2J\u001b]0;x\u0007\u009b1A\r\n\u2028\u0000\u202e';
/** The fields whose texts come from people, targets and receivers, and not from the server. */
const written =
  /^(?:name|title|description|message|reason|lastError|text|error|monitorName|channelName|ruleName|issuer|fault|warnings|slug|customDomain|version|host|plan|regions?|team)$/;

/** Returns an answer of the server, with control characters at the end of each text in the fields `written`. */
const spoiled = (value: unknown, field = ''): unknown => {
  if (typeof value === 'string') return written.test(field) ? value + hostile : value;
  if (Array.isArray(value)) return value.map((one) => spoiled(one, field));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, spoiled(inner, name)]));
};

const friendly: Answer = (path) => found(path);
const evil: Answer = (path) => found(path, spoiled(cannedAnswers[path]));

// eslint-disable-next-line no-control-regex
const controls = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/;
const lines = (text: string) => text.split('\n').length;

describe.each(readingLines)('%s', (line) => {
  test('the command has the same exit code and number of lines if texts of the server contain control characters', async () => {
    const [good, bad] = [await askLine(line, friendly), await askLine(line, evil)];
    expect(good.stderr).not.toContain('unexpected');
    expect(bad.stdout + bad.stderr).not.toMatch(controls);
    expect([bad.exit, lines(bad.stdout), lines(bad.stderr)]).toEqual([
      good.exit,
      lines(good.stdout),
      lines(good.stderr),
    ]);
  });

  test('the command prints no control characters from the server on a terminal', async () => {
    const { exit, stdout, stderr } = await askLine(line, evil, 60);
    expect(exit).toBe((await askLine(line, friendly, 60)).exit);
    expect(stdout + stderr).not.toMatch(controls);
  });

  test('the command writes valid JSON and YAML, with escaped control characters', async () => {
    const readers: Record<string, (text: string) => unknown> = { json: JSON.parse, yaml: parse };
    for (const [format, read] of Object.entries(readers)) {
      const { stdout } = await askLine(`${line} -o ${format}`, evil);
      expect(stdout).not.toMatch(controls);
      expect(read(stdout)).toEqual(expect.anything());
    }
  });
});

const listing = readingLines.filter((line) =>
  / list$|^ls$|^alerts deliveries$|^status$|^usage$|^billing plans$/.test(line),
);
test.each(listing)('the output of %s fits any terminal that is wide enough for its columns', async (line) => {
  const long: Answer = (path) =>
    found(
      path,
      JSON.parse(JSON.stringify(cannedAnswers[path] ?? null).replaceAll('Shop', `Shop ${'短い'.repeat(60)}`)) ??
        undefined,
    );
  for (const columns of [90, 120, 200]) {
    const { stdout } = await askLine(line, long, columns);
    for (const row of stripVTControlCharacters(stdout).split('\n'))
      expect(row.length, row).toBeLessThanOrEqual(columns);
  }
});

describe.each<[string, () => Response, RegExp]>([
  [
    'the page of another program',
    () => new Response('<html>Welcome</html>', { headers: { 'content-type': 'text/html' } }),
    /(?:JSON|a list) was expected/,
  ],
  ['empty', () => new Response(''), /(?:JSON|a list) was expected/],
  [
    'incomplete JSON',
    () => new Response('[{"id":"mon_1"', { headers: { 'content-type': 'application/json' } }),
    /(?:JSON|a list) was expected/,
  ],
  [
    'a redirect to another host',
    () => new Response(null, { status: 302, headers: { location: 'https://elsewhere.example/\u0009x' } }),
    /returned 302 .*, which is not followed/,
  ],
  ['an error without any text', () => new Response(null, { status: 418 }), /418/],
])('if the answer of the server is %s', (_, answer, sentence) => {
  test.each(readingLines.filter((line) => line !== 'doctor'))(
    'the command %s fails with an error message if the answer cannot be used',
    async (line) => {
      const { exit, stdout, stderr } = await askLine(line, answer);
      expect(exit).toBe(1);
      expect(stderr).toMatch(sentence);
      expect(stderr).not.toContain('unexpected:');
      expect(stdout + stderr).not.toMatch(controls);
    },
  );

  test('doctor reports the server as failed if its answer cannot be used', async () => {
    const { exit, stdout } = await askLine('doctor', answer);
    expect(exit).toBe(1);
    expect(stdout).toMatch(/^failed {3}server {4}/m);
  });
});
