import { expect, test } from 'vitest';
import type { CheckOutcome } from '@uptime/daemon/checks';
import { redact } from './redact.ts';

const outcome = (message: string | null, ...events: string[]): CheckOutcome => ({
  verdict: message === null ? 'up' : 'down',
  responseTime: 5,
  statusCode: null,
  error: message === null ? null : { code: 'connect_refused', message },
  timings: null,
  trace: events.map((event, at) => ({ at, event })),
  certificate: null,
});
const hidden = '(from the environment)';
const hidesAll = () => true;

test('the value of an environment variable is removed from the error and from each step of the trace', () => {
  const given = { headers: { 'X-Token': 'hush-hush' } };
  const redacted = redact(outcome('hush-hush was refused', 'send hush-hush', 'end hush-hushhush-hush'), {
    given,
    hides: (path) => path === 'headers.X-Token',
  });
  expect(redacted.error?.message).toBe(`${hidden} was refused`);
  expect(redacted.trace.map(({ event }) => event)).toEqual([`send ${hidden}`, `end ${hidden}${hidden}`]);
});

test('an address is removed both as the manifest writes it and in its normalized form', () => {
  const given = { url: 'HTTPS://Shop.example.com' };
  const redacted = redact(outcome(null, 'GET HTTPS://Shop.example.com', 'GET https://shop.example.com/'), {
    given,
    hides: hidesAll,
  });
  expect(redacted.trace.map(({ event }) => event)).toEqual([`GET ${hidden}`, `GET ${hidden}`]);
});

test('the host of an address is removed, both with and without its port', () => {
  const given = { url: 'https://shop.example.com:8443/x' };
  const message = 'shop.example.com does not exist; connect to shop.example.com:8443';
  expect(redact(outcome(message), { given, hides: hidesAll }).error?.message).toBe(
    `${hidden} does not exist; connect to ${hidden}`,
  );
});

test('redact leaves an outcome unchanged if its error and its trace contain no hidden value', () => {
  const before = outcome('refused by Shop', 'connect to Shop');
  expect(redact(before, { given: { name: 'Shop', url: 'http://h/' }, hides: (path) => path === 'url' })).toEqual(
    before,
  );
  expect(redact(before, { given: { name: 'Shop' }, hides: () => false })).toBe(before);
});

test('a hidden value of three characters is not removed, because other words may contain it', () => {
  const given = { body: 'ref', bodyContains: 'used' };
  expect(redact(outcome('refused'), { given, hides: hidesAll }).error?.message).toBe(`ref${hidden}`);
});

test('redact calls `hides` with the path of each entry of a list or map', () => {
  const seen: string[] = [];
  redact(outcome('x'), {
    given: { regions: ['eu-west'], labels: { a: { b: 'text' } } },
    hides: (path) => !seen.push(path),
  });
  expect(seen).toEqual(['regions.0', 'labels.a.b']);
});
