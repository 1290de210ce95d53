import { tmpdir } from 'node:os';
import { describe, expect, test } from 'vitest';
import { cpuTimeMs } from '../../../daemon/src/testing/cpu-time.ts';
import { formatDiagnostic } from './diagnostic.ts';
import { openIncludes } from './includes.ts';
import { validateManifests } from './validate.ts';

const options = { environment: null, includes: openIncludes(tmpdir(), { allowOutside: false }) };

describe('validation quickly returns a fault with a place for', () => {
  const laughs = Array.from({ length: 30 }, (_, i) => `a${i + 1}: &a${i + 1} [${Array(9).fill(`*a${i}`).join(', ')}]`);
  test.each<[string, string, RegExp]>([
    [
      'aliases that multiply to a billion values',
      `a0: &a0 [lol]\n${laughs.join('\n')}\nmonitors: []\n`,
      /^m\.yaml:\d+:\d+: has more than 500000 values if each alias is replaced by its values/m,
    ],
    ['deeply nested lists', `monitors: ${'['.repeat(100_000)}`, /^m\.yaml:1:\d+: is nested too deeply to be read$/m],
    [
      'a map with many keys',
      `monitors:\n  - { name: x, type: heartbeat, labels: { ${Array.from({ length: 50_000 }, (_, i) => `k${i}: v`).join(', ')} } }\n`,
      /^m\.yaml:2:\d+: `labels/m,
    ],
    [
      'a merge of a scalar',
      'monitors:\n  - { <<: 5, name: x, type: heartbeat }\n',
      /^m\.yaml:2:7: `<<` must be followed by the alias of a map$/m,
    ],
  ])('validation quickly returns a fault with a place for %s', (_name, text, fault) => {
    const before = cpuTimeMs();
    const { faults, dangling } = validateManifests([{ name: 'm.yaml', text }], {}, 0, options);
    expect([...faults, ...dangling].map(formatDiagnostic).join('\n')).toMatch(fault);
    expect(cpuTimeMs() - before).toBeLessThan(10_000);
  });
});
