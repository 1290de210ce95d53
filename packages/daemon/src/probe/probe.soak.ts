import { test } from 'vitest';
import { cutProbe } from '../testing/cut-probe.ts';
import { killProbe } from '../testing/kill-probe.ts';

test('three probes in two regions, the link of one cut for five minutes: complete, in order, no false alarm', () =>
  cutProbe(300_000));

test('a probe killed 20 times doubles no result, and loses only checks under way', () => killProbe(20));
