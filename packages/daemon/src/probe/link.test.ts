import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLink, Refused } from './link.ts';

let server: Server;
let answer: { status: number; body: string };
beforeAll(async () => {
  server = createServer((_, response) => response.writeHead(answer.status).end(answer.body));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => new Promise<void>((resolve) => void server.close(() => resolve())));

/** The error of a call to a server that gives this answer. */
async function refusal(status: number, body: string): Promise<Refused> {
  answer = { status, body };
  const link = createLink({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, token: 't' });
  const call = { protocol: 2, probe: 'a'.repeat(16), run: null, results: [] };
  const error = await link.sendResults(call, new AbortController().signal).catch((thrown: unknown) => thrown);
  if (!(error instanceof Refused)) throw new Error('The call was not refused.', { cause: error });
  return error;
}
const problem = (code: string) => JSON.stringify({ code, detail: 'Refused.' });

test('a token counts as revoked only if the server itself says so, and not if a proxy answers with 401', async () => {
  expect(await refusal(401, problem('unauthenticated'))).toMatchObject({ isRevoked: true, isFinal: true });
  for (const body of ['<html>Log in</html>', '{}', '{"detail":"Log in"}'])
    expect(await refusal(401, body)).toMatchObject({ isRevoked: false, isFinal: false });
});

test('a refusal is final for a newer protocol or a name in use, and not for a server that is overloaded', async () => {
  expect(await refusal(409, problem('conflict'))).toMatchObject({ isRevoked: false, isFinal: true });
  expect(await refusal(409, '<html></html>')).toMatchObject({ isFinal: false });
  expect(await refusal(503, problem('unavailable'))).toMatchObject({ isFinal: false, message: 'Refused.' });
});
