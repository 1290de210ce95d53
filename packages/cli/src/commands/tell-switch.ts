import type { Io } from '../io.ts';

/** Tells that another profile is the current one from now on, where it is another. */
export function tellSwitch(before: string | undefined, now: string, io: Pick<Io, 'say'>): void {
  if (before === undefined || before === now) return;
  io.say(`Commands use profile ${now} from now on; \`--profile ${before}\` takes the one before.`);
}
