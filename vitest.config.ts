import { defineConfig } from 'vitest/config';
import { exactlyTimed } from './scripts/test-run/exactly-timed.ts';
import { LongFirst } from './scripts/test-run/long-first.ts';

// Sources run without a build: the packages' own "x-source" condition points at their TypeScript. "import" must not be
// a condition: vitest passes the conditions on to Node, whose require() would then load ES modules.
const conditions = ['x-source', 'node'];
// One PostgreSQL for all projects of a run, started when a test first asks for it.
const databases = 'packages/daemon/src/testing/database-setup.ts';
const setupFiles = ['scripts/test-run/set-seed.ts'];
/** Tests that measure time or need fast targets. They run after the others, three files at a time: they mostly wait. */
const timed = [
  'test/faults/{alerts,clocks,hanging-checks,hanging-neighbour,outage-bounds,restart,slow-sockets,truth}.test.ts',
  'packages/daemon/src/checks/faults.test.ts',
];
/** Tests that need root and network namespaces: `npm run test:network`. */
const namespaced = ['test/network/**/*.test.ts'];
/**
 * Tests that start whole processes, and then stop, kill or starve them, or type into them. `npm run test:system` runs
 * them, and also the timed tests, the tests of the pages in a browser, and the tests of the files that users download.
 */
const ofProcesses = [
  'test/faults/{joining,kill}.test.ts',
  'packages/daemon/src/{main,heap-growth}.test.ts',
  'packages/daemon/src/probe/probe.test.ts',
  'packages/daemon/src/probes/two-nodes.test.ts',
  'packages/cli/src/terminal*.test.ts',
  'scripts/test-run/test-run.test.ts',
];
const inBrowser = ['test/browser/**/*.test.ts'];
const ofArtifacts = ['test/{binary,built-program,downloads,quickstart}.test.ts'];
/** Cheap tests of the API, which also run on two nodes. api-on-postgres.soak.ts runs many more tests on two nodes. */
const onTwoNodes = ['http/authenticate', 'resources/projects', 'resources/project-keys/project-keys'].map(
  (name) => `packages/daemon/src/${name}.test.ts`,
);
/**
 * Settings of V8's garbage collector in the processes that run tests. Together they save about a seventh of the CPU
 * time. Programs that tests start do not get these settings.
 */
const execArgv = ['--single-threaded-gc', '--min-semi-space-size=32', '--max-semi-space-size=64'];
const common = {
  resolve: { conditions },
  ssr: { resolve: { conditions } },
};

/** Time limits in milliseconds. The limits are long, because a machine with other load may be several times as slow. */
const timeouts = { testTimeout: 300_000, hookTimeout: 300_000, expect: { poll: { timeout: 20_000 } } };

export default defineConfig({
  test: {
    sequence: { sequencer: LongFirst },
    globalSetup: [databases],
    projects: [
      {
        ...common,
        test: {
          name: 'all',
          execArgv,
          setupFiles,
          include: ['packages/*/{src,test}/**/*.test.ts', 'test/**/*.test.ts', 'scripts/**/*.test.ts'],
          exclude: [...timed, ...namespaced, ...inBrowser, ...ofArtifacts, ...ofProcesses],
          // These tests wait half of their time, so four files keep two cores busy.
          maxWorkers: 4,
          // Loading the sources again for each file would take longer than most tests. Our modules have no state.
          isolate: false,
          unstubEnvs: true,
          sequence: { groupOrder: 0 },
          ...timeouts,
        },
      },
      {
        ...common,
        test: {
          name: 'two-nodes',
          execArgv,
          setupFiles,
          include: onTwoNodes,
          env: { UPTIME_TEST_WORLD: 'two-nodes' },
          // The same number as in `all`, because the tests of both projects run together.
          maxWorkers: 4,
          isolate: false,
          unstubEnvs: true,
          sequence: { groupOrder: 0 },
          ...timeouts,
        },
      },
      {
        ...common,
        test: {
          name: 'artifacts',
          execArgv,
          setupFiles,
          include: ofArtifacts,
          maxWorkers: 3,
          unstubEnvs: true,
          ...timeouts,
        },
      },
      {
        ...common,
        test: {
          name: 'processes',
          execArgv,
          setupFiles,
          include: ofProcesses,
          // The same number as in `artifacts`, because the tests of both projects run together.
          maxWorkers: 3,
          unstubEnvs: true,
          ...timeouts,
        },
      },
      {
        ...common,
        test: {
          name: 'browser',
          execArgv,
          setupFiles,
          // Unpacks Chromium before these tests, and only in a run that has some of them.
          globalSetup: ['test/browser/unpack-browser.ts'],
          include: inBrowser,
          // The same number as in `artifacts`, because the tests of both projects run together.
          maxWorkers: 3,
          ...timeouts,
        },
      },
      {
        ...common,
        test: {
          name: 'timed',
          execArgv,
          setupFiles,
          include: timed,
          maxWorkers: 3,
          sequence: { groupOrder: 1 },
          ...timeouts,
        },
      },
      {
        ...common,
        test: {
          name: 'network',
          setupFiles,
          include: namespaced,
          maxWorkers: 1,
          ...timeouts,
        },
      },
      {
        ...common,
        test: {
          name: 'soak',
          // `exactlyTimed` lists the test files that import `boundMs`. truth.test.ts does not import `boundMs` itself,
          // but uses it through other modules.
          include: [
            'packages/*/{src,test}/**/*.soak.ts',
            'test/**/*.soak.ts',
            ...exactlyTimed,
            'test/faults/truth.test.ts',
          ],
          env: { UPTIME_TEST_EXACT: '1' },
          ...timeouts,
          testTimeout: 60 * 60_000,
        },
      },
    ],
  },
});
