import { CompiledQuery } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { captureStatements } from '../../testing/captured-statements.ts';
import { databases } from '../../testing/databases.ts';
import { createFakeClock } from '../../testing/fake-clock.ts';
import { createClaimRenewal } from './renew-deliveries.ts';

test('the renewal of claims on deliveries finds each delivery by its primary key, however long the outbox is', async () => {
  const database = await databases.find(({ name }) => name === 'sqlite')!.open();
  onTestFinished(() => database.dispose());
  using capture = captureStatements();
  await createClaimRenewal(database.store, createFakeClock(1000), 0)([{ seq: 1, claim: 1 }]);
  const [renewal] = capture.statements().filter(({ sql }) => sql.startsWith('update "delivery"'));
  const explained = CompiledQuery.raw(`explain query plan ${renewal!.sql}`, [0, 0, '[]', 0]);
  const { rows } = await database.store.db.executeQuery<{ detail: string }>(explained);
  const plan = rows.map(({ detail }) => detail);
  expect(plan).toContainEqual(expect.stringMatching(/^SEARCH delivery USING INTEGER PRIMARY KEY/));
  expect(plan).not.toContainEqual(expect.stringMatching(/SUBQUERY|SCAN delivery/));
});
