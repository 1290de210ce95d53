import { test } from 'vitest';
import { cutProbe } from '../testing/cut-probe.ts';
import { killProbe } from '../testing/kill-probe.ts';

test('three probes in two regions, the link of one cut for five minutes: complete, in order, no false alarm', () =>
  cutProbe(300_000));

test('a probe killed 20 times stores no result twice, and loses only running checks', () => killProbe(20));
