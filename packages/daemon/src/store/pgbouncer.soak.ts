import { describe } from 'vitest';
import { startPgBouncer } from '../testing/pgbouncer.ts';
import { pooledPostgres } from '../testing/pooled-postgres.ts';
import { testBehindPooler } from '../testing/test-behind-pooler.ts';

// It needs PgBouncer: `apt-get install pgbouncer`.
describe('PostgreSQL behind PgBouncer', () => testBehindPooler(pooledPostgres(startPgBouncer)));
