import { nearest, type NormalMonitor } from '@uptime/sdk/contract';
import { CliError } from '../exit.ts';
import type { Wanted } from '../manifest/item.ts';
import { plain } from '../output.ts';

/**
 * Returns the monitors that match at least one of the words. A word is a key, a name, or a label `name=value`. Throws a
 * CliError for a word that matches no monitor, because the word may be mistyped.
 */
export function chooseTests(
  wanted: readonly Wanted<NormalMonitor>[],
  only: readonly string[],
): Wanted<NormalMonitor>[] {
  if (only.length === 0) return [...wanted];
  const lost = only.find((word) => !wanted.some(({ value }) => fits(value, word)));
  if (lost !== undefined) {
    const names = wanted.flatMap(({ value }) => [value.key, value.name].filter((one) => one !== null));
    const meant = nearest(lost, names);
    throw new CliError(`no monitor of the manifest has the key, name or label ${JSON.stringify(plain(lost))}`, {
      exit: 'usage',
      next: meant ? `did you mean ${JSON.stringify(plain(meant))}?` : 'name a key, a name, or a label such as team=ops',
    });
  }
  return wanted.filter(({ value }) => only.some((word) => fits(value, word)));
}

function fits({ key, name, labels }: NormalMonitor, word: string): boolean {
  const at = word.indexOf('=');
  const isLabel =
    at > 0 && Object.hasOwn(labels, word.slice(0, at)) && labels[word.slice(0, at)] === word.slice(at + 1);
  return key === word || name === word || isLabel;
}
