import * as z from 'zod';
import { validate } from '@uptime/sdk/contract';
import { type FieldFlag, fieldFlags } from '../flags/field-flags.ts';
import { monitorsFlag, readMonitors } from '../flags/reference-flags.ts';
import type { FieldRules } from '../kinds/field-rules.ts';
import type { Calls, Creation, Deletion, Listing, Noun, Reading, Update, Writable } from '../nouns/noun.ts';
import { showResource } from '../nouns/show-resource.ts';
import { CliError } from '../exit.ts';

/**
 * A resource that exists only in the tests of commands such as `list` and `get`. These commands have no code for boxes,
 * and know only what the noun says about them.
 */
export interface Box {
  id: string;
  name: string;
  size: number;
  secret?: string;
  monitorIds?: string[];
}

export type Boxes = Noun<Box> & {
  calls: () => Calls<Box>;
  fields: Writable;
  list: Listing<Box>;
  get: Reading<Box>;
  create: Creation<Box>;
  update: Update<Box>;
  delete: Deletion<Box>;
};

const size = z.int({ error: 'a whole number' });
const schema = z.strictObject({ name: z.string(), size: size.default(1) });
const patchSchema = z.strictObject({ name: z.string(), size }).partial();
const flags: readonly FieldFlag[] = [
  { field: 'name', flag: '--name <text>', kind: 'text', about: 'its name' },
  { field: 'size', flag: '--size <n>', kind: 'number', about: 'its size' },
  { field: 'secret', flag: '--secret <text>', kind: 'text', about: 'its secret', secret: true },
];

/** Creates a noun whose resources are in memory. `calls` records which functions of the noun were called, in order. */
export function createBoxes(rows: Box[] = []) {
  const calls: unknown[] = [];
  const rules: FieldRules = {
    flags,
    foreign: () => 'is not a field of a box',
    create: ({ fields }) => validate(schema, withoutSecret(fields)),
    update: (patch) => validate(patchSchema, patch),
  };
  const help = { summary: 'a test', examples: ['boxes', 'boxes'] as const };
  const noun: Boxes = {
    word: 'boxes',
    one: 'box',
    many: 'boxes',
    argument: ['box', 'its id or name'],
    async find(word) {
      calls.push(['find', word]);
      const found = rows.find(({ id, name }) => id === word || name === word);
      if (!found) throw new CliError(`no box is called ${word}`);
      return found;
    },
    show: (box, shown, { io }) => showResource(io, box, shown),
    calls: () => callsOn(rows, calls),
    fields: {
      flags,
      declare(command, isNew) {
        fieldFlags(command, flags, isNew);
        monitorsFlag(command, 'monitors in the box');
      },
      members: (typed) => ({ monitors: readMonitors(typed) }),
      rules: async () => rules,
    },
    list: {
      ...help,
      async read() {
        calls.push(['read']);
        return [...rows];
      },
      empty: 'No boxes.',
      columns: () => [
        { title: 'NAME', value: ({ name }) => name },
        { title: 'SIZE', value: ({ size }) => String(size) },
        { title: 'ID', value: ({ id }) => id, wide: true },
      ],
      data: async () => withoutSecret,
    },
    get: help,
    create: { ...help },
    update: { ...help, such: '--size 3' },
    delete: { ...help, printed: ({ id, name }) => ({ id, name }) },
  };
  return { noun, rules, rows, calls };
}

/** Returns the methods of a client for boxes. They change the boxes in memory. */
const callsOn = (rows: Box[], calls: unknown[]): Calls<Box> => ({
  async create(body) {
    calls.push(['create', body]);
    const box = { id: `box_${rows.length + 1}`, ...(body as Omit<Box, 'id'>) };
    rows.push(box);
    return box;
  },
  async update(id, body) {
    calls.push(['update', id, body]);
    return Object.assign(
      rows.find((row) => row.id === id)!,
      body,
    );
  },
  async delete(id) {
    calls.push(['delete', id]);
    rows.splice(
      rows.findIndex((row) => row.id === id),
      1,
    );
  },
});

function withoutSecret<T extends { secret?: unknown }>(box: T): Omit<T, 'secret'> {
  const { secret: _, ...rest } = box;
  return rest;
}
