import { describe, expect, test } from 'vitest';
import { incidentInput, incidentPatch, scheduleFaults, validate } from './index.ts';

const faultsOf = (result: ReturnType<typeof validate>) =>
  result.ok ? [] : result.faults.map(({ path, code }) => `${path} ${code}`);
const ids = (count: number) => Array.from({ length: count }, (_, n) => `mon_${n}`);

describe('an incident', () => {
  test.each([
    ['a title of 200 characters', { title: 'x'.repeat(200) }, []],
    ['the status monitoring', { status: 'monitoring' }, []],
    ['a message of several lines', { message: 'a\nb\n' }, []],
    ['a message of 10,000 characters', { message: 'x'.repeat(10_000) }, []],
    ['1000 monitors', { monitorIds: ids(1000) }, []],
    ['an empty title', { title: '' }, ['title bad_format']],
    ['a title of 201 characters', { title: 'x'.repeat(201) }, ['title bad_format']],
    ['no title', { title: undefined }, ['title required']],
    ['an unknown status', { status: 'open' }, ['status not_a_choice']],
    ['null as a status', { status: null }, ['status not_a_choice']],
    ['a message of 10,001 characters', { message: 'x'.repeat(10_001) }, ['message too_big']],
    ['a message with a NUL character', { message: 'a\0b' }, ['message bad_format']],
    ['1001 monitors', { monitorIds: ids(1001) }, ['monitorIds too_big']],
    ['a manifest name with a blank', { managedBy: 'a b' }, ['managedBy bad_format']],
    ['the word yes as maintenance', { maintenance: 'yes' }, ['maintenance wrong_type']],
    ['a key, which incidents lack', { key: 'x' }, ['key unknown_field']],
  ])('an incident with %s (%j) has the faults %j', (_, change, faults) => {
    expect(faultsOf(validate(incidentInput, { title: 'Checkout is slow', ...change }))).toEqual(faults);
  });

  test('validation fills in no status, because incidents and maintenance windows begin with different statuses', () => {
    const parsed = validate(incidentInput, { title: 'x' });
    expect(parsed.ok && 'status' in parsed.value).toBe(false);
  });
});

describe('the time of a maintenance window', () => {
  test.each([
    ['2026-01-31T08:00:00Z', []],
    ['2026-01-31T08:00Z', ['scheduledStart bad_format']],
    ['2026-01-31T08:00:00.123Z', []],
    ['2026-01-31T08:00:00+05:30', []],
    ['2026-01-31T08:00:00', ['scheduledStart bad_format']],
    ['2026-01-31', ['scheduledStart bad_format']],
    ['2026-02-30T08:00:00Z', ['scheduledStart bad_format']],
    ['2026-01-31T24:00:00Z', ['scheduledStart bad_format']],
    ['2026-01-31 08:00:00Z', ['scheduledStart bad_format']],
    ['tomorrow', ['scheduledStart bad_format']],
    [1_769_846_400_000, ['scheduledStart wrong_type']],
  ])('the start %j of a maintenance window has the faults %j', (scheduledStart, faults) => {
    expect(faultsOf(validate(incidentInput, { title: 'x', scheduledStart }))).toEqual(faults);
  });

  const [early, late] = ['2026-01-31T08:00:00Z', '2026-01-31T09:00:00Z'];
  test.each([
    ['a maintenance window may have a start and a later end', true, early, late, []],
    [
      'a maintenance window needs a start and an end',
      true,
      null,
      null,
      ['scheduledStart required_for_windows', 'scheduledEnd required_for_windows'],
    ],
    ['a maintenance window needs a start', true, null, late, ['scheduledStart required_for_windows']],
    ['a maintenance window needs an end', true, early, null, ['scheduledEnd required_for_windows']],
    ['a maintenance window cannot end before its start', true, late, early, ['scheduledEnd not_after']],
    ['a maintenance window cannot end at its start', true, early, early, ['scheduledEnd not_after']],
    ['times in different zones are compared correctly', true, '2026-01-31T10:00:00+02:00', '2026-01-31T08:30:00Z', []],
    ['an ordinary incident needs no start and no end', false, null, null, []],
    ['an ordinary incident cannot have a start', false, early, null, ['scheduledStart only_for_windows']],
    [
      'an ordinary incident cannot have a start and an end',
      false,
      early,
      late,
      ['scheduledStart only_for_windows', 'scheduledEnd only_for_windows'],
    ],
  ])('%s', (_, maintenance, scheduledStart, scheduledEnd, faults) => {
    const found = scheduleFaults({ maintenance, scheduledStart, scheduledEnd });
    expect(found.map(({ path, code }) => `${path} ${code}`)).toEqual(faults);
  });

  test('the fault of an end before the start names the field scheduledStart', () => {
    const [fault] = scheduleFaults({ maintenance: true, scheduledStart: late, scheduledEnd: early });
    expect(fault).toMatchObject({ params: { field: 'scheduledStart' }, message: 'must be after `scheduledStart`' });
  });
});

describe('a change of an incident', () => {
  test.each([
    [{}, []],
    [{ status: 'resolved', message: 'The cable is back.' }, []],
    [{ status: null, message: null, monitorIds: null, scheduledStart: null, scheduledEnd: null }, []],
    [{ managedBy: null }, []],
    [{ title: null }, ['title wrong_type']],
    [{ title: '' }, ['title bad_format']],
    [{ message: 'x'.repeat(10_001) }, ['message too_big']],
    [{ message: '\0' }, ['message bad_format']],
    // An incident cannot become a maintenance window, and a maintenance window cannot become an incident.
    [{ maintenance: true }, ['maintenance unknown_field']],
    [{ updates: [] }, ['updates unknown_field']],
  ])('the change %j of an incident has the faults %j', (patch, faults) =>
    expect(faultsOf(validate(incidentPatch, patch))).toEqual(faults),
  );
});
