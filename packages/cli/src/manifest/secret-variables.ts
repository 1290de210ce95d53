import { jobCredentials } from './job-credentials.ts';

/** Chooses the names of environment variables for secrets. Equal secrets get the same variable. */
export interface SecretVariables {
  /** Returns the name of the variable for a secret in a field of a resource. */
  nameFor: (of: { key?: string | null; name: string }, field: string, secret: string) => string;
  /** Returns the names of all variables, in the order in which they were chosen. */
  names: () => string[];
}

/**
 * Creates a source of names. Each name differs from the other names of this source, from the names in `used`, and from
 * the names that no manifest may read.
 */
export function createSecretVariables(used: ReadonlySet<string> = new Set()): SecretVariables {
  const bySecret = new Map<string, string>();
  return {
    nameFor({ key, name }, field, secret) {
      const known = bySecret.get(secret);
      if (known) return known;
      const base = [key ?? name, field.replaceAll(/([a-z])([A-Z])/g, '$1_$2')]
        .map(inCapitals)
        .filter(Boolean)
        .join('_')
        .replace(/^(?=\d)/, '_');
      const taken = new Set([...used, ...jobCredentials, ...bySecret.values()]);
      let variable = base;
      for (let count = 2; taken.has(variable); count++) variable = `${base}_${count}`;
      bySecret.set(secret, variable);
      return variable;
    },
    names: () => [...bySecret.values()],
  };
}

/** Converts text such as `X-Api-Key` to `X_API_KEY`. */
const inCapitals = (text: string): string =>
  text
    .toUpperCase()
    .replace(/[^A-Z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '');
