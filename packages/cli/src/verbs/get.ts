import type { CliCommand } from '../command.ts';
import type { Noun, Reading } from '../nouns/noun.ts';
import { onOne } from './on-one.ts';

/** Returns the command that shows one resource of a noun. */
export const get = <T extends { id: string }>(noun: Noun<T> & { get: Reading<T> }): CliCommand => {
  const { verb = 'get', show = noun.show, ...help } = noun.get;
  return onOne(noun, { verb, ...help, run: (resource, shown, connection) => show(resource, shown, connection) });
};
