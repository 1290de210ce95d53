import { describe } from 'vitest';
import { startPgBouncer } from '../testing/pgbouncer.ts';
import { pooledPostgres } from '../testing/pooled-postgres.ts';
import { testBehindPooler } from '../testing/test-behind-pooler.ts';

// These tests need PgBouncer: `apt-get install pgbouncer`.
describe('PostgreSQL behind PgBouncer', () => testBehindPooler(pooledPostgres(startPgBouncer)));
