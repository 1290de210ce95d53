import { expect, test } from 'vitest';
import { withPossibleTimes } from './certificate-times.ts';

const stored = (validFrom: unknown, validTo: unknown) => {
  const seen = JSON.parse(JSON.stringify({ validFrom, validTo, subject: 's' })) as {
    validFrom: number;
    validTo: number;
  };
  const possible = withPossibleTimes(seen);
  return { ...possible, validFrom: toDate(possible.validFrom), validTo: toDate(possible.validTo) };
};
const toDate = (at: number) => new Date(at).toISOString();
const [earliest, latest] = ['0000-01-01T00:00:00.000Z', '9999-12-31T23:59:59.999Z'];

test('possible times of a certificate stay unchanged', () => {
  expect(stored(0, Date.parse(latest))).toEqual({ validFrom: toDate(0), validTo: latest, subject: 's' });
});

test('impossible times of a certificate become the nearest possible times, and unreadable times do not limit the validity', () => {
  expect(stored(-1e300, 1e300)).toMatchObject({ validFrom: earliest, validTo: latest });
  expect(stored(1e300, -1e300)).toMatchObject({ validFrom: latest, validTo: earliest });
  expect(stored(0.4, 1.6)).toMatchObject({ validFrom: toDate(0), validTo: toDate(2) });
  // JSON stores NaN as null.
  expect(stored(Number.NaN, Number.NaN)).toMatchObject({ validFrom: earliest, validTo: latest });
});
