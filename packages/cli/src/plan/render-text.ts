import type { ChalkInstance } from 'chalk';
import { isMap } from '../kinds/compare.ts';
import type { Wanted } from '../manifest/item.ts';
import { plain } from '../output.ts';
import { type Action, type Change, createdFields, type FieldChange, type Plan, subject } from './change.ts';
import { withoutAddressSecrets } from '../secrets.ts';

/** Renders a plan for people: each change with its fields, and a line with totals. */
export function renderText({ changes, unchanged }: Pick<Plan, 'changes' | 'unchanged'>, paint: ChalkInstance): string {
  return [...changes.map((change) => renderChange(change, paint)), counts({ changes, unchanged })].join('\n');
}

/** Renders a change for people: a line that begins with a sign such as `+`, and a line for each field. */
export const renderChange = (change: Change, paint: ChalkInstance): string =>
  [title(change, paint), ...details(change)].join('\n');

/** Returns the line of totals, such as `Plan: 2 to create, 1 to update, 4 unchanged.` */
export function counts({ changes, unchanged }: Pick<Plan, 'changes' | 'unchanged'>): string {
  const parts = (['create', 'update', 'replace', 'delete'] as const)
    .map((action) => [action, changes.filter((change) => change.action === action).length] as const)
    .filter(([, count]) => count > 0)
    .map(([action, count]) => `${count} to ${action}`);
  return parts.length === 0
    ? `Nothing to do: ${unchanged.length} unchanged.`
    : `Plan: ${parts.join(', ')}, ${unchanged.length} unchanged.`;
}

/**
 * Describes the resource of a change, such as `slack channel "Ops"`. The word monitor is left out: `http "Shop"
 * (shop)`.
 */
export function describe(change: Change): string {
  const { type, name, key } = subject(change);
  const kind = change.kind.name === 'monitor' ? null : change.kind.one;
  return `${[type, kind].filter(Boolean).join(' ')} ${JSON.stringify(plain(name))}${key ? ` (${plain(key)})` : ''}`;
}

const signs: Record<Action, string> = { create: '+', update: '~', replace: '±', delete: '-' };

function title(change: Change, paint: ChalkInstance): string {
  const colour = { create: paint.green, update: paint.yellow, replace: paint.magenta, delete: paint.red }[
    change.action
  ];
  const line = `${signs[change.action]} ${change.action} ${describe(change)}`;
  const note =
    change.action === 'replace' ? `: was ${change.current.type}; a new one is created, and the history is lost` : '';
  return colour(line) + note;
}

function details(change: Change): string[] {
  if (change.action === 'delete') return [];
  if (change.action === 'update') return change.fields.map((field) => `    ${changed(field, change)}`);
  return Object.entries(createdFields(change))
    .filter(([field]) => !['type', 'name', 'title', 'key', 'managedBy'].includes(field))
    .map(([field, value]) => `    ${field}: ${created(field, value, change.wanted)}`);
}

function created(path: string, value: unknown, wanted: Wanted): string {
  if (isMap(value)) {
    const entries = Object.entries(value).map(
      ([name, inner]) => `${plain(name)}: ${created(`${path}.${name}`, inner, wanted)}`,
    );
    return `{ ${entries.join(', ')} }`;
  }
  if (!wanted.hides(path)) return show(value);
  const isSecret = path.includes('.') || wanted.kind.isSecret(path, wanted.given);
  return isSecret ? '(not shown)' : '(from the environment)';
}

function changed({ at, from, to, secret }: FieldChange, { kind }: Change): string {
  const path = plain(at.join('.'));
  if (secret)
    return `${path}: ${from == null ? '(set, not shown)' : to == null ? '(removed)' : '(changed, not shown)'}`;
  if (at[0] in kind.references) return `${path}: ${renamed(from as string[], to as string[])}`;
  return `${path}: ${show(from)} → ${show(to)}`;
}

/** Shows only the added and removed names of a list, because the whole list may be long. */
function renamed(from: readonly string[], to: readonly string[]): string {
  const all = [
    ...to.filter((name) => !from.includes(name)).map((name) => `+ ${show(name)}`),
    ...from.filter((name) => !to.includes(name)).map((name) => `- ${show(name)}`),
  ];
  if (all.length > 0) return all.join(', ');
  return from.every((name, i) => name === to[i]) ? `${show(to)}, newly created` : `in the order ${show(to)}`;
}

function show(value: unknown): string {
  if (value === undefined || value === null) return 'none';
  const text = typeof value === 'string' ? JSON.stringify(withoutAddressSecrets(value)) : JSON.stringify(value);
  return plain(text.length > 120 ? `${text.slice(0, 119)}…` : text);
}
