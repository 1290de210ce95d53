import { test } from 'vitest';
import { cutProbe } from '../testing/cut-probe.ts';
import { killProbe } from '../testing/kill-probe.ts';

test('if one of three probes is cut off for five minutes, all results arrive in order and cause no false alarm', () =>
  cutProbe(300_000));

test('if a probe is killed 20 times, the server stores no result twice and lacks only the results of checks that were running', () =>
  killProbe(20, 100));
