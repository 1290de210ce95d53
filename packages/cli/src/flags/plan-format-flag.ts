import { type Command, InvalidArgumentError, Option } from 'commander';
import type { RawFlags } from './raw-flags.ts';

/** How a plan is printed: for people, for programs, for a comment, or for the checks of a forge. */
export const planFormats = ['text', 'json', 'yaml', 'markdown', 'github', 'gitlab'] as const;
export type PlanFormat = (typeof planFormats)[number];

/**
 * Declares `-o text|json|yaml|markdown|github|gitlab` and its short form `--json`. `table` is another word for text.
 */
export function planFormatFlag(command: Command): void {
  const format = new Option('-o, --output <format>', 'how to print the result');
  format.argChoices = [...planFormats];
  const choices: readonly string[] = [...planFormats, 'table'];
  format.argParser((given: string) => {
    if (choices.includes(given)) return given;
    throw new InvalidArgumentError(`Allowed choices are ${planFormats.join(', ')}.`);
  });
  command.addOption(format.default('text')).addOption(new Option('--json', 'the same as -o json'));
}

export const readPlanFormat = (flags: RawFlags): PlanFormat =>
  flags['json'] === true ? 'json' : (planFormats.find((format) => format === flags['output']) ?? 'text');
