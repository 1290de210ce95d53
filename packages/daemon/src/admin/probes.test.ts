import { afterAll, beforeAll, expect, test } from 'vitest';
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

test('a token for probes is made, listed and revoked', async () => {
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
  await expect(admin(['probes'])).rejects.toThrow('There is no task probes.');
});
