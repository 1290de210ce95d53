import { abortedBySignals } from '../stop-signals.ts';
import { print } from './print.ts';

/** Moves a SQLite installation to PostgreSQL. A signal interrupts the move. */
export async function migrateToPostgres(args: string[]): Promise<void> {
  const { runMove } = await import('../move-to-postgres/command.ts');
  const stopping = abortedBySignals(process, 'The move was interrupted. The daemon continues with SQLite.');
  await runMove(args, { env: process.env, print, stopping });
}
