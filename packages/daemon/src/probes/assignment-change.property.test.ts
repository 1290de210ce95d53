import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { changeBetween, changeFor, isEmpty } from './assignment-change.ts';
import { digestOf, sizeOfDigest, versionsFromText, versionsToText } from '../core/version-buckets.ts';
import { digestVersions } from '../version-digests.ts';

const versions = fc
  .array(fc.tuple(fc.integer({ min: 1, max: 500 }), fc.integer({ min: 0, max: 3 })), { maxLength: 300 })
  .map((entries) => new Map(entries.map(([monitor, version]) => [monitor, `${version}.17`])));

test('the digest of a bucket depends on the monitors and versions in it, but not on their order', async () => {
  await fc.assert(
    fc.asyncProperty(versions, versions, async (one, two) => {
      const reversed = new Map([...one].toReversed());
      expect(digestOf(reversed)).toBe(digestOf(one));
      expect(sizeOfDigest(digestOf(one))).toBe(one.size);
      expect(digestOf(one) === digestOf(two)).toBe(isEmpty(await changeBetween(one, two)));
    }),
  );
});

test('versionsFromText reads the monitors and versions that versionsToText has written', () => {
  fc.assert(
    fc.property(versions, (all) => {
      expect(versionsFromText(versionsToText(all))).toEqual(all);
    }),
  );
});

test('a probe that sends the versions that the server asks for gets exactly the wanted monitors, whatever monitors it had before', async () => {
  await fc.assert(
    fc.asyncProperty(versions, versions, fc.integer({ min: 1, max: 40 }), async (had, wanted, maxAtOnce) => {
      const held = new Map(had);
      let asked: number[] = [];
      let calls = 0;
      for (;;) {
        const { buckets, digests } = await digestVersions(held);
        const named = asked.map((bucket) => ({ bucket, text: versionsToText(buckets[bucket]!) }));
        const change = await changeFor({ has: [...digests], versions: named }, wanted);
        if (isEmpty(change)) break;
        for (const monitor of change.removed) held.delete(monitor);
        for (const monitor of change.changed.slice(0, maxAtOnce)) held.set(monitor, wanted.get(monitor)!);
        asked = change.ask;
        calls++;
        expect(calls).toBeLessThan(2000);
      }
      expect(held).toEqual(new Map(wanted));
    }),
    { numRuns: 200 },
  );
});
