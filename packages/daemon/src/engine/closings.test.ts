import { expect, test } from 'vitest';
import { databases } from '../testing/databases.ts';
import { createFakeClock } from '../testing/fake-clock.ts';
import { arrived, createRecordingNotifier, failing, noticeOf, refused } from '../testing/outbox.ts';
import { silentLog } from '../testing/test-daemon.ts';
import { startClosings } from './closings.ts';

test.each(databases)(
  'an incident at a paging service is closed after its project was deleted, with retries if needed, on $name',
  async ({ open }) => {
    const database = await open();
    const { store } = database;
    const clock = createFakeClock();
    await store.db
      .insertInto('paging_incident')
      .values({
        id: 'dlv_1',
        alert: 7,
        channel_id: 'chn_gone',
        type: 'pagerduty',
        config: 'sealed',
        notice: JSON.stringify(noticeOf('alr_1', 'alarm', clock.now())),
        certain: 1,
        next_at: 0,
      })
      .execute();
    const answers = [failing, { ...failing, status: 429, retryAfterMs: 5000 }, refused, arrived];
    const { notifier, attempts } = createRecordingNotifier(() => answers[attempts.length - 1]!);
    const closings = startClosings({ clock, log: silentLog, random: () => 0 }, { store, notifier });
    const left = () => store.db.selectFrom('paging_incident').select('seq').execute();
    for (const deadlineMonoMs = performance.now() + 10_000; (await left()).length > 0; await clock.advance(500))
      expect(performance.now()).toBeLessThan(deadlineMonoMs);
    expect(attempts).toEqual(answers.map(() => ({ channel: 'chn_gone', id: 'dlv_1', what: 'close alr_1' })));
    await closings.stop();
    await database.dispose();
  },
);
