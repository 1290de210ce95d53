import { isScalar, isSeq, visit } from 'yaml';
import { allKinds } from '../kinds/index.ts';
import { labelOf } from '../manifest/references.ts';
import type { Change } from '../plan/change.ts';
import type { Pulling } from './pulling.ts';
import { namedOverrides } from './remove-item.ts';
import { setScalar } from './set-value.ts';

type Update = Extract<Change, { action: 'update' }>;

/**
 * Replaces the old key or name of an item by the new key or name wherever the manifest uses the old one: in lists of
 * names, and in overrides.
 */
export function followRename({ wanted, current, kind }: Update, pulling: Pulling): void {
  const before = [wanted.value.key, wanted.value.name];
  const after = [current.key ?? null, current.name];
  const stale = before.filter((word): word is string => word !== null && !after.includes(word));
  if (stale.length === 0) return;
  for (const { pair } of namedOverrides(kind, stale, pulling))
    if (isScalar(pair.key)) setScalar(pair.key, labelOf(current));
  const fields = allKinds.flatMap(({ references }) =>
    Object.entries(references).flatMap(([field, reference]) => (reference.kind === kind.name ? [field] : [])),
  );
  for (const { document: parsed } of pulling.documents) {
    visit(parsed.document, {
      Pair(_, { key, value }) {
        if (!isScalar(key) || !fields.includes(String(key.value)) || !isSeq(value)) return;
        for (const item of value.items) {
          if (!isScalar(item) || !stale.includes(String(item.value))) continue;
          if (pulling.idOf(kind.name, String(item.value)) !== current.id) continue;
          setScalar(item, labelOf(current));
          pulling.edited.add(parsed);
        }
      },
    });
  }
}
