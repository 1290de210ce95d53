import { closeSync, openSync } from 'node:fs';
import { devNull } from 'node:os';
import { sql } from 'kysely';
import { readConfig, startDaemon } from '../../packages/daemon/src/daemon.ts';

/** The faults that this daemon causes in itself, because faults from outside would be less certain. */
export type Fault =
  /** Stalls the daemon's event loop for `ms` milliseconds, several times with pauses between. */
  | { kind: 'stall'; ms: number; pauseMs: number; times: number }
  /** Takes every free descriptor, and each that becomes free later. Reports once there are no more. */
  | { kind: 'takeDescriptors' }
  | { kind: 'giveDescriptors' }
  /** Lets the database grow by at most this many pages. */
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
        await new Promise((resolve) => setTimeout(resolve, fault.pauseMs));
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

// Messages request faults, and a message reports the end of each. An error ends the process, and the test with it.
process.on('message', (fault: Fault) => void causeFault(fault).then(() => process.send!('done')));
