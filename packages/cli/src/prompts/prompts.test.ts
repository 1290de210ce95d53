import { Uptime } from '@uptime/sdk';
import { channelConfigs, incidentInput, monitorInputs } from '@uptime/sdk/contract';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import type { Connection } from '../connection.ts';
import { askFields } from '../commands/init/ask-fields.ts';
import { alertRuleRules } from '../kinds/alert-rule.ts';
import { channelRules } from '../kinds/channel-rules.ts';
import { incidentRules } from '../kinds/incident.ts';
import { statusPageRules } from '../kinds/status-page.ts';
import { type Answer, key, typingContext } from '../testing/typing-context.ts';
import { askField } from './ask-field.ts';
import { confirm } from './confirm.ts';
import { readSecret } from './read-secret.ts';
import { showAudience } from './show-audience.ts';

const { enter, down, space, delete: erase } = key;
const monitors = [
  { id: 'mon_1', name: 'Shop', status: 'up' },
  { id: 'mon_2', name: 'Blog\u001b[2J', status: 'down' },
];

/**
 * Creates a terminal at which a simulated person gives these answers, with a connection to a server that has these
 * lists.
 */
function connected(answers: readonly Answer[], lists: Record<string, unknown> = { '/api/monitors': monitors }) {
  const terminal = typingContext(answers);
  const { io, signal } = terminal.context;
  const fetch: typeof globalThis.fetch = async (input, init) =>
    Response.json(lists[new URL(new Request(input, init).url).pathname] ?? []);
  const client = new Uptime({ siteUrl: 'http://uptime.test', apiKey: 'uptime_0', fetch });
  const connection: Connection = { io, signal, client, context: terminal.context, settings: {} };
  return { ...terminal, connection };
}

describe('the answer for a field', () => {
  test.each<[string, z.ZodType, string, unknown]>([
    ['a text', z.string(), `Shop${enter}`, 'Shop'],
    ['a text of digits', z.string(), `007${enter}`, '007'],
    ['a number', z.int(), `80${enter}`, 80],
    ['a number, without its leading zeros', z.int(), `080${enter}`, 80],
    ['its default', z.int().default(60), enter, 60],
    ['another number than its default', z.int().default(60), `30${enter}`, 30],
    ['its default text', z.string().default('GET'), enter, 'GET'],
    ['an empty text, if the default is empty', z.string().default(''), enter, ''],
    ['an empty text, if the default is null', z.string().nullable().default(null), enter, ''],
    ['an empty text, if the field is optional', z.string().optional(), enter, ''],
  ])('the answer for a field is returned as %s', async (_, schema, keys, value) => {
    const { context, left } = typingContext([['field', keys]]);
    expect(await askField('field', schema, context)).toBe(value);
    expect(left()).toEqual([]);
  });

  test('the answer for a field is requested again until it is valid, and the screen says what is expected', async () => {
    const { shape } = monitorInputs.tcp;
    const { context, screen } = typingContext([
      ['port', `99999${enter}`],
      ['must be a whole number from 1 to 65535', `${erase.repeat(5)}443${enter}`],
    ]);
    expect(await askField('port', shape.port.describe('The port.'), context)).toBe(443);
    expect(screen()).toContain('The port:');
  });

  test('the answer for a field never appears on the screen if the field is secret', async () => {
    const { context, screen } = typingContext([['Token:', `hunter2${enter}`]]);
    expect(await askField('token', z.string().describe('Token.'), context, { secret: true })).toBe('hunter2');
    expect(screen()).not.toContain('hunter2');
    expect(screen()).toContain('*******');
  });

  test('the question for a field that the API masks does not mention the mask', async () => {
    const { userKey } = channelConfigs.pushover.shape;
    expect(userKey.description).toBe('User or group key. Masked when read.');
    const { context } = typingContext([['User or group key:', `key${enter}`]]);
    expect(await askField('userKey', userKey, context)).toBe('key');
  });

  test('after Ctrl-C, askField does not wait for the answer any more', async () => {
    const { context } = typingContext([['field', key.interrupt]]);
    await expect(askField('field', z.string(), context)).rejects.toMatchObject({ name: 'ExitPromptError' });
  });
});

describe('a yes-or-no question', () => {
  const question = { message: 'Sure?', yes: false, next: 'add --yes' };

  test.each([
    ['y', true],
    ['yes', true],
    ['n', false],
    ['', false],
  ])('a yes-or-no question with the answer "%s" lets the command continue: %s', async (keys, goesOn) => {
    const { context } = typingContext([['Sure?', keys + enter]]);
    const answer = confirm(question, context);
    if (goesOn) await answer;
    else await expect(answer).rejects.toMatchObject({ message: 'not confirmed; nothing was changed', exit: 'failed' });
  });

  test('a yes-or-no question is not asked with --yes, or if standard input carries data', async () => {
    const { context, screen } = typingContext([]);
    await confirm({ ...question, yes: true }, context);
    await expect(confirm({ ...question, taken: true }, context)).rejects.toMatchObject({ exit: 'usage' });
    expect(screen()).toBe('');
  });
});

