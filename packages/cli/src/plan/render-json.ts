import { isMap } from '../kinds/compare.ts';
import type { KindName } from '../kinds/kind.ts';
import type { Wanted } from '../manifest/item.ts';
import { type Change, createdFields, type Plan, subject } from './change.ts';
import { withoutAddressSecrets } from '../secrets.ts';

interface JsonField {
  path: string;
  from: unknown;
  to: unknown;
  secret: boolean;
}

/** A plan as data for programs. Values that must not be shown are null, and `secret` is then true. */
export interface JsonPlan {
  changes: {
    action: Change['action'];
    kind: KindName;
    type: string | null;
    name: string;
    key: string | null;
    id: string | null;
    fields: JsonField[];
  }[];
  unchanged: number;
  pingUrls?: { name: string; key: string | null; pingUrl: string }[];
}

export const renderJson = ({ changes, unchanged }: Plan): JsonPlan => ({
  changes: changes.map((change) => ({
    action: change.action,
    kind: change.kind.name,
    ...subject(change),
    id: change.action === 'create' ? null : change.current.id,
    fields: fields(change).map(({ path, from, to, secret }) =>
      secret ? { path, from: null, to: null, secret } : { path, from: fit(from), to: fit(to), secret },
    ),
  })),
  unchanged: unchanged.length,
});

function fields(change: Change): JsonField[] {
  if (change.action === 'update') return change.fields.map(({ at, ...field }) => ({ path: at.join('.'), ...field }));
  if (change.action === 'delete') return [];
  return Object.entries(createdFields(change)).flatMap(([field, value]) => entries(field, value, change.wanted));
}

/** Returns a field of a new resource. A map becomes one field for each entry. */
const entries = (path: string, value: unknown, wanted: Wanted): JsonField[] =>
  isMap(value)
    ? Object.entries(value).flatMap(([name, inner]) => entries(`${path}.${name}`, inner, wanted))
    : [{ path, from: null, to: value, secret: wanted.hides(path) }];

const fit = (value: unknown): unknown => (typeof value === 'string' ? withoutAddressSecrets(value) : (value ?? null));
