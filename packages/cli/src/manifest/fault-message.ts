import { channelConfigs, type Fault, monitorInputs, nearest } from '@uptime/sdk/contract';
import type { Fields, Kind } from '../kinds/kind.ts';
import { withoutPassword } from '../secrets.ts';

/** Turns a fault into a sentence: the field, what was expected, what was found, and a suggestion. */
export function faultMessage(fault: Fault, found: unknown, given: Fields, kind: Kind): string {
  const field = fault.path === '' ? `this ${kind.one}` : `\`${fault.path}\``;
  if (fault.message.startsWith('unknown field'))
    return `${field} is an ${fault.message}${otherType(fault, given, kind)}`;
  if (isAbsent(fault.path, given)) return `${field} is required${requiredBy(fault, given, kind)}`;
  const expected = inYaml(fault.message);
  const value = isAboutName(fault) ? null : shown(found);
  const parts = [`${field} ${expected}`, value && `found ${value}`, suggestion(fault, found, expected)];
  return parts.filter(Boolean).join('; ');
}

/** Whether a fault is about the name of an entry rather than its value. */
export const isAboutName = ({ message }: Fault): boolean =>
  /^(?:unknown field|must be a header name|cannot be set|is not allowed as a name)/.test(message);

const isAbsent = (path: string, given: Fields): boolean =>
  path !== '' && !path.includes('.') && !Object.hasOwn(given, path);

function requiredBy(fault: Fault, given: Fields, kind: Kind): string {
  const type = typeOf(given, kind);
  const forType = type !== null && !['name', 'type'].includes(fault.path) ? ` for type ${type}` : '';
  return forType + (fault.message === 'is required' ? '' : `: it ${inYaml(fault.message)}`);
}

function otherType({ path, message }: Fault, given: Fields, kind: Kind): string {
  const type = typeOf(given, kind);
  if (message.includes('did you mean') || type === null) return '';
  if (kind.name !== 'monitor') return ` of type ${type}`;
  const types = Object.entries(monitorInputs).filter(([, schema]) => Object.hasOwn(schema.shape, path));
  return types.length === 0
    ? ` of type ${type}`
    : `: type ${type} does not have it, but ${types.map(([known]) => known).join(', ')}`;
}

/** Returns the type of an item, which decides its fields. Returns null for an unknown type, or a kind without types. */
function typeOf({ type }: Fields, { name }: Kind): string | null {
  const types = name === 'monitor' ? monitorInputs : name === 'channel' ? channelConfigs : {};
  return typeof type === 'string' && Object.hasOwn(types, type) ? type : null;
}

// Messages of the contract name JSON types; a manifest is YAML.
const inYaml = (message: string): string =>
  message
    .replace(/must be (?:a JSON|an) object/, 'must be a map')
    .replace('must be an array', 'must be a list')
    .replace('must be a boolean', 'must be true or false')
    .replace('must be a string', 'must be text');

/** Suggests what to write instead, if possible. */
function suggestion({ message }: Fault, found: unknown, expected: string): string | null {
  const choices = /^must be one of (.+)$/.exec(message)?.[1]?.split(', ');
  if (choices && typeof found === 'string') {
    const meant = nearest(found, choices);
    return meant && `did you mean \`${meant}\`?`;
  }
  if (expected === 'must be text' && (typeof found === 'number' || typeof found === 'boolean')) {
    return `write it in quotes: "${found}"`;
  }
  if (typeof found !== 'string') return null;
  if (expected === 'must be true or false' && /^(?:yes|on|no|off)$/i.test(found)) {
    return `write ${/^(?:yes|on)$/i.test(found) ? 'true' : 'false'}`;
  }
  if (!message.startsWith('must be a whole number')) return null;
  if (/^\d+$/.test(found)) return 'write it without quotes';
  const [, count, unit] = /^(\d+)\s*(s|m|h|d)/i.exec(found) ?? [];
  const seconds = unit && { s: 1, m: 60, h: 3600, d: 86_400 }[unit.toLowerCase()];
  return seconds ? `in seconds that is ${Number(count) * seconds}` : null;
}

function shown(value: unknown): string | null {
  if (value === null) return 'nothing';
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return null;
  const text = typeof value === 'string' ? JSON.stringify(withoutPassword(value)) : String(value);
  return text.length > 60 ? null : text;
}
