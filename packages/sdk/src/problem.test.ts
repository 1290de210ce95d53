import { describe, expect, test } from 'vitest';
import { errorOf, jsonOf, unexpected } from './problem.ts';

const received = (status: number, text: string, headers: Record<string, string> = {}, statusText = '') => ({
  status,
  statusText,
  headers: new Headers(headers),
  text,
});
const errorFrom = (body: unknown, headers?: Record<string, string>) =>
  errorOf(received(400, JSON.stringify(body), headers, 'Bad Request'), 'GET /x');

describe('the message of an error', () => {
  test.each([
    [
      'the detail of a problem document',
      { detail: 'The name is taken.', message: 'no', error: 'no' },
      'The name is taken.',
    ],
    [
      'the field message of a body in another format',
      { message: 'The name is taken.', error: 'no' },
      'The name is taken.',
    ],
    ['the field error of a body in another format', { error: 'The name is taken.' }, 'The name is taken.'],
    [
      'the status, if the texts are empty',
      { detail: '', message: '', error: '' },
      'GET /x returned 400 Bad Request (no content type).',
    ],
    [
      'the status, if the body has no texts',
      { detail: 1, message: [], error: {} },
      'GET /x returned 400 Bad Request (no content type).',
    ],
  ])('the message of an error is %s', (_, body, message) => expect(errorFrom(body).message).toBe(message));
});

test('the error has the code of a problem document only if the document has a detail', () => {
  expect(errorFrom({ code: 'conflict', detail: 'It is taken.' }).code).toBe('conflict');
  expect(errorFrom({ code: 'conflict' }).code).toBe('unexpected_answer');
  expect(errorFrom({ detail: 'It is taken.' }).code).toBe('unexpected_answer');
  expect(errorFrom({ code: 7, detail: 'It is taken.' }).code).toBe('unexpected_answer');
});

test('the error has the code of the answer, even if this SDK does not know the code', () => {
  expect(errorFrom({ code: 'from_the_future', detail: 'New.' }).code).toBe('from_the_future');
});

test('the request id of the error comes from the body, or else from the header', () => {
  expect(errorFrom({ requestId: 'body' }, { 'x-request-id': 'header' }).requestId).toBe('body');
  expect(errorFrom({}, { 'x-request-id': 'header' }).requestId).toBe('header');
  expect(errorFrom({}).requestId).toBeNull();
});

test('the title of the error comes from the body, or else from the text of the status', () => {
  expect(errorFrom({ title: 'Conflict' }).title).toBe('Conflict');
  expect(errorFrom({}).title).toBe('Bad Request');
  expect(errorOf(received(400, ''), 'GET /x').title).toBe('Unexpected answer');
});

describe('an answer that does not come from the API', () => {
  test.each([
    [
      received(502, '<html>', { 'content-type': 'text/html; charset=utf-8' }, 'Bad Gateway'),
      'GET /x returned 502 Bad Gateway (text/html).',
    ],
    [received(500, ''), 'GET /x returned 500 (no content type).'],
    [
      received(307, '', { location: 'https://h/login?key=secret#top' }, 'Temporary Redirect'),
      'GET /x returned 307 Temporary Redirect to https://h/login, which is not followed: set siteUrl to the final address.',
    ],
    [received(304, ''), 'GET /x returned 304, which is not followed: set siteUrl to the final address.'],
    // A browser hides the status of a redirect.
    [received(0, ''), 'GET /x returned a redirect, which is not followed: set siteUrl to the final address.'],
  ])('the message of the error for answer number %# says what was received', (answer, message) =>
    expect(errorOf(answer, 'GET /x').message).toBe(message),
  );

  test.each([
    [undefined, 'but JSON was expected'],
    [true, 'but a list was expected'],
  ])('the error for the status 200 says whether JSON or a list was expected (list: %s)', (list, words) => {
    const error = unexpected(received(200, '<html>', { 'content-type': 'text/html' }, 'OK'), 'GET /x', list);
    expect(error).toMatchObject({ status: 200, code: 'unexpected_answer', errors: [], retryAfter: null });
    expect(error.message).toBe(`GET /x returned 200 OK (text/html), ${words}: is this the address of the API?`);
  });
});

test.each([
  ['{"a":1}', { a: 1 }],
  ['null', null],
  ['0', 0],
  ['', undefined],
  ['{', undefined],
  ['<html>', undefined],
])('jsonOf reads the text %j as %j', (text, value) => expect(jsonOf(text)).toEqual(value));
