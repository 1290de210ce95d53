import { jobCredentials } from './job-credentials.ts';

/** Assigns names of environment variables to secrets. Equal secrets share a variable. */
export interface SecretVariables {
  /** Returns the variable for a secret in a field of a resource. */
  nameFor: (of: { key?: string | null; name: string }, field: string, secret: string) => string;
  /** Returns all assigned names, in order. */
  names: () => string[];
}

/** Creates names that differ from each other, from those already in use, and from those that no manifest may read. */
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

/** Turns `X-Api-Key` into `X_API_KEY`. */
const inCapitals = (text: string): string =>
  text
    .toUpperCase()
    .replace(/[^A-Z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '');
