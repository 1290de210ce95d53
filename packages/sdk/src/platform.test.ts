import { fileURLToPath } from 'node:url';
import { createContext, Script } from 'node:vm';
import { build } from 'esbuild';
import { expect, test } from 'vitest';

/** The globals of the web platform, without the globals that only Node has. */
const web = {
  AbortController,
  AbortSignal,
  crypto,
  clearTimeout,
  fetch,
  FormData,
  Headers,
  performance,
  Request,
  Response,
  setTimeout,
  URL,
  URLSearchParams,
  console,
};

test('the SDK needs only the globals of the web platform', async () => {
  const entry = fileURLToPath(new URL('index.ts', import.meta.url));
  const bundle = await build({
    entryPoints: [entry],
    bundle: true,
    format: 'iife',
    globalName: 'sdk',
    platform: 'browser',
    write: false,
    logLevel: 'silent',
  });
  const context = createContext({ ...web });
  new Script(bundle.outputFiles[0]!.text).runInContext(context);
  const run = new Script(`(async () => {
    const calls = [];
    const fetch = async (url, init) => {
      calls.push([init.method, url, init.credentials]);
      return calls.length === 1 ? new Response('', { status: 503, headers: { 'retry-after': '0' } }) : Response.json({ id: 'mon_1' });
    };
    const uptime = new sdk.Uptime({ siteUrl: 'https://uptime.example.com', fetch });
    const { id } = await uptime.monitors.create({ type: 'ping', name: 'Router', host: '10.0.0.1' });
    return JSON.stringify({ id, calls, process: typeof process, Buffer: typeof Buffer });
  })()`);
  const call = ['POST', 'https://uptime.example.com/api/monitors', null];
  expect(JSON.parse((await run.runInContext(context)) as string)).toEqual({
    id: 'mon_1',
    calls: [call, call],
    process: 'undefined',
    Buffer: 'undefined',
  });
});

test('in a browser, only a client with neither key nor session sends the cookies of the page', async () => {
  const { Uptime } = await import('./index.ts');
  const seen: (string | undefined)[] = [];
  const fetch: typeof globalThis.fetch = async (_, init) => {
    seen.push(init?.credentials);
    return Response.json([]);
  };
  Object.assign(globalThis, { location: {} });
  try {
    for (const options of [{ apiKey: null }, { apiKey: 'uptime_x' }, { session: 's=1' }]) {
      await new Uptime({ siteUrl: 'http://uptime.test', fetch, ...options }).projects.list();
    }
  } finally {
    Reflect.deleteProperty(globalThis, 'location');
  }
  expect(seen).toEqual(['include', undefined, undefined]);
});
