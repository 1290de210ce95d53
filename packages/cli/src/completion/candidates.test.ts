import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { commands } from '../commands/index.ts';
import { createProgram } from '../program.ts';
import { recordedContext } from '../testing/recorded-context.ts';
import { type Candidates, candidatesFor } from './candidates.ts';

const program = createProgram(commands, recordedContext().context, () => undefined);
const follow = (...words: string[]) => candidatesFor(program, words);
const words = (found: Candidates) => (found.kind === 'words' ? found.words : found.kind);

describe('the candidates after a line', () => {
  test.each<[string[], Candidates]>([
    [['monitors', 'get', ''], { kind: 'names', of: 'monitors', listed: false }],
    [['ping', ''], { kind: 'names', of: 'heartbeats', listed: false }],
    [['exec', ''], { kind: 'names', of: 'heartbeats', listed: false }],
    [['channels', 'test', ''], { kind: 'names', of: 'channels', listed: false }],
    [['pages', 'open', ''], { kind: 'names', of: 'pages', listed: false }],
    [['rules', 'create', '--monitors', ''], { kind: 'names', of: 'monitors', listed: true }],
    [['rules', 'create', '--channel', ''], { kind: 'names', of: 'channels', listed: false }],
    [['maintenance', 'start', '--monitors=a'], { kind: 'names', of: 'monitors', listed: true, lead: '--monitors=' }],
    [['maintenance', 'start', '--nonsense=a'], { kind: 'words', words: [] }],
    [['apply', '--out=a'], { kind: 'files', lead: '--out=' }],
    [['rules', 'get', ''], { kind: 'names', of: 'rules', listed: false }],
    [['incidents', 'get', ''], { kind: 'names', of: 'incidents', listed: false }],
    [['maintenance', 'end', ''], { kind: 'names', of: 'windows', listed: false }],
    [['monitors', 'stats', 'a', '--to', ''], { kind: 'words', words: [] }],
    [['monitors', 'wait', 'a', 'b', ''], { kind: 'names', of: 'monitors', listed: false }],
    [['apply', '-f', ''], { kind: 'files' }],
    [['apply', '--out', ''], { kind: 'files' }],
    [['import', 'kuma', ''], { kind: 'files' }],
    [['exec', 'job', '--', ''], { kind: 'files' }],
    [['exec', 'job', '--', 'echo', '--x'], { kind: 'files' }],
    [['monitors', 'get', 'a', ''], { kind: 'words', words: [] }],
    [['monitors', 'get', '--profile', ''], { kind: 'profiles' }],
    [['monitors', 'get', '--api-key', ''], { kind: 'words', words: [] }],
    [['monitors', 'list', '--status', ''], { kind: 'words', words: ['down', 'pending', 'up', 'paused'] }],
    [['--profile', 'work', 'completion', ''], { kind: 'words', words: ['bash', 'zsh', 'fish'] }],
    [['monitors', 'list', '--json', '-o', ''], { kind: 'words', words: ['table', 'json', 'yaml'] }],
    [['apply', '-o', ''], { kind: 'words', words: ['text', 'json', 'yaml', 'markdown', 'github', 'gitlab'] }],
    [['keys', 'create', '--scope=read', '--name', 'x', ''], { kind: 'words', words: [] }],
    [['nonsense', ''], { kind: 'words', words: expect.arrayContaining(['monitors', 'apply']) as string[] }],
  ])('the candidates after the line %j are %j', (line, expected) => {
    expect(follow(...line)).toEqual(expected);
  });

  test('the candidates include the flags of the command and the flags that all commands have, without hidden flags', () => {
    const flags = words(follow('monitors', 'create', '--'));
    expect(flags).toEqual(expect.arrayContaining(['--name', '--label', '--profile', '--verbose', '--help']));
    for (const hidden of ['--labels', '--no-paused']) expect(flags).not.toContain(hidden);
  });

  test('the candidates after a noun such as `monitors` are its verbs, each once', () => {
    const verbs = words(follow('monitors', '')) as string[];
    expect(verbs).toEqual([...new Set(verbs)]);
    expect(verbs).toEqual(expect.arrayContaining(['list', 'get', 'create', 'update', 'delete', 'wait', 'watch']));
  });
});

test('each word of every command is a candidate after the words before it', () => {
  for (const { path, aliases = [] } of commands) {
    for (const line of [path, ...aliases].map((one) => one.split(' ')))
      line.forEach((word, i) => expect(words(follow(...line.slice(0, i), ''))).toContain(word));
  }
});

test('candidatesFor returns a result for every line, and never changes the tree of commands', () => {
  const word = fc.constantFrom(
    'monitors',
    'get',
    'apply',
    '-f',
    '--monitors',
    '--label=x',
    '=',
    '--',
    '-',
    '',
    'a,b',
    '-o',
    'exec',
    '--no-x',
    '__proto__',
    'constructor',
  );
  fc.assert(
    fc.property(fc.array(word, { maxLength: 6 }), (line) => {
      expect(['words', 'names', 'files', 'profiles']).toContain(follow(...line).kind);
    }),
    { numRuns: 300 },
  );
  expect(words(follow('completion', ''))).toEqual(['bash', 'zsh', 'fish']);
});
