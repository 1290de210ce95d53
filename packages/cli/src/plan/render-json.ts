import type { Change, Plan } from './change.ts';
import { subject } from './change.ts';
import { isSensitive, withoutPassword } from './secrets.ts';

/** The plan for a program. Values that must not be shown are null, and `secret` is true. */
export interface JsonPlan {
  changes: {
    action: Change['action'];
    type: string;
    name: string;
    key: string | null;
    id: string | null;
    fields: { path: string; from: unknown; to: unknown; secret: boolean }[];
  }[];
  unchanged: number;
}

export const renderJson = ({ changes, unchanged }: Plan): JsonPlan => ({
  changes: changes.map((change) => ({
    action: change.action,
    ...subject(change),
    id: change.action === 'create' ? null : change.current.id,
    fields: fields(change).map(({ path, from, to, secret }) =>
      secret ? { path, from: null, to: null, secret } : { path, from: fit(from), to: fit(to), secret },
    ),
  })),
  unchanged: unchanged.length,
});

function fields(change: Change): JsonPlan['changes'][number]['fields'] {
  if (change.action === 'update') return change.fields;
  if (change.action === 'delete') return [];
  const { given, hides } = change.wanted;
  return Object.entries(given).flatMap(([field, value]) => {
    const entries =
      field === 'headers' || field === 'labels'
        ? Object.entries(value ?? {}).map(([name, text]) => [`${field}.${name}`, text as unknown] as const)
        : [[field, value] as const];
    return entries.map(([path, to]) => ({
      path,
      from: null,
      to,
      secret: hides(path) || isSensitive(path),
    }));
  });
}

const fit = (value: unknown): unknown => (typeof value === 'string' ? withoutPassword(value) : (value ?? null));
