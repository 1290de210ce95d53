import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Paths of small test files that take long, because they build or start programs, or wait. On a new machine, vitest
 * begins with the largest files. Then these files would run last, while the other cores are idle.
 */
export const long = [
  '/test/browser/',
  '/test/downloads.test.ts',
  '/test/quickstart.test.ts',
  '/test/binary.test.ts',
  '/test/faults/kill.test.ts',
  '/test/faults/truth.test.ts',
  '/test/faults/clocks.test.ts',
  '/test/faults/outage-bounds.test.ts',
  '/packages/cli/src/commands/monitors/apply-faults.test.ts',
  '/packages/cli/src/commands/monitors/apply-several-faults.test.ts',
  '/packages/daemon/src/probe/probe.test.ts',
  '/packages/daemon/src/custom-domains/https-domains.test.ts',
];

/** Makes vitest begin with the files that take longest. */
export class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // This `sort` is the method of vitest's sequencer, not that of arrays.
    // oxlint-disable-next-line unicorn/no-array-sort
    const sorted = await super.sort(files);
    const isLong = ({ moduleId }: TestSpecification) => long.some((part) => moduleId.includes(part));
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}
