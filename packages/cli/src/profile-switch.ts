import type { Io } from './io.ts';

/** Prints that another profile is current from now on, if it changed. */
export function printProfileSwitch(before: string | undefined, now: string, io: Pick<Io, 'say'>): void {
  if (before === undefined || before === now) return;
  io.say(`Commands use profile ${now} from now on; \`--profile ${before}\` uses the previous one.`);
}
