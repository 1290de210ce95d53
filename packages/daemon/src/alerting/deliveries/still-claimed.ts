import type { Transaction } from 'kysely';
import type { Store } from '../../store/store.ts';
import type { DeliveryRow, Tables } from '../../store/tables.ts';

/** The claim of a process on a message. Each claim of a message has a new number, `claim`. */
export type DeliveryClaim = Pick<DeliveryRow, 'seq' | 'claim'>;

/**
 * Begins an update of the claimed messages. Leaves out messages that another process has claimed since. The update
 * finds each message by its `seq`, so it is fast even if the outbox is long.
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
