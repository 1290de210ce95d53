/** One setting: where it may stand, what it is by default, and what it means. */
export interface Setting<T> {
  env: string;
  flag?: string;
  /** As it would be written; null where it is unset by default. */
  default: string | null;
  /** The default in UPTIME_MODE=public. */
  publicDefault?: string;
  /** Values that contradict UPTIME_MODE=public. */
  notInPublic?: readonly string[];
  /** Whoever reads it could act as this server, or as its operator. */
  secret?: true;
  docs: string;
  /** Throws an Error that says what was expected: `must be …`. */
  parse: (text: string) => T;
}

/** Keeps whether a setting has a default in its type. */
export const setting = <T, D extends string | null>(of: Setting<T> & { default: D }) =>
  of as Setting<D extends null ? T | null : T>;
