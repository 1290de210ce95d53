import { abortedBySignals } from '../stop-signals.ts';
import { print } from './print.ts';

/** Copies the SQLite database, and shows the progress on a terminal. */
export async function backup(args: string[]): Promise<void> {
  const { runBackup } = await import('../backup/command.ts');
  const { systemClock } = await import('../deps.ts');
  const { setPriority } = await import('node:os');
  // Lowers the priority of the backup, so that on a busy processor the daemon's checks and pings run first.
  setPriority(10);
  const { isTTY } = process.stdout;
  const clearLine = '\r\x1b[K';
  const onProgress = (share: number) => {
    if (isTTY) process.stdout.write(`${clearLine}Copying: ${Math.floor(share * 100)} %`);
  };
  const stopping = abortedBySignals(process, 'The backup was interrupted. No file is left.');
  try {
    await runBackup(args, {
      env: process.env,
      clock: systemClock,
      print: (line) => print(isTTY ? `${clearLine}${line}` : line),
      onProgress,
      stopping,
    });
  } catch (error) {
    if (isTTY) process.stdout.write(clearLine);
    throw error;
  }
}
