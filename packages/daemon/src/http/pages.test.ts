import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { alertLink } from '../alerting/alert-link.ts';
import { alertRow } from '../testing/outbox.ts';
import { passingCheck } from '../testing/passing-check.ts';
import { createTestDaemon, type TestDaemon } from '../testing/test-daemon.ts';
import { httpTarget, type HttpTarget, status } from '../testing/targets/index.ts';

const secret = 'a secret of this test, long enough for all';
const html = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
let daemon: TestDaemon;
let phone: HttpTarget;

beforeAll(async () => {
  phone = await httpTarget(status(200, '{"id":"1"}'));
  daemon = await createTestDaemon({ runCheck: passingCheck, env: { UPTIME_SECRET_KEY: secret } });
});
afterAll(async () => {
  await daemon.close();
  await phone[Symbol.asyncDispose]();
});

const get = async (
  path: string,
  { method = 'GET', headers = html }: { method?: string; headers?: Record<string, string> } = {},
) => {
  const answer = await fetch(path.startsWith('http') ? path : daemon.url + path, { method, headers });
  return { status: answer.status, headers: Object.fromEntries(answer.headers), text: await answer.text() };
};
/** Returns the text of a page as people read it. */
const read = (page: string) =>
  page
    .replace(/^.*<main>/s, '')
    .replaceAll(/<[^>]+>/g, '')
    .replaceAll(/\s+/g, ' ');

const closed = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'x-robots-tag': 'noindex',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'content-security-policy': expect.stringMatching(
    /^default-src 'none'; style-src 'sha256-[^']+'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/,
  ) as string,
};

describe('the front page', () => {
  test('the front page names the product, its version, its health and the first steps', async () => {
    const page = await get('/');
    expect(page).toMatchObject({ status: 200, headers: closed });
    expect(read(page.text)).toMatch(/This server is working\. .* version \d+\.\d+\.\d+ of uptime/);
    expect(page.text).toContain(`export UPTIME_SITE_URL=${daemon.url}\nuptime signup`);
    expect(page.text).toContain(`curl -fsS ${daemon.url}/install.sh | sh`);
    expect(page.text).toContain(`href="${daemon.url}/api/openapi.json"`);
    expect(page.text).toContain(`href="${daemon.url}/healthz"`);
  });

  test('the front page is served for HEAD and for programs, and POST gets 405', async () => {
    expect(await get('/', { method: 'HEAD' })).toMatchObject({ status: 200, headers: closed, text: '' });
    expect(await get('/', { headers: { accept: '*/*' } })).toMatchObject({ status: 200, headers: closed });
    expect(await get('/', { method: 'POST' })).toMatchObject({ status: 405 });
  });
});

describe('an unknown address', () => {
  test.each(['/nothing', '/alerts', '/alerts/', '/alerts/alr_1.x', '/favicon.ico', '/%3Cscript%3E'])(
    'a browser gets a page with the status 404 for the unknown address %s',
    async (path) => {
      const page = await get(path);
      expect(page).toMatchObject({ status: 404, headers: { ...closed, vary: 'accept' } });
      expect(read(page.text)).toContain('This page does not exist');
      expect(page.text).not.toContain('script');
      expect(await get(path, { method: 'HEAD' })).toMatchObject({ status: 404, headers: closed, text: '' });
    },
  );

  test.each([
    ['/nothing', {}],
    ['/nothing', { accept: '*/*' }],
    ['/alerts/alr_1.x', { accept: 'application/json' }],
    ['/api/nothing', html],
    ['/api', html],
    ['/ping/nothing', html],
  ])('a request for the unknown address %s with the headers %o gets a problem document', async (path, headers) => {
    const { status: code, headers: got, text } = await get(path, { headers });
    expect(code).toBe(404);
    expect(got).toMatchObject({ 'content-type': 'application/problem+json; charset=utf-8' });
    expect(JSON.parse(text)).toMatchObject({ code: 'not_found' });
  });
});

