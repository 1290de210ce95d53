import type { ChalkInstance } from 'chalk';
import { plain } from '../output.ts';
import { type Action, type Change, type FieldChange, type Plan, subject } from './change.ts';
import { isSensitive, withoutPassword } from './secrets.ts';

/** The plan for a person: each change with the fields it touches, and a line that counts. */
export function renderText({ changes, unchanged }: Plan, paint: ChalkInstance): string {
  const blocks = changes.map((change) => [title(change, paint), ...details(change)].join('\n'));
  return [...blocks, counts({ changes, unchanged })].join('\n');
}

/** `Plan: 2 to create, 1 to update, 4 unchanged.` */
export function counts({ changes, unchanged }: Plan): string {
  const parts = (['create', 'update', 'replace', 'delete'] as const)
    .map((action) => [action, changes.filter((change) => change.action === action).length] as const)
    .filter(([, count]) => count > 0)
    .map(([action, count]) => `${count} to ${action}`);
  return parts.length === 0
    ? `Nothing to do: ${unchanged.length} unchanged.`
    : `Plan: ${parts.join(', ')}, ${unchanged.length} unchanged.`;
}

/** One line that names the monitor of a change. */
export function describe(change: Change): string {
  const { type, name, key } = subject(change);
  return `${type} ${JSON.stringify(plain(name))}${key ? ` (${plain(key)})` : ''}`;
}

const signs: Record<Action, string> = { create: '+', update: '~', replace: '±', delete: '-' };

function title(change: Change, paint: ChalkInstance): string {
  const colour = { create: paint.green, update: paint.yellow, replace: paint.magenta, delete: paint.red }[
    change.action
  ];
  const line = `${signs[change.action]} ${change.action} ${describe(change)}`;
  const note =
    change.action === 'replace'
      ? `: was ${change.current.type}; it is deleted and created anew, and its past is lost`
      : '';
  return colour(line) + note;
}

function details(change: Change): string[] {
  if (change.action === 'delete') return [];
  if (change.action === 'update') return change.fields.map((field) => `    ${plain(field.path)}: ${changed(field)}`);
  return Object.entries(change.wanted.given)
    .filter(([field]) => !['type', 'name', 'key'].includes(field))
    .map(([field, value]) => `    ${field}: ${created(field, value, change.wanted.hides)}`);
}

function created(field: string, value: unknown, hides: (path: string) => boolean): string {
  if (field === 'headers' || field === 'labels') {
    const entries = Object.entries((value ?? {}) as Record<string, unknown>).map(([name, text]) => {
      const path = `${field}.${name}`;
      return `${plain(name)}: ${hides(path) || isSensitive(path) ? '(not shown)' : show(text)}`;
    });
    return `{ ${entries.join(', ')} }`;
  }
  return hides(field) ? '(from the environment)' : show(value);
}

function changed({ from, to, secret }: FieldChange): string {
  if (secret) return from == null ? '(set, not shown)' : to == null ? '(removed)' : '(changed, not shown)';
  return `${show(from)} → ${show(to)}`;
}

function show(value: unknown): string {
  if (value === undefined || value === null) return 'none';
  const text = typeof value === 'string' ? JSON.stringify(withoutPassword(value)) : JSON.stringify(value);
  return plain(text.length > 120 ? `${text.slice(0, 119)}…` : text);
}
