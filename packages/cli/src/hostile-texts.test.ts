import { stripVTControlCharacters } from 'node:util';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { commands } from './commands/index.ts';
import { run } from './run.ts';
import { cannedAnswers, readingLines } from './testing/canned-answers.ts';
import { recordedContext } from './testing/recorded-context.ts';

/** Moves the cursor, sets the title of the terminal, breaks the line, and turns the direction of text. */
const hostile = '\u001b[2J\u001b]0;x\u0007\u009b1A\r\n\u2028\u0000\u202e';
/** Fields whose texts people, targets and receivers write. */
const written =
  /^(?:name|title|description|message|reason|lastError|text|error|monitorName|channelName|ruleName|issuer|fault|warnings|slug|customDomain|version|host|plan|regions?|team)$/;

/** Ends each free text of an answer in control characters. */
const spoiled = (value: unknown, field = ''): unknown => {
  if (typeof value === 'string') return written.test(field) ? value + hostile : value;
  if (Array.isArray(value)) return value.map((one) => spoiled(one, field));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, spoiled(inner, name)]));
};

type Answer = (path: string) => Response;

async function ask(line: string, answer: Answer, columns?: number) {
  const fetch: typeof globalThis.fetch = async (input, init) => answer(new URL(new Request(input, init).url).pathname);
  const env = {
    UPTIME_API_KEY: `uptime_${'0'.repeat(32)}`,
    UPTIME_SITE_URL: 'http://uptime.test',
    UPTIME_CONFIG_DIR: '/nonexistent',
    NO_COLOR: '1',
  };
  const { context, said } = recordedContext({ env, fetch, ...(columns !== undefined && { columns }) });
  // Building the whole tree of commands would take longer than the command itself.
  const own = commands.filter(({ path, aliases = [] }) =>
    [path, ...aliases].some((words) => `${line} `.startsWith(`${words} `)),
  );
  const exit = await run(line.split(' '), context, own);
  return { exit, ...said };
}

const found = (path: string, body = cannedAnswers[path]) =>
  body === undefined
    ? Response.json({ status: 404, code: 'not_found', detail: 'There is none.' }, { status: 404 })
    : Response.json(body);
const friendly: Answer = (path) => found(path);
const evil: Answer = (path) => found(path, spoiled(cannedAnswers[path]));

// eslint-disable-next-line no-control-regex
const controls = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/;
const lines = (text: string) => text.split('\n').length;

describe.each(readingLines)('%s', (line) => {
  test('shows texts with control characters on as many lines, and with the same exit code', async () => {
    const [good, bad] = [await ask(line, friendly), await ask(line, evil)];
    expect(good.stderr).not.toContain('unexpected');
    expect(bad.stdout + bad.stderr).not.toMatch(controls);
    expect([bad.exit, lines(bad.stdout), lines(bad.stderr)]).toEqual([
      good.exit,
      lines(good.stdout),
      lines(good.stderr),
    ]);
  });

  test('on a terminal sends no control character of the server', async () => {
    const { exit, stdout, stderr } = await ask(line, evil, 60);
    expect(exit).toBe((await ask(line, friendly, 60)).exit);
    expect(stdout + stderr).not.toMatch(controls);
  });

  test('writes JSON and YAML that programs read, with escaped control characters', async () => {
    const readers: Record<string, (text: string) => unknown> = { json: JSON.parse, yaml: parse };
    for (const [format, read] of Object.entries(readers)) {
      const { stdout } = await ask(`${line} -o ${format}`, evil);
      expect(stdout).not.toMatch(controls);
      expect(read(stdout)).toEqual(expect.anything());
    }
  });
});

const listing = readingLines.filter((line) =>
  / list$|^ls$|^alerts deliveries$|^status$|^usage$|^billing plans$/.test(line),
);
test.each(listing)('%s fits any terminal that can hold its columns', async (line) => {
  const long: Answer = (path) =>
    found(
      path,
      JSON.parse(JSON.stringify(cannedAnswers[path] ?? null).replaceAll('Shop', `Shop ${'短い'.repeat(60)}`)) ??
        undefined,
    );
  for (const columns of [90, 120, 200]) {
    const { stdout } = await ask(line, long, columns);
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
  ['an empty answer', () => new Response(''), /(?:JSON|a list) was expected/],
  [
    'half an answer',
    () => new Response('[{"id":"mon_1"', { headers: { 'content-type': 'application/json' } }),
    /(?:JSON|a list) was expected/,
  ],
  [
    'a redirect to another host',
    () => new Response(null, { status: 302, headers: { location: 'https://elsewhere.example/\u0009x' } }),
    /returned 302 .*, which is not followed/,
  ],
  ['an error without words', () => new Response(null, { status: 418 }), /418/],
])('%s', (_, answer, sentence) => {
  test.each(readingLines.filter((line) => line !== 'doctor'))('makes %s fail with a sentence', async (line) => {
    const { exit, stdout, stderr } = await ask(line, answer);
    expect(exit).toBe(1);
    expect(stderr).toMatch(sentence);
    expect(stderr).not.toContain('unexpected:');
    expect(stdout + stderr).not.toMatch(controls);
  });

  test('makes doctor name the server', async () => {
    const { exit, stdout } = await ask('doctor', answer);
    expect(exit).toBe(1);
    expect(stdout).toMatch(/^failed {3}server {4}/m);
  });
});
