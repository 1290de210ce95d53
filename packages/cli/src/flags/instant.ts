import { InvalidArgumentError } from 'commander';

const form = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?)(Z|[+-]\d{2}:\d{2})?$/;

/**
 * Parses a date and time for commander. Returns epoch milliseconds. A time without a zone is local time. Throws for a
 * date that does not exist, and for a local time that the change to summer time skips.
 */
export function instant(text: string): number {
  const [, date, time, zone] = form.exec(text) ?? [];
  const at = date ? Date.parse(`${date}T${time}${zone ?? ''}`) : Number.NaN;
  const day = Date.parse(`${date}T00:00:00Z`);
  if (Number.isNaN(at) || Number.isNaN(day) || new Date(day).toISOString().slice(0, 10) !== date) {
    throw new InvalidArgumentError(
      'Expected a date and time such as 2030-05-01T02:00:00Z, or 2030-05-01 02:00 for local time.',
    );
  }
  if (zone === undefined && localTime(at) !== `${date} ${time!.slice(0, 5)}`) {
    throw new InvalidArgumentError(`This time does not exist in ${localZone()}: the clocks skip it.`);
  }
  return at;
}

/** Formats an instant in local time and in UTC: `2030-05-01 04:00 Europe/Berlin (2030-05-01T02:00:00.000Z)`. */
export const formatInstant = (at: number): string => `${localTime(at)} ${localZone()} (${new Date(at).toISOString()})`;

function localTime(at: number): string {
  const date = new Date(at);
  const two = (number: number) => String(number).padStart(2, '0');
  const day = `${String(date.getFullYear()).padStart(4, '0')}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`;
}

const localZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone;
