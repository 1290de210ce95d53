import { describe } from 'vitest';
import { pooledPostgres } from '../testing/pooled-postgres.ts';
import { testBehindPooler } from '../testing/test-behind-pooler.ts';
import { startTransactionPooler } from '../testing/transaction-pooler.ts';

describe('PostgreSQL behind a pooler in transaction mode', () =>
  testBehindPooler(pooledPostgres(startTransactionPooler)));
