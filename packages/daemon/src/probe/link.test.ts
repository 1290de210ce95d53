import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLink, Refused } from './link.ts';

let server: Server;
let answer: { status: number; body: string; headers: Record<string, string> };
beforeAll(async () => {
  server = createServer((_, response) => response.writeHead(answer.status, answer.headers).end(answer.body));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => new Promise<void>((resolve) => void server.close(() => resolve())));

/** Returns the error of a call to a server that gives this answer. */
async function refusal(status: number, body: string, headers: Record<string, string> = {}): Promise<Refused> {
  answer = { status, body, headers };
  const link = createLink({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, token: 't' });
  const call = { protocol: 2, probe: 'a'.repeat(16), run: null, results: [] };
  const error = await link.sendResults(call, new AbortController().signal).catch((thrown: unknown) => thrown);
  if (!(error instanceof Refused)) throw new Error('The call was not refused.', { cause: error });
  return error;
}
const problem = (code: string) => JSON.stringify({ code, detail: 'Refused.' });

test('a token counts as revoked only if the server itself says so, and not if a proxy returns 401', async () => {
  expect(await refusal(401, problem('unauthenticated'))).toMatchObject({ isRevoked: true, isFinal: true });
  for (const body of ['<html>Log in</html>', '{}', '{"detail":"Log in"}'])
    expect(await refusal(401, body)).toMatchObject({ isRevoked: false, isFinal: false });
});

test('a refusal is final if the protocol is too new or the name is in use, but not if the server is overloaded', async () => {
  expect(await refusal(409, problem('conflict'))).toMatchObject({ isRevoked: false, isFinal: true });
  expect(await refusal(409, '<html></html>')).toMatchObject({ isFinal: false });
  expect(await refusal(503, problem('unavailable'))).toMatchObject({ isFinal: false, message: 'Refused.' });
});

test('a refusal is about the results only if the server itself names a fault in them, or says that they are too large', async () => {
  const invalid = (path: string) =>
    JSON.stringify({ code: 'invalid_request', detail: 'Not valid.', errors: [{ path, message: 'is wrong' }] });
  for (const path of ['results', 'results.0.at']) {
    expect(await refusal(400, invalid(path))).toMatchObject({ isAboutResults: true });
  }
  expect(await refusal(413, problem('payload_too_large'))).toMatchObject({ isAboutResults: true, isTooLarge: true });
  for (const body of ['<html>Bad request</html>', '{}', problem('invalid_request'), invalid(''), invalid('probe')])
    expect(await refusal(400, body)).toMatchObject({ isAboutResults: false, isTooLarge: false });
  expect(await refusal(413, '<html></html>')).toMatchObject({ isAboutResults: false, isTooLarge: true });
});

test('a refusal says how long to wait, and a wait of more than 15 s is cut to 15 s', async () => {
  const wait = async (headers: Record<string, string>) =>
    (await refusal(429, problem('rate_limited'), headers)).retryAfterMs;
  expect(await wait({ 'retry-after': '2' })).toBe(2000);
  expect(await wait({ 'retry-after': '86400' })).toBe(15_000);
  expect(await wait({ 'retry-after': 'Fri, 27 Nov 2026 09:00:00 GMT' })).toBe(null);
  expect(await wait({})).toBe(null);
});
