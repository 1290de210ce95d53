import { styleText } from 'node:util';
import { print } from './print.ts';

/** Prints what is wrong with the daemon of this machine. The exit code is 1 if the daemon cannot serve. */
export async function doctor(args: string[]): Promise<void> {
  const { runDoctor } = await import('../admin/doctor-command.ts');
  const paint = (colour: 'green' | 'yellow' | 'red', words: string) =>
    styleText(colour, words, { stream: process.stdout });
  const isWell = await runDoctor(args, { env: process.env, paint, print });
  if (!isWell) process.exitCode = 1;
}