test('on a terminal, readSecret asks for the secret, and hides what the user types', async () => {
  const { context, screen } = typingContext([['Key', `uptime_1${enter}`]]);
  expect(await readSecret({ given: undefined, question: 'Key', what: 'key' }, context)).toBe('uptime_1');
  expect(screen()).not.toContain('uptime_1');
});

describe('channelRules', () => {
  const promptForChannel = (answers: readonly Answer[], fields: object = {}) => {
    const { connection, ...terminal } = connected(answers);
    const given = { fields: { ...fields }, members: {} };
    return { answer: channelRules.ask!(given, connection), ...terminal };
  };

  test('channelRules asks for the type, the name and the required config of a channel, and hides secrets', async () => {
    const webhookUrl = 'https://hooks.slack.com/services/T0/B0/hunter2';
    const { answer, screen } = promptForChannel([
      ['Type of channel', `${down}${enter}`],
      ['Display name', `Ops${enter}`],
      ['Address that the provider gave you:', `${webhookUrl}${enter}`],
    ]);
    const { fields } = await answer;
    expect(fields).toEqual({ name: 'Ops', type: 'slack', config: { webhookUrl } });
    expect(screen()).not.toContain('hunter2');
    expect(channelRules.create({ fields, members: {} })).toMatchObject({ ok: true });
  });

  test('channelRules does not ask for fields that were given', async () => {
    const fields = { type: 'slack', name: 'Ops', config: { webhookUrl: 'https://hooks.slack.com/services/T/B/x' } };
    const { answer, screen } = promptForChannel([], fields);
    expect((await answer).fields).toEqual(fields);
    expect(screen()).toBe('');
  });

  test.each<[string, object, string | undefined, string[]]>([
    ['a field of another type', { config: { address: 'a@b.example' } }, 'slack', ['config.address']],
    ['a new type and a field of that type', { type: 'email', config: { address: 'a@b.example' } }, 'slack', []],
    ['a wrong value', { config: { address: 'nobody' } }, 'email', ['config.address']],
    [
      'a wrong value and a wrong name',
      { name: '', config: { address: 'nobody' } },
      'email',
      ['name', 'config.address'],
    ],
    ['null for a field that the type does not have', { config: { subject: null } }, 'email', ['config.subject']],
    ['a removed entry of a map', { config: { headers: { 'X-A': null } } }, 'webhook', []],
    ['a wrong entry of a map', { config: { headers: { 'X A': 'x' } } }, 'webhook', ['config.headers.X A']],
  ])('channelRules finds the right faults in a change of a channel with %s', (_, patch, type, paths) => {
    const checked = channelRules.update(patch as Record<string, unknown>, type);
    expect(checked.ok ? [] : checked.faults.map(({ path }) => path)).toEqual(paths);
  });

  test('for a field that the type of a channel does not have, channelRules names the flags of this type', () => {
    expect(channelRules.foreign('email')).toBe('is not a field of type email, which has --address');
  });
});

describe('the creation of an alert rule', () => {
  const lists = { '/api/monitors': monitors, '/api/notification-channels': [{ id: 'nc_1', name: 'Ops' }] };

  test('the creation of an alert rule asks for a name, at least one monitor and at least one channel', async () => {
    const { connection, screen, left } = connected(
      [
        ['Display name', `Down${enter}`],
        ['Which monitors does the rule watch?', enter],
        ['At least one choice must be selected', `${down}${space}${enter}`],
        ['Which channels does the rule notify?', `${space}${enter}`],
      ],
      lists,
    );
    const given = await alertRuleRules.ask!({ fields: {}, members: {} }, connection);
    expect(left()).toEqual([]);
    expect(given).toEqual({ fields: { name: 'Down' }, members: { monitors: ['mon_2'], channels: ['nc_1'] } });
    expect(screen()).not.toContain('\u001b[2J');
    expect(alertRuleRules.create(given)).toMatchObject({ ok: true });
  });

  test.each([
    ['monitors', { ...lists, '/api/monitors': [] }, {}, '`uptime monitors create` creates one'],
    ['channels', { ...lists, '/api/notification-channels': [] }, { monitors: ['mon_1'] }, '`uptime channels create`'],
  ])(
    'the creation of an alert rule fails if there are no %s on the server, and the error names the command that creates one',
    async (_, there, members, command) => {
      const { connection } = connected([], there);
      const answer = alertRuleRules.ask!({ fields: { name: 'Down' }, members }, connection);
      await expect(answer).rejects.toThrow(command);
    },
  );
});

