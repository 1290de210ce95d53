import { expect, test } from 'vitest';
import { validateAlertRule, validateChannel, validateMonitor, validateStatusPage } from './index.ts';
import { incidentInput } from './incidents.ts';
import { projectInput } from './projects.ts';
import { validate } from './validate.ts';

const good = ['a', 'Käse 🧀', '❤️ home', '👨‍👩‍👧 family', '👩🏽‍💻', 'می‌خواهم', 'क्‍ष', 'zwei Wörter', 'a'.repeat(200)];
const bad: [string, string][] = [
  ['nothing', ''],
  ['blanks', '   '],
  ['no-break blanks', '\u00a0\u3000'],
  ['a blank braille character', '\u2800'],
  ['a zero-width space', 'a\u200bb'],
  ['only a zero-width space', '\u200b'],
  ['a joiner between letters', 'a\u200db'],
  ['a zero-width joiner at the end', 'a\u200d'],
  ['a non-joiner between letters', 'a\u200cb'],
  ['a word joiner', 'a\u2060b'],
  ['a byte order mark', '\ufeffa'],
  ['a soft hyphen', 'a\u00adb'],
  ['a filler', '\u3164'],
  ['a right-to-left override', 'a\u202eb'],
  ['a left-to-right embedding', 'a\u202ab'],
  ['an isolate', 'a\u2067b'],
  ['a right-to-left mark', 'a\u200fb'],
  ['a tag', 'a\u{e0041}b'],
  ['a line break', 'a\nb'],
  ['half a surrogate pair', 'a\ud800b'],
];

/** Every field that must be one line of text. */
const fields: Record<string, (text: string) => { ok: boolean }> = {
  'name of a monitor': (name) => validateMonitor({ type: 'heartbeat', name }),
  'label name': (label) => validateMonitor({ type: 'heartbeat', name: 'x', labels: { [label.slice(0, 60)]: 'x' } }),
  'name of a channel': (name) => validateChannel({ type: 'email', name, config: { address: 'a@b.example' } }),
  'chat of a channel': (chatId) => validateChannel({ type: 'telegram', name: 'x', config: { botToken: 't', chatId } }),
  'name of a rule': (name) => validateAlertRule({ name, monitorIds: [], channelIds: [] }),
  'name of a page': (name) => validateStatusPage({ name, slug: 'x' }),
  'title of an incident': (title) => validate(incidentInput, { title }),
  'name of a project': (name) => validate(projectInput, { name }),
};

test.each(Object.entries(fields))('the field "%s" accepts only visible text', (_field, validated) => {
  for (const text of good) expect(validated(text).ok, text).toBe(true);
  for (const [what, text] of bad) expect(validated(text).ok, what).toBe(false);
});

test('the value of a label may be empty, and must be one line of visible text', () => {
  const label = (value: string) => validateMonitor({ type: 'heartbeat', name: 'x', labels: { team: value } }).ok;
  expect(label('')).toBe(true);
  expect(label('Käse')).toBe(true);
  for (const text of ['a\nb', 'a\u202eb', 'a\u200bb', 'a\ud800']) expect(label(text), text).toBe(false);
});

test('no field accepts half a surrogate pair', () => {
  const paths = (input: object) => {
    const parsed = validateMonitor({ type: 'http', name: 'x', url: 'http://localhost/', ...input });
    return parsed.ok ? [] : parsed.faults.map(({ path }) => path);
  };
  expect(paths({ bodyContains: 'a\udc00' })).toEqual(['bodyContains']);
  expect(paths({ description: '\ud800' })).toEqual(['description']);
  expect(paths({ body: '\ud83d' })).toEqual(['body']);
  expect(paths({ name: '\ud800' })).toEqual(['name']);
  expect(paths({ body: '😀' })).toEqual([]);
  expect(validate(incidentInput, { title: 'x', message: '\ud800' })).toMatchObject({ ok: false });
});

test('a monitor cannot have both the method HEAD and bodyContains', () => {
  const head = { type: 'http', name: 'x', url: 'http://localhost/', method: 'HEAD', bodyContains: 'ok' };
  const parsed = validateMonitor(head);
  expect(parsed.ok ? [] : parsed.faults.map(({ path }) => path)).toEqual(['bodyContains']);
  const faulty = validateMonitor({ ...head, port: 5 });
  expect(faulty.ok ? [] : faulty.faults.map(({ path }) => path)).toEqual(['bodyContains', 'port']);
  expect(validateMonitor({ ...head, bodyContains: null }).ok).toBe(true);
});
