import type { SettingFlags } from '../settings.ts';

/** The flags of a command line, as commander returns them. */
export type RawFlags = Record<string, unknown>;

/** Reads the flags that every command has: those that choose the server and the project. */
export const settingFlags = (flags: RawFlags): SettingFlags => ({
  profile: textFlag(flags, 'profile'),
  siteUrl: textFlag(flags, 'siteUrl'),
  apiKey: textFlag(flags, 'apiKey'),
  verbose: isSet(flags, 'verbose'),
});

export const textFlag = (flags: RawFlags, name: string): string | undefined =>
  typeof flags[name] === 'string' ? flags[name] : undefined;

export const isSet = (flags: RawFlags, name: string): boolean => flags[name] === true;

export const listFlag = (flags: RawFlags, name: string): string[] =>
  Array.isArray(flags[name]) ? flags[name].map(String) : [];

/** Collects the entries of a comma-separated flag, for commander. */
export const listed = (text: string, previous: string[] | undefined): string[] => [
  ...(previous ?? []),
  ...text.split(',').filter(Boolean),
];

/** Collects the values of a flag that may be repeated, for commander. */
export const repeated = (value: string, previous: string[] | undefined): string[] => [...(previous ?? []), value];
