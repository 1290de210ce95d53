import { allKinds } from '../kinds/index.ts';
import type { Fields, Kind } from '../kinds/kind.ts';
import type { Collection, Draft } from './collection.ts';
import { hasReference, replaceReferences } from './env-reference.ts';

/** A valid draft, and the kind of its resource. */
export interface Settled extends Draft {
  kind: Kind;
}

/**
 * Validates every draft by the contract, and returns the valid drafts. An invalid field is left out, with a note. If
 * the item needs that field, the whole item is left out. So the manifest is valid, whatever the file contained.
 */
export function settle({ drafts, note }: Collection): Settled[] {
  const settled: Settled[] = [];
  for (const kind of allKinds) {
    for (const draft of drafts.filter(({ list }) => list === kind.list)) {
      const fields = withoutFaults(draft, kind, note);
      if (fields) settled.push({ ...draft, kind, fields });
    }
  }
  return withoutLostReferences(settled, note);
}

/**
 * The fields that an item needs. If one of them is invalid, the whole item is left out, because without the field the
 * item would mean something else.
 */
const needed = new Set(
  'key name type url host hostname port recordType nameserver method expectedStatus config monitors channels'.split(
    ' ',
  ),
);

function withoutFaults({ about, fields }: Draft, kind: Kind, note: Collection['note']): Fields | null {
  const left = { ...fields };
  for (let round = 0; round < 3; round++) {
    const checked = kind.validate(filled(left));
    if (checked.ok) return left;
    const faulty = Map.groupBy(checked.faults, ({ path }) => path.split('.')[0] ?? '');
    for (const [field, [fault]] of faulty) {
      const isNeeded = needed.has(field) || !(field in left);
      const what = isNeeded ? `the whole ${kind.one}` : field;
      note('lost', about, `${what}: \`${fault!.path}\` ${fault!.message}`);
      if (isNeeded) return null;
      delete left[field];
    }
  }
  note('lost', about, `the whole ${kind.one}: its fields are not valid`);
  return null;
}

/**
 * Replaces each reference to an environment variable by a valid example, so that the rest of the value can be
 * validated.
 */
function filled(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(filled);
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, filled(inner)]));
  if (typeof value !== 'string' || !hasReference(value)) return value;
  const isStart = value.startsWith('\ue000') && !/:\/\//.test(value);
  return isStart
    ? replaceReferences(value, () => 'https://reference.example').replace(/(?<=example)https:\/\//g, '')
    : replaceReferences(value, () => 'reference');
}

/** Removes references to items that were left out. Then removes rules without monitors or without channels. */
function withoutLostReferences(settled: readonly Settled[], note: Collection['note']): Settled[] {
  const keys = new Set(settled.map(({ list, fields }) => `${list} ${String(fields['key'])}`));
  return settled.flatMap((item) => {
    const fields = { ...item.fields };
    for (const list of ['monitors', 'channels'] as const) {
      const words: unknown = fields[list];
      if (!Array.isArray(words)) continue;
      const kept = words.filter((word) => keys.has(`${list} ${String(word)}`));
      fields[list] = kept;
      if (kept.length > 0 || item.list !== 'alertRules') continue;
      note('lost', item.about, `the rule: none of its ${list} could be carried over`);
      return [];
    }
    return [{ ...item, fields }];
  });
}
