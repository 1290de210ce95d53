import { InvalidArgumentError } from 'commander';

/** Returns a parser for commander that accepts only whole numbers within limits. */
export const whole = (least: number, most: number) => (text: string) => {
  const number = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (!(number >= least && number <= most)) {
    throw new InvalidArgumentError(`Expected a whole number from ${least} to ${most}.`);
  }
  return number;
};
