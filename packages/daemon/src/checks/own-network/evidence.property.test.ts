import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { recordAnswer, judge, judgeAsked, knownReferenceHosts, noEvidence } from './evidence.ts';

/** Milliseconds between the checks of a host, and the timeout of each check. */
const [every, timeout] = [500, 1000];
const span = { from: fc.integer({ min: 3000, max: 20_000 }), ms: fc.integer({ min: 2000, max: 8000 }) };

/**
 * A simple model: hosts are checked all the time over one route. In some spans the network or a host is gone. A check
 * reaches its host if the network and the host are there when the check begins.
 */
test('a lost network is never blamed on a host, and a lost host is reported while another host answers', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 2, max: 5 }),
      fc.array(fc.record(span), { maxLength: 2 }),
      fc.array(fc.record({ ...span, host: fc.nat(4) }), { maxLength: 3 }),
      (hosts, cuts, deaths) => {
        const isUp = (at: number) => cuts.every(({ from, ms }) => at < from || at >= from + ms);
        const lives = (host: number, at: number) =>
          deaths.every((death) => death.host !== host || at < death.from || at >= death.from + death.ms);
        const evidence = noEvidence();
        const answer = (host: number, at: number) =>
          recordAnswer(evidence, { address: `h${host}`, port: 80, via: 'tcp', answeredMonoMs: at });
        const events: { at: number; host: number; begunMonoMs: number | null }[] = [];
        for (let host = 0; host < hosts; host++)
          for (let at = host * 37; at < 32_000; at += every)
            events.push({ at, host, begunMonoMs: null }, { at: at + timeout, host, begunMonoMs: at });
        const all = Array.from({ length: hosts }, (_, host) => host);
        for (const { at, host, begunMonoMs } of events.toSorted((a, b) => a.at - b.at)) {
          if (begunMonoMs === null) {
            if (isUp(at) && lives(host, at)) answer(host, at + 1);
            continue;
          }
          if (isUp(begunMonoMs) && lives(host, begunMonoMs)) continue;
          const attempt = { address: `h${host}`, begunMonoMs, failedMonoMs: at };
          let judgement = judge(evidence, attempt);
          if (judgement === 'ask') {
            for (const { address } of knownReferenceHosts(evidence)) {
              const asked = Number(address.slice(1));
              if (isUp(at) && lives(asked, at)) answer(asked, at);
            }
            judgement = judgeAsked(evidence, attempt, { askedMonoMs: at, nowMonoMs: at + 800, given: false });
          }
          const where = `host ${host} from ${begunMonoMs}: ${JSON.stringify({ cuts, deaths })}`;
          if (!isUp(begunMonoMs) && lives(host, begunMonoMs)) expect(judgement, where).toBe('own');
          const upLongEnough = cuts.every(
            ({ from, ms }) => at < from || begunMonoMs - 2 * every - timeout >= from + ms,
          );
          const otherLives = all.some((one) => one !== host && lives(one, begunMonoMs - 2 * every) && lives(one, at));
          const othersAnswered = deaths.every(
            (death) => death.host === host || at < death.from || begunMonoMs - 2 * every > death.from + death.ms,
          );
          if (upLongEnough && otherLives && othersAnswered) expect(judgement, where).toBe('target');
        }
      },
    ),
    { numRuns: 300 },
  );
});

test('if only one host fails, it is at fault; if a second host fails too, the network is at fault', () => {
  const evidence = noEvidence();
  const attempt = (address: string, failedMonoMs: number) => ({
    address,
    begunMonoMs: failedMonoMs - 1000,
    failedMonoMs,
  });
  const asked = (address: string, at: number) =>
    judgeAsked(evidence, attempt(address, at), { askedMonoMs: at, nowMonoMs: at + 800, given: false });
  expect(asked('a', 5000)).toBe('target');
  expect(asked('a', 7000)).toBe('target');
  expect(asked('b', 9000)).toBe('own');
  recordAnswer(evidence, { address: 'a', port: 80, via: 'tcp', answeredMonoMs: 12_000 });
  expect(asked('a', 20_000)).toBe('target');
  expect(asked('b', 22_000)).toBe('own');
});

test('a host that has not answered for long, while other hosts answered, is no longer a reference host', () => {
  const evidence = noEvidence();
  recordAnswer(evidence, { address: 'gone', port: 80, via: 'tcp', answeredMonoMs: 0 });
  recordAnswer(evidence, { address: 'a', port: 80, via: 'tcp', answeredMonoMs: 3_600_000 });
  const attempt = { address: 'a', begunMonoMs: 3_601_000, failedMonoMs: 3_602_000 };
  expect(judgeAsked(evidence, attempt, { askedMonoMs: 3_602_000, nowMonoMs: 3_602_800, given: false })).toBe('target');
});
