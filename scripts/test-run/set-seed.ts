import { configureGlobal } from 'fast-check';

// Random tests start from one seed, so that a commit passes or fails each time. `npm run test:soak` tries random seeds.
configureGlobal({ seed: Number(process.env['UPTIME_TEST_SEED'] ?? 1) });
