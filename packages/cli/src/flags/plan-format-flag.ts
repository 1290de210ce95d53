import { type Command, InvalidArgumentError, Option } from 'commander';
import type { RawFlags } from './raw-flags.ts';

/**
 * The formats in which a plan can be printed: for people, for programs, for a comment on a pull request, or for the
 * checks of GitHub and GitLab.
 */
export const planFormats = ['text', 'json', 'yaml', 'markdown', 'github', 'gitlab'] as const;
export type PlanFormat = (typeof planFormats)[number];

/**
 * Declares `-o text|json|yaml|markdown|github|gitlab` and its short form `--json`. `-o table` has the same effect as
 * `-o text`.
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
