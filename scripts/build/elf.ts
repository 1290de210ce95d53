/** Tags of entries in the dynamic section. */
export const dt = {
  needed: 1,
  jumpRelaSize: 2,
  strings: 5,
  symbols: 6,
  rela: 7,
  relaSize: 8,
  jumpRela: 23,
  flags: 30,
  versym: 0x6ffffff0,
  verneed: 0x6ffffffe,
  verneedCount: 0x6fffffff,
} as const;

const loadedSegment = 1;
const dynamicSegment = 2;

export interface Segment {
  /** The file offset of the segment's program header. */
  header: number;
  type: number;
  flags: number;
  offset: number;
  address: number;
  size: number;
}

export interface ElfImage {
  segments: Segment[];
  dynamic: { at: number; tag: number; value: number }[];
  /** Returns the file offset for an address of the running program. */
  offsetOf(address: number): number;
  /** Returns the file offset of a table, by the tag of the table in the dynamic section. */
  at(tag: number): number;
  value(tag: number): number;
  /** Returns a string of the dynamic string table. */
  text(offset: number): string;
  nameOf(symbol: number): string;
}

export const number64 = (elf: Buffer, at: number): number => Number(elf.readBigUInt64LE(at));

/** Reads the loaded segments and the dynamic section of a 64-bit little-endian ELF file. */
export function readElf(elf: Buffer): ElfImage {
  const headers = Array.from({ length: elf.readUInt16LE(56) }, (_, n): Segment => {
    const header = number64(elf, 32) + n * elf.readUInt16LE(54);
    return {
      header,
      type: elf.readUInt32LE(header),
      flags: elf.readUInt32LE(header + 4),
      offset: number64(elf, header + 8),
      address: number64(elf, header + 16),
      size: number64(elf, header + 32),
    };
  });
  const segments = headers.filter(({ type }) => type === loadedSegment);
  const offsetOf = (address: number) => {
    const segment = segments.find((one) => address >= one.address && address < one.address + one.size);
    if (!segment) throw new Error(`The executable has nothing at address ${address}.`);
    return address - segment.address + segment.offset;
  };
  const dynamic: ElfImage['dynamic'] = [];
  const listed = headers.find(({ type }) => type === dynamicSegment);
  for (let at = listed?.offset ?? elf.length; at < elf.length; at += 16) {
    const tag = number64(elf, at);
    if (tag === 0) break;
    dynamic.push({ at, tag, value: number64(elf, at + 8) });
  }
  const value = (tag: number) => dynamic.find((entry) => entry.tag === tag)?.value ?? 0;
  const at = (tag: number) => offsetOf(value(tag));
  const text = (offset: number) => {
    const start = at(dt.strings) + offset;
    return elf.toString('latin1', start, elf.indexOf(0, start));
  };
  const nameOf = (symbol: number) => text(elf.readUInt32LE(at(dt.symbols) + 24 * symbol));
  return { segments, dynamic, offsetOf, at, value, text, nameOf };
}