describe('the page of an alert', () => {
  const name = 'Backup <b>&</b> "more"';
  const shown = 'Backup &lt;b&gt;&amp;&lt;/b&gt; &quot;more&quot;';

  test('the page of an alert shows whether the monitor is down, is up again, or was deleted', async () => {
    const made = async (path: string, body: object) => {
      const answer = await daemon.request('POST', path, body);
      expect(answer).toMatchObject({ status: 201 });
      return answer.body as { id: string; pingUrl: string };
    };
    const channel = await made('/api/notification-channels', {
      type: 'ntfy',
      name: 'Phone',
      config: { topic: 'alerts', serverUrl: phone.url },
    });
    const monitor = await made('/api/monitors', { type: 'heartbeat', name, interval: 600 });
    await made('/api/alert-rules', {
      name: 'All',
      trigger: 'monitor_down',
      monitorIds: [monitor.id],
      channelIds: [channel.id],
    });
    await fetch(monitor.pingUrl);
    await fetch(`${monitor.pingUrl}/3`);
    const alerts = await vi.waitFor(async () => {
      const { body } = await daemon.request('GET', '/api/alert-history');
      expect(body).toHaveLength(1);
      return body as { id: string }[];
    }, 10_000);
    const link = alertLink(daemon.url, secret, alerts[0]!.id);

    await vi.waitFor(() => expect(phone.requests).not.toEqual([]), 10_000);
    expect(JSON.parse(phone.requests[0]!.body)).toMatchObject({ click: link });

    const down = await get(link);
    expect(down).toMatchObject({ status: 200, headers: closed });
    expect(down.text).toContain(`<title>Down: ${shown}</title>`);
    expect(down.text).toContain(`<h1><bdi>${shown}</bdi></h1>`);
    expect(read(down.text)).toMatch(
      /✕ Down It has been down for \d s\. Reason The job reported a failure: exit code 3\. Down since \d{4}-.* UTC/i,
    );
    expect(down.text).not.toMatch(/mon_|prj_|chn_|rul_/);
    expect(await get(link, { method: 'HEAD' })).toMatchObject({ status: 200, headers: closed, text: '' });

    await fetch(monitor.pingUrl);
    const up = read((await get(link)).text);
    expect(up).toMatch(/✓ Up again It was down for \d+ s\. .* Down since .* UTC Up since .* UTC/);

    await fetch(`${monitor.pingUrl}/fail`);
    const second = await vi.waitFor(async () => {
      const { body } = await daemon.request('GET', '/api/alert-history');
      expect(body).toHaveLength(2);
      return (body as { id: string }[])[1]!.id;
    }, 10_000);
    await daemon.request('DELETE', `/api/monitors/${monitor.id}`);
    const after = read((await get(alertLink(daemon.url, secret, second))).text);
    expect(after).toMatch(/– Closed \(down\) The monitor was deleted\. Reason/);
  });

  test.each([
    ['recovered', /✓ Certificate renewed The problem was noticed 3 d earlier\. .* Over since/],
    ['paused', /– Closed \(certificate expires soon\) The monitor was paused\./],
    ['unwatched', /– Closed \(certificate expires soon\) The rule stopped watching the monitor\./],
  ] as const)('if an alert about a certificate ended with the reason "%s", its page says so', async (reason, words) => {
    const day = 86_400_000;
    const row = alertRow(`alr_${reason}`, {
      channel: 1,
      at: Date.now() - 3 * day,
      project_id: daemon.project.id,
      type: 'ssl_expiring',
      resolved_at: Date.now(),
      end_reason: reason,
    });
    await daemon.store.db.insertInto('alert').values(row).execute();
    expect(read((await get(alertLink(daemon.url, secret, row.id))).text)).toMatch(words);
  });

  test('the page of an alert does not exist while the account of its project is disabled', async () => {
    const { project } = await daemon.another('disabled');
    const row = alertRow('alr_disabled', { channel: 1, at: Date.now(), project_id: project.id });
    const { db } = daemon.store;
    await db.insertInto('alert').values(row).execute();
    const link = alertLink(daemon.url, secret, row.id);
    expect(await get(link)).toMatchObject({ status: 200 });
    const { user_id } = await db
      .selectFrom('project')
      .select('user_id')
      .where('id', '=', project.id)
      .executeTakeFirstOrThrow();
    await db.insertInto('disabled_account').values({ user_id, since: 1 }).execute();
    const missing = await get(link);
    expect(missing).toMatchObject({ status: 404 });
    expect(missing.text).not.toContain(row.monitor_name);
    await db.deleteFrom('disabled_account').execute();
    expect(await get(link)).toMatchObject({ status: 200 });
  });

  test('a link with a wrong signature, or of a deleted alert, leads to no page', async () => {
    const forged = alertLink(daemon.url, 'another secret', 'alr_1');
    expect(await get(forged)).toMatchObject({ status: 404 });
    expect(await get(alertLink(daemon.url, secret, 'alr_gone'))).toMatchObject({ status: 404 });
  });
});
