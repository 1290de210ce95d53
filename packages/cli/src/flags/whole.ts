import { InvalidArgumentError } from 'commander';

/** Returns a parser for commander that accepts only whole numbers within limits. */
export const whole = (minValue: number, maxValue: number) => (text: string) => {
  const number = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (!(number >= minValue && number <= maxValue)) {
    throw new InvalidArgumentError(`Expected a whole number from ${minValue} to ${maxValue}.`);
  }
  return number;
};
