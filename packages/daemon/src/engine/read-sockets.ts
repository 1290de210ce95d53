import { nextTurn } from '../wait.ts';

/** Accepting, reading and processing need a turn of the event loop each, and a turn may be long. */
const turns = 5;

/** Lets in requests that have arrived but were not read yet. */
export async function readSockets(): Promise<void> {
  for (let turn = 0; turn < turns; turn++) await nextTurn();
}
