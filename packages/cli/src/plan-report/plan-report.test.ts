import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openSession, type Session } from '../testing/session.ts';
import { commandProperty, commandText, fenced, withoutCommands } from './escapes.ts';

/** A name that contains markup, a workflow command, and the end of a block of code. */
const hostile = '```<img src=x onerror=alert(1)> @everyone --> ::error::x ##[error]y, a:b%0A';

const manifest = `monitors:
  - { key: a, name: ${JSON.stringify(hostile)}, type: http, url: "https://a.example/", bodyContains: "\u202Ecod.exe" }
  - { key: b, name: B, type: heartbeat, interval: 60 }
`;

async function open(): Promise<Session> {
  const session = await openSession();
  await session.write('monitors.yaml', manifest);
  await session.uptime('monitors create --key b --name B --type heartbeat --interval 5'.split(' '));
  await session.uptime('monitors create --name Gone --type heartbeat'.split(' '));
  return session;
}

test('the format markdown prints a comment with a hidden marker, in which names stand only in blocks of code', async () => {
  await using session = await open();
  const { stdout, exit } = await session.uptime(['diff', '--prune', '-o', 'markdown']);
  expect(exit).toBe(0);
  const [marker, , headline, , fence, ...lines] = stdout.split('\n');
  expect(marker).toMatch(/^<!-- uptime-plan:[0-9a-f]{16} -->$/);
  expect(headline).toBe('### uptime: Plan: 1 to create, 1 to update, 1 to delete, 0 unchanged');
  expect(fence).toBe('````diff');
  expect(lines.filter((line) => line === '````')).toHaveLength(1);
  expect(lines.find((line) => line.startsWith('!'))).toBe('! update heartbeat "B" (b)');
  expect(stdout).not.toContain('\u202E');
  const dry = await session.uptime(['apply', '--prune', '--dry-run', '-o', 'markdown']);
  expect(dry.stdout.split('\n')[0]).toBe(marker);
  expect(dry.stdout).toContain('Warnings:');
});

test('the comment for a plan of thousands of changes is not too long for GitHub', async () => {
  await using session = await open();
  const items = Array.from({ length: 3000 }, (_, i) => `  - { name: monitor ${i}, type: heartbeat }\n`);
  await session.write('monitors.yaml', `monitors:\n${items.join('')}`);
  const { stdout } = await session.uptime(['apply', '--dry-run', '-o', 'markdown']);
  expect(stdout.length).toBeLessThan(65_000);
  expect(stdout).toMatch(/… and \d+ more changes; the log of the job has all of them\./);
});

