import { expect, test } from 'vitest';
import { dropLibatomic } from './drop-libatomic.ts';
import { dt, number64, readElf } from './elf.ts';
import { exchangeArm64 } from './exchange-arm64.ts';

// This test uses a small made-up executable. test/binary.test.ts runs dropLibatomic on a real Node.
test('dropLibatomic adds to an arm64 executable the one function that the executable takes from libatomic', () => {
  const elf = arm64Executable();
  expect(dropLibatomic(elf)).toBeNull();

  const image = readElf(elf);
  expect(image.dynamic.filter(({ tag }) => tag === dt.needed).map(({ value }) => image.text(value))).toEqual([
    'libc.so.6',
  ]);
  expect(image.value(dt.verneedCount)).toBe(1);
  const versions = image.at(dt.verneed);
  expect(image.text(elf.readUInt32LE(versions + 4))).toBe('libc.so.6');
  expect(elf.readUInt32LE(versions + 12)).toBe(0);
  // The relocation is empty, so the loader does not change the table entry, which points to the added function.
  expect(elf.subarray(image.at(dt.jumpRela), image.at(dt.jumpRela) + 24)).toEqual(Buffer.alloc(24));
  const added = image.offsetOf(number64(elf, image.offsetOf(address.slot)));
  expect(added).toBeGreaterThanOrEqual(place.code + 4 * words.length);
  expect(elf.subarray(added, added + exchangeArm64.code.length)).toEqual(exchangeArm64.code);

  expect(dropLibatomic(elf)).toBeNull();
});

test.each([
  [
    'an executable with a call for another size than eight bytes',
    { word: { at: 5, is: 0x52800080 } },
    'some calls of __atomic_compare_exchange',
  ],
  [
    'an executable with a jump instead of a call',
    { word: { at: 7, is: 0x17fffff9 } },
    'some calls of __atomic_compare_exchange',
  ],
  ['an executable for another processor', { machine: 243 }, 'only executables for x86-64 and arm64'],
  ['an executable without a fixed address', { type: 3 }, 'only executables for x86-64 and arm64, at a fixed address'],
  ['an executable whose functions are linked late', { flags: 0 }, 'linked at their start'],
  [
    'an executable that imports another function',
    { imports: '__atomic_load' },
    'it imports __atomic_load from libatomic.so.1',
  ],
  ['an executable with data behind its code', { behind: 1 }, 'there is no free space after its code'],
])('dropLibatomic refuses %s, and leaves it unchanged', (_, change, reason) => {
  const elf = arm64Executable(change);
  const before = Buffer.from(elf);
  expect(dropLibatomic(elf)).toContain(reason);
  expect(elf.equals(before)).toBe(true);
});

const place = { code: 0x1000, data: 0x2000 };
const base = 0x400000;
const address = { code: base + place.code, slot: base + place.data + 0x108 };
/** The machine code: the linker's stub for the imported function, and a function that calls the stub. */
const words = [
  0xb0000010, // adrp x16, the page of the table entry
  0xf9408611, // ldr x17, [x16, #0x108]
  0x91042210, // add x16, x16, #0x108
  0xd61f0220, // br x17
  0xa9bf7bfd, // stp x29, x30, [sp, #-16]!
  0x52800100, // mov w0, #8
  0x97fffffa, // bl to the stub
  0xd65f03c0, // ret
];

interface Change {
  word?: { at: number; is: number };
  machine?: number;
  type?: number;
  flags?: number;
  imports?: string;
  behind?: number;
}

/** Returns an ELF file with only the parts that a loader reads. It imports from libatomic and from libc. */
function arm64Executable(change: Change = {}): Buffer {
  const elf = Buffer.alloc(0x3000);
  const text = ['', 'libatomic.so.1', 'libc.so.6', change.imports ?? '__atomic_compare_exchange', 'puts', ''].join(
    '\0',
  );
  const at = (name: string) => text.indexOf(name);
  const put64 = (from: number, ...values: number[]) =>
    values.forEach((value, n) => elf.writeBigUInt64LE(BigInt(value), from + 8 * n));
  const put32 = (from: number, ...values: number[]) =>
    values.forEach((value, n) => elf.writeUInt32LE(value, from + 4 * n));
  const put16 = (from: number, ...values: number[]) =>
    values.forEach((value, n) => elf.writeUInt16LE(value, from + 2 * n));

  elf.write('\x7fELF\x02\x01\x01', 0, 'latin1');
  put16(16, change.type ?? 2, change.machine ?? 183);
  put64(32, 64);
  put16(54, 56, 4);
  const segment = (n: number, type: number, flags: number, offset: number, size: number) => {
    put32(64 + 56 * n, type, flags);
    put64(72 + 56 * n, offset, base + offset, base + offset, size, size, 0x1000);
  };
  segment(0, 1, 4, 0, 0x1000);
  segment(1, 1, 5, place.code, 4 * words.length);
  segment(2, 1, 6, place.data, 0x1000);
  segment(3, 2, 6, place.data, 0x100);

  const [symbols, relocations, versionOf, versions, strings] = [0x400, 0x480, 0x4c0, 0x500, 0x600] as const;
  elf.write(text, strings, 'latin1');
  put32(symbols + 24, at(change.imports ?? '__atomic'));
  put32(symbols + 48, at('puts'));
  put64(relocations, address.slot);
  put32(relocations + 8, 1026, 1);
  put64(relocations + 24, address.slot + 8);
  put32(relocations + 32, 1026, 2);
  put16(versionOf, 0, 3, 2);
  // The entry of a library begins with the version of the format, the number of symbol versions, and the name of the
  // library. The offset of these versions and the offset of the next entry follow.
  put16(versions, 1, 1);
  put32(versions + 4, at('libc.so.6'), 16, 32);
  put16(versions + 16 + 6, 2);
  put16(versions + 32, 1, 1);
  put32(versions + 36, at('libatomic'), 16, 0);
  put16(versions + 48 + 6, 3);

  const dynamic: [number, number][] = [
    [dt.needed, at('libatomic')],
    [dt.needed, at('libc.so.6')],
    [dt.strings, base + strings],
    [dt.symbols, base + symbols],
    [dt.jumpRela, base + relocations],
    [dt.jumpRelaSize, 48],
    [dt.rela, base + relocations],
    [dt.relaSize, 0],
    [dt.flags, change.flags ?? 8],
    [dt.versym, base + versionOf],
    [dt.verneed, base + versions],
    [dt.verneedCount, 2],
  ];
  dynamic.forEach((entry, n) => put64(place.data + 16 * n, ...entry));

  put32(place.code, ...words);
  if (change.word) put32(place.code + 4 * change.word.at, change.word.is);
  if (change.behind) elf[place.code + 4 * words.length] = change.behind;
  return elf;
}
