import { escapeControls } from '../../output.ts';
import { hasFailed, hasPassed, type Reporter } from '../test-report.ts';

/** Prints one JSON object with counts and every test. */
export const json: Reporter = {
  onEnd({ tests, startedAt, tookMs }) {
    const data = {
      startedAt: new Date(startedAt).toISOString(),
      tookMs: Math.round(tookMs),
      passed: tests.filter(hasPassed).length,
      failed: tests.filter(hasFailed).length,
      skipped: tests.filter(({ skipped }) => skipped !== null).length,
      tests: tests.map(({ outcome, ...about }) => ({
        ...about,
        tookMs: Math.round(about.tookMs),
        verdict: outcome?.verdict ?? null,
        error: outcome?.error ?? null,
        statusCode: outcome?.statusCode ?? null,
        responseTime: outcome?.responseTime ?? null,
        timings: outcome?.timings ?? null,
      })),
    };
    return `${escapeControls(JSON.stringify(data, null, 2))}\n`;
  },
};
