import { defineConfig } from 'vitest/config';
import { exactlyTimed } from './scripts/test-run/exactly-timed.ts';
import { LongFirst } from './scripts/test-run/long-first.ts';

// Sources run without a build: the packages' own "x-source" condition points at their TypeScript. "import" must not be
// among them: vitest passes the conditions on to Node, whose require() would then load ES modules.
const conditions = ['x-source', 'node'];
// One PostgreSQL for all projects of a run, started when a test first asks for it.
const databases = 'packages/daemon/src/testing/database-setup.ts';
/** All tests except the soak tests. */
const setupFiles = ['scripts/test-run/set-seed.ts'];
/** Tests that measure time run after the others, two files at a time. They mostly wait. */
const timed = ['alerts', 'clocks', 'hanging-checks', 'restart', 'slow-sockets'].map(
  (name) => `test/faults/${name}.test.ts`,
);
/** Tests that fail if their own targets are slow run last, one file at a time. */
const alone = [
  'test/faults/truth.test.ts',
  'test/faults/hanging-neighbour.test.ts',
  'packages/daemon/src/checks/faults.test.ts',
];
/** Tests that need root and network namespaces: `npm run test:network`. */
const namespaced = ['test/network/**/*.test.ts'];
const inBrowser = ['test/browser/**/*.test.ts'];
/**
 * Cheap black-box tests of the API, which also run on two nodes. two-nodes.soak.ts runs many more tests on two nodes.
 */
const onTwoNodes = ['http/authenticate', 'resources/projects', 'resources/project-keys/project-keys'].map(
  (name) => `packages/daemon/src/${name}.test.ts`,
);
const common = {
  resolve: { conditions },
  ssr: { resolve: { conditions } },
};

/**
 * A test that waits for a condition fails only after these times, in milliseconds. A machine with other load may be several
 * times as slow.
 */
const patience = { testTimeout: 300_000, hookTimeout: 300_000, expect: { poll: { timeout: 20_000 } } };

export default defineConfig({
  test: {
    sequence: { sequencer: LongFirst },
    globalSetup: [databases],
    projects: [
      {
        ...common,
        test: {
          name: 'all',
          setupFiles,
          include: ['packages/*/{src,test}/**/*.test.ts', 'test/**/*.test.ts', 'scripts/**/*.test.ts'],
          exclude: [...timed, ...alone, ...namespaced, ...inBrowser],
          // Half of their time is waiting, so four files keep two cores busy.
          maxWorkers: 4,
          // Loading the sources again for each file would take longer than most tests. Our modules have no state.
          isolate: false,
          unstubEnvs: true,
          sequence: { groupOrder: 0 },
          ...patience,
        },
      },
      {
        ...common,
        test: {
          name: 'two-nodes',
          setupFiles,
          include: onTwoNodes,
          env: { UPTIME_TEST_WORLD: 'two-nodes' },
          // The same as in `all`, with which these run together.
          maxWorkers: 4,
          isolate: false,
          unstubEnvs: true,
          sequence: { groupOrder: 0 },
          ...patience,
        },
      },
      {
        ...common,
        test: {
          name: 'browser',
          setupFiles,
          // Unpacked before these tests, and only if a run has any of them.
          globalSetup: ['test/browser/unpack-browser.ts'],
          include: inBrowser,
          // The same as in `all`, with which these run together.
          maxWorkers: 4,
          sequence: { groupOrder: 0 },
          ...patience,
        },
      },
      {
        ...common,
        test: {
          name: 'timed',
          setupFiles,
          include: timed,
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
          ...patience,
        },
      },
      {
        ...common,
        test: {
          name: 'alone',
          setupFiles,
          include: alone,
          maxWorkers: 1,
          sequence: { groupOrder: 2 },
          ...patience,
        },
      },
      {
        ...common,
        test: {
          name: 'network',
          setupFiles,
          include: namespaced,
          maxWorkers: 1,
          ...patience,
        },
      },
      {
        ...common,
        test: {
          name: 'soak',
          include: ['packages/*/{src,test}/**/*.soak.ts', 'test/**/*.soak.ts', ...exactlyTimed],
          env: { UPTIME_TEST_EXACT: '1' },
          ...patience,
          testTimeout: 60 * 60_000,
        },
      },
    ],
  },
});
