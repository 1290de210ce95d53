import type { Diagnostic } from './diagnostic.ts';
import type { Wanted } from './item.ts';

/** Monitors that go by one identity: one `key`, or for those without a key one name. */
export function repeatedIdentities(monitors: readonly Wanted[]): Diagnostic[] {
  const first = new Map<string, Wanted>();
  return monitors.flatMap((monitor) => {
    const { key, name } = monitor.value;
    const [field, value] = key === null ? (['name', name] as const) : (['key', key] as const);
    const earlier = first.get(`${field} ${value}`);
    if (!earlier) {
      first.set(`${field} ${value}`, monitor);
      return [];
    }
    const { file, line } = earlier.place(field);
    const mend = field === 'key' ? 'a key names one monitor' : 'rename one, or give each a `key`';
    return [
      {
        ...monitor.place(field),
        message: `the ${field} ${JSON.stringify(value)} stands already at ${file}:${line}; ${mend}`,
      },
    ];
  });
}
