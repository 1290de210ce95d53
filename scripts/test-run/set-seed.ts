import { configureGlobal } from 'fast-check';

// Tests with random inputs use a fixed seed, so that each run of a commit has the same outcome. Soak tests vary the
// seed.
configureGlobal({ seed: Number(process.env['UPTIME_TEST_SEED'] ?? 1) });
