import { expect, test } from 'vitest';
import { probeResult } from '../probe-protocol.ts';
import { tlsTarget } from '../testing/targets/index.ts';
import { createTlsWorld } from '../testing/tls-chain.ts';
import { timesOf } from './certificate.ts';

const world = createTlsWorld();

const notBefore = new Date('2000-01-01T00:00:00Z');
const notAfter = new Date('9999-12-31T23:59:59Z');

/** Issues a certificate, and then writes `text` over the date `written`. */
async function issueWith(written: string, text: string) {
  const issued = await world.issue({ notBefore, notAfter });
  const der = Buffer.from(issued.certificate.rawData);
  const place = der.indexOf(written);
  expect(place).toBeGreaterThan(0);
  der.write(text, place);
  const cert = `-----BEGIN CERTIFICATE-----\n${der.toString('base64').replaceAll(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`;
  return { cert: cert + world.chain.intermediate.cert, key: issued.key };
}

test.each([
  ['a malformed last date', '99991231235959Z', '99991399999999Z', 'NOT_AFTER'],
  ['a text instead of the last date', '99991231235959Z', 'never-until-end', 'NOT_AFTER'],
  ['a malformed first date', '000101000000Z', '001399000000Z', 'NOT_BEFORE'],
])(
  'a certificate with %s fails verification, and only its other date limits the recorded validity',
  async (_, written, text, field) => {
    await using target = await tlsTarget(await issueWith(written, text));
    const outcome = await world.check(target.url);
    const error = { code: 'tls_other', message: expect.stringContaining(field) as string };
    const isLast = field === 'NOT_AFTER';
    const validFrom = isLast ? notBefore.getTime() : Date.parse('0000-01-01T00:00:00.000Z');
    const validTo = isLast ? Date.parse('9999-12-31T23:59:59.999Z') : notAfter.getTime();
    expect(outcome).toMatchObject({ verdict: 'down', error, certificate: { validFrom, validTo, error } });
    // A server accepts a probe's result with this certificate.
    expect(probeResult.shape.certificate.parse(JSON.parse(JSON.stringify(outcome.certificate)))).toEqual(
      outcome.certificate,
    );
  },
);

test('a random date that Node returns for a malformed date is not recorded', () => {
  const random = new Date('+011234-05-06T07:08:09Z');
  const good = { validFrom: 'Jan  1 00:00:00 2000 GMT', validFromDate: notBefore };
  const malformed = { validTo: 'Bad time value', validToDate: new Date('2001-01-01T00:00:00Z') };
  expect(timesOf({ ...good, ...malformed })).toEqual({
    validFrom: notBefore.getTime(),
    validTo: Date.parse('9999-12-31T23:59:59.999Z'),
  });
  const swapped = { validFrom: 'Bad time value', validFromDate: random };
  const last = { validTo: 'Dec 31 23:59:59 9999 GMT', validToDate: notAfter };
  expect(timesOf({ ...swapped, ...last })).toEqual({
    validFrom: Date.parse('0000-01-01T00:00:00.000Z'),
    validTo: notAfter.getTime(),
  });
});

test('the first and the last second that a certificate can name are recorded as they are', async () => {
  const first = await issueWith('99991231235959Z', '00000101000000Z');
  await using expired = await tlsTarget(first);
  const { certificate } = await world.check(expired.url);
  expect(certificate).toMatchObject({ validTo: Date.parse('0000-01-01T00:00:00Z'), error: { code: 'tls_expired' } });
  await using lasting = await tlsTarget(world.full(await world.issue({ notBefore, notAfter })));
  expect(await world.check(lasting.url)).toMatchObject({ verdict: 'up', certificate: { validTo: notAfter.getTime() } });
  expect(probeResult.shape.certificate.safeParse(certificate).success).toBe(true);
});
