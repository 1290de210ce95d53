import { BadRequestError } from '@uptime/sdk';
import { describe, expect, test } from 'vitest';
import { kinds } from '../kinds/index.ts';
import type { Fields, Remote } from '../kinds/kind.ts';
import { wantedFrom } from '../manifest/item.ts';
import type { Writer } from './apply.ts';
import { foreignItems } from './ownership.ts';
import { withoutUnknownOwner } from './without-unknown-owner.ts';

const { monitor } = kinds;

describe('a resource that another manifest manages', () => {
  const refusal = (
    managedBy: string | null | undefined,
    owner: string | null,
    takeOver = false,
    key: string | null = null,
  ) => {
    const wanted = {
      ...wantedFrom(monitor, { key, name: 'Shop' }),
      place: (path: string) => ({ file: path, line: 1, column: 1 }),
    };
    const current: Remote = { id: 'mon_1', name: 'Shop', key, ...(managedBy !== undefined && { managedBy }) };
    return foreignItems({ pairs: new Map([[wanted, current]]) }, { owner, takeOver }).map(
      ({ file, message }) => `${file}: ${message}`,
    );
  };
  const theirs = 'name: the monitor "Shop" on the server is managed by the manifest "b"; ';

  test.each<[string, string | null | undefined, string | null, boolean, string[]]>([
    [
      'a manifest with a name cannot change a resource that another manifest manages',
      'b',
      'a',
      false,
      [`${theirs}give this item another key and name, remove it, or add --take-over`],
    ],
    [
      'a manifest without a name cannot change a resource that another manifest manages',
      'b',
      null,
      false,
      [`${theirs}write \`managedBy: b\` at the top if this is that manifest, or else add --take-over`],
    ],
    ['with --take-over, a manifest can change a resource that another manifest manages', 'b', 'a', true, []],
    ['a manifest can change a resource that it manages itself', 'a', 'a', false, []],
    ['a manifest can change a resource that no manifest manages', null, 'a', false, []],
    ['a manifest can change any resource on a server that does not store `managedBy`', undefined, 'a', false, []],
  ])('%s', (_, managedBy, owner, takeOver, faults) => {
    expect(refusal(managedBy, owner, takeOver)).toEqual(faults);
  });

  test('a resource that another manifest manages is reported at the key of the item, without control characters', () => {
    expect(refusal('b\u001b[2J', 'a', false, 'shop')).toEqual([
      'key: the monitor "shop" on the server is managed by the manifest "b"; give this item another key and name, remove it, or add --take-over',
    ]);
  });
});

describe('a creation on a server that may not know `managedBy`', () => {
  const bad = (path: string) =>
    new BadRequestError({
      status: 400,
      code: 'invalid_request',
      title: 'x',
      detail: 'x',
      errors: [{ path, message: 'x' }],
      requestId: null,
    });
  /** Creates a writer for a server that refuses bodies with these fields, and records the bodies. */
  const refusing = (...fields: string[]) => {
    const bodies: Fields[] = [];
    const writer: Writer = {
      create: async (body) => {
        bodies.push(body);
        const found = fields.find((field) => field in body);
        if (found !== undefined) throw bad(found);
        return { id: 'mon_1', name: String(body['name']) };
      },
      update: async (id) => ({ id, name: 'updated' }),
      delete: async () => 'deleted',
    };
    return { bodies, writer: withoutUnknownOwner(writer) };
  };

  test('a creation is repeated without the field `managedBy` if the server refuses this field', async () => {
    const { bodies, writer } = refusing('managedBy');
    expect(await writer.create({ name: 'a', managedBy: 'x' })).toMatchObject({ id: 'mon_1' });
    expect(bodies).toEqual([{ managedBy: 'x', name: 'a' }, { name: 'a' }]);
  });

  test('a creation fails at once if the server refuses a field other than `managedBy`', async () => {
    const { bodies, writer } = refusing('name');
    await expect(writer.create({ name: 'a', managedBy: 'x' })).rejects.toMatchObject({ errors: [{ path: 'name' }] });
    expect(bodies).toHaveLength(1);
  });

  test('a creation is sent only once if the manifest has no name, or if the server knows `managedBy`', async () => {
    const { bodies, writer } = refusing();
    await writer.create({ name: 'a' });
    await writer.create({ name: 'b', managedBy: 'x' });
    expect(bodies).toEqual([{ name: 'a' }, { managedBy: 'x', name: 'b' }]);
    expect([await writer.update('mon_1', {}), await writer.delete('mon_1')]).toEqual([
      { id: 'mon_1', name: 'updated' },
      'deleted',
    ]);
  });
});
