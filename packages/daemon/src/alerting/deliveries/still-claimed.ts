import type { Transaction } from 'kysely';
import type { Store } from '../../store/store.ts';
import type { DeliveryRow, Tables } from '../../store/tables.ts';

/** A claim on a message, by its number. */
export type DeliveryClaim = Pick<DeliveryRow, 'seq' | 'claim'>;

/**
 * Begins an update of the messages that these claims still hold. Messages that another process has claimed since are
 * left out. The update finds each message by its number, so a long queue does not slow it down.
 */
export const stillClaimed = (store: Store, trx: Transaction<Tables>, claims: readonly DeliveryClaim[]) =>
  trx
    .updateTable('delivery')
    .from(
      store.dialect.rows(
        'given',
        { seq: 'long', claim: 'long' },
        claims.map(({ seq, claim }) => ({ seq, claim })),
      ),
    )
    .whereRef('delivery.seq', '=', 'given.seq')
    .whereRef('delivery.claim', '=', 'given.claim');
