import { closeSync, openSync } from 'node:fs';
import { devNull } from 'node:os';
import { sql } from 'kysely';
import { readConfig, startDaemon } from '../../packages/daemon/src/daemon.ts';

/** The faults that this daemon causes in itself. Faults from outside would come at less certain times. */
export type Fault =
  /** `stall` blocks the event loop `times` times, for `ms` milliseconds each, and waits `waitMs` after each block. */
  | { kind: 'stall'; ms: number; waitMs: number; times: number }
  /**
   * `takeDescriptors` opens files until no descriptor is free. Each descriptor that becomes free later is taken too.
   */
  | { kind: 'takeDescriptors' }
  | { kind: 'giveDescriptors' }
  /** `fillStore` lets the database grow by at most `pages` pages. `makeRoom` removes this limit. */
  | { kind: 'fillStore'; pages: number }
  | { kind: 'makeRoom' };

const { store } = await startDaemon(readConfig({ env: process.env }));
const stand = new Int32Array(new SharedArrayBuffer(4));
const taken: number[] = [];
let taking: NodeJS.Timeout | undefined;

const takeAll = () => {
  try {
    for (;;) taken.push(openSync(devNull, 'r'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EMFILE') throw error;
  }
};

async function causeFault(fault: Fault): Promise<void> {
  switch (fault.kind) {
    case 'stall':
      for (let time = 0; time < fault.times; time++) {
        Atomics.wait(stand, 0, 0, fault.ms);
        await new Promise((resolve) => setTimeout(resolve, fault.waitMs));
      }
      return;
    case 'takeDescriptors':
      takeAll();
      taking = setInterval(takeAll, 5);
      return;
    case 'giveDescriptors':
      clearInterval(taking);
      for (const descriptor of taken.splice(0)) closeSync(descriptor);
      return;
    case 'fillStore': {
      const { rows } = await sql<{ page_count: number }>`pragma page_count`.execute(store.db);
      await sql`pragma max_page_count = ${sql.lit(rows[0]!.page_count + fault.pages)}`.execute(store.db);
      return;
    }
    case 'makeRoom':
      await sql`pragma max_page_count = 1000000000`.execute(store.db);
  }
}

// Each message from the test names a fault. The answer `done` says that the fault was caused. An error ends the
// process, and the test fails.
process.on('message', (fault: Fault) => void causeFault(fault).then(() => process.send!('done')));
