import { expect, test } from 'vitest';
import { databases } from '../testing/databases.ts';
import { passingCheck } from '../testing/passing-check.ts';
import { createTestDaemon } from '../testing/test-daemon.ts';

test.each(databases)('concurrent creates in one project all succeed, on $name', async (database) => {
  const daemon = await createTestDaemon({ database, runCheck: passingCheck });
  const create = (number: number) =>
    daemon.request('POST', '/api/monitors', {
      type: 'tcp',
      name: `${number}`,
      host: 'localhost',
      port: 1,
      // Ten of the monitors name the same region, which does not exist yet.
      regions: number < 10 ? ['new'] : [],
    });
  const answers = await Promise.all(Array.from({ length: 60 }, (_, number) => create(number)));
  expect(answers.filter(({ status }) => status !== 201)).toEqual([]);
  await daemon.close();
});

test.each(databases)('several projects can name the same new region at the same time, on $name', async (database) => {
  const daemon = await createTestDaemon({ database, runCheck: passingCheck });
  const users = await Promise.all(Array.from({ length: 6 }, (_, number) => daemon.another(`user${number}`)));
  const fields = { type: 'tcp', name: 'x', host: 'localhost', port: 1, regions: ['new'] };
  const answers = await Promise.all(
    users.map(({ apiKey }) => daemon.request('POST', '/api/monitors', fields, { apiKey })),
  );
  expect(answers.filter(({ status }) => status !== 201)).toEqual([]);
  expect(await daemon.store.db.selectFrom('region').select('name').where('name', '=', 'new').execute()).toHaveLength(1);
  await daemon.close();
});
