import type { Command, Option } from 'commander';
import type { NamedResource } from './read-names.ts';

/**
 * The candidates for the word that is being typed. `lead` is the beginning of that word, such as `--scope=`. The chosen
 * candidate does not replace `lead`.
 */
export type Candidates = (
  | { kind: 'words'; words: readonly string[] }
  /** Names of resources on the server. With `listed`, the word may contain several names, separated by commas. */
  | { kind: 'names'; of: NamedResource; listed: boolean }
  /** Names of the profiles in the settings file. */
  | { kind: 'profiles' }
  /** Paths of files, which the shell itself completes. */
  | { kind: 'files' }
) & { lead?: string };

const nothing: Candidates = { kind: 'words', words: [] };

/** For each placeholder in the help, such as `<monitor>`: the kind of resource that this argument or flag names. */
const placeholders: Record<string, NamedResource> = {
  monitor: 'monitors',
  monitors: 'monitors',
  channel: 'channels',
  channels: 'channels',
  rule: 'rules',
  page: 'pages',
  incident: 'incidents',
  window: 'windows',
  // `alerts deliveries` also accepts a monitor. Monitors are offered, because hardly anyone types the id of an alert.
  alert: 'monitors',
  region: 'regions',
  regions: 'regions',
};

/**
 * Returns the candidates for the last word, which is being typed. Finds them in the tree of commands. `words` does not
 * contain the name of the program.
 */
export function candidatesFor(program: Command, words: readonly string[]): Candidates {
  const before = words.slice(0, -1);
  const typed = words.at(-1) ?? '';
  let at = program;
  let place = 0;
  let openOption: Option | null = null;
  for (const word of before) {
    if (openOption) openOption = null;
    // The words after `--` belong to the job, so only files are offered.
    else if (word === '--') return { kind: 'files' };
    else if (word.startsWith('-')) openOption = word.includes('=') ? null : withValue(at, word);
    else {
      const next = place === 0 ? at.commands.find((command) => command.name() === word) : undefined;
      if (next) at = next;
      else place += 1;
    }
  }
  if (openOption) return valuesOf(openOption);
  const [lead, flag = ''] = /^(--[^=]+)=/.exec(typed) ?? [];
  if (lead !== undefined) {
    const option = withValue(at, flag);
    return option ? { ...valuesOf(option), lead } : nothing;
  }
  if (typed.startsWith('-')) return { kind: 'words', words: flagsOf(at) };
  if (at.commands.length > 0) return { kind: 'words', words: at.commands.map((command) => command.name()) };
  const { registeredArguments: declaredArguments } = at;
  const argument =
    declaredArguments[place] ?? (declaredArguments.at(-1)?.variadic ? declaredArguments.at(-1) : undefined);
  if (!argument) return nothing;
  if (argument.argChoices) return { kind: 'words', words: argument.argChoices };
  // The argument `to` of `ping` and `exec` names the heartbeat that gets the pings.
  if (argument.name() === 'to') return { kind: 'names', of: 'heartbeats', listed: false };
  return byPlaceholder(argument.name(), false);
}

/** Returns the option that a word names, if the next word is the value of that option. */
function withValue(command: Command, word: string): Option | null {
  const option = optionsOf(command).find(({ long, short }) => word === long || word === short);
  return option && (option.required || option.optional) ? option : null;
}

function optionsOf(command: Command): Option[] {
  const { options, parent } = command;
  return parent ? [...options, ...optionsOf(parent)] : [...options];
}

const flagsOf = (command: Command): string[] => [
  ...optionsOf(command).flatMap(({ long, short, hidden }) => (hidden ? [] : (long ?? short ?? []))),
  '--help',
];

function valuesOf(option: Option): Candidates {
  if (option.argChoices) return { kind: 'words', words: option.argChoices };
  const [, placeholder = ''] = /[<[]([\w-]+)/.exec(option.flags) ?? [];
  const name = option.long?.slice(2) ?? '';
  if (name === 'profile') return { kind: 'profiles' };
  return byPlaceholder(Object.hasOwn(placeholders, name) ? name : placeholder, name.endsWith('s'));
}

function byPlaceholder(placeholder: string, listed: boolean): Candidates {
  if (['path', 'file', 'folder'].includes(placeholder)) return { kind: 'files' };
  const of = Object.hasOwn(placeholders, placeholder) ? placeholders[placeholder] : undefined;
  return of ? { kind: 'names', of, listed } : nothing;
}
