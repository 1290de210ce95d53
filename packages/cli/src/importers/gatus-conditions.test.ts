import { describe, expect, test } from 'vitest';
import { createCollection } from './collection.ts';
import { conditionFields } from './gatus-conditions.ts';

/**
 * The `expectedStatus` of an endpoint without a condition about the status. Gatus then accepts all codes. The codes of
 * redirects are left out, because checks here follow redirects.
 */
const anyStatus = '200-299,400-599';

/**
 * Converts conditions to fields. Returns the fields, and the notes about the conditions. Leaves out `expectedStatus` if
 * it equals `anyStatus`.
 */
function read(conditions: string[], type = 'http') {
  const into = createCollection();
  const { expectedStatus, ...fields } = conditionFields(conditions, 'Shop', type, into);
  const notes = into.notes.map(({ level, about, text }) => `${level} ${about}: ${text}`);
  const isGiven = expectedStatus !== undefined && expectedStatus !== anyStatus;
  return { fields: { ...fields, ...(isGiven && { expectedStatus }) }, notes };
}

test.each([
  ['http', [], anyStatus],
  ['http', ['[BODY] == pat(*ok*)'], anyStatus],
  ['http', ['[STATUS] == 500'], '500'],
  ['http', ['[STATUS] != 500'], '200-299,400-499,501-599'],
  ['http', ['[STATUS] >= 200', '[STATUS] < 300'], '200-299'],
  ['http', ['[STATUS] > 399', '[STATUS] != 404', '[STATUS] <= 499'], '400-403,405-499'],
  ['http', ['[STATUS] == any(200, 503)', '[STATUS] < 500'], '200'],
  // A condition about the status prevents the default `anyStatus`, even if the condition itself cannot be imported.
  ['http', ['[STATUS] == pat(2*)'], undefined],
  ['http', ['[STATUS] > 599'], undefined],
  ['dns', [], undefined],
])('a monitor of type %s with %j expects the status %s', (type, conditions, expected) => {
  expect(conditionFields(conditions, 'Shop', type, createCollection())['expectedStatus']).toBe(expected);
});

describe('a condition that corresponds to a field', () => {
  test.each([
    ['[STATUS] == 200', { expectedStatus: '200' }],
    ['[STATUS] == any(200, 204, 301)', { expectedStatus: '200,204,301' }],
    ['[STATUS] < 300', { expectedStatus: '200-299' }],
    ['[STATUS] <= 299', { expectedStatus: '200-299' }],
    ['  [STATUS] == 200  ', { expectedStatus: '200' }],
    ['[BODY] == pat(*"status":"ok"*)', { bodyContains: '"status":"ok"' }],
    ['[CONNECTED] == true', {}],
  ])('the condition %s becomes %j, without a note', (condition, fields) => {
    expect(read([condition])).toEqual({ fields, notes: [] });
  });

  test.each([
    ['[RESPONSE_TIME] < 1000', { timeout: 1 }, 'changed'],
    ['[RESPONSE_TIME] <= 2500', { timeout: 2 }, 'changed'],
    ['[RESPONSE_TIME] < 500000', { timeout: 120 }, 'changed'],
    ['[CERTIFICATE_EXPIRATION] > 48h', { sslExpiryThreshold: 2 }, 'better'],
    ['[CERTIFICATE_EXPIRATION] >= 1h', { sslExpiryThreshold: 1 }, 'better'],
    ['[DOMAIN_EXPIRATION] > 720h', { domainExpiryThreshold: 30 }, 'better'],
  ])('the condition %s becomes %j, and a note says what differs', (condition, fields, level) => {
    const found = read([condition]);
    expect(found.fields).toEqual(fields);
    expect(found.notes).toHaveLength(1);
    expect(found.notes[0]).toMatch(new RegExp(`^${level} Shop: `));
  });

  test('several conditions become one set of fields', () => {
    expect(read(['[STATUS] == 200', '[BODY] == pat(*ok*)', '[CONNECTED] == true']).fields).toEqual({
      bodyContains: 'ok',
      expectedStatus: '200',
    });
  });
});

describe('a condition that corresponds to no field', () => {
  test.each([
    '[BODY].user.name == john',
    '[BODY] == pat(*a*b*)',
    'len([BODY].items) > 0',
    '[IP] == 127.0.0.1',
    '[RESPONSE_TIME] < 200',
    '[CERTIFICATE_EXPIRATION] < 48h',
    '[CONNECTED] == false',
    '',
  ])('the condition %j becomes a note, so the user learns that the condition is lost', (condition) => {
    expect(read([condition])).toEqual({
      fields: {},
      notes: [`lost Shop: ${condition}: there is no such condition here`],
    });
  });

  test('a second condition for the same field becomes a note, because a field has only one value', () => {
    const { fields, notes } = read(['[STATUS] == 200', '[STATUS] == 204', '[STATUS] < 300']);
    expect(fields).toEqual({ expectedStatus: '200' });
    expect(notes).toEqual(['lost Shop: [STATUS] == 204: there is no such condition here']);
    expect(read(['[STATUS] == 200', '[STATUS] > 300']).notes).toEqual([
      'lost Shop: [STATUS] > 300: no status can satisfy this condition here',
    ]);
  });
});

test('a condition sets its field only in types of monitor that have this field', () => {
  expect(read(['[BODY] == 192.0.2.1', '[DNS_RCODE] == NOERROR'], 'dns')).toEqual({
    fields: { expectedValue: '192.0.2.1' },
    notes: [],
  });
  expect(read(['[BODY] == 192.0.2.1', '[DNS_RCODE] == NOERROR'], 'http').notes).toHaveLength(2);
  expect(read(['[STATUS] == 200', '[CERTIFICATE_EXPIRATION] > 48h'], 'tcp').notes).toHaveLength(2);
});
