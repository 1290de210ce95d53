import { BadRequestError, ConnectionError, ForbiddenError, UnauthenticatedError } from '@uptime/sdk';
import { expect, test } from 'vitest';
import { CliError } from './exit.ts';
import { explain } from './report.ts';

const running = { signal: new AbortController().signal };
const error = { title: 'x', requestId: 'req_1' };

test('explain returns the advice and the exit code of a CliError', async () => {
  const failure = new CliError('no such file', { exit: 'usage', next: 'name another' });
  expect(await explain(failure, running)).toEqual({ message: 'no such file', next: 'name another', exit: 'usage' });
  expect(await explain(new CliError('no'), running)).toMatchObject({ exit: 'failed' });
});

test('for a refused credential, the run ends as `unauthorised`, and the advice depends on the error', async () => {
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

test('a fault of the input is reported only once, with the sentence of the server', async () => {
  const faults = [{ path: 'size', message: 'is too large' }];
  const detail = 'size is too large';
  const bad = new BadRequestError({ ...error, status: 400, code: 'invalid_request', detail, errors: faults });
  expect(await explain(bad, running)).toEqual({
    message: 'size is too large (HTTP 400, request req_1)',
    exit: 'failed',
  });
});

test('explain removes control characters from the message of a server', async () => {
  const detail = 'Gone\u001b[2J\u0007';
  const bad = new BadRequestError({ ...error, status: 400, code: 'invalid_request', detail });
  expect((await explain(bad, running)).message).toBe('Gone\uFFFD (HTTP 400, request req_1)');
});

test('if the server does not answer, the advice is about the settings', async () => {
  const explained = await explain(new ConnectionError('no answer from http://x', {}), running);
  expect(explained).toMatchObject({ message: 'no answer from http://x', exit: 'failed' });
  expect(explained.next).toContain('uptime whoami');
});

test('Ctrl-C ends the run as `interrupted`, during a request and during a question', async () => {
  const stop = new AbortController();
  stop.abort();
  expect(await explain(new Error('aborted'), stop)).toEqual({ message: 'interrupted', exit: 'interrupted' });
  const promptExit = Object.assign(new Error('User force closed'), { name: 'ExitPromptError' });
  expect(await explain(promptExit, running)).toMatchObject({ exit: 'interrupted' });
});

test('any other error is reported as unexpected, with the advice to add --verbose', async () => {
  const expected = { message: 'unexpected: boom', next: 'add --verbose to see where it happened', exit: 'failed' };
  expect(await explain(new Error('boom'), running)).toEqual(expected);
  expect(await explain('boom', running)).toEqual(expected);
});