test('the format github annotates lines of the manifest and writes the summary, and a name cannot act as a command', async () => {
  await using session = await open();
  session.env['GITHUB_STEP_SUMMARY'] = join(session.cwd, 'summary.md');
  const { stdout, exit } = await session.uptime(['apply', '--prune', '--dry-run', '-o', 'github']);
  expect(exit).toBe(0);
  const commands = stdout.split('\n').filter((line) => /^\s*::|##\[/.test(line));
  expect(
    commands.every((line) => /^::(?:notice|warning) file=monitors\.yaml,line=\d+,col=\d+,title=[^:]*::/.test(line)),
  ).toBe(true);
  expect(
    commands.some((line) =>
      line.startsWith('::notice file=monitors.yaml,line=3,col=5,title=update heartbeat "B" (b)::interval'),
    ),
  ).toBe(true);
  expect(
    commands.some((line) =>
      line.startsWith('::warning file=monitors.yaml,line=1,col=1,title=delete heartbeat "Gone"::'),
    ),
  ).toBe(true);
  expect(await readFile(session.env['GITHUB_STEP_SUMMARY'], 'utf8')).toContain('### uptime: Plan: 1 to create');
});

test('if the summary cannot be written, a warning is printed', async () => {
  await using session = await open();
  session.env['GITHUB_STEP_SUMMARY'] = join(session.cwd, 'missing', 'summary.md');
  const { stderr, exit } = await session.uptime(['apply', '--prune', '--dry-run', '-o', 'github']);
  expect(exit).toBe(0);
  expect(stderr).toMatch(/^warning: the summary of the job could not be written: ENOENT/m);
});

test.each(['apply', 'diff'])('%s annotates a fault of the manifest as an error at its line', async (verb) => {
  await using session = await open();
  await session.write('monitors.yaml', `${manifest}  - { name: C, type: htpp }\n`);
  const { stdout, exit } = await session.uptime([verb, '-o', 'github']);
  expect(exit).toBe(2);
  expect(stdout).toMatch(/^::error file=monitors\.yaml,line=4,col=22,title=fault in the manifest::`type` .*http/m);
  const gitlab = await session.uptime([verb, '-o', 'gitlab']);
  expect(JSON.parse(gitlab.stdout)).toMatchObject([
    { severity: 'blocker', location: { path: 'monitors.yaml', lines: { begin: 4 } }, check_name: 'uptime' },
  ]);
});

test('the format gitlab prints a code quality report with one entry for each change', async () => {
  await using session = await open();
  const { stdout } = await session.uptime(['diff', '--prune', '-o', 'gitlab']);
  const entries = JSON.parse(stdout) as { fingerprint: string; severity: string; location: object }[];
  expect(entries.map(({ severity }) => severity)).toEqual(['info', 'info', 'major']);
  expect(new Set(entries.map(({ fingerprint }) => fingerprint)).size).toBe(3);
});

test('a job that runs in a subfolder prints the paths of files from the root of the repository', async () => {
  await using session = await open();
  await mkdir(join(session.cwd, 'ops'));
  await session.write('ops/monitors.yaml', `${manifest}  - { name: C, type: htpp }\n`);
  const files = ['-f', join(session.cwd, 'ops', 'monitors.yaml')];
  session.env['GITHUB_WORKSPACE'] = session.cwd;
  const run = async (...words: string[]) => (await session.uptime(words)).stdout;
  expect(await run('diff', '-o', 'github', ...files)).toContain('::error file=ops/monitors.yaml,line=4,');
  expect(JSON.parse(await run('diff', '-o', 'gitlab', ...files))).toMatchObject([
    { location: { path: 'ops/monitors.yaml' } },
  ]);
  await session.write('monitors.yaml', manifest);
  const markers = [await run('diff', '-o', 'markdown'), await run('diff', '-o', 'markdown', '-f', './monitors.yaml')];
  expect(markers[0]).toBe(markers[1]);
});

test('a job of a pull request writes one comment, and later runs update that comment', async () => {
  await using session = await open();
  const comments: { id: number; body: string; user: { type: string } }[] = [];
  const seen: string[] = [];
  const forge = createServer((request, response) => void answer(request, response));
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    seen.push(`${request.method} ${request.url} ${request.headers.authorization}`);
    const { body } = (chunks.length > 0 ? JSON.parse(Buffer.concat(chunks).toString()) : {}) as { body: string };
    if (request.method === 'POST') comments.push({ id: comments.length, body, user: { type: 'Bot' } });
    if (request.method === 'PATCH') comments[Number(request.url?.split('/').at(-1))]!.body = body;
    response
      .setHeader('content-type', 'application/json')
      .end(JSON.stringify(request.method === 'GET' ? comments : {}));
  };
  await new Promise<void>((resolve) => void forge.listen(0, '127.0.0.1', resolve));
  const onGithub: typeof fetch = (input, init) =>
    new URL(input as string).hostname === '127.0.0.1' ? fetch(input, init) : session.server.fetch(input, init);
  Object.assign(session.env, {
    GITHUB_TOKEN: 'of-the-job',
    GITHUB_REPOSITORY: 'ada/shop',
    GITHUB_REF: 'refs/pull/7/merge',
    GITHUB_API_URL: `http://127.0.0.1:${(forge.address() as AddressInfo).port}`,
  });
  const plan = () => session.uptime(['apply', '--dry-run', '-o', 'github'], { fetch: onGithub });
  expect(await plan()).toMatchObject({ exit: 0 });
  const [first] = comments;
  // A person posts a copy of the comment. The job did not write that copy, so the job must not change it.
  comments.unshift({ id: 9, body: first!.body, user: { type: 'User' } });
  comments.reverse();
  await session.write('monitors.yaml', 'monitors: []\n');
  expect(await plan()).toMatchObject({ exit: 0 });
  expect(comments.map(({ body }) => body.includes('Nothing to do'))).toEqual([true, false]);
  expect(seen.filter((line) => !line.startsWith('GET'))).toEqual([
    'POST /repos/ada/shop/issues/7/comments Bearer of-the-job',
    'PATCH /repos/ada/shop/issues/comments/0 Bearer of-the-job',
  ]);
  await new Promise((resolve) => void forge.close(resolve));
  const refused = await plan();
  expect(refused).toMatchObject({ exit: 0 });
  expect(refused.stderr).toContain('the comment on the pull request could not be written');
});

test('text is escaped for a block of code, for the message and properties of a workflow command, and for the log of GitHub Actions', () => {
  expect(fenced('a ```` b', 'diff')).toBe('`````diff\na ```` b\n`````');
  expect(commandText('50%\nx\r')).toBe('50%25%0Ax%0D');
  expect(commandProperty('a:b,c')).toBe('a%3Ab%2Cc');
  expect(withoutCommands('  ::set-output::x\n##[error]y')).not.toMatch(/^\s*::|##\[/m);
});
