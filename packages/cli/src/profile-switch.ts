import type { Io } from './io.ts';

/** If the current profile has changed, prints that commands use the new one from now on. */
export function printProfileSwitch(before: string | undefined, now: string, io: Pick<Io, 'say'>): void {
  if (before === undefined || before === now) return;
  io.say(`Commands use profile ${now} from now on; \`--profile ${before}\` uses the previous one.`);
}
