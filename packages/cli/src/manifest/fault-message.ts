import { type Fault, nearest } from '@uptime/sdk/contract';

/** A fault as a sentence: the field, what was expected, what was found, and what was probably meant. */
export function faultMessage(fault: Fault, found: unknown, given: Record<string, unknown>): string {
  const field = fault.path === '' ? 'this monitor' : `\`${fault.path}\``;
  if (fault.message === 'is required') {
    const type = typeof given['type'] === 'string' && fault.path !== 'type' ? ` for type ${given['type']}` : '';
    return `${field} is required${type}`;
  }
  const choices = /^must be one of (.+)$/.exec(fault.message)?.[1]?.split(', ');
  if (choices && fault.path !== '' && !(fault.path in given)) {
    return `${field} is required: one of ${choices.join(', ')}`;
  }
  const message = fault.message.startsWith('unknown field') ? `is an ${fault.message}` : fault.message;
  const shown = shortly(found);
  const meant = choices && typeof found === 'string' ? nearest(found, choices) : null;
  return `${field} ${message}${shown ? `; found ${shown}` : ''}${meant ? `; did you mean \`${meant}\`?` : ''}`;
}

function shortly(value: unknown): string | null {
  if (value === null) return 'nothing';
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return null;
  const text = JSON.stringify(value);
  return text.length > 60 ? null : text;
}