describe('the creation of an incident', () => {
  test('the creation of an incident asks for title, message and monitors, and preselects the monitors that are down', async () => {
    const { connection, screen } = connected([
      ['Title, as readers', `Slow${enter}`],
      ['What do you know so far?', enter],
      ['Which monitors does the incident affect?', enter],
    ]);
    const given = await incidentRules.ask!({ fields: {}, members: {} }, connection);
    expect(given).toEqual({ fields: { title: 'Slow', message: '' }, members: { monitors: ['mon_2'] } });
    expect(screen()).toContain('(down)');
    expect(incidentInput.safeParse(given.fields).success).toBe(true);
  });

  test('the creation of an incident does not ask for monitors if the project has none, or if the flags named some', async () => {
    const fields = { title: 'Slow', message: 'A cable is cut.' };
    const empty = connected([], { '/api/monitors': [] });
    expect(await incidentRules.ask!({ fields, members: {} }, empty.connection)).toEqual({ fields, members: {} });
    const members = { monitors: ['shop'] };
    expect(await incidentRules.ask!({ fields, members }, connected([]).connection)).toEqual({ fields, members });
  });
});

test('the creation of a status page asks for name, slug and monitors, and accepts a choice of no monitors', async () => {
  const { connection } = connected([
    ['Display name', `Shop${enter}`],
    ['Last segment', `Not a slug${enter}`],
    ['must be 1 to 63 characters', `${erase.repeat(10)}shop${enter}`],
    ['Which monitors does the page show?', enter],
  ]);
  const given = await statusPageRules.ask!({ fields: {}, members: {} }, connection);
  expect(given).toEqual({ fields: { name: 'Shop', slug: 'shop' }, members: { monitors: [] } });
});

describe('the creation of the first monitor by `uptime init`', () => {
  test('the creation of the first monitor by `uptime init` asks for its type, its required fields, and its interval with the default', async () => {
    const { context, left } = typingContext([
      ['What should the monitor check?', `${down}${enter}`],
      ['Display name', `Name${enter}`],
      ['Domain to query', `shop.example${enter}`],
      ['econds', `30${enter}`],
    ]);
    const fields = await askFields({}, context);
    expect(left()).toEqual([]);
    expect(fields).toEqual({ type: 'dns', name: 'Name', hostname: 'shop.example', interval: 30 });
    expect(monitorInputs[fields['type'] as 'dns'].safeParse(fields)).toMatchObject({ success: true });
  });

  test('the creation of the first monitor by `uptime init` asks only for fields that are missing', async () => {
    const { context, screen } = typingContext([['econds', enter]]);
    const given = { type: 'http', name: 'Shop', url: 'https://shop.example' };
    expect(await askFields(given, context)).toEqual({ ...given, interval: 60 });
    expect(screen()).not.toContain('What should the monitor check?');
  });
});

describe('the list of status pages that will show an incident', () => {
  const pages = [
    { name: 'Public\u001b[2J', url: 'http://uptime.test/status/a', monitorIds: ['mon_1'] },
    { name: 'Partners', url: 'http://uptime.test/status/b', monitorIds: ['mon_2'] },
  ];
  const lists = { '/api/status-pages': pages };

  test.each<[string, string[], string[]]>([
    ['of one monitor contains the pages with that monitor', ['mon_2'], ['Partners']],
    ['of several monitors contains the pages with any of them', ['mon_1', 'mon_2'], ['Public', 'Partners']],
    ['without monitors contains all pages', [], ['Public', 'Partners']],
    ['of a monitor on no page is empty', ['mon_3'], []],
  ])('the list of status pages for an incident %s', async (_, ids, names) => {
    const { connection, screen } = connected([], lists);
    await showAudience(ids, false, connection);
    expect(pages.filter(({ url }) => screen().includes(url)).map(({ name }) => name.replace('\u001b[2J', ''))).toEqual(
      names,
    );
    expect(screen().includes('will not be public')).toBe(names.length === 0);
  });

  test.each([
    ['mon_1', 'Publish it?', 'n', false],
    ['mon_3', 'Create it?', 'n', false],
    ['mon_1', 'Publish it?', '', true],
  ])(
    'an incident of the monitor %s leads to the question "%s", and the answer "%s" creates the incident: %s',
    async (id, question, keys, goesOn) => {
      const { connection } = connected([[question, keys + enter]], lists);
      const answer = showAudience([id], true, connection);
      if (goesOn) await answer;
      else await expect(answer).rejects.toThrow('no incident was created');
    },
  );
});
