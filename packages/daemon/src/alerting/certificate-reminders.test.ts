import { expect, it } from 'vitest';
import type { SeenCertificate } from '../checks/check.ts';
import type { Notice } from '../channels/notice.ts';
import { databases } from '../testing/databases.ts';
import { arrived } from '../testing/outbox.ts';
import { begunAt, createWatchedProject, minute, monitorFields } from '../testing/watched-project.ts';
import { changeMonitor } from '../lifecycle/monitor-life.ts';
import { createCheckRecording } from '../testing/record-check.ts';
import { claimDeliveries } from './deliveries/claim-deliveries.ts';
import { finishDelivery } from './deliveries/finish-delivery.ts';
import { sendReminder } from './deliveries/remind.ts';

const day = 24 * 60;

it.each(databases)(
  'a reminder about a certificate says how many days are left at the time when it is sent, on $name',
  async ({ open }) => {
    const database = await open();
    const { store } = database;
    const project = await createWatchedProject(store);
    const record = createCheckRecording(store);
    const shop = await project.addMonitor('shop', { sslExpiryThreshold: 30 });
    const channels = [await project.addChannel('chat')];
    const rule = { monitors: [shop], channels, trigger: 'ssl_expiring' as const, reminder_interval_seconds: 3600 };
    await project.addRule('rule', rule);
    const certificate: SeenCertificate = {
      fingerprint: 'a',
      subject: 'shop.example',
      issuer: 'ca',
      validFrom: 0,
      validTo: begunAt + 20 * day * minute,
      error: null,
    };
    const send = async (at: number): Promise<string[]> => {
      const now = begunAt + at * minute;
      const due = await store.db.selectFrom('delivery').select('seq').where('status', '=', 'pending').execute();
      const seqs = due.map(({ seq }) => seq);
      const claimed = await claimDeliveries(store, seqs, { now, leaseUntil: now + minute });
      for (const one of claimed)
        await store.write((trx) =>
          finishDelivery(trx, { claimed: one, sent: arrived, begunAt: now, at: now, durationMs: 1, random: 0 }),
        );
      return claimed.map(({ notice }: { notice: Notice }) => `${notice.kind}: ${notice.error?.message}`);
    };
    const remind = async (at: number) => {
      const { seq } = await store.db.selectFrom('alert').select('seq').executeTakeFirstOrThrow();
      await store.write((trx) => sendReminder(trx, seq, begunAt + at * minute));
      return send(at);
    };

    await store.write((trx) => record(trx, project.finished(shop, 1, null, { certificate })));
    expect(await send(1)).toEqual([expect.stringMatching(/^alarm: .* in 19 days\.$/)]);
    expect(await remind(17 * day)).toEqual([expect.stringMatching(/^reminder: .* in 3 days\.$/)]);

    // The monitor gets a new address. Until a check has seen a certificate there, no reminder is sent.
    const before = monitorFields({ name: 'shop', sslExpiryThreshold: 30 });
    const after = monitorFields({ name: 'shop', sslExpiryThreshold: 30, url: 'https://other.example/' });
    const now = begunAt + 17.1 * day * minute;
    await store.write((trx) => changeMonitor(trx, { seq: shop, before, after, now }));
    expect(await remind(17.2 * day)).toEqual([]);
    const { remind_at: next } = await store.db.selectFrom('alert').select('remind_at').executeTakeFirstOrThrow();
    expect(next).toBe(begunAt + 17.2 * day * minute + 60 * minute);
    await database.dispose();
  },
);
