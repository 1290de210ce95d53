import { BadRequestError, ConnectionError, ForbiddenError, UnauthenticatedError } from '@uptime/sdk';
import { expect, test } from 'vitest';
import { CliError } from './exit.ts';
import { explain } from './report.ts';

const running = { signal: new AbortController().signal };
const error = { title: 'x', requestId: 'req_1' };

test('an error of the command line says what to do next, and its exit code', async () => {
  const failure = new CliError('no such file', { exit: 'usage', next: 'name another' });
  expect(await explain(failure, running)).toEqual({ message: 'no such file', next: 'name another', exit: 'usage' });
  expect(await explain(new CliError('no'), running)).toMatchObject({ exit: 'failed' });
});

test('a refused credential is unauthorised, and the advice fits', async () => {
  const refused = new UnauthenticatedError({ ...error, status: 401, code: 'unauthenticated', detail: 'Bad key.' });
  const explained = await explain(refused, running);
  expect(explained).toMatchObject({ message: 'Bad key. (HTTP 401, request req_1)', exit: 'unauthorised' });
  expect(explained.next).toContain('uptime login');
  const forbidden = new ForbiddenError({ ...error, status: 403, code: 'forbidden', detail: 'Not yours.' });
  expect(await explain(forbidden, running)).toMatchObject({
    next: '`uptime whoami` shows which key is in use',
    exit: 'unauthorised',
  });
});

test('a fault of the input is reported once, by the sentence of the server', async () => {
  const faults = [{ path: 'size', message: 'is too large' }];
  const detail = 'size is too large';
  const bad = new BadRequestError({ ...error, status: 400, code: 'invalid_request', detail, errors: faults });
  expect(await explain(bad, running)).toEqual({
    message: 'size is too large (HTTP 400, request req_1)',
    exit: 'failed',
  });
});

test('control characters of a server never reach the terminal', async () => {
  const detail = 'Gone\u001b[2J\u0007';
  const bad = new BadRequestError({ ...error, status: 400, code: 'invalid_request', detail });
  expect((await explain(bad, running)).message).toBe('Gone\uFFFD (HTTP 400, request req_1)');
});

test('if the server does not answer, the advice is about the settings', async () => {
  const explained = await explain(new ConnectionError('no answer from http://x', {}), running);
  expect(explained).toMatchObject({ message: 'no answer from http://x', exit: 'failed' });
  expect(explained.next).toContain('uptime whoami');
});

test('Ctrl-C is an interruption, in a request and in a question', async () => {
  const stop = new AbortController();
  stop.abort();
  expect(await explain(new Error('aborted'), stop)).toEqual({ message: 'interrupted', exit: 'interrupted' });
  const promptExit = Object.assign(new Error('User force closed'), { name: 'ExitPromptError' });
  expect(await explain(promptExit, running)).toMatchObject({ exit: 'interrupted' });
});

test('anything else is unexpected, and --verbose is the next step', async () => {
  const expected = { message: 'unexpected: boom', next: 'add --verbose to see where it happened', exit: 'failed' };
  expect(await explain(new Error('boom'), running)).toEqual(expected);
  expect(await explain('boom', running)).toEqual(expected);
});
