import { test } from 'vitest';
import { cutProbe } from '../testing/cut-probe.ts';
import { killProbe } from '../testing/kill-probe.ts';

test('three probes in two regions, one of them cut off for five minutes: results are complete and in order, without a false alarm', () =>
  cutProbe(300_000));

test('after a probe was killed 20 times, no result is stored twice, and only running checks are lost', () =>
  killProbe(20));
