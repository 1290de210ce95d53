/** One setting: where it may be set, its default, and its meaning. */
export interface Setting<T> {
  env: string;
  flag?: string;
  /** The default as a user would write it; null if the setting is unset by default. */
  default: string | null;
  /** The default in UPTIME_MODE=public. */
  publicDefault?: string;
  /** Values that contradict UPTIME_MODE=public. */
  notInPublic?: readonly string[];
  /** Whether anyone who reads the value could act as this server or as its operator. */
  secret?: true;
  docs: string;
  /** Throws an Error that says what was expected: `must be …`. */
  parse: (text: string) => T;
}

/** Creates a setting. The type of its value includes null only if the setting has no default. */
export const setting = <T, D extends string | null>(of: Setting<T> & { default: D }) =>
  of as Setting<D extends null ? T | null : T>;
