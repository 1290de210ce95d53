import { channelConfigs, type Fault, type FaultCode, monitorInputs, nearest, sentenceOf } from '@uptime/sdk/contract';
import type { Fields, Kind } from '../kinds/kind.ts';
import { withoutAddressSecrets } from '../secrets.ts';

/**
 * Returns a sentence about a fault: the field, what was expected, what was found, and a suggestion. `written` is the
 * value as the file spells it. For example, YAML reads `1.10` as the number 1.1, although the author meant the text
 * `1.10`.
 */
export function faultMessage(fault: Fault, found: unknown, given: Fields, kind: Kind, written?: string): string {
  const field = fault.path === '' ? `this ${kind.one}` : `\`${fault.path}\``;
  if (fault.code === 'unknown_field') return `${field} is an ${fault.message}${otherType(fault, given, kind)}`;
  if (isAbsent(fault.path, given)) return `${field} is required${requiredBy(fault, given, kind)}`;
  const value = isAboutName(fault) ? null : shown(found, written);
  const advice = suggestion(fault, found, written);
  const parts = [`${field} ${sentenceOf(fault, 'yaml')}`, value && `found ${value}`, advice];
  return parts.filter(Boolean).join('; ');
}

/** Whether a fault is about the name of an entry, and not about the value of the entry. */
export const isAboutName = ({ code }: Fault): boolean => aboutNames.includes(code);

const aboutNames: readonly FaultCode[] = ['unknown_field', 'bad_name', 'reserved_header', 'forbidden_name'];

const isAbsent = (path: string, given: Fields): boolean =>
  path !== '' && !path.includes('.') && !Object.hasOwn(given, path);

function requiredBy(fault: Fault, given: Fields, kind: Kind): string {
  const type = typeOf(given, kind);
  const forType = type !== null && !['name', 'type'].includes(fault.path) ? ` for type ${type}` : '';
  const saysMore = fault.code !== 'required' || fault.params.format !== null;
  return forType + (saysMore ? `: it ${sentenceOf(fault, 'yaml')}` : '');
}

function otherType({ path, params }: Extract<Fault, { code: 'unknown_field' }>, given: Fields, kind: Kind): string {
  const type = typeOf(given, kind);
  if (params.meant !== null || type === null) return '';
  if (kind.name !== 'monitor') return ` of type ${type}`;
  const types = Object.entries(monitorInputs).filter(([, schema]) => Object.hasOwn(schema.shape, path));
  return types.length === 0
    ? ` of type ${type}`
    : `: type ${type} does not have it; ${types.map(([known]) => known).join(', ')} ${types.length === 1 ? 'does' : 'do'}`;
}

/**
 * Returns the type of an item. The type decides which fields an item may have. Returns null for an unknown type, and
 * for a kind without types.
 */
function typeOf({ type }: Fields, { name }: Kind): string | null {
  const types = name === 'monitor' ? monitorInputs : name === 'channel' ? channelConfigs : {};
  return typeof type === 'string' && Object.hasOwn(types, type) ? type : null;
}

/** Returns a suggestion for what to write in place of the faulty value, or null. */
function suggestion(fault: Fault, found: unknown, written = String(found)): string | null {
  if (fault.code === 'not_a_choice' && typeof found === 'string') {
    const meant = nearest(found, fault.params.choices);
    return meant && `did you mean \`${meant}\`?`;
  }
  if (fault.code !== 'wrong_type') return null;
  const [expected = ''] = fault.params.expected;
  if (expected === 'string' && (typeof found === 'number' || typeof found === 'boolean')) {
    return `write it in quotes: "${written}"`;
  }
  if (typeof found !== 'string') return null;
  if (expected === 'boolean' && /^(?:yes|on|no|off)$/i.test(found)) {
    return `write ${/^(?:yes|on)$/i.test(found) ? 'true' : 'false'}`;
  }
  return expected === 'number' || expected === 'int' ? numberIn(found) : null;
}

function numberIn(found: string): string | null {
  if (/^\d+$/.test(found)) return 'write it without quotes';
  const [, count, unit] = /^(\d+)\s*(s|m|h|d)/i.exec(found) ?? [];
  const seconds = unit && { s: 1, m: 60, h: 3600, d: 86_400 }[unit.toLowerCase()];
  return seconds ? `in seconds that is ${Number(count) * seconds}` : null;
}

function shown(value: unknown, written = String(value)): string | null {
  if (value === null) return 'nothing';
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return null;
  const text = typeof value === 'string' ? JSON.stringify(withoutAddressSecrets(value)) : written;
  return text.length > 60 ? null : text;
}
