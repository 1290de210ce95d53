import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { databases } from '../testing/databases.ts';
import { createFakeProbe } from '../testing/fake-probe.ts';
import { run, startOn } from '../testing/run-admin.ts';
import type { TestDaemon } from '../testing/test-daemon.ts';

let daemon: TestDaemon;
let place: Record<string, string>;
beforeAll(async () => {
  ({ daemon, place } = await startOn(databases[0]!));
});
afterAll(() => daemon.close());

const admin = (args: string[]) => run(args, place);

test('uptimed admin probes makes, lists and revokes the tokens of probes', async () => {
  expect(await admin(['probes', 'list'])).toContain('There are no probes.');
  const made = await admin(['probes', 'add', 'eu-west']);
  const token = made.split('\n')[0]!;
  expect(made).toContain(`uptimed probe --join `);
  const probe = createFakeProbe(daemon, token);
  expect(await probe.sync()).toMatchObject({ status: 200 });
  const listed = await admin(['probes', 'list']);
  expect(listed).toMatch(/^(prb_\w+) {2}eu-west {2}since \d{4}-\d\d-\d\d\n {2}\w+ {2}1\.0\.0 {2}live$/);
  expect(listed).not.toContain(token);
  const id = listed.split(' ')[0]!;
  await admin(['probes', 'revoke', id]);
  expect(await probe.sync()).toMatchObject({ status: 401 });
  await expect(admin(['probes', 'revoke', id])).rejects.toThrow(`There is no token ${id}.`);
  await expect(admin(['probes', 'add', 'default'])).rejects.toThrow('The daemon itself checks from default.');
  await expect(admin(['probes', 'add', 'Not a name'])).rejects.toThrow('must be a region name');
  await expect(admin(['probes', 'add'])).rejects.toThrow('The region is missing.');
});

test('uptimed admin probes list distinguishes probes that were stopped, fell silent, or rest', async () => {
  const token = (await admin(['probes', 'add', 'asia'])).split('\n')[0]!;
  const [live, resting, silent, stopped] = Array.from({ length: 4 }, () => createFakeProbe(daemon, token));
  await live!.sync();
  await resting!.sync({ failing: true });
  await silent!.sync({ fault: 'No network.' });
  await stopped!.sync({ fault: 'No network.' });
  await stopped!.sync({ leaving: true, fault: 'No network.' });
  const seenAt = Date.now() - 60_000;
  await daemon.store.db.updateTable('probe').set({ seen_at: seenAt }).where('name', '=', silent!.name).execute();
  const listed = (await admin(['probes', 'list'])).split('\n');
  const lineOf = ({ name }: { name: string }) =>
    listed.find((line) => line.startsWith(`  ${name}  1.0.0  `))!.slice(27);
  expect(lineOf(live!)).toBe('live');
  expect(lineOf(resting!)).toMatch(/^live {2}Most of its checks gave no verdict at .+Z\. For five minutes/);
  expect(lineOf(silent!)).toBe(`silent since ${new Date(seenAt).toISOString()}  No network.`);
  expect(lineOf(stopped!)).toMatch(/^stopped at \d{4}-\d\d-\d\dT[\d:.]+Z$/);
});

test('uptimed admin regions retire ends the warnings about a region, until a probe reports from that region again', async () => {
  const listed = async () =>
    ((await daemon.request('GET', '/api/regions')).body as { name: string }[]).map(({ name }) => name);
  const warnings = async () => ((await daemon.request('GET', '/healthz')).body as { warnings: string[] }).warnings;
  const monitor = { type: 'tcp', name: 'a', host: '127.0.0.1', port: 9, regions: ['old'] };
  expect((await daemon.request('POST', '/api/monitors', monitor)).status).toBe(201);
  const probe = createFakeProbe(daemon, (await admin(['probes', 'add', 'old'])).split('\n')[0]!);
  await probe.sync();
  await expect(admin(['regions', 'retire', 'old'])).rejects.toThrow('The region "old" is in use');
  await expect(admin(['regions', 'retire', 'nowhere'])).rejects.toThrow(
    'No daemon or probe has served the region "nowhere".',
  );

  await daemon.store.db.updateTable('region').set({ seen_at: 2 }).where('name', '=', 'old').execute();
  expect(await listed()).toContain('old');
  expect((await warnings()).join()).toContain('checks from region "old"');
  await expect(admin(['regions', 'retire', 'old'])).rejects.toThrow('the server ran for less than 30 s');
  await daemon.store.db.updateTable('presence').set({ started_at: 2 }).execute();
  expect(await admin(['regions', 'retire', 'old'])).toContain('old is retired.');
  expect(await listed()).not.toContain('old');
  expect((await warnings()).join()).not.toContain('checks from region "old"');

  // A monitor that names no regions is checked from every region. This monitor is created while the region is retired.
  // The reports of the probe bring the region back, and then the probe gets this monitor too.
  const { name, type, host, port } = { ...monitor, name: 'b' };
  expect((await daemon.request('POST', '/api/monitors', { name, type, host, port })).status).toBe(201);
  await vi.waitFor(async () => expect((await probe.sync()).body.assignments).toHaveLength(2), 20_000);
  expect(await listed()).toContain('old');
});
