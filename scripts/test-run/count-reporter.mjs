import { writeFileSync } from 'node:fs';

/** Returns a vitest reporter that writes the counts for scripts/test.mjs. An error outside of tests is a failure. */
const countReporter = () => ({
  onTestRunEnd(modules, unhandledErrors) {
    const counts = { passed: 0, failed: unhandledErrors.length, skipped: 0 };
    for (const module of modules) {
      counts.failed += module.errors().length;
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        counts[state === 'pending' ? 'skipped' : state] += 1;
      }
      for (const suite of module.children.allSuites()) counts.failed += suite.errors().length;
    }
    writeFileSync(process.env.UPTIME_TEST_COUNTS, JSON.stringify(counts));
  },
});

// vitest loads a reporter by its default export, and calls it with `new`.
// oxlint-disable-next-line import/no-default-export
export default function CountReporter() {
  return countReporter();
}
