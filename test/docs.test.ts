import { execFile, execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { createContext, run } from '@uptime/cli';
import { createTestDaemon } from '../packages/daemon/src/testing/test-daemon.ts';
import { helpTexts } from '../packages/cli/src/stored-help/help-texts.ts';
import { textSink } from './text-sink.ts';

const root = resolve(import.meta.dirname, '..');
const pages = [
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  ...readdirSync(join(root, 'docs')).map((name) => `docs/${name}`),
];

test.each(pages)('every link of %s to another file leads to a file that exists', (page) => {
  const links = [...read(page).matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, link]) => (link ? [link] : []));
  const dead = links
    .filter((link) => !/^https?:/.test(link))
    .filter((link) => !existsSync(join(root, dirname(page), link.split('#')[0] ?? '')));
  expect(dead).toEqual([]);
});

test('every npm script that the docs mention exists', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  const named = pages.flatMap((page) => [...read(page).matchAll(/npm run ([a-z:]+)/g)].map(([, name]) => name ?? ''));
  expect(named.filter((name) => !(name in scripts))).toEqual([]);
});

/** The commands in the shell blocks of a page, one a line, without comments. */
const commandsOf = (page: string): string[] =>
  [...read(page).matchAll(/^ *```sh\n([\s\S]*?)^ *```/gm)]
    .flatMap(([, block = '']) => block.replaceAll(/\\\n\s*/g, '').split(/\n|&&|\|\|?|;/))
    .map((line) => line.replace(/(^|\s)#.*/, '').replace(/^\s*(?:\w+=\S+\s+)*/, ''));

test.each(pages)('every `uptime` command in %s exists, with its flags', (page) => {
  const help = helpTexts();
  const isGroup = (path: string) => Object.keys(help).some((one) => one.startsWith(`${path} `));
  const wrong = commandsOf(page)
    .filter((command) => /^uptime (?!-)/.test(command))
    .filter((command) => {
      // The words after `--` are the command of another program, which `uptime` starts.
      const words = command.split(' -- ')[0]!.trim().split(/\s+/).slice(1);
      const paths = words.map((_, at) => words.slice(0, words.length - at).join(' '));
      const path = paths.find((one) => one in help);
      const flags = words.filter((word) => /^--[a-z]/.test(word)).map((word) => word.replace(/=.*/, ''));
      return path === undefined || isGroup(path) || flags.some((flag) => !`${help[path]}${help['']}`.includes(flag));
    });
  expect(wrong).toEqual([]);
});

test.each(pages)('no line of a shell block in %s begins with a flag', (page) => {
  expect(commandsOf(page).filter((command) => /^--?\w/.test(command))).toEqual([]);
});

// The names of the packages are not registered at npm. So anyone could register them, and steal the API keys of people
// who install such a package.
test('no text tells readers to install a package of this project from a registry', () => {
  const files = execFileSync(
    'git',
    ['ls-files', '*.md', '*.ts', '*.mjs', '*.yml', '*.yaml', '*.sh', '*.json', '*.txt'],
    {
      cwd: root,
      encoding: 'utf8',
    },
  )
    .trim()
    .split('\n')
    .filter((file) => existsSync(join(root, file)) && file !== 'test/docs.test.ts');
  const fromRegistry =
    /(?:npx|npm (?:i|install|exec|x)|pnpm|yarn|bunx|unpkg\.com|jsdelivr\.net|esm\.sh)\b[^\n`]*[ /]@uptime\//;
  expect(files.filter((file) => fromRegistry.test(read(file)))).toEqual([]);
});

test('the manifest and the code of the README run unchanged', async () => {
  const daemon = await createTestDaemon({ runCheck: async () => quiet });
  mkdirSync(join(root, 'dist'), { recursive: true });
  // The folder is inside the repository, because Node finds `@uptime/sdk` only there.
  const folder = mkdtempSync(join(root, 'dist', '.readme-'));
  onTestFinished(async () => {
    await daemon.close();
    rmSync(folder, { recursive: true, force: true });
  });

  writeFileSync(join(folder, 'monitors.yaml'), block('yaml'));
  const sink = textSink();
  const env = { UPTIME_SITE_URL: daemon.url, UPTIME_API_KEY: daemon.apiKey, UPTIME_CONFIG_DIR: folder };
  const context = createContext({ stdin: Readable.from([]), stdout: sink, stderr: sink, env, cwd: folder });
  // The monitors are created one by one, because the code of the README prints them in the order of their creation.
  const applied = await run(['monitors', 'apply', '-f', 'monitors.yaml', '--yes', '--concurrency', '1'], context);
  expect(applied, sink.text()).toBe(0);

  const snippet = block('ts').replace('http://127.0.0.1:3000', daemon.url);
  expect(snippet).toContain(daemon.url);
  writeFileSync(join(folder, 'snippet.ts'), snippet);
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--conditions=x-source', join(folder, 'snippet.ts')],
    { env },
  );
  expect(stdout.split('\n').map((line) => line.split(' ')[0])).toEqual(['Shop', 'nightly-backup', 'Shop', '']);
});

const quiet = {
  verdict: 'up' as const,
  error: null,
  responseTime: 1,
  statusCode: 200,
  timings: null,
  certificate: null,
  trace: [],
};

const read = (page: string) => readFileSync(join(root, page), 'utf8');

/** Returns the first code block of a language in the README. */
function block(language: string): string {
  const text = read('README.md').split(`\`\`\`${language}\n`)[1]?.split('```')[0];
  if (text === undefined) throw new Error(`The README has no ${language} block.`);
  return text;
}
